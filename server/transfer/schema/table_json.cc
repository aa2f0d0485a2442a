#include "server/transfer/schema/table_json.h"

#include <string_view>
#include <utility>

#include "server/transfer/schema/messages.h"

namespace magneto::server::schema {
namespace {

// Members of answers that tell what a table became.
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

// Answers tell units of 0 where there are none.
void clean_throughput(TreeNode& owner, bool is_provisioned) {
  constexpr std::string_view kName = "ProvisionedThroughput";
  if (!is_provisioned) {
    owner.remove({&kName, 1});
  } else if (TreeNode* units = owner.find(kName)) {
    units->remove(kOfThroughput);
  }
}

// A description as the request that would have made the table.
TreeNode request_of(const TreeNode& description) {
  TreeNode table = description;
  const std::string billing = table.at("BillingModeSummary").at("BillingMode").text;
  const bool is_provisioned = billing != "PAY_PER_REQUEST";
  const TreeNode encryption = table.at("SSEDescription");
  const TreeNode table_class = table.at("TableClassSummary").at("TableClass");
  table.remove(kOfAnswers);
  clean_throughput(table, is_provisioned);
  for (const std::string_view name : {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"}) {
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

void add(std::vector<TreeNode>& tables, const TreeNode& node) {
  for (const std::string_view name : {"Table", "TableDescription"}) {
    if (!node.at(name).is_map()) continue;
    TreeNode table = request_of(node.at(name));
    for (const std::string_view beside : {"Items", "TimeToLiveSpecification"}) {
      if (node.has(beside)) table.add(std::string(beside), node.at(beside));
    }
    tables.push_back(std::move(table));
    return;
  }
  if (!node.at("TableName").is_text()) {
    throw SchemaError(node.line, messages::kNotATable);
  }
  tables.push_back(is_description(node) ? request_of(node) : node);
}

}  // namespace

std::vector<TreeNode> listed_tables(const TreeNode& document) {
  std::vector<TreeNode> tables;
  const TreeNode& list = document.is_list() ? document : document.at("Tables");
  if (!list.is_list()) {
    add(tables, document);
  } else {
    for (const TreeNode& element : list.elements) add(tables, element);
  }
  return tables;
}

}  // namespace magneto::server::schema
