#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "expressions/expression_error.h"
#include "expressions/path_set.h"
#include "expressions/placeholders.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// A bound ProjectionExpression: some paths of an item. Immutable and thread-safe. An object from
// parse() views into the request's names, which must outlive it.
class Projection {
 public:
  static Projection parse(std::string_view text, Placeholders& placeholders);
  // Makes a projection from bound paths that do not overlap (UPDATED_OLD and UPDATED_NEW,
  // AttributesToGet). Copies the paths but not their names, which must outlive it.
  static Projection of(std::span<const PathView> paths);

  Projection(Projection&&) noexcept;
  Projection& operator=(Projection&&) noexcept;
  ~Projection();

  // The selected fragments inside their parents; selected list elements are compacted in index
  // order. No attributes if nothing matches.
  storage::Item apply(storage::ItemView item, storage::Effort& effort) const;
  storage::Item apply(storage::ItemView item) const;  // without a limit

  // Top-level attributes in the paths, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;
  // The same for attributes of which it reads a part ("a.b", "a[0]"). Key attributes do not allow
  // that.
  std::vector<std::string_view> nested_attributes() const;

 private:
  struct State;
  explicit Projection(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
