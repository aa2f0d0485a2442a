#include "api/tables/index_changes.h"

#include <algorithm>
#include <string>

#include "api/capacity/warm_level.h"
#include "api/error.h"
#include "api/messages/index_messages.h"
#include "api/messages/resource_messages.h"
#include "api/messages/table_messages.h"
#include "api/messages/throughput_messages.h"
#include "api/tables/index_checks.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_checks.h"

namespace magneto::api {
namespace {

using storage::BillingMode;
using storage::IndexKind;
using storage::IndexSchema;
using storage::KeyAttribute;
using storage::ResourceStatus;
using storage::TableSchema;

[[noreturn]] void fail_limit(std::string_view message) {
  throw ApiError(ErrorType::kLimitExceeded, message);
}

const KeyAttribute* find_definition(const std::vector<KeyAttribute>& definitions,
                                    std::string_view name) {
  const auto found = std::find_if(definitions.begin(), definitions.end(),
                                  [name](const KeyAttribute& one) { return one.name == name; });
  return found == definitions.end() ? nullptr : &*found;
}

storage::ProjectionType projection_type(std::string_view name) {
  if (name == "KEYS_ONLY") return storage::ProjectionType::kKeysOnly;
  return name == "INCLUDE" ? storage::ProjectionType::kInclude : storage::ProjectionType::kAll;
}

IndexSchema& find_index(TableSchema& schema, std::string_view name, IndexKind kind,
                        std::string_view verb) {
  for (IndexSchema& index : schema.indexes) {
    if (index.name != name) continue;
    if (index.kind != kind) fail_validation(form_of(kind).other_kind(verb, name));
    return index;
  }
  fail_index_not_found(name, schema.name);
}

// An index cannot change until its previous change is done. But its throughput may change while it
// is filled (AWS developer guide, "Managing Global Secondary Indexes").
void require_idle(const TableSchema& schema, const IndexSchema& index) {
  std::string_view doing;
  switch (index.status) {
    case ResourceStatus::kActive:
      return;
    case ResourceStatus::kCreating:
      if (index.backfilling) return;
      fail_in_use(messages::index_not_filled_yet(schema.name, index.name));
    case ResourceStatus::kUpdating:
      doing = "updated";
      break;
    case ResourceStatus::kDeleting:
      doing = "deleted";
      break;
  }
  fail_in_use(messages::index_being(doing, schema.name, index.name));
}

// Only one index at a time is created or deleted. But the index that is being filled may be
// deleted.
void check_one_online_change(const TableSchema& schema, const TableParameters& request) {
  std::size_t online = 0;
  std::string_view removed;
  for (const RequestedIndexUpdate& update : request.index_updates.elements) {
    if (update.is_online()) ++online;
    if (update.remove) removed = update.remove->name;
  }
  if (online == 0) return;
  for (const IndexSchema& index : schema.indexes) {
    const bool busy = index.status == ResourceStatus::kCreating || index.backfilling ||
                      index.status == ResourceStatus::kDeleting;
    if (busy && index.name != removed) ++online;
  }
  if (online > 1) {
    fail_limit(messages::kOneOnlineIndex);
  }
}

void update_index(TableSchema& schema, const RequestedIndex& request, double now) {
  IndexSchema& index = find_index(schema, request.name, request.kind, "update");
  require_idle(schema, index);
  const std::string name(request.name);
  const bool on_demand = schema.billing == BillingMode::kPayPerRequest;
  if (request.provisioned) {
    if (on_demand) {
      fail_validation(messages::changed_index_units_on_demand(name));
    }
    check_capacity_bounds(*request.provisioned);
    require_throughput_change(index.provisioned, *request.provisioned, name);
    const WarmLevel reached = warm_level(index.warm, schema.billing, index.provisioned);
    set_provisioned(index.provisioned, *request.provisioned, now);
    keep_warm_level(index.warm, reached);
  }
  if (request.on_demand) {
    if (!on_demand) {
      fail_validation(messages::on_demand_of_index(
          request.on_demand->max_read_units ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
          name));
    }
    check_on_demand_range(*request.on_demand, "index : " + name, true);
    merge_on_demand(index.on_demand, *request.on_demand);
  }
  if (request.warm) {
    raise_warm_throughput(index.warm, *request.warm, schema.billing, index.provisioned,
                          "index " + name);
  }
  if (request.provisioned || request.on_demand) index.status = ResourceStatus::kUpdating;
}

void check_new_units(const RequestedIndex& index, bool on_demand) {
  if (on_demand && index.provisioned) {
    fail_validation(messages::new_index_units_on_demand(index.name));
  }
  if (!on_demand && !index.provisioned) {
    fail_validation(messages::no_new_index_units(index.name));
  }
  if (index.provisioned) check_capacity_bounds(*index.provisioned);
  check_new_index_throughput(index, on_demand);
}

void check_new_index(const TableSchema& schema, const RequestedIndex& index,
                     const TableParameters& request) {
  const IndexForm& form = form_of(index.kind);
  const bool on_demand = schema.billing == BillingMode::kPayPerRequest;
  if (schema.find_index(index.name) != nullptr) fail_validation(messages::kIndexExists);
  if (!on_demand && !form.needs_on_demand.empty()) fail_validation(form.needs_on_demand);
  if (!index.key.empty()) {
    if (!request.definitions_given) {
      fail_validation(messages::index_without_definitions(index.name));
    }
    form.check_defined(index, Definitions(request.definitions));
  }
  form.check_new(schema, index);
  check_projection(index);
  if (storage::traits_of(index.kind).has_own_throughput) check_new_units(index, on_demand);
  form.check_count(schema, index);
  std::size_t projected = index.non_key_attributes.size();
  for (const IndexSchema& other : schema.indexes) {
    projected += other.projection.non_key_attributes.size();
  }
  check_projected_attribute_count(projected);
}

// Formats a key like AWS: Schema:[SchemaElement: key{a:S:HASH}, SchemaElement: key{b:N:RANGE}]
std::string schema_text(const auto& elements, const IndexForm& form) {
  std::string text = "Schema:[";
  for (const auto& [attribute, is_hash] : elements) {
    text += text.ends_with('[') ? "SchemaElement: key{" : ", SchemaElement: key{";
    text.append(attribute.name).append(":").append(storage::type_name(attribute.type));
    text.append(":").append(is_hash ? "HASH" : form.other_key).append("}");
  }
  return text + ']';
}

std::string schema_text(const IndexSchema& index) {
  return schema_text(index.elements(), form_of(index.kind));
}

// Formats the key that has the attribute: the table's, or that of the first index with it.
std::string schema_text_with(const TableSchema& schema, std::string_view attribute) {
  const auto uses = [attribute](const IndexSchema& index) {
    return index.status != ResourceStatus::kDeleting && index.has_element(attribute);
  };
  const auto index = std::ranges::find_if(schema.indexes, uses);
  if (schema.key.contains(attribute) || index == schema.indexes.end()) {
    return schema_text(schema.key.attributes(), kLocalIndexForm);
  }
  return schema_text(*index);
}

// A key attribute that the table has already keeps its type (captured facts 2, "Indexes and
// back-fill").
void check_not_redefined(const TableSchema& schema, const RequestedIndex& index,
                         const std::vector<KeyAttribute>& requested) {
  for (const KeyElement& element : index.key) {
    const KeyAttribute* const known = find_definition(schema.attribute_definitions, element.name);
    if (known == nullptr || known->type == find_definition(requested, element.name)->type) continue;
    fail_validation(messages::redefined_attribute(schema_text_with(schema, element.name),
                                                  schema_text(new_index_schema(index, requested))));
  }
}

// Adds the attributes of the new key to the table's definitions. Other definitions of the request
// are dropped.
void add_definitions(TableSchema& schema, const RequestedIndex& index,
                     const std::vector<KeyAttribute>& requested) {
  for (const KeyElement& element : index.key) {
    if (find_definition(schema.attribute_definitions, element.name) == nullptr) {
      schema.attribute_definitions.push_back(*find_definition(requested, element.name));
    }
  }
}

void create_index(TableSchema& schema, const RequestedIndex& index,
                  const TableParameters& request) {
  check_new_index(schema, index, request);
  check_not_redefined(schema, index, request.definitions);
  add_definitions(schema, index, request.definitions);
  // An earlier index with this name may have left some.
  std::erase_if(schema.contributor_insights,
                [&](const auto& enabled) { return enabled.index == index.name; });
  schema.indexes.push_back(new_index_schema(index, schema.attribute_definitions));
}

// Removes the definitions that only the deleted index used.
void prune_definitions(TableSchema& schema) {
  std::erase_if(schema.attribute_definitions, [&schema](const KeyAttribute& definition) {
    if (schema.key.contains(definition.name)) return false;
    return std::none_of(schema.indexes.begin(), schema.indexes.end(), [&](const IndexSchema& one) {
      return one.status != ResourceStatus::kDeleting && one.has_element(definition.name);
    });
  });
}

void remove_index(TableSchema& schema, std::string_view name, IndexKind kind) {
  IndexSchema& index = find_index(schema, name, kind, "delete");
  if (index.status == ResourceStatus::kCreating && !index.backfilling) {
    fail_in_use(messages::index_in_allocation(schema.name, name));
  }
  require_idle(schema, index);
  index.status = ResourceStatus::kDeleting;
  prune_definitions(schema);
}

}  // namespace

storage::IndexSchema new_index_schema(const RequestedIndex& index,
                                      const std::vector<KeyAttribute>& definitions) {
  IndexSchema schema;
  schema.name = index.name;
  schema.kind = index.kind;
  for (const KeyElement& element : index.key) {
    auto& part = element.is_partition ? schema.key.partition : schema.key.sort;
    part.push_back(*find_definition(definitions, element.name));
  }
  const IndexForm& form = form_of(index.kind);
  if (form.specify != nullptr) form.specify(index, schema);
  schema.projection.type = projection_type(index.projection_type);
  schema.projection.non_key_attributes.assign(index.non_key_attributes.begin(),
                                              index.non_key_attributes.end());
  if (index.provisioned) {
    schema.provisioned.read_units = index.provisioned->read_units;
    schema.provisioned.write_units = index.provisioned->write_units;
  }
  if (index.on_demand) schema.on_demand = *index.on_demand;
  if (index.warm) schema.warm = *index.warm;
  return schema;
}

void change_indexes(TableSchema& schema, const TableParameters& request, double now) {
  check_one_online_change(schema, request);
  for (const RequestedIndexUpdate& update : request.index_updates.elements) {
    if (update.update) {
      update_index(schema, *update.update, now);
    } else if (update.create) {
      create_index(schema, *update.create, request);
    } else {
      remove_index(schema, update.remove->name, update.kind);
    }
  }
}

void set_provisioned(storage::ProvisionedThroughput& throughput,
                     const RequestedThroughput& requested, double now) {
  if (requested.read_units > throughput.read_units ||
      requested.write_units > throughput.write_units) {
    throughput.last_increase = now;
  }
  if (requested.read_units < throughput.read_units ||
      requested.write_units < throughput.write_units) {
    throughput.decreases_today = decreases_today(throughput, now) + 1;
    throughput.last_decrease = now;
  }
  throughput.read_units = requested.read_units;
  throughput.write_units = requested.write_units;
}

std::int64_t decreases_today(const storage::ProvisionedThroughput& throughput, double now) {
  const auto day = [](double time) { return static_cast<std::int64_t>(time) / 86'400; };
  const bool today = throughput.last_decrease && day(*throughput.last_decrease) == day(now);
  return today ? throughput.decreases_today : 0;
}

void merge_on_demand(storage::OnDemandThroughput& throughput,
                     const storage::OnDemandThroughput& requested) {
  const auto merge = [](std::optional<std::int64_t>& current, std::optional<std::int64_t> value) {
    if (value) current = *value == -1 ? std::nullopt : value;
  };
  merge(throughput.max_read_units, requested.max_read_units);
  merge(throughput.max_write_units, requested.max_write_units);
}

void require_throughput_change(const storage::ProvisionedThroughput& current,
                               const RequestedThroughput& requested, std::string_view index) {
  if (requested.read_units != current.read_units || requested.write_units != current.write_units) {
    return;
  }
  if (index.empty()) {
    fail_validation(messages::table_units_unchanged(current.read_units, current.write_units));
  }
  fail_validation(messages::index_units_unchanged(index, current.read_units, current.write_units));
}

void raise_warm_throughput(storage::WarmThroughput& warm, const storage::WarmThroughput& requested,
                           BillingMode billing, const storage::ProvisionedThroughput& provisioned,
                           std::string_view scope) {
  const WarmLevel level = warm_level(warm, billing, provisioned);
  const auto require = [scope](std::optional<std::int64_t> value, std::int64_t current,
                               std::string_view name) {
    if (!value || *value >= current) return;
    fail_validation(messages::warm_below_current(name, scope));
  };
  require(requested.read_units_per_second, level.read_units, "ReadUnitsPerSecond");
  require(requested.write_units_per_second, level.write_units, "WriteUnitsPerSecond");
  if (requested.read_units_per_second) warm.read_units_per_second = requested.read_units_per_second;
  if (requested.write_units_per_second) {
    warm.write_units_per_second = requested.write_units_per_second;
  }
}

}  // namespace magneto::api
