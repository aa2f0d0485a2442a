#include "api/tables/restored_table.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/messages/resource_messages.h"
#include "api/request/table_lookup.h"
#include "api/tables/schema_json.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_checks.h"
#include "api/tables/table_description_json.h"

namespace magneto::api {
namespace {

using storage::BillingMode;
using storage::IndexKind;
using storage::IndexSchema;
using storage::TableSchema;

// `attributes`: KeySchema::Attributes or a list of such elements.
std::vector<KeyElement> elements_of(const auto& attributes) {
  std::vector<KeyElement> elements;
  elements.reserve(attributes.size());
  for (const auto& [attribute, is_partition] : attributes) {
    elements.push_back({attribute.name, is_partition});
  }
  return elements;
}

bool is_override_given(const storage::OnDemandThroughput& throughput) {
  return throughput.max_read_units || throughput.max_write_units;
}

RequestedThroughput units_of(const storage::ProvisionedThroughput& units) {
  return {units.read_units, units.write_units};
}

bool is_same_index(const RequestedIndex& a, const RequestedIndex& b) {
  const auto sorted = [](std::vector<std::string_view> names) {
    std::ranges::sort(names);
    return names;
  };
  return a.key == b.key && a.vector == b.vector && a.projection_type == b.projection_type &&
         sorted(a.non_key_attributes) == sorted(b.non_key_attributes);
}

// Refuses throughput that does not match the billing mode, with AWS's texts (captured from AWS,
// October 2026).
void check_index_units(const TableSchema& from, const TableParameters& wanted) {
  const BillingMode billing = wanted.billing.value_or(from.billing);
  for (const RequestedIndex& index : wanted.indexes.of(IndexKind::kGlobal)) {
    if (index.provisioned && wanted.billing == BillingMode::kPayPerRequest) {
      fail_validation(messages::units_over_on_demand(index.name));
    }
    if (!index.provisioned && billing == BillingMode::kProvisioned) {
      fail_validation(messages::no_units_of_index(index.name));
    }
  }
  if (wanted.indexes.is_given(IndexKind::kGlobal)) return;
  if (wanted.billing != BillingMode::kProvisioned) return;
  for (const IndexSchema& index : from.indexes) {
    if (index.kind == IndexKind::kGlobal) {
      fail_validation(messages::no_units_over_provisioned(index.name));
    }
  }
}

void check_units(const TableSchema& from, const TableParameters& wanted) {
  const BillingMode billing = wanted.billing.value_or(from.billing);
  const bool is_provisioned = billing == BillingMode::kProvisioned;
  if (wanted.provisioned && !is_provisioned) {
    fail_validation(wanted.billing ? messages::units_over_on_demand({})
                                   : std::string(messages::kUnitsOfOnDemand));
  }
  if (!wanted.provisioned && wanted.billing == BillingMode::kProvisioned) {
    fail_validation(messages::no_units_over_provisioned({}));
  }
  if (wanted.on_demand && is_override_given(*wanted.on_demand) && is_provisioned) {
    fail_validation(messages::on_demand_of_provisioned(
        wanted.on_demand->max_read_units ? "MaxReadRequestUnits" : "MaxWriteRequestUnits"));
  }
}

// Reads the settings of the source for a table with a certain billing mode.
class Source {
 public:
  Source(const TableSchema& table, BillingMode billing) : table_(table), billing_(billing) {}

  std::optional<RequestedThroughput> units(const storage::ProvisionedThroughput& units) const {
    if (billing_ != BillingMode::kProvisioned || table_.billing != billing_) return std::nullopt;
    return units_of(units);
  }
  std::optional<storage::OnDemandThroughput> most(const storage::OnDemandThroughput& most) const {
    if (billing_ != BillingMode::kPayPerRequest || !is_override_given(most)) return std::nullopt;
    return most;
  }

  // For each kind the wanted indexes, or all of the source if the request has no list.
  ListsByKind<RequestedIndex> indexes(const ListsByKind<RequestedIndex>& wanted) const {
    ListsByKind<RequestedIndex> chosen;
    for (const IndexForm* const form : kIndexForms) {
      for (const RequestedIndex& index : wanted.of(form->kind)) chosen.add(matching(index));
      if (wanted.is_given(form->kind)) continue;
      for (const IndexSchema& index : table_.indexes) {
        if (index.kind == form->kind) chosen.add(request_of(index));
      }
    }
    return chosen;
  }

 private:
  RequestedIndex request_of(const IndexSchema& index) const {
    RequestedIndex request;
    request.kind = index.kind;
    request.name = index.name;
    request.key = elements_of(index.elements());
    const IndexForm& form = form_of(index.kind);
    if (form.request != nullptr) form.request(index, request);
    request.projection_type = projection_name(index.projection.type);
    request.has_non_key_attributes = index.projection.type == storage::ProjectionType::kInclude;
    for (const std::string& name : index.projection.non_key_attributes) {
      request.non_key_attributes.emplace_back(name);
    }
    if (index.has_own_throughput()) {
      request.provisioned = units(index.provisioned);
      request.on_demand = most(index.on_demand);
    }
    return request;
  }

  // With the name and warm throughput of the wanted index, and its other throughput if given.
  RequestedIndex matching(const RequestedIndex& wanted) const {
    for (const IndexSchema& index : table_.indexes) {
      if (index.kind != wanted.kind) continue;
      RequestedIndex request = request_of(index);
      if (!is_same_index(request, wanted)) continue;
      request.name = wanted.name;
      if (wanted.provisioned) request.provisioned = wanted.provisioned;
      if (wanted.on_demand) request.on_demand = wanted.on_demand;
      request.warm = wanted.warm;
      return request;
    }
    fail_validation(messages::index_not_in_source(wanted.name));
  }

  const TableSchema& table_;
  const BillingMode billing_;
};

// The definitions of the attributes in keys, in the order of the source.
std::vector<storage::KeyAttribute> used_definitions(const TableSchema& source,
                                                    const TableParameters& table) {
  const std::vector<std::string_view> used = table.key_names();
  std::vector<storage::KeyAttribute> definitions = source.attribute_definitions;
  std::erase_if(definitions, [&](const auto& definition) {
    return std::ranges::find(used, definition.name) == used.end();
  });
  return definitions;
}

}  // namespace

TableSchema restored_table_schema(const TableSchema& from, const TableParameters& wanted,
                                  const Caller& caller, double now) {
  TableParameters table;
  table.table_name = wanted.table_name;
  table.key = elements_of(from.key.attributes());
  table.billing = wanted.billing.value_or(from.billing);
  check_units(from, wanted);
  const Source source(from, *table.billing);
  table.provisioned = wanted.provisioned ? wanted.provisioned : source.units(from.provisioned);
  table.on_demand = wanted.on_demand ? wanted.on_demand : source.most(from.on_demand);
  table.indexes = source.indexes(wanted.indexes);
  check_index_units(from, wanted);
  table.definitions_given = true;
  table.definitions = used_definitions(from, table);
  table.encryption = wanted.encryption;
  check_create_table(table);
  TableSchema schema = new_table_schema(table, caller, now);
  if (!wanted.encryption) schema.encryption = from.encryption;
  return schema;
}

void check_restore_region(std::string_view region, const TableParameters& wanted,
                          const Caller& caller) {
  if (caller.profile == Profile::kAws && region != caller.region && !wanted.encryption) {
    fail_validation(messages::kRestoreElsewhere);
  }
}

void fail_restored_exists(const storage::Database& database, std::string_view name) {
  const storage::TablePtr table = database.find_table(name);
  if (table != nullptr && is_restoring(table->schema)) {
    throw ApiError(ErrorType::kTableInUse,
                   messages::table_being_restored(name, table->schema.restored->backup_arn));
  }
  throw ApiError(ErrorType::kTableAlreadyExists, messages::table_exists(name));
}

void check_restore_room(storage::Database& database, std::string_view name) {
  if (database.find_table(name)) fail_restored_exists(database, name);
  if (database.room().is_full()) {
    throw ApiError(ErrorType::kLimitExceeded, database.room().refusal());
  }
}

void write_restored(std::string& output, const storage::Table& table, double now) {
  json::Writer writer(output);
  writer.begin_object();
  writer.key("TableDescription");
  write_table_description(writer, table, now, DescriptionForm::kCreated);
  writer.end_object();
}

}  // namespace magneto::api
