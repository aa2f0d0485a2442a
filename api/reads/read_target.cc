#include "api/reads/read_target.h"

#include <algorithm>

#include "api/error.h"
#include "api/request/table_lookup.h"

namespace magneto::api {

using storage::ProjectionType;
using storage::ResourceStatus;

namespace {

[[noreturn]] void fail_not_projected(std::string_view kind, const storage::IndexSchema& index,
                                     std::string_view what,
                                     const std::vector<std::string_view>& missing) {
  std::string message = "One or more parameter values were invalid: ";
  message.append(kind).append(" ").append(index.name).append(" does not project ").append(what);
  for (const std::string_view attribute : missing) {
    message.append(attribute == missing.front() ? "[" : ", ").append(attribute);
  }
  fail_validation(message + ']');
}

}  // namespace

const storage::Index* find_usable_index(const storage::Table& table, std::string_view name) {
  const storage::Index* index = table.find_index(name);
  const bool usable = index != nullptr && index->schema.can_be_queried() &&
                      index->schema.status != ResourceStatus::kDeleting;
  return usable ? index : nullptr;
}

void check_filled(const storage::IndexSchema& index) {
  if (index.status != ResourceStatus::kCreating && !index.backfilling) return;
  fail_validation("Cannot read from backfilling global secondary index: " + index.name);
}

bool ReadTarget::projects(std::string_view attribute) const {
  if (index == nullptr || index->schema.projection.type == ProjectionType::kAll) return true;
  if (index->schema.key.contains(attribute) || table->schema.key.contains(attribute)) return true;
  const std::vector<std::string>& included = index->schema.projection.non_key_attributes;
  return index->schema.projection.type == ProjectionType::kInclude &&
         std::find(included.begin(), included.end(), attribute) != included.end();
}

std::vector<std::string_view> ReadTarget::not_projected(
    std::span<const std::string_view> attributes) const {
  std::vector<std::string_view> missing;
  for (const std::string_view attribute : attributes) {
    if (!projects(attribute)) missing.push_back(attribute);
  }
  return missing;
}

bool needs_whole_items(const ReadTarget& target, std::span<const std::string_view> attributes) {
  const auto missing = target.not_projected(attributes);
  if (missing.empty()) return false;
  if (!target.fetches_from_table()) {
    fail_not_projected("Global secondary index", target.index->schema, "", missing);
  }
  return true;
}

void check_filter_is_projected(const ReadTarget& target,
                               std::span<const std::string_view> attributes) {
  const auto missing = target.not_projected(attributes);
  if (missing.empty()) return;
  fail_not_projected("Secondary index", target.index->schema,
                     "one or more filter attributes: ", missing);
}

ReadTarget pin_read_target(storage::Database& database, std::string_view name_or_arn,
                           std::string_view index_name, bool consistent) {
  ReadTarget target;
  target.table = pin_table(database, name_or_arn);
  if (index_name.empty()) return target;
  target.index = find_usable_index(*target.table, index_name);
  if (target.index == nullptr) {
    fail_validation("The table does not have the specified index: " + std::string(index_name));
  }
  if (target.is_asynchronous() && consistent) {
    fail_validation("Consistent reads are not supported on global secondary indexes");
  }
  check_filled(target.index->schema);
  return target;
}

}  // namespace magneto::api
