#include "api/tables/table_parameters.h"

#include "absl/container/flat_hash_set.h"
#include "api/error.h"
#include "api/request/parameters.h"

namespace magneto::api {
namespace {

storage::AttributeType scalar_type(std::string_view name) {
  if (name == "N") return storage::AttributeType::kNumber;
  return name == "B" ? storage::AttributeType::kBinary : storage::AttributeType::kString;
}

std::vector<storage::KeyAttribute> read_definitions(json::Value list) {
  std::vector<storage::KeyAttribute> out;
  if (!list) return out;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    out.push_back({std::string(members.string_or_empty("AttributeName")),
                   scalar_type(members.string_or_empty("AttributeType"))});
  }
  return out;
}

std::vector<KeyElement> read_key(const Parameters& owner, const IndexForm& form) {
  std::vector<KeyElement> out;
  for (const json::Value element : owner.value(form.key_list).array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    out.push_back({members.string_or_empty("AttributeName"),
                   members.string_or_empty(form.key_type) == "HASH"});
  }
  return out;
}

template <typename Read>
auto read_optional(const Parameters& members, std::string_view name, Read read)
    -> std::optional<decltype(read(Parameters(json::Value())))> {
  const json::Value value = members.value(name);
  if (!value) return std::nullopt;
  return read(Parameters(value));
}

RequestedThroughput read_throughput(const Parameters& members) {
  return {members.integer("ReadCapacityUnits").value_or(0),
          members.integer("WriteCapacityUnits").value_or(0)};
}

storage::OnDemandThroughput read_on_demand(const Parameters& members) {
  return {members.integer("MaxReadRequestUnits"), members.integer("MaxWriteRequestUnits")};
}

storage::WarmThroughput read_warm(const Parameters& members) {
  return {members.integer("ReadUnitsPerSecond"), members.integer("WriteUnitsPerSecond")};
}

RequestedIndex read_index(const Parameters& members, const IndexForm& form) {
  RequestedIndex index;
  index.kind = form.kind;
  index.name = members.string_or_empty("IndexName");
  index.key = read_key(members, form);
  if (const json::Value projection = members.value("Projection")) {
    const Parameters parts(projection);
    index.projection_type = parts.string_or_empty("ProjectionType");
    if (const json::Value names = parts.value("NonKeyAttributes")) {
      index.has_non_key_attributes = true;
      for (const json::Value name : names.array()) {
        if (!name.is_null()) index.non_key_attributes.push_back(name.string());
      }
    }
  }
  index.provisioned = read_optional(members, "ProvisionedThroughput", read_throughput);
  index.on_demand = read_optional(members, "OnDemandThroughput", read_on_demand);
  index.warm = read_optional(members, "WarmThroughput", read_warm);
  if (form.read != nullptr) form.read(members, index);
  return index;
}

RequestedIndexUpdate read_index_update(const Parameters& members, const IndexForm& form) {
  const auto read = [&form](const Parameters& index) { return read_index(index, form); };
  return {form.kind, read_optional(members, "Update", read), read_optional(members, "Create", read),
          read_optional(members, "Delete", read)};
}

// `name`: the member with the name of the list.
template <typename Element>
ListsByKind<Element> read_lists(const Parameters& members, std::string_view IndexForm::*name,
                                Element (*read)(const Parameters&, const IndexForm&)) {
  ListsByKind<Element> lists;
  for (const IndexForm* const form : kIndexForms) {
    if ((form->*name).empty()) continue;  // a dropped member has such a name
    const json::Value list = members.value(form->*name);
    lists.set_given(form->kind, static_cast<bool>(list));
    for (const json::Value element : list.array()) {
      if (!element.is_null()) lists.elements.push_back(read(Parameters(element), *form));
    }
  }
  return lists;
}

RequestedStream read_stream(const Parameters& members) {
  return {members.boolean("StreamEnabled"), members.string_or_empty("StreamViewType")};
}

RequestedEncryption read_encryption(const Parameters& members) {
  RequestedEncryption out;
  if (members.has("Enabled")) out.enabled = members.boolean("Enabled");
  out.type = members.string_or_empty("SSEType");
  out.key_id = members.string_or_empty("KMSMasterKeyId");
  return out;
}

std::optional<storage::BillingMode> read_billing(const Parameters& members, std::string_view name) {
  const auto billing = members.string(name);
  if (!billing) return std::nullopt;
  return *billing == "PAY_PER_REQUEST" ? storage::BillingMode::kPayPerRequest
                                       : storage::BillingMode::kProvisioned;
}

}  // namespace

std::vector<std::string_view> TableParameters::key_names() const {
  std::vector<std::string_view> names;
  absl::flat_hash_set<std::string_view> seen;
  const auto add = [&](const std::vector<KeyElement>& elements) {
    for (const KeyElement& element : elements) {
      if (seen.insert(element.name).second) names.push_back(element.name);
    }
  };
  add(key);
  for (const RequestedIndex& index : indexes.elements) add(index.key);
  return names;
}

TableParameters read_table_parameters(json::Value input) {
  const Parameters members(input);
  TableParameters out;
  out.table_name = members.string_or_empty("TableName");
  out.definitions_given = members.has("AttributeDefinitions");
  out.definitions = read_definitions(members.value("AttributeDefinitions"));
  out.key = read_key(members, kLocalIndexForm);
  out.billing = read_billing(members, "BillingMode");
  out.provisioned = read_optional(members, "ProvisionedThroughput", read_throughput);
  out.on_demand = read_optional(members, "OnDemandThroughput", read_on_demand);
  out.warm = read_optional(members, "WarmThroughput", read_warm);
  out.indexes = read_lists(members, &IndexForm::list, &read_index);
  out.index_updates = read_lists(members, &IndexForm::updates, &read_index_update);
  out.stream = read_optional(members, "StreamSpecification", read_stream);
  out.encryption = read_optional(members, "SSESpecification", read_encryption);
  out.table_class = members.string("TableClass");
  if (members.has("DeletionProtectionEnabled")) {
    out.deletion_protection = members.boolean("DeletionProtectionEnabled");
  }
  return out;
}

TableParameters read_restore_parameters(json::Value input) {
  const Parameters members(input);
  TableParameters out;
  out.table_name = members.string_or_empty("TargetTableName");
  out.billing = read_billing(members, "BillingModeOverride");
  out.provisioned = read_optional(members, "ProvisionedThroughputOverride", read_throughput);
  out.on_demand = read_optional(members, "OnDemandThroughputOverride", read_on_demand);
  out.indexes = read_lists(members, &IndexForm::overrides, &read_index);
  out.encryption = read_optional(members, "SSESpecificationOverride", read_encryption);
  return out;
}

}  // namespace magneto::api
