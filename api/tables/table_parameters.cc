#include "api/tables/table_parameters.h"

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

std::vector<KeyElement> read_key(json::Value list) {
  std::vector<KeyElement> out;
  if (!list) return out;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    out.push_back(
        {members.string_or_empty("AttributeName"), members.string_or_empty("KeyType") == "HASH"});
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

storage::DistanceFunction distance_function(std::string_view name) {
  if (name == "DOT_PRODUCT") return storage::DistanceFunction::kDotProduct;
  return name == "EUCLIDEAN" ? storage::DistanceFunction::kEuclidean
                             : storage::DistanceFunction::kCosine;
}

std::vector<KeyElement> read_search_schema(json::Value list) {
  std::vector<KeyElement> out;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    out.push_back({members.string_or_empty("AttributeName"),
                   members.string_or_empty("SearchSchemaElementType") == "HASH"});
  }
  return out;
}

RequestedIndex read_index(const Parameters& members) {
  RequestedIndex index;
  index.name = members.string_or_empty("IndexName");
  index.key = read_key(members.value("KeySchema"));
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
  return index;
}

RequestedIndex read_vector_index(const Parameters& members) {
  RequestedIndex index = read_index(members);
  index.key = read_search_schema(members.value("SearchSchema"));
  index.vector = {
      .attribute = Parameters(members.value("VectorAttribute")).string_or_empty("AttributeName"),
      .dimensions = members.integer("Dimensions").value_or(0),
      .function = distance_function(members.string_or_empty("DistanceFunction"))};
  return index;
}

template <typename Element, typename Read>
std::optional<std::vector<Element>> read_list(const Parameters& members, std::string_view name,
                                              Read read) {
  const json::Value list = members.value(name);
  if (!list) return std::nullopt;
  std::vector<Element> out;
  for (const json::Value element : list.array()) {
    if (!element.is_null()) out.push_back(read(Parameters(element)));
  }
  return out;
}

RequestedIndexUpdate read_index_update(const Parameters& members) {
  return {read_optional(members, "Update", read_index),
          read_optional(members, "Create", read_index),
          read_optional(members, "Delete", read_index)};
}

RequestedIndexUpdate read_vector_update(const Parameters& members) {
  return {.update = std::nullopt,
          .create = read_optional(members, "Create", read_vector_index),
          .remove = read_optional(members, "Delete", read_index)};
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

TableParameters read_table_parameters(json::Value input) {
  const Parameters members(input);
  TableParameters out;
  out.table_name = members.string_or_empty("TableName");
  out.definitions_given = members.has("AttributeDefinitions");
  out.definitions = read_definitions(members.value("AttributeDefinitions"));
  out.key = read_key(members.value("KeySchema"));
  out.billing = read_billing(members, "BillingMode");
  out.provisioned = read_optional(members, "ProvisionedThroughput", read_throughput);
  out.on_demand = read_optional(members, "OnDemandThroughput", read_on_demand);
  out.warm = read_optional(members, "WarmThroughput", read_warm);
  out.local_indexes = read_list<RequestedIndex>(members, "LocalSecondaryIndexes", read_index);
  out.global_indexes = read_list<RequestedIndex>(members, "GlobalSecondaryIndexes", read_index);
  out.index_updates =
      read_list<RequestedIndexUpdate>(members, "GlobalSecondaryIndexUpdates", read_index_update);
  out.vector_indexes = read_list<RequestedIndex>(members, "VectorIndexes", read_vector_index);
  out.vector_updates =
      read_list<RequestedIndexUpdate>(members, "VectorIndexUpdates", read_vector_update);
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
  out.local_indexes = read_list<RequestedIndex>(members, "LocalSecondaryIndexOverride", read_index);
  out.global_indexes =
      read_list<RequestedIndex>(members, "GlobalSecondaryIndexOverride", read_index);
  out.vector_indexes = read_list<RequestedIndex>(members, "VectorIndexOverride", read_vector_index);
  out.encryption = read_optional(members, "SSESpecificationOverride", read_encryption);
  return out;
}

}  // namespace magneto::api
