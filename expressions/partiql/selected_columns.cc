#include "expressions/partiql/selected_columns.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "expressions/expression_error.h"
#include "expressions/partiql/messages.h"
#include "storage/model/narrow.h"
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
  if (duplicate != names.end()) {
    throw ExpressionError(messages::duplicate_column(*duplicate), ExpressionError::Scope::kRequest);
  }
  if (columns_.size() <= PathTable::kFew) return;
  std::vector<PathTable::Entry> entries;
  for (const Column& column : columns_) {
    entries.push_back({column.path, storage::narrow<std::uint32_t>(entries.size())});
  }
  paths_.emplace(std::move(entries), columns_.size());
}

storage::Item SelectedColumns::apply(storage::ItemView item, storage::Effort& effort) const {
  constexpr std::size_t kCopiedInAStep = 64;
  std::vector<storage::AttributeView> values;
  if (paths_) values = paths_->find_all(item, effort).by_slot;
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const storage::AttributeView value = paths_ ? values[i] : find(item, columns_[i].path, effort);
    if (!value) continue;
    effort.spend(1 + value.bytes().size() / kCopiedInAStep);
    writer.name(columns_[i].name);
    writer.value(value);
  }
  writer.end_item();
  return storage::Item(std::move(bytes));
}

storage::Item SelectedColumns::apply(storage::ItemView item) const {
  storage::Effort unlimited;
  return apply(item, unlimited);
}

std::vector<std::string_view> SelectedColumns::attributes() const {
  std::vector<std::string_view> names;
  absl::flat_hash_set<std::string_view> seen;
  for (const Column& column : columns_) {
    const std::string_view name = column.path.front().name;
    if (seen.insert(name).second) names.push_back(name);
  }
  return names;
}

}  // namespace magneto::expressions
