#include "api/reads/read_target.h"

#include <algorithm>

#include "api/error.h"
#include "api/messages/read_messages.h"
#include "api/messages/statement_messages.h"
#include "api/request/table_lookup.h"

namespace magneto::api {

using storage::ProjectionType;
using storage::ResourceStatus;

namespace {

// nullptr if there is none, or if it is being deleted and "can no longer be used" (AWS developer
// guide, "Managing Global Secondary Indexes").
const storage::Index* find_usable_index(const storage::Table& table, std::string_view name) {
  const storage::Index* index = table.find_index(name);
  if (index == nullptr || index->schema.status == ResourceStatus::kDeleting) return nullptr;
  if (!index->schema.can_be_queried()) fail_validation(messages::kNoScanOfIndex);
  return index;
}

// Whether the index was added to its table, and is not complete yet.
bool is_being_filled(const storage::Index* index) {
  return index != nullptr &&
         (index->schema.status == ResourceStatus::kCreating || index->schema.backfilling);
}

ReadTarget find_read_target(const Request& request, std::string_view name_or_arn,
                            std::string_view index_name, bool consistent, ReadWording wording) {
  const bool is_statement = wording == ReadWording::kStatement;
  ReadTarget target;
  target.table = pin_table(request, name_or_arn);
  if (index_name.empty()) return target;
  target.index = find_usable_index(*target.table, index_name);
  if (target.index == nullptr) {
    if (is_statement) fail_validation(messages::kNoIndex);
    fail_validation(messages::index_not_found(index_name));
  }
  if (target.is_asynchronous() && consistent) {
    fail_validation(is_statement ? messages::kConsistentIndexStatement
                                 : messages::kConsistentIndexRead);
  }
  return target;
}

}  // namespace

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
    fail_validation(messages::not_projected(target.index->schema.name, missing));
  }
  return true;
}

void check_filter_is_projected(const ReadTarget& target,
                               std::span<const std::string_view> attributes) {
  const auto missing = target.not_projected(attributes);
  if (missing.empty()) return;
  fail_validation(messages::filter_not_projected(target.index->schema.name, missing));
}

ReadTarget pin_read_target(const Request& request, std::string_view name_or_arn,
                           std::string_view index_name, bool consistent, ReadWording wording) {
  const auto find = [&] {
    return find_read_target(request, name_or_arn, index_name, consistent, wording);
  };
  ReadTarget target = find();
  if (!is_being_filled(target.index)) return target;
  // A client may know from another server that the index is ACTIVE.
  if (request.database.refresh_table(target.table->schema.name)) target = find();
  if (is_being_filled(target.index)) fail_validation(messages::backfilling_index(index_name));
  return target;
}

}  // namespace magneto::api
