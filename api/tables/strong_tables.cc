#include "api/tables/strong_tables.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/tables/replica_requests.h"

namespace magneto::api {
namespace {

using storage::TableSchema;

// AWS regions without STRONG tables: those that the API reference does not list for
// CreateGlobalTableWitnessGroupMemberAction. A region that AWS does not have is accepted.
constexpr std::string_view kOtherRegions[] = {
    "af-south-1",     "ap-east-1",      "ap-east-2",      "ap-south-1",     "ap-south-2",
    "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5",
    "ap-southeast-6", "ap-southeast-7", "ca-central-1",   "ca-west-1",      "cn-north-1",
    "cn-northwest-1", "eu-central-2",   "eu-north-1",     "eu-south-1",     "eu-south-2",
    "il-central-1",   "me-central-1",   "me-south-1",     "mx-central-1",   "sa-east-1",
    "us-gov-east-1",  "us-gov-west-1",  "us-west-1"};

// Of the three members one is the table's own region.
constexpr std::size_t kOtherMembers = 2;

bool is_among(std::string_view region, const std::vector<std::string_view>& regions) {
  return std::ranges::find(regions, region) != regions.end();
}

void check_witness(const RequestedWitness& witness) {
  if (witness.creates == witness.removes) fail_validation(messages::kOneWitnessAction);
  if (!is_region(witness.region)) fail_validation(messages::not_a_region(witness.region));
}

void check_new_members(const std::vector<std::string_view>& created,
                       const std::optional<RequestedWitness>& witness) {
  const bool has_witness = witness && witness->creates;
  if (created.size() + (has_witness ? 1 : 0) != kOtherMembers) {
    fail_validation(messages::kStrongReplicaCount);
  }
  std::vector<std::string_view> members = created;
  if (has_witness && !is_among(witness->region, members)) members.push_back(witness->region);
  std::erase_if(members, [](std::string_view region) {
    return std::ranges::find(kOtherRegions, region) == std::end(kOtherRegions);
  });
  if (!members.empty()) fail_validation(messages::strong_regions(members));
  if (has_witness && is_among(witness->region, created)) {
    fail_validation(messages::kRegionTwice);
  }
}

}  // namespace

void check_strong_request(const TableParameters& request) {
  const std::vector<std::string_view> created = regions_of(request, ReplicaAction::kCreate);
  if (!request.consistency.empty() && created.empty()) {
    fail_validation(messages::kOnlyCreatesBesideConsistency);
  }
  if (request.witness_update) {
    check_witness(*request.witness_update);
    if (!request.asks_strong() && (request.witness_update->creates || !created.empty())) {
      fail_validation(messages::kWitnessWithoutStrong);
    }
  }
  if (request.asks_strong()) check_new_members(created, request.witness_update);
}

void check_strong_members(const TableSchema& schema, const TableParameters& request) {
  const storage::GlobalTable global = storage::copy_of_global(schema);
  if (!request.consistency.empty() && schema.global_table != nullptr) {
    fail_validation(messages::kConsistencyOfGlobalTable);
  }
  const auto& witness = request.witness_update;
  if (witness && witness->creates && witness->region == schema.region) {
    fail_validation(messages::kWitnessInOwnRegion);
  }
  if (global.is_strong && !regions_of(request, ReplicaAction::kCreate).empty()) {
    fail_validation(messages::kStrongTakesNoReplicas);
  }
  if (witness && witness->removes &&
      (!global.witness || global.witness->region != witness->region)) {
    fail_validation(messages::witness_unknown(witness->region));
  }
}

void check_strong_removal(const TableSchema& schema, const TableParameters& request) {
  if (!storage::is_strong(schema)) return;
  const storage::GlobalTable& global = *schema.global_table;
  const std::size_t removed = regions_of(request, ReplicaAction::kDelete).size();
  const bool takes_witness = request.witness_update && request.witness_update->removes;
  if (removed == 0 && !takes_witness) return;
  if (global.witness && !takes_witness) fail_validation(messages::kWitnessStays);
  if (removed != global.replicas.size()) fail_validation(messages::kStrongReplicaAlone);
}

void check_can_be_strong(const storage::Table& table, const TableSchema& schema,
                         const TableParameters& request) {
  if (!request.asks_strong()) return;
  if (table.statistics->item_count.load() != 0) fail_validation(messages::kStrongNotEmpty);
  const bool has_local_index = std::ranges::any_of(
      schema.indexes,
      [](const storage::IndexSchema& index) { return index.kind == storage::IndexKind::kLocal; });
  if (has_local_index) fail_validation(messages::kStrongLocalIndexes);
  if (storage::expires(schema.time_to_live)) fail_validation(messages::kStrongTimeToLive);
}

void make_strong(TableSchema& schema, const TableParameters& request, double now) {
  storage::GlobalTable global = storage::copy_of_global(schema);
  global.version = storage::kCurrentGlobalTables;
  global.is_strong = true;
  global.created = now;
  if (request.witness_update) {
    global.witness = {request.witness_update->region, storage::ReplicaStatus::kCreating};
  }
  storage::set_global(schema, std::move(global));
}

void refuse_strong_in_transaction(const TableSchema& schema) {
  if (storage::is_strong(schema)) fail_validation(messages::kStrongTransaction);
}

}  // namespace magneto::api
