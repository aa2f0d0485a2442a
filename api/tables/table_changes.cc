#include "api/tables/table_changes.h"

#include <algorithm>
#include <string>

#include "api/capacity/warm_level.h"
#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/messages/resource_messages.h"
#include "api/messages/table_messages.h"
#include "api/messages/throughput_messages.h"
#include "api/request/arn.h"
#include "api/tables/index_changes.h"
#include "api/tables/replica_updates.h"
#include "api/tables/table_checks.h"
#include "api/tables/update_admission.h"

namespace magneto::api {
namespace {

using storage::BillingMode;
using storage::IndexSchema;
using storage::ResourceStatus;
using storage::TableSchema;

// The catalog chooses the label of the new stream.
void enable_stream(storage::StreamSpecification& stream, std::string_view view_type) {
  stream.enabled = true;
  stream.view_type = view_type;
  stream.label.clear();
}

constexpr std::string_view kKeyOfAws = "00000000-0000-4000-8000-000000000000";
constexpr std::string_view kAliasOfAws = "alias/aws/dynamodb";

storage::ServerSideEncryption encryption_of(const RequestedEncryption& request,
                                            const TableSchema& table) {
  if (!request.enabled.value_or(request.type == "KMS")) return {};
  return {true, "KMS", key_arn(request.key_id, table.region, table.account)};
}

void change_encryption(TableSchema& schema, const RequestedEncryption& request) {
  storage::ServerSideEncryption wanted = encryption_of(request, schema);
  if (!wanted.enabled && !schema.encryption.enabled) {
    fail_validation(messages::kEncryptedByDefault);
  }
  // The request may repeat the key as an alias or an id (captured from AWS, October 2026).
  if (wanted.enabled && schema.encryption.enabled && request.key_id.starts_with("arn:") &&
      wanted.key_arn == schema.encryption.key_arn) {
    fail_validation(messages::kEncryptedWithKey);
  }
  schema.encryption = std::move(wanted);
}

void change_stream(TableSchema& schema, const RequestedStream& request) {
  if (request.enabled) {
    if (schema.stream.enabled) {
      fail_validation(messages::stream_enabled(schema.name));
    }
    enable_stream(schema.stream, request.view_type);
    schema.stream_policy.reset();  // it belonged to the previous stream
  } else {
    if (!schema.stream.enabled) {
      fail_validation(messages::stream_disabled(schema.name));
    }
    if (schema.global_table != nullptr && !storage::is_strong(schema)) {
      fail_validation(messages::kStreamOfReplicas);
    }
    schema.stream.enabled = false;
  }
  schema.status = ResourceStatus::kUpdating;
}

bool updates_throughput_of(const TableParameters& request, std::string_view index) {
  return std::ranges::any_of(
      request.index_updates.elements, [index](const RequestedIndexUpdate& one) {
        return one.update && one.update->name == index && one.update->provisioned;
      });
}

void switch_to_provisioned(TableSchema& schema, const TableParameters& request) {
  for (const IndexSchema& index : schema.indexes) {
    const std::string_view refusal = form_of(index.kind).needs_on_demand;
    if (!refusal.empty()) fail_validation(refusal);
  }
  for (const IndexSchema& index : schema.indexes) {
    if (index.has_own_throughput() && !updates_throughput_of(request, index.name)) {
      fail_validation(messages::index_units_of_provisioned_table(index.name));
    }
  }
  keep_warm_level(schema.warm, warm_level(schema.warm, schema.billing, schema.provisioned));
  for (IndexSchema& index : schema.indexes) {
    keep_warm_level(index.warm, warm_level(index.warm, schema.billing, index.provisioned));
    index.on_demand = {};
  }
  schema.on_demand = {};
  schema.billing = BillingMode::kProvisioned;
}

// The replica's own maxima apply again with on-demand billing.
void restore_own_maxima(TableSchema& schema) {
  const storage::ReplicaSettings own = storage::copy_of_global(schema).own;
  schema.on_demand.max_read_units = own.max_read_units;
  for (const storage::ReplicaIndex& of_own : own.indexes) {
    const auto index = std::ranges::find(schema.indexes, of_own.name, &IndexSchema::name);
    if (index != schema.indexes.end()) index->on_demand.max_read_units = of_own.max_read_units;
  }
}

void switch_to_on_demand(TableSchema& schema, double now) {
  const auto clear = [](storage::ProvisionedThroughput& throughput) {
    throughput.read_units = 0;
    throughput.write_units = 0;
  };
  keep_warm_level(schema.warm, warm_level(schema.warm, schema.billing, schema.provisioned));
  clear(schema.provisioned);
  for (IndexSchema& index : schema.indexes) {
    keep_warm_level(index.warm, warm_level(index.warm, schema.billing, index.provisioned));
    clear(index.provisioned);
  }
  restore_own_maxima(schema);
  schema.billing = BillingMode::kPayPerRequest;
  schema.billing_mode_given = true;
  schema.pay_per_request_since = now;
}

void change_billing(TableSchema& schema, const TableParameters& request, double now) {
  const BillingMode mode = request.billing.value_or(schema.billing);
  if (mode == BillingMode::kPayPerRequest && request.provisioned) {
    fail_validation(messages::kUnitsOnDemand);
  }
  if (mode != schema.billing) {
    if (mode == BillingMode::kProvisioned) {
      switch_to_provisioned(schema, request);
    } else {
      switch_to_on_demand(schema, now);
    }
  } else if (!request.provisioned) {
    return;
  } else {
    require_throughput_change(schema.provisioned, *request.provisioned, {});
  }
  if (request.provisioned) {
    const WarmLevel reached = warm_level(schema.warm, schema.billing, schema.provisioned);
    set_provisioned(schema.provisioned, *request.provisioned, now);
    keep_warm_level(schema.warm, reached);
  }
  schema.status = ResourceStatus::kUpdating;
}

void change_on_demand(TableSchema& schema, const storage::OnDemandThroughput& requested) {
  if (schema.billing == BillingMode::kProvisioned) check_no_maximum(requested);
  check_on_demand_range(requested, "table", true);
  merge_on_demand(schema.on_demand, requested);
}

// STANDARD is not stored for a table that never had another class.
void change_class(TableSchema& schema, std::string_view table_class, double now) {
  const bool unsaid = schema.table_class.empty() && table_class == "STANDARD";
  if (unsaid || schema.table_class == table_class) return;
  schema.table_class_changed = now;
  schema.table_class = table_class;
  schema.status = ResourceStatus::kUpdating;
}

}  // namespace

std::string key_arn(std::string_view key_id, std::string_view region, std::string_view account) {
  if (key_id.starts_with("arn:")) return std::string(key_id);
  std::string arn = "arn:aws:kms:";
  arn.append(region).append(":").append(account).append(":");
  if (key_id.empty() || key_id == kAliasOfAws) return arn.append("key/").append(kKeyOfAws);
  if (!key_id.starts_with("alias/")) arn.append("key/");
  return arn.append(key_id);
}

bool is_key_of_aws(std::string_view key) {
  return key.ends_with(kKeyOfAws) || key.ends_with(kAliasOfAws);
}

void fail_index_not_found(std::string_view index, std::string_view table) {
  throw ApiError(ErrorType::kResourceNotFound, messages::index_of_table_not_found(index, table));
}

void fail_in_use(std::string_view message) { throw ApiError(ErrorType::kResourceInUse, message); }

void require_settled(const TableSchema& schema, bool updating_too) {
  switch (schema.status) {
    case ResourceStatus::kCreating:
      fail_in_use(messages::table_being_created(schema.name));
    case ResourceStatus::kDeleting:
      fail_in_use(messages::table_being_deleted(schema.name));
    case ResourceStatus::kUpdating:
      if (!updating_too) fail_in_use(messages::table_being_updated(schema.name));
      return;
    case ResourceStatus::kActive:
      if (is_changing_replicas(schema)) fail_in_use(messages::table_being_updated(schema.name));
      return;
  }
}

TableSchema new_table_schema(const TableParameters& request, const Caller& caller, double now) {
  TableSchema schema;
  schema.name = table_name_of(request.table_name);
  schema.region = caller.home_region();
  schema.account = caller.home_account();
  schema.attribute_definitions = request.definitions;
  RequestedIndex table_as_index;
  table_as_index.key = request.key;
  schema.key = new_index_schema(table_as_index, request.definitions).key;
  for (const RequestedIndex& index : request.indexes.elements) {
    schema.indexes.push_back(new_index_schema(index, request.definitions));
  }
  schema.billing = request.billing.value_or(BillingMode::kProvisioned);
  if (schema.billing == BillingMode::kPayPerRequest) {
    schema.billing_mode_given = true;
    schema.pay_per_request_since = now;
  }
  if (request.provisioned) {
    schema.provisioned.read_units = request.provisioned->read_units;
    schema.provisioned.write_units = request.provisioned->write_units;
  }
  if (request.on_demand) schema.on_demand = *request.on_demand;
  if (request.warm) schema.warm = *request.warm;
  if (request.stream && request.stream->enabled) {
    enable_stream(schema.stream, request.stream->view_type);
  }
  if (request.encryption) schema.encryption = encryption_of(*request.encryption, schema);
  if (request.table_class) schema.table_class = *request.table_class;
  schema.deletion_protection = request.deletion_protection.value_or(false);
  return schema;
}

void change_table(TableSchema& schema, const TableParameters& request, double now) {
  require_admitted(schema, request);
  if (request.billing || request.provisioned) change_billing(schema, request, now);
  if (request.on_demand) change_on_demand(schema, *request.on_demand);
  if (request.warm) {
    raise_warm_throughput(schema.warm, *request.warm, schema.billing, schema.provisioned, "table");
  }
  if (request.stream) change_stream(schema, *request.stream);
  if (request.encryption) change_encryption(schema, *request.encryption);
  if (request.table_class) change_class(schema, *request.table_class, now);
  if (request.deletion_protection) schema.deletion_protection = *request.deletion_protection;
  if (request.disassociation_protection) {
    protect_membership(schema, *request.disassociation_protection);
  }
  change_indexes(schema, request, now);
  if (request.replica_updates) change_replicas(schema, request, now);
}

}  // namespace magneto::api
