#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "expressions/expression_error.h"
#include "expressions/placeholders.h"
#include "storage/model/attribute_value.h"
#include "storage/model/document_path.h"
#include "storage/model/value_writer.h"

namespace magneto::expressions {

// A bound ProjectionExpression: some paths of an item. Immutable.
class Projection {
 public:
  static Projection parse(std::string_view text, Placeholders& placeholders);
  // From paths that do not overlap (UPDATED_OLD and UPDATED_NEW, AttributesToGet).
  static Projection of(std::span<const storage::DocumentPath> paths);

  Projection(Projection&&) noexcept;
  Projection& operator=(Projection&&) noexcept;
  ~Projection();

  // The chosen fragments inside their parents; chosen list elements are compacted in index order.
  // No attributes when nothing matches.
  storage::Item apply(storage::ItemView item) const;

  // Top-level attributes named, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;

 private:
  Projection();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
