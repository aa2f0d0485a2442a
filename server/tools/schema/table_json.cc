#include "server/tools/schema/table_json.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/index_lists.h"
#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

// Members of answers about the table's history and state.
constexpr std::string_view kOfAnswers[] = {
    "ArchivalSummary",
    "BillingModeSummary",
    "CreationDateTime",
    "GlobalTableVersion",
    "GlobalTableWitnesses",
    "ItemCount",
    "LatestStreamArn",
    "LatestStreamLabel",
    "MultiRegionConsistency",
    "Replicas",
    "RestoreSummary",
    "SSEDescription",
    "TableArn",
    "TableClassSummary",
    "TableId",
    "TableSizeBytes",
    "TableStatus",
    "WarmThroughput",
    "GlobalTableSettingsReplicationMode",
};
constexpr std::string_view kOfIndexes[] = {"Backfilling", "IndexArn",  "IndexSizeBytes",
                                           "IndexStatus", "ItemCount", "WarmThroughput"};
constexpr std::string_view kOfThroughput[] = {"LastDecreaseDateTime", "LastIncreaseDateTime",
                                              "NumberOfDecreasesToday"};

constexpr std::string_view kBesides[] = {"Items", "TimeToLiveSpecification",
                                         "PointInTimeRecoverySpecification"};
constexpr std::string_view kPeriod = "RecoveryPeriodInDays";

// Answers contain units of 0 for missing throughput.
void clean_throughput(TreeNode& owner, bool is_provisioned) {
  constexpr std::string_view kName = "ProvisionedThroughput";
  if (!is_provisioned) {
    owner.remove({&kName, 1});
  } else if (TreeNode* units = owner.find(kName)) {
    units->remove(kOfThroughput);
  }
}

// Converts a description to the request that would create the table.
TreeNode request_of(const TreeNode& description, const Warn& warn) {
  TreeNode table = description;
  const TreeNode& replicas = table.at("Replicas");
  if (!replicas.elements.empty()) warn(replicas.line, messages::kUnsupported("Replicas"));
  const std::string billing = table.at("BillingModeSummary").at("BillingMode").text;
  const bool is_provisioned = billing != "PAY_PER_REQUEST";
  const TreeNode encryption = table.at("SSEDescription");
  const TreeNode table_class = table.at("TableClassSummary").at("TableClass");
  table.remove(kOfAnswers);
  clean_throughput(table, is_provisioned);
  for (const std::string_view name : api::kIndexLists) {
    TreeNode* const indexes = table.find(name);
    if (indexes == nullptr) continue;
    for (TreeNode& index : indexes->elements) {
      index.remove(kOfIndexes);
      clean_throughput(index, is_provisioned);
    }
  }
  table.add("BillingMode", text_node(is_provisioned ? "PROVISIONED" : billing, table.line));
  if (!table_class.is_null()) table.add("TableClass", table_class);
  if (encryption.at("Status").text == "ENABLED") {
    TreeNode specification = map_node(encryption.line);
    specification.add("Enabled", text_node("true", encryption.line));
    if (encryption.has("SSEType")) specification.add("SSEType", encryption.at("SSEType"));
    table.add("SSESpecification", std::move(specification));
  }
  return table;
}

bool is_description(const TreeNode& table) {
  return table.has("TableStatus") || table.has("TableArn") || table.has("CreationDateTime");
}

// The PointInTimeRecoverySpecification for an answer of DescribeContinuousBackups; null if recovery
// is off.
TreeNode recovery_of(const TreeNode& answer) {
  const TreeNode& told =
      answer.at("ContinuousBackupsDescription").at("PointInTimeRecoveryDescription");
  if (told.at("PointInTimeRecoveryStatus").text != "ENABLED") return {};
  TreeNode made = map_node(told.line);
  made.add("PointInTimeRecoveryEnabled", text_node("true", told.line));
  if (told.has(kPeriod)) made.add(std::string(kPeriod), told.at(kPeriod));
  return made;
}

// Adds a member that is next to a description.
void add_beside(TreeNode& table, const Member& member, const TreeNode& node, const Warn& warn) {
  const auto add_if_new = [&](const char* name, TreeNode value) {
    if (!value.is_null() && !node.has(name)) table.add(name, std::move(value));
  };
  if (std::ranges::count(kBesides, member.name) > 0) {
    table.add(member.name, member.value);
  } else if (member.name == "TimeToLiveDescription") {
    add_if_new("TimeToLiveSpecification", time_to_live_of(node));
  } else if (member.name == "ContinuousBackupsDescription") {
    add_if_new("PointInTimeRecoverySpecification", recovery_of(node));
  } else if (member.name != "ResponseMetadata") {  // AWS's SDK for Python adds it
    warn(member.line, messages::kUnsupported(member.name));
  }
}

void add_member(std::vector<TreeNode>& tables, const TreeNode& node, const Warn& warn) {
  for (const std::string_view name : {"Table", "TableDescription"}) {
    if (!node.at(name).is_map()) continue;
    TreeNode table = request_of(node.at(name), warn);
    for (const Member& member : node.members) {
      if (member.name != name) add_beside(table, member, node, warn);
    }
    tables.push_back(std::move(table));
    return;
  }
  if (!node.at("TableName").is_text()) {
    throw SchemaError(node.line, messages::kNotATable);
  }
  tables.push_back(is_description(node) ? request_of(node, warn) : node);
}

}  // namespace

TreeNode time_to_live_of(const TreeNode& answer) {
  const TreeNode& told = answer.at("TimeToLiveDescription");
  const std::string& status = told.at("TimeToLiveStatus").text;
  if (status != "ENABLED" && status != "ENABLING") return {};
  TreeNode made = map_node(told.line);
  made.add("AttributeName", told.at("AttributeName"));
  made.add("Enabled", text_node("true", told.line));
  return made;
}

std::vector<TreeNode> listed_tables(const TreeNode& document, const Warn& warn) {
  std::vector<TreeNode> tables;
  const TreeNode& list = document.is_list() ? document : document.at("Tables");
  if (!list.is_list()) {
    add_member(tables, document, warn);
  } else {
    for (const TreeNode& element : list.elements) add_member(tables, element, warn);
  }
  return tables;
}

}  // namespace magneto::server::tools::schema
