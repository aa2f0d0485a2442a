#include "api/tables/table_checks.h"

#include <algorithm>
#include <set>
#include <string>

#include "api/capacity/warm_level.h"
#include "api/error.h"
#include "api/java_hash_order.h"
#include "api/messages/index_messages.h"
#include "api/messages/replica_messages.h"
#include "api/messages/table_messages.h"
#include "api/messages/throughput_messages.h"
#include "api/tables/index_checks.h"
#include "api/tables/replica_requests.h"

namespace magneto::api {
namespace {

using storage::BillingMode;
using storage::IndexKind;

bool is_on_demand(const TableParameters& request) {
  return request.billing == BillingMode::kPayPerRequest;
}

void check_create_billing(const TableParameters& request) {
  if (is_on_demand(request)) {
    if (request.provisioned) {
      fail_validation(messages::kUnitsOnDemand);
    }
  } else if (!request.provisioned) {
    fail_validation(messages::kNoUnits);
  } else {
    check_capacity_bounds(*request.provisioned);
  }
}

// Checks OnDemandThroughput of a new index, or of a new table if `index` is empty.
void check_create_on_demand(const storage::OnDemandThroughput& throughput, bool on_demand,
                            std::string_view index, std::string_view scope) {
  if (!on_demand) {
    for (const auto& [value, name] :
         {std::pair{throughput.max_read_units, "MaxReadRequestUnits"},
          std::pair{throughput.max_write_units, "MaxWriteRequestUnits"}}) {
      if (!value) continue;
      fail_validation(index.empty() ? messages::on_demand_of_new_table(name)
                                    : messages::on_demand_of_new_index(name, index));
    }
  }
  check_on_demand_range(throughput, scope, false);
}

// WarmThroughput of a new table or index must not be less than its level without it. `scope` is
// "table" or "index name".
void check_create_warm(const storage::WarmThroughput& warm,
                       const std::optional<RequestedThroughput>& provisioned,
                       const std::string& scope) {
  const auto fail_lower = [&](std::string_view what, std::string_view units) {
    fail_validation(provisioned ? messages::warm_below_provisioned(what, scope, units)
                                : messages::warm_below_initial(what, scope));
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

// Checks that some key uses each definition.
void check_definitions_used(const TableParameters& request) {
  if (std::ranges::count(request.indexes.given, true) == 0) {
    if (request.key.size() != request.definitions.size()) {
      fail_validation(messages::kDefinitionCount);
    }
    return;
  }
  const std::vector<std::string_view> used = request.key_names();
  if (used.size() == request.definitions.size()) return;
  fail_validation(messages::unused_definitions(Definitions(request.definitions).in_hash_order(),
                                               names_in_hash_order(used, FirstTable::kSixteen)));
}

void check_index_lists(const TableParameters& request, const Definitions& definitions) {
  for (const IndexForm* const form : kIndexForms) {
    if (!request.indexes.is_given(form->kind)) continue;
    if (!form->empty_list.empty() && request.indexes.of(form->kind).empty()) {
      fail_validation(form->empty_list);
    }
    if (form->kind == IndexKind::kLocal && request.key.size() != 2) {
      fail_validation(messages::kLocalIndexWithoutSortKey);
    }
  }
  for (const IndexForm* const form : kIndexForms) {
    if (!request.indexes.is_given(form->kind)) continue;
    if (!form->needs_on_demand.empty() && !is_on_demand(request)) {
      fail_validation(form->needs_on_demand);
    }
    for (const RequestedIndex& index : request.indexes.of(form->kind)) {
      form->check_defined(index, definitions);
    }
  }
}

void check_global_index_throughput(const RequestedIndex& index, bool on_demand) {
  if (on_demand && index.provisioned) {
    fail_validation(messages::index_units_on_demand(index.name));
  }
  if (!on_demand && !index.provisioned) {
    fail_validation(messages::no_index_units(index.name));
  }
  if (index.provisioned) check_capacity_bounds(*index.provisioned);
  check_new_index_throughput(index, on_demand);
}

void check_indexes(const TableParameters& request) {
  std::set<std::string_view> names;
  std::size_t projected = 0;
  for (const IndexForm* const form : kIndexForms) {
    const storage::IndexKindTraits& traits = storage::traits_of(form->kind);
    if (form->check_list != nullptr) form->check_list(request);
    std::size_t count = 0;
    for (const RequestedIndex& index : request.indexes.of(form->kind)) {
      ++count;
      if (form->check_key != nullptr) form->check_key(index, request.key);
      check_projection(index);
      projected += index.non_key_attributes.size();
      if (!names.insert(index.name).second) {
        fail_validation(messages::duplicate_index(index.name));
      }
      if (traits.has_own_throughput) check_global_index_throughput(index, is_on_demand(request));
    }
    if (count > traits.max_of_table) fail_validation(form->too_many(traits.max_of_table));
  }
  check_projected_attribute_count(projected);
  for (const IndexForm* const form : kIndexForms) {
    if (form->check_beside != nullptr) form->check_beside(request);
  }
}

void check_create_stream(const RequestedStream& stream) {
  if (stream.enabled && stream.view_type.empty()) {
    fail_validation(messages::kStreamWithoutViewType);
  }
  if (!stream.enabled && !stream.view_type.empty()) {
    fail_validation(messages::kViewTypeWithoutStream);
  }
}

// ---- UpdateTable --------------------------------------------------------------------------------

// An empty list of index updates is not a change, though the request is an error with it.
// Parameters that belong to replica updates are not changes of their own.
int count_changes(const TableParameters& request) {
  return (request.provisioned ? 1 : 0) + (request.billing ? 1 : 0) + (request.stream ? 1 : 0) +
         (request.index_updates.elements.empty() ? 0 : 1) + (request.encryption ? 1 : 0) +
         (request.deletion_protection ? 1 : 0) + (request.disassociation_protection ? 1 : 0) +
         (request.on_demand ? 1 : 0) + (request.warm ? 1 : 0) + (request.table_class ? 1 : 0) +
         (request.replica_updates ? 1 : 0);
}

void check_something_changes(const TableParameters& request) {
  if (count_changes(request) > 0) return;
  fail_validation(request.consistency.empty() ? messages::kNoChange
                                              : messages::kNoChangeBesideConsistency);
}

bool has_online_index_change(const TableParameters& request) {
  return std::ranges::any_of(request.index_updates.elements, &RequestedIndexUpdate::is_online);
}

// Checks which changes one request may combine. Replicas are checked before the others (captured
// from AWS, October 2026).
void check_combination(const TableParameters& request) {
  const bool several = count_changes(request) > 1;
  const auto check_alone = [several](bool given, std::string_view name) {
    if (given && several) fail_validation(messages::change_not_alone(name));
  };
  const bool goes_with_replicas = !request.consistency.empty() || request.witness_update;
  if (goes_with_replicas && (several || !request.replica_updates)) {
    fail_validation(messages::kReplicasBesideOther);
  }
  check_alone(request.replica_updates.has_value(), "Replica modification");
  if (request.warm && has_online_index_change(request)) {
    fail_validation(messages::kWarmBesideIndex);
  }
  check_alone(request.encryption.has_value(), "Server-Side Encryption modification");
  check_alone(request.table_class.has_value(), "TableClass modification");
  check_alone(request.deletion_protection.has_value(), "DeletionProtection modification");
  check_alone(request.disassociation_protection.has_value(),
              "DisassociationProtection modification");
  check_alone(request.warm.has_value(), "WarmThroughput");
  if (request.on_demand && count_changes(request) > (request.billing ? 2 : 1)) {
    fail_validation(messages::kOnDemandBesideOther);
  }
  if (request.stream && (request.provisioned || request.billing == BillingMode::kProvisioned)) {
    fail_validation(messages::kStreamBesideThroughput);
  }
  if (!has_online_index_change(request)) return;
  if (request.provisioned) {
    fail_validation(messages::kIndexBesideThroughput);
  }
  if (request.stream) {
    fail_validation(messages::kIndexBesideStream);
  }
}

void check_index_updates(const TableParameters& request, const IndexForm& form) {
  if (!request.index_updates.is_given(form.kind)) return;
  std::set<std::string_view> names;
  for (const RequestedIndexUpdate& update : request.index_updates.of(form.kind)) {
    const int actions = (update.update ? 1 : 0) + (update.create ? 1 : 0) + (update.remove ? 1 : 0);
    if (actions == 0) fail_validation(form.no_action);
    if (actions > 1) fail_validation(form.several_actions);
    const std::string_view name = update.update   ? update.update->name
                                  : update.create ? update.create->name
                                                  : update.remove->name;
    if (!names.insert(name).second) fail_validation(form.repeated_update(name));
  }
  if (names.empty()) fail_validation(form.empty_updates);
}

}  // namespace

void check_new_index_throughput(const RequestedIndex& index, bool on_demand) {
  const std::string name(index.name);
  if (index.on_demand) {
    check_create_on_demand(*index.on_demand, on_demand, name, "index : " + name);
  }
  if (index.warm) check_create_warm(*index.warm, index.provisioned, "index " + name);
}

void check_capacity_bounds(const RequestedThroughput& throughput) {
  for (const auto& [value, name] : {std::pair{throughput.read_units, "ReadCapacityUnits"},
                                    std::pair{throughput.write_units, "WriteCapacityUnits"}}) {
    if (value > kMaxCapacityUnits) {
      fail_validation(messages::units_out_of_bounds(value, name));
    }
  }
}

void check_on_demand_range(const storage::OnDemandThroughput& throughput, std::string_view scope,
                           bool may_clear) {
  for (const auto& [value, name] :
       {std::pair{throughput.max_read_units, "MaxReadRequestUnits"},
        std::pair{throughput.max_write_units, "MaxWriteRequestUnits"}}) {
    if (!value || *value >= 1 || (may_clear && *value == -1)) continue;
    fail_validation(messages::on_demand_out_of_range(name, scope));
  }
}

void check_no_maximum(const storage::OnDemandThroughput& throughput) {
  if (throughput.max_read_units) {
    fail_validation(messages::on_demand_of_table("MaxReadRequestUnits"));
  }
  if (throughput.max_write_units) {
    fail_validation(messages::on_demand_of_table("MaxWriteRequestUnits"));
  }
}

void check_encryption(const RequestedEncryption& encryption) {
  if (encryption.enabled == false) {
    if (!encryption.type.empty()) fail_validation(messages::kEncryptionTypeWhenDisabled);
    if (!encryption.key_id.empty()) {
      fail_validation(messages::kEncryptionKeyWhenDisabled);
    }
  }
  if (encryption.type == "AES256") fail_validation(messages::kEncryptionAes256);
  if (!encryption.key_id.empty() && encryption.type.empty()) {
    fail_validation(messages::kEncryptionKeyWithoutType);
  }
}

void check_stream_update(const RequestedStream& stream) {
  if (stream.enabled && stream.view_type.empty()) {
    fail_validation(messages::kEnabledStreamWithoutViewType);
  }
  if (!stream.enabled && !stream.view_type.empty()) {
    fail_validation(messages::kDisabledStreamWithViewType);
  }
}

void check_table_class(std::string_view table_class) {
  if (table_class == "STANDARD" || table_class == "STANDARD_INFREQUENT_ACCESS") return;
  fail_validation(messages::kTableClass);
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
  if (request.on_demand && request.billing == BillingMode::kProvisioned) {
    check_no_maximum(*request.on_demand);
  }
  check_combination(request);
  check_replica_updates(request);
  for (const IndexForm* const form : kIndexForms) check_index_updates(request, *form);
  if (request.billing == BillingMode::kProvisioned && !request.provisioned) {
    fail_validation(messages::kNoProvisionedThroughput);
  }
  if (request.provisioned) check_capacity_bounds(*request.provisioned);
  if (is_on_demand(request) && request.provisioned) {
    fail_validation(messages::kUnitsBesideOnDemand);
  }
  if (request.encryption) check_encryption(*request.encryption);
  if (request.stream) check_stream_update(*request.stream);
  if (request.table_class) check_table_class(*request.table_class);
}

}  // namespace magneto::api
