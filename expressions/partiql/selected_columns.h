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

// The columns of a SELECT. In the answer, the name of a value is the last name of its path and the
// indexes after it: m.list[0] is "list[0]" (captured facts, "RETURNING shapes pinned").
class SelectedColumns {
 public:
  // Throws ExpressionError for a column that is not a path, or for two columns with one name.
  SelectedColumns(const StatementValues& values, const std::vector<TermIndex>& columns);
  SelectedColumns(const SelectedColumns&) = delete;
  SelectedColumns& operator=(const SelectedColumns&) = delete;

  storage::Item apply(storage::ItemView item, storage::Effort& effort) const;
  storage::Item apply(storage::ItemView item) const;  // without a limit

  // Top-level attributes in the columns, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;

 private:
  struct Column {
    std::string name;
    StatementValues::Path path;
  };
  std::vector<Column> columns_;
  std::optional<PathTable> paths_;  // set if there are many columns; a column's slot is its number
};

}  // namespace magneto::expressions
