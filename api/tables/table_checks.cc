#include "api/tables/table_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "api/error.h"
#include "api/tables/index_checks.h"
#include "api/tables/warm_level.h"
#include "storage/model/limits.h"

namespace magneto::api {
namespace {

using storage::BillingMode;

[[noreturn]] void fail_invalid(std::string_view text) {
  fail_validation("One or more parameter values were invalid: " + std::string(text));
}

bool is_on_demand(const TableParameters& request) {
  return request.billing == BillingMode::kPayPerRequest;
}

void check_create_billing(const TableParameters& request) {
  if (is_on_demand(request)) {
    if (request.provisioned) {
      fail_invalid(
          "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
          "PAY_PER_REQUEST");
    }
  } else if (!request.provisioned) {
    fail_invalid(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
        "PROVISIONED");
  } else {
    check_capacity_bounds(*request.provisioned);
  }
}

// OnDemandThroughput of a new table or index; `of_index` is empty or " for index: name".
void check_create_on_demand(const storage::OnDemandThroughput& throughput, bool on_demand,
                            const std::string& of_index, std::string_view scope) {
  if (!on_demand) {
    for (const auto& [value, name] :
         {std::pair{throughput.max_read_units, "MaxReadRequestUnits"},
          std::pair{throughput.max_write_units, "MaxWriteRequestUnits"}}) {
      if (value) {
        fail_invalid(std::string(name) + " for OnDemandThroughput" + of_index +
                     " cannot be specified when table BillingMode is PROVISIONED.");
      }
    }
  }
  check_on_demand_range(throughput, scope, false);
}

// WarmThroughput of a new table or index is no less than what it has anyway. `scope` is "table" or
// "index name".
void check_create_warm(const storage::WarmThroughput& warm,
                       const std::optional<RequestedThroughput>& provisioned,
                       const std::string& scope) {
  const auto fail_lower = [&](std::string_view what, std::string_view units) {
    std::string text =
        "Requested " + std::string(what) + " for WarmThroughput for " + scope + " is lower than ";
    if (provisioned) {
      fail_invalid(text + std::string(units) + " of ProvisionedThroughput");
    }
    fail_invalid(text +
                 "initial throughput for OnDemand. See: "
                 "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
                 "on-demand-capacity-mode.html#on-demand-capacity-mode-initial");
  };
  const std::int64_t reads = provisioned ? provisioned->read_units : kInitialWarmReadUnits;
  const std::int64_t writes = provisioned ? provisioned->write_units : kInitialWarmWriteUnits;
  if (warm.read_units_per_second.value_or(reads) < reads) {
    fail_lower("ReadUnitsPerSecond", "ReadCapacityUnits");
  }
  if (warm.write_units_per_second.value_or(writes) < writes) {
    fail_lower("WriteUnitsPerSecond", "WriteCapacityUnits");
  }
}

// Every definition is used by some key.
void check_definitions_used(const TableParameters& request) {
  if (!request.local_indexes && !request.global_indexes) {
    if (request.key.size() != request.definitions.size()) {
      fail_invalid(
          "Number of attributes in KeySchema does not exactly match number of attributes defined "
          "in "
          "AttributeDefinitions");
    }
    return;
  }
  std::set<std::string_view> used;
  const auto add = [&used](const std::vector<KeyElement>& key) {
    for (const KeyElement& element : key) used.insert(element.name);
  };
  add(request.key);
  for (const auto* indexes : {&request.local_indexes, &request.global_indexes}) {
    if (!*indexes) continue;
    for (const RequestedIndex& index : **indexes) add(index.key);
  }
  if (used.size() == request.definitions.size()) return;
  fail_invalid(fmt::format(
      "Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: [{}]",
      Definitions(request.definitions).names(), fmt::join(used, ", ")));
}

void check_index_lists(const TableParameters& request, const Definitions& definitions) {
  if (request.local_indexes) {
    if (request.local_indexes->empty()) fail_invalid("List of LocalSecondaryIndexes is empty");
    if (request.key.size() != 2) {
      fail_invalid(
          "Table KeySchema does not have a range key, which is required when specifying a "
          "LocalSecondaryIndex");
    }
  }
  if (request.global_indexes && request.global_indexes->empty()) {
    fail_invalid("List of GlobalSecondaryIndexes is empty");
  }
  for (const auto* indexes : {&request.local_indexes, &request.global_indexes}) {
    if (!*indexes) continue;
    for (const RequestedIndex& index : **indexes) {
      check_index_key_defined(index, definitions);
    }
  }
}

void check_global_index_throughput(const RequestedIndex& index, bool on_demand) {
  const std::string name(index.name);
  if (on_demand && index.provisioned) {
    fail_invalid("ProvisionedThroughput should not be specified for index: " + name +
                 " when BillingMode is PAY_PER_REQUEST");
  }
  if (!on_demand && !index.provisioned) {
    fail_invalid("ProvisionedThroughput is not specified for index: " + name);
  }
  if (index.provisioned) check_capacity_bounds(*index.provisioned);
  check_new_index_throughput(index, on_demand);
}

void check_indexes(const TableParameters& request) {
  std::set<std::string_view> names;
  std::size_t projected = 0;
  const auto check_common = [&](const RequestedIndex& index) {
    check_projection(index);
    projected += index.non_key_attributes.size();
    if (!names.insert(index.name).second) {
      fail_invalid("Duplicate index name: " + std::string(index.name));
    }
  };
  if (request.local_indexes) {
    for (const RequestedIndex& index : *request.local_indexes) {
      check_local_key(index, request.key);
      check_common(index);
    }
    if (request.local_indexes->size() > storage::kMaxLocalIndexes) {
      fail_invalid("Number of LocalSecondaryIndexes exceeds per-table limit of " +
                   std::to_string(storage::kMaxLocalIndexes));
    }
  }
  if (request.global_indexes) {
    for (const RequestedIndex& index : *request.global_indexes) {
      check_global_key(index);
      check_common(index);
      check_global_index_throughput(index, is_on_demand(request));
    }
    if (request.global_indexes->size() > storage::kMaxGlobalIndexes) {
      fail_invalid("GlobalSecondaryIndex count exceeds the per-table limit of " +
                   std::to_string(storage::kMaxGlobalIndexes));
    }
  }
  check_projected_attribute_count(projected);
}

void check_create_stream(const RequestedStream& stream) {
  if (stream.enabled && stream.view_type.empty()) {
    fail_invalid("Table is being created with a stream enabled, UpdateViewType is required");
  }
  if (!stream.enabled && !stream.view_type.empty()) {
    fail_invalid(
        "Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
}

// ---- UpdateTable --------------------------------------------------------------------------------

bool changes_indexes(const TableParameters& request) {
  return request.index_updates && !request.index_updates->empty();
}

// An empty list of index updates is no change, but an error beside one.
int count_changes(const TableParameters& request) {
  return (request.provisioned ? 1 : 0) + (request.billing ? 1 : 0) + (request.stream ? 1 : 0) +
         (changes_indexes(request) ? 1 : 0) + (request.encryption ? 1 : 0) +
         (request.deletion_protection ? 1 : 0) + (request.on_demand ? 1 : 0) +
         (request.warm ? 1 : 0) + (request.table_class ? 1 : 0);
}

void check_something_changes(const TableParameters& request) {
  if (count_changes(request) > 0) return;
  fail_validation(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
      "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
      "OnDemandThroughput, WarmThroughput or TableClass is required");
}

bool has_online_index_change(const TableParameters& request) {
  return changes_indexes(request) &&
         std::any_of(request.index_updates->begin(), request.index_updates->end(),
                     [](const RequestedIndexUpdate& one) { return one.create || one.remove; });
}

// Which changes can stand in one request.
void check_combination(const TableParameters& request) {
  const bool several = count_changes(request) > 1;
  const auto check_alone = [several](bool given, std::string_view name) {
    if (given && several) {
      fail_invalid(std::string(name) + " must be the only operation in the request");
    }
  };
  if (request.warm && has_online_index_change(request)) {
    fail_invalid("Create global secondary index cannot be specified when updating WarmThroughput");
  }
  check_alone(request.encryption.has_value(), "Server-Side Encryption modification");
  check_alone(request.table_class.has_value(), "TableClass modification");
  check_alone(request.deletion_protection.has_value(), "DeletionProtection modification");
  check_alone(request.warm.has_value(), "WarmThroughput");
  if (request.on_demand && count_changes(request) > (request.billing ? 2 : 1)) {
    fail_invalid(
        "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  }
  if (request.stream && (request.provisioned || request.billing == BillingMode::kProvisioned)) {
    fail_invalid("You cannot modify stream status while updating table IOPS");
  }
  if (!has_online_index_change(request)) return;
  if (request.provisioned) {
    fail_invalid("You cannot create or delete index while updating table IOPS");
  }
  if (request.stream) {
    fail_invalid("You cannot create or delete index while changing stream status");
  }
}

void check_index_updates(const std::vector<RequestedIndexUpdate>& updates) {
  if (updates.empty()) fail_invalid("List of GlobalSecondaryIndexUpdates is empty");
  std::set<std::string_view> names;
  for (const RequestedIndexUpdate& update : updates) {
    const int actions = (update.update ? 1 : 0) + (update.create ? 1 : 0) + (update.remove ? 1 : 0);
    if (actions == 0) {
      fail_invalid(
          "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    if (actions > 1) {
      fail_invalid(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
          "object");
    }
    const std::string_view name = update.update   ? update.update->name
                                  : update.create ? update.create->name
                                                  : update.remove->name;
    if (!names.insert(name).second) {
      fail_invalid(
          "Only one global secondary index update per index is allowed simultaneously. Index: " +
          std::string(name));
    }
  }
}

}  // namespace

void check_new_index_throughput(const RequestedIndex& index, bool on_demand) {
  const std::string name(index.name);
  if (index.on_demand) {
    check_create_on_demand(*index.on_demand, on_demand, " for index: " + name, "index : " + name);
  }
  if (index.warm) check_create_warm(*index.warm, index.provisioned, "index " + name);
}

void check_capacity_bounds(const RequestedThroughput& throughput) {
  for (const auto& [value, name] : {std::pair{throughput.read_units, "ReadCapacityUnits"},
                                    std::pair{throughput.write_units, "WriteCapacityUnits"}}) {
    if (value > kMaxCapacityUnits) {
      fail_validation("Given value " + std::to_string(value) + " for " + name +
                      " is out of bounds");
    }
  }
}

void check_on_demand_range(const storage::OnDemandThroughput& throughput, std::string_view scope,
                           bool may_clear) {
  for (const auto& [value, name] :
       {std::pair{throughput.max_read_units, "MaxReadRequestUnits"},
        std::pair{throughput.max_write_units, "MaxWriteRequestUnits"}}) {
    if (!value || *value >= 1 || (may_clear && *value == -1)) continue;
    fail_invalid("Requested " + std::string(name) + " for OnDemandThroughput for " +
                 std::string(scope) + " is outside of valid range");
  }
}

void check_encryption(const RequestedEncryption& encryption) {
  if (encryption.enabled == false) {
    if (!encryption.type.empty()) fail_invalid("SSEType can not be specified if Enabled is false");
    if (!encryption.key_id.empty()) {
      fail_invalid("KMSMasterKeyId can not be specified if Enabled is false");
    }
  }
  if (encryption.type == "AES256") fail_invalid("SSEType AES256 is not supported");
  if (!encryption.key_id.empty() && encryption.type.empty()) {
    fail_invalid("SSEType KMS is required if KMSMasterKeyId is specified");
  }
}

void check_stream_update(const RequestedStream& stream) {
  if (stream.enabled && stream.view_type.empty()) {
    fail_invalid("If stream is being enabled then UpdateViewType is required");
  }
  if (!stream.enabled && !stream.view_type.empty()) {
    fail_invalid("If stream is being disabled, then UpdateViewType must not be specified");
  }
}

void check_table_class(std::string_view table_class) {
  if (table_class == "STANDARD" || table_class == "STANDARD_INFREQUENT_ACCESS") return;
  fail_validation(
      "Invalid table-class parameter provided. Please try again with a valid table-class value: "
      "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
}

void check_create_table(const TableParameters& request) {
  check_create_billing(request);
  const Definitions definitions(request.definitions);
  check_table_key(request.key, definitions);
  check_index_lists(request, definitions);
  check_definitions_used(request);
  check_indexes(request);
  if (request.on_demand) {
    check_create_on_demand(*request.on_demand, is_on_demand(request), "", "table");
  }
  if (request.warm) check_create_warm(*request.warm, request.provisioned, "table");
  if (request.stream) check_create_stream(*request.stream);
  if (request.encryption) check_encryption(*request.encryption);
  if (request.table_class) check_table_class(*request.table_class);
}

void check_update_table(const TableParameters& request) {
  check_something_changes(request);
  check_combination(request);
  if (request.index_updates) check_index_updates(*request.index_updates);
  if (request.billing == BillingMode::kProvisioned && !request.provisioned) {
    fail_invalid("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  if (request.provisioned) check_capacity_bounds(*request.provisioned);
  if (is_on_demand(request) && request.provisioned) {
    fail_invalid(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (request.on_demand) check_on_demand_range(*request.on_demand, "table", true);
  if (request.encryption) check_encryption(*request.encryption);
  if (request.stream) check_stream_update(*request.stream);
  if (request.table_class) check_table_class(*request.table_class);
}

}  // namespace magneto::api
