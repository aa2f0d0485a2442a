#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/partiql/statement_values.h"
#include "expressions/path_values.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// The columns of a SELECT. A value stands in the answer under the last name of its path and the
// indexes behind it: m.list[0] is "list[0]" (captured facts, "RETURNING shapes pinned").
class SelectedColumns {
 public:
  // Throws ExpressionError: a column that is no path, or two with one name.
  SelectedColumns(const StatementValues& values, const std::vector<TermIndex>& columns);
  SelectedColumns(const SelectedColumns&) = delete;
  SelectedColumns& operator=(const SelectedColumns&) = delete;

  storage::Item apply(storage::ItemView item, storage::Effort& effort) const;
  storage::Item apply(storage::ItemView item) const;  // with no limit

  // Top-level attributes named, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;

 private:
  struct Column {
    std::string name;
    StatementValues::Path path;
  };
  std::vector<Column> columns_;
  std::optional<PathTable> paths_;  // of many columns, each with its number for a slot
};

}  // namespace magneto::expressions
