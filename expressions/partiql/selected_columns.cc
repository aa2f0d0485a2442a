#include "expressions/partiql/selected_columns.h"

#include <algorithm>
#include <utility>

#include "expressions/condition_evaluator.h"
#include "expressions/expression_error.h"
#include "storage/model/value_writer.h"

namespace magneto::expressions {

namespace {

std::string column_name(std::span<const PathElement> path) {
  std::size_t last_name = path.size() - 1;
  while (path[last_name].is_index()) --last_name;
  std::string name(path[last_name].name);
  for (const PathElement& index : path.subspan(last_name + 1)) {
    name += '[' + std::to_string(index.index) + ']';
  }
  return name;
}

}  // namespace

SelectedColumns::SelectedColumns(const StatementValues& values,
                                 const std::vector<TermIndex>& columns) {
  for (const TermIndex column : columns) {
    StatementValues::Path path = values.path(values.tree().term(column));
    columns_.push_back({column_name(path), std::move(path)});
  }
  std::vector<std::string_view> names;
  for (const Column& column : columns_) names.push_back(column.name);
  std::sort(names.begin(), names.end());
  const auto duplicate = std::adjacent_find(names.begin(), names.end());
  if (duplicate == names.end()) return;
  throw ExpressionError("Two columns have the name " + std::string(*duplicate),
                        ExpressionError::Scope::kRequest);
}

storage::Item SelectedColumns::apply(storage::ItemView item) const {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  for (const Column& column : columns_) {
    const storage::AttributeView value = find(item, column.path);
    if (!value) continue;
    writer.name(column.name);
    writer.value(value);
  }
  writer.end_item();
  return storage::Item(std::move(bytes));
}

std::vector<std::string_view> SelectedColumns::attributes() const {
  std::vector<std::string_view> names;
  for (const Column& column : columns_) {
    const std::string_view name = column.path.front().name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace magneto::expressions
