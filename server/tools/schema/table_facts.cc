#include "server/tools/schema/table_facts.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "api/json/json_writer.h"
#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

using api::json::Value;

// Members about the table's history and state rather than its settings.
constexpr auto kLeftOut = std::to_array<std::string_view>(
    {"Backfilling", "CreationDateTime", "IndexArn", "IndexSizeBytes", "IndexStatus", "ItemCount",
     "LastDecreaseDateTime", "LastIncreaseDateTime", "LastUpdateDateTime",
     "LastUpdateToPayPerRequestDateTime", "LatestStreamArn", "LatestStreamLabel",
     "NumberOfDecreasesToday", "TableArn", "TableId", "TableName", "TableSizeBytes", "TableStatus",
     "WarmThroughput"});

// The members that identify the elements of a list.
constexpr std::string_view kNames[] = {"IndexName", "AttributeName", "Key"};

// Lists that are one setting, including their order.
constexpr std::string_view kWhole[] = {"KeySchema", "NonKeyAttributes"};

std::string label_of(Value element, std::size_t index) {
  for (const std::string_view name : kNames) {
    const Value value = element.object().find(name);
    if (value.is_string()) return std::string(value.string());
  }
  return std::to_string(index);
}

void add(TableFacts& facts, const std::string& path, std::string_view name, Value value) {
  if (std::ranges::count(kLeftOut, name) > 0) return;
  if (value.is_object()) {
    for (const api::json::Member member : value.object()) {
      const std::string inner = (path.empty() ? "" : path + ".") + std::string(member.name);
      add(facts, inner, member.name, member.value);
    }
  } else if (value.is_array() && std::ranges::count(kWhole, name) == 0) {
    std::size_t index = 0;
    for (const Value element : value.array()) {
      const std::string label = label_of(element, index++);
      for (const api::json::Member member : element.object()) {
        if (member.value.is_string() && member.value.string() == label) {
          if (std::ranges::count(kNames, member.name) > 0) continue;
        }
        std::string inner = path;
        inner.append("[").append(label).append("].").append(member.name);
        add(facts, inner, member.name, member.value);
      }
    }
  } else {
    append_compact(value, facts[path]);
  }
}

void add_tags(TableFacts& facts, const std::string& arn, bulk::Operations& operations) {
  std::string next;
  do {
    std::string body = "{\"ResourceArn\":";
    api::json::append_string(body, arn);
    if (!next.empty()) {
      body += ",\"NextToken\":";
      api::json::append_string(body, next);
    }
    operations.need("ListTagsOfResource", body + "}");
    const api::json::Object answer = operations.answer().object();
    add(facts, "Tags", "Tags", answer.find("Tags"));
    next = answer.find("NextToken").string();
  } while (!next.empty());
}

}  // namespace

TableFacts described_facts(Value table) {
  TableFacts facts;
  add(facts, {}, {}, table);
  // Missing members have these values.
  facts.try_emplace("BillingModeSummary.BillingMode", "\"PROVISIONED\"");
  facts.try_emplace("TableClassSummary.TableClass", "\"STANDARD\"");
  return facts;
}

TableFacts facts_of(const std::string& table, bulk::Operations& operations) {
  operations.need("DescribeTable", bulk::table_request(table));
  const Value description = operations.answer().object().find("Table");
  TableFacts facts = described_facts(description);
  const std::string arn(description.object().find("TableArn").string());
  add_tags(facts, arn, operations);
  operations.need("DescribeTimeToLive", bulk::table_request(table));
  add(facts, "TimeToLive", {}, operations.answer().object().find("TimeToLiveDescription"));
  operations.need("DescribeContinuousBackups", bulk::table_request(table));
  const Value backups = operations.answer().object().find("ContinuousBackupsDescription");
  const Value recovery = backups.object().find("PointInTimeRecoveryDescription");
  for (const std::string_view name : {"PointInTimeRecoveryStatus", "RecoveryPeriodInDays"}) {
    const Value value = recovery.object().find(name);
    if (value) add(facts, "PointInTimeRecovery." + std::string(name), name, value);
  }
  return facts;
}

std::vector<std::string> differences(const TableFacts& in_store, const TableFacts& in_file) {
  std::vector<std::string> sentences;
  const auto value_in = [](const TableFacts& facts, const std::string& path) {
    const auto found = facts.find(path);
    return found == facts.end() ? std::string("absent") : found->second;
  };
  TableFacts all = in_store;
  all.insert(in_file.begin(), in_file.end());
  for (const auto& [path, value] : all) {
    const std::string store = value_in(in_store, path);
    const std::string file = value_in(in_file, path);
    if (store != file) sentences.push_back(messages::kDifference(path, store, file));
  }
  return sentences;
}

}  // namespace magneto::server::tools::schema
