#include "server/tools/schema/cloudformation.h"

#include <absl/strings/match.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/nearest_name.h"
#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

constexpr std::string_view kTable = "AWS::DynamoDB::Table";
constexpr std::string_view kGlobalTable = "AWS::DynamoDB::GlobalTable";
constexpr std::string_view kSimpleTable = "AWS::Serverless::SimpleTable";
constexpr std::string_view kNested[] = {"AWS::CloudFormation::Stack",
                                        "AWS::Serverless::Application"};

// These are read separately.
constexpr std::string_view kReplicas[] = {"Replicas"};
constexpr std::string_view kInsights = "ContributorInsightsSpecification";
// Settings of a table that belong to the replica in a global table.
constexpr std::string_view kOfReplicas[] = {"Tags", "TableClass", "DeletionProtectionEnabled",
                                            "PointInTimeRecoverySpecification", kInsights};
constexpr std::string_view kPrimaryKey[] = {"PrimaryKey"};
constexpr std::string_view kTableName[] = {"TableName"};

// Settings without meaning here; they often refer to values that only AWS knows.
constexpr std::string_view kPassedOver[] = {
    "ImportSourceSpecification",  "KMSMasterKeyId", "KinesisStreamSpecification",
    "ReplicaStreamSpecification", "ResourcePolicy", "ReplicaSSESpecification",
};

bool is_table(const TreeNode& resource) {
  const std::string& type = resource.at("Type").text;
  return type == kTable || type == kGlobalTable || type == kSimpleTable;
}

// Whether the node contains a table at any depth.
bool holds_table(const TreeNode& node) {
  if (is_table(node)) return true;
  return std::ranges::any_of(node.elements, holds_table) ||
         std::ranges::any_of(node.members,
                             [](const Member& member) { return holds_table(member.value); });
}

TreeNode number_node(const TreeNode& from) {
  TreeNode node = from;
  node.quoted = false;
  return node;
}

// The configured units, or the initial units of auto-scaling.
const TreeNode& units_of(const TreeNode& settings, std::string_view plain,
                         std::string_view scaling) {
  if (settings.has(plain)) return settings.at(plain);
  const TreeNode& scaled = settings.at(scaling);
  return scaled.has("SeedCapacity") ? scaled.at("SeedCapacity") : scaled.at("MinCapacity");
}

void rename(TreeNode& map, std::string_view from, std::string_view to) {
  for (Member& member : map.members) {
    if (member.name == from) member.name = to;
  }
}

// Renames the members that the template calls differently from CreateTable.
void adapt_table(TreeNode& table) {
  TreeNode* const stream = table.find("StreamSpecification");
  if (stream != nullptr && stream->is_map() && !stream->has("StreamEnabled")) {
    stream->add("StreamEnabled", text_node("true", stream->line));
  }
  if (TreeNode* encryption = table.find("SSESpecification")) {
    rename(*encryption, "SSEEnabled", "Enabled");
  }
}

TreeNode provisioned(const TreeNode& read, const TreeNode& write, std::uint32_t line) {
  TreeNode units = map_node(line);
  if (!read.is_null()) units.add("ReadCapacityUnits", number_node(read));
  if (!write.is_null()) units.add("WriteCapacityUnits", number_node(write));
  return units;
}

constexpr std::string_view kWriteSettings[] = {"WriteProvisionedThroughputSettings",
                                               "WriteOnDemandThroughputSettings"};

// Combines the throughput settings of a global table, or of one of its indexes, with the other half
// in the replica.
void adapt_throughput(TreeNode& owner, const TreeNode& replica, bool is_provisioned) {
  TreeNode units = provisioned(units_of(replica.at("ReadProvisionedThroughputSettings"),
                                        "ReadCapacityUnits", "ReadCapacityAutoScalingSettings"),
                               units_of(owner.at("WriteProvisionedThroughputSettings"),
                                        "WriteCapacityUnits", "WriteCapacityAutoScalingSettings"),
                               owner.line);
  TreeNode limits = map_node(owner.line);
  for (const auto& [from, name] :
       {std::pair<const TreeNode*, std::string_view>{&replica.at("ReadOnDemandThroughputSettings"),
                                                     "MaxReadRequestUnits"},
        {&owner.at("WriteOnDemandThroughputSettings"), "MaxWriteRequestUnits"}}) {
    if (from->has(name)) limits.add(std::string(name), number_node(from->at(name)));
  }
  owner.remove(kWriteSettings);
  if (is_provisioned && !units.members.empty()) owner.add("ProvisionedThroughput", units);
  if (!is_provisioned && !limits.members.empty()) owner.add("OnDemandThroughput", limits);
}

const TreeNode& find_by(const TreeNode& list, std::string_view name, const std::string& value) {
  const auto found = std::ranges::find_if(
      list.elements, [&](const TreeNode& element) { return element.at(name).text == value; });
  return found == list.elements.end() ? list.at("") : *found;
}

void adapt_global_table(TreeNode& table, const std::string& region, const Warn& warn) {
  const TreeNode replicas = table.at("Replicas");
  const TreeNode* replica = &find_by(replicas, "Region", region);
  if (replica->is_null()) replica = &replicas.at(std::size_t{0});
  if (replicas.elements.size() > 1) {
    warn(table.line, messages::kOnlyReplica(replica->at("Region").text));
  }
  const bool is_provisioned = table.at("BillingMode").text != "PAY_PER_REQUEST";
  if (TreeNode* indexes = table.find("GlobalSecondaryIndexes")) {
    for (TreeNode& index : indexes->elements) {
      const TreeNode& own =
          find_by(replica->at("GlobalSecondaryIndexes"), "IndexName", index.at("IndexName").text);
      adapt_throughput(index, own, is_provisioned);
      if (own.has(kInsights)) index.add(std::string(kInsights), own.at(kInsights));
    }
  }
  adapt_throughput(table, *replica, is_provisioned);
  for (const std::string_view name : kOfReplicas) {
    if (replica->has(name)) table.add(std::string(name), replica->at(name));
  }
  table.remove(kReplicas);
  adapt_table(table);
}

TreeNode pair_node(std::string_view first, std::string text, std::string_view second,
                   std::string other, std::uint32_t line) {
  TreeNode list = list_node(line);
  TreeNode pair = map_node(line);
  pair.add(std::string(first), text_node(std::move(text), line));
  pair.add(std::string(second), text_node(std::move(other), line));
  list.elements.push_back(std::move(pair));
  return list;
}

// Converts SAM's name of a type to DynamoDB's. CreateTable refuses unknown names.
std::string attribute_type(const std::string& type) {
  if (type == "String") return "S";
  if (type == "Number") return "N";
  return type == "Binary" ? "B" : type;
}

// Converts SAM's table with one key, id by default. It is on demand unless it has units.
void adapt_simple_table(TreeNode& table) {
  const TreeNode& key = table.at("PrimaryKey");
  const std::string name = key.has("Name") ? key.at("Name").text : "id";
  const std::string type = key.has("Type") ? attribute_type(key.at("Type").text) : "S";
  const std::uint32_t line = table.line;
  table.add("AttributeDefinitions", pair_node("AttributeName", name, "AttributeType", type, line));
  table.add("KeySchema", pair_node("AttributeName", name, "KeyType", "HASH", line));
  if (!table.has("ProvisionedThroughput")) {
    table.add("BillingMode", text_node("PAY_PER_REQUEST", line));
  }
  if (TreeNode* tags = table.find("Tags"); tags != nullptr && tags->is_map()) {
    TreeNode list = list_node(tags->line);
    for (const Member& tag : tags->members) {
      TreeNode pair = pair_node("Key", tag.name, "Value", tag.value.text, tag.line);
      list.elements.push_back(std::move(pair.elements.front()));
    }
    *tags = std::move(list);
  }
  table.remove(kPrimaryKey);
  adapt_table(table);
}

// Replaces a text by its value.
void replace_text(TreeNode* node, const Replace& replace) {
  if (node == nullptr || !node->is_text() || !replace) return;
  if (std::optional<TreeNode> value = replace(*node)) *node = *std::move(value);
}

// Adds the settings that all tables of a kind share, unless the table has its own.
void add_missing(TreeNode& table, const TreeNode& globals) {
  for (const Member& member : globals.members) {
    TreeNode* const own = table.find(member.name);
    if (own == nullptr) {
      table.add(member.name, member.value);
    } else if (own->is_map()) {
      add_missing(*own, member.value);
    }
  }
}

// The attributes of every resource: those of CloudFormation and of SAM.
constexpr std::string_view kOfResources[] = {
    "Type",           "Properties",    "Condition",      "DependsOn",
    "DeletionPolicy", "UpdatePolicy",  "CreationPolicy", "UpdateReplacePolicy",
    "Connectors",     "IgnoreGlobals", "Metadata"};
constexpr std::string_view kOfDynamoDb = "AWS::DynamoDB::";

// All types begin alike, so only their endings are compared.
void refuse_misspelt_type(const TreeNode& type) {
  std::vector<std::string> endings;
  for (const std::string_view kind : {kTable, kGlobalTable}) {
    if (type.text == kind) return;
    endings.emplace_back(kind.substr(kOfDynamoDb.size()));
  }
  const std::string_view nearest =
      api::nearest_name(std::string_view(type.text).substr(kOfDynamoDb.size()), endings);
  if (nearest.empty()) return;
  throw SchemaError(type.line,
                    messages::kUnknownType(type.text, std::string(kOfDynamoDb).append(nearest)));
}

void refuse_misspelt_members(const TreeNode& resource) {
  const std::vector<std::string> names(std::begin(kOfResources), std::end(kOfResources));
  for (const Member& member : resource.members) {
    if (std::ranges::count(names, member.name) > 0) continue;
    const std::string_view nearest = api::nearest_name(member.name, names);
    if (nearest.empty()) continue;
    throw SchemaError(member.line, messages::kUnknownMember(member.name, nearest));
  }
}

// Refuses a table whose misspelt type would skip it or make it a different table.
void refuse_misspelt_table(const TreeNode& resource) {
  const TreeNode& type = resource.at("Type");
  const bool is_of_dynamodb =
      absl::StartsWithIgnoreCase(type.text, {kOfDynamoDb.data(), kOfDynamoDb.size()});
  if (is_of_dynamodb) refuse_misspelt_type(type);
  if (type.is_null() || is_of_dynamodb || is_table(resource)) refuse_misspelt_members(resource);
}

// Replaces texts that stand for a whole resource or for its properties.
TreeNode replaced_resources(const TreeNode& resources, const Replace& replace, const Warn& warn) {
  TreeNode made = map_node(resources.line);
  for (const Member& member : resources.members) {
    if (member.name.starts_with("Fn::")) {
      if (holds_table(member.value))
        throw SchemaError(member.line, messages::kUnresolved(member.name));
      warn(member.line, messages::kNotLookedAt(member.name));
      continue;
    }
    made.members.push_back(member);
    TreeNode& resource = made.members.back().value;
    replace_text(&resource, replace);
    const std::string& type = resource.at("Type").text;
    refuse_misspelt_table(resource);
    if (is_table(resource)) replace_text(resource.find("Properties"), replace);
    if (std::ranges::count(kNested, type) > 0) {
      warn(member.line, messages::kNestedStack(member.name));
    }
  }
  return made;
}

}  // namespace

std::vector<TreeNode> template_tables(const TreeNode& document, SchemaParameters& parameters,
                                      const Replace& replace, const Warn& warn) {
  TreeNode known = map_node(document.line);
  for (const std::string_view section : {"Parameters", "Conditions", "Mappings"}) {
    known.add(std::string(section), document.at(section));
  }
  known.add("Resources", replaced_resources(document.at("Resources"), replace, warn));
  std::vector<const Member*> resources;
  for (const Member& member : known.at("Resources").members) {
    if (is_table(member.value)) resources.push_back(&member);
  }
  Intrinsics intrinsics(known, resources, parameters, replace);
  intrinsics.set_skip([&warn](const Member& member) {
    if (std::ranges::count(kPassedOver, member.name) == 0) return false;
    warn(member.line, messages::kUnsupported(member.name));
    return true;
  });
  std::vector<TreeNode> tables;
  for (const Member* resource : resources) {
    const TreeNode& condition = resource->value.at("Condition");
    if (!condition.is_null() && !intrinsics.holds(condition.text, condition.line)) continue;
    TreeNode table = intrinsics.resolve(resource->value.at("Properties")).value_or(TreeNode{});
    if (!table.is_map()) table = map_node(resource->line);
    table.line = resource->line;
    table.remove(kTableName);
    table.add("TableName", text_node(intrinsics.table_name(*resource), resource->line));
    const std::string& type = resource->value.at("Type").text;
    if (type == kGlobalTable) {
      adapt_global_table(table, parameters.region(), warn);
    } else if (type == kSimpleTable) {
      const TreeNode& globals = document.at("Globals").at("SimpleTable");
      add_missing(table, intrinsics.resolve(globals).value_or(TreeNode{}));
      adapt_simple_table(table);
    } else {
      adapt_table(table);
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace magneto::server::tools::schema
