#include "api/tables/update_admission.h"

#include <algorithm>
#include <string>

#include "api/messages/resource_messages.h"
#include "api/tables/table_changes.h"

namespace magneto::api {
namespace {

using storage::BillingMode;
using storage::IndexSchema;
using storage::ResourceStatus;
using storage::TableSchema;

using UpdateTest = bool (*)(const RequestedIndexUpdate&);

bool has_index_update(const TableParameters& request, UpdateTest test) {
  return std::ranges::any_of(request.index_updates.elements, test);
}

bool is_online(const RequestedIndexUpdate& one) { return one.is_online(); }
bool is_removal(const RequestedIndexUpdate& one) { return one.remove.has_value(); }

bool changes_only_throughput(const TableParameters& request) {
  return !request.index_updates.elements.empty() && !has_index_update(request, is_online) &&
         !request.provisioned && !request.billing;
}

bool updates_index(const TableParameters& request, std::string_view name) {
  return std::ranges::any_of(
      request.index_updates.elements,
      [name](const RequestedIndexUpdate& one) { return one.update && one.update->name == name; });
}

// The table is on-demand, and the request asks for that again.
bool stays_on_demand(const TableSchema& schema, const TableParameters& request) {
  return request.billing == BillingMode::kPayPerRequest && schema.billing == *request.billing;
}

bool is_made_or_deleted(const IndexSchema& index) {
  return index.status == ResourceStatus::kCreating || index.status == ResourceStatus::kDeleting;
}

// Returns the index for which the table is UPDATING, or nullptr. An index that is being filled does
// not block.
const IndexSchema* index_in_the_way(const TableSchema& schema) {
  const auto found = std::ranges::find_if(schema.indexes, [](const IndexSchema& index) {
    return is_made_or_deleted(index) && !index.backfilling;
  });
  return found == schema.indexes.end() ? nullptr : &*found;
}

// The index changes refuse updates of that index itself later.
void refuse_beside(const IndexSchema& index, const TableSchema& schema,
                   const TableParameters& request) {
  const bool deleted = index.status == ResourceStatus::kDeleting;
  if (request.on_demand) {
    fail_in_use(messages::maximum_beside_index(deleted ? "deletion" : "creation", index.name));
  }
  const std::string_view doing = deleted ? "deleted" : "created";
  if (request.stream) fail_in_use(messages::stream_beside_index(doing, schema.name, index.name));
  if ((request.provisioned || request.billing) && !stays_on_demand(schema, request) &&
      !updates_index(request, index.name)) {
    fail_in_use(messages::units_beside_index(doing, schema.name, index.name));
  }
}

}  // namespace

void require_admitted(const TableSchema& schema, const TableParameters& request) {
  bool admitted = request.deletion_protection || request.encryption || request.warm ||
                  has_index_update(request, is_removal);
  // Throughput of other indexes may change (AWS developer guide, "Managing Global Secondary
  // Indexes"). The index changes refuse a second new index later.
  if (std::ranges::any_of(schema.indexes, is_made_or_deleted)) {
    admitted |= changes_only_throughput(request) || has_index_update(request, is_online);
  }
  const IndexSchema* const index = index_in_the_way(schema);
  if (schema.status == ResourceStatus::kUpdating && index != nullptr) {
    refuse_beside(*index, schema, request);
    admitted |= request.provisioned || request.billing;
  }
  require_settled(schema, admitted);
}

}  // namespace magneto::api
