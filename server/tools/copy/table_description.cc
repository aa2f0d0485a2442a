#include "server/tools/copy/table_description.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "api/index_lists.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "server/bulk/operations.h"
#include "server/tools/copy/messages.h"
#include "server/tools/schema/json_tree.h"
#include "server/tools/schema/table_facts.h"
#include "server/tools/schema/table_json.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;
using api::json::Writer;

Value find_described(Value object, std::string_view name) { return object.object().find(name); }

// Whether CreateTable accepts the name. Any other name would get unchecked into messages, files and
// requests.
bool is_table_name(std::string_view name) {
  constexpr std::size_t kLongestName = 255;
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
  });
}

// True if the endpoint does not have the operation.
bool is_unknown(const client::Outcome& outcome) {
  return outcome.error_type == "UnknownOperationException";
}

// Prefixes of the settings, besides the indexes, that two tables with the same name must share.
constexpr auto kStructure = std::to_array<std::string_view>(
    {"AttributeDefinitions", "BillingModeSummary.BillingMode", "KeySchema", "OnDemandThroughput",
     "ProvisionedThroughput", "TableClassSummary.TableClass"});

// Attribute names have no order.
std::string sorted_names(std::string json) {
  api::json::Document document;
  const Value names = document.parse(json).value_or(Value());
  std::set<std::string_view> sorted;
  for (const Value name : names.array()) sorted.insert(name.string());
  std::string text;
  Writer writer(text);
  writer.begin_array();
  for (const std::string_view name : sorted) writer.string(name);
  writer.end_array();
  return text;
}

schema::TableFacts structure_of(const TableDescription& table) {
  api::json::Document document;
  std::string json = table.json;
  const Value answer = document.parse(json).value_or(Value());
  schema::TableFacts structure;
  for (const auto& [path, value] : schema::described_facts(find_described(answer, "Table"))) {
    const auto begins_with = [name = std::string_view(path)](std::string_view start) {
      return name.starts_with(start);
    };
    if (std::ranges::none_of(kStructure, begins_with) &&
        std::ranges::none_of(api::kIndexLists, begins_with)) {
      continue;
    }
    // Some endpoints write these for a missing limit.
    if (value == "0" || value == "-1") continue;
    structure[path] = path.ends_with("NonKeyAttributes") ? sorted_names(value) : value;
  }
  return structure;
}

std::string read_tags(client::EndpointCalls& calls, const std::string& arn) {
  std::string tags;
  std::string next;
  do {
    std::string body = R"({"ResourceArn":)";
    api::json::append_string(body, arn);
    if (!next.empty()) {
      body += R"(,"NextToken":)";
      api::json::append_string(body, next);
    }
    if (!calls.call("ListTagsOfResource", body + "}")) {
      if (is_unknown(calls.outcome())) return {};
      calls.fail("ListTagsOfResource");
    }
    for (const Value tag : find_described(calls.answer(), "Tags").array()) {
      if (find_described(tag, "Key").string().starts_with("aws:"))
        continue;  // only AWS may set these
      tags += tags.empty() ? '[' : ',';
      api::json::append_compact(tag, tags);
    }
    next = find_described(calls.answer(), "NextToken").string();
  } while (!next.empty());
  return tags.empty() ? tags : tags + "]";
}

std::string read_time_to_live(client::EndpointCalls& calls, const std::string& name) {
  if (!calls.call("DescribeTimeToLive", bulk::table_request(name))) {
    if (is_unknown(calls.outcome())) return {};
    calls.fail("DescribeTimeToLive");
  }
  const Value told = find_described(calls.answer(), "TimeToLiveDescription");
  if (!find_described(told, "TimeToLiveStatus").string().starts_with("ENABL")) return {};
  return std::string(find_described(told, "AttributeName").string());
}

}  // namespace

std::optional<TableDescription> describe_table(client::EndpointCalls& calls,
                                               const std::string& name) {
  if (!calls.call("DescribeTable", bulk::table_request(name))) {
    if (calls.outcome().error_type == "ResourceNotFoundException") return std::nullopt;
    calls.fail("DescribeTable");
  }
  const Value table = find_described(calls.answer(), "Table");
  const Value stream = find_described(table, "StreamSpecification");
  TableDescription description{
      .name = name,
      .json = calls.outcome().body,
      .id = std::string(find_described(table, "TableId").string()),
      .arn = std::string(find_described(table, "TableArn").string()),
      .status = std::string(find_described(table, "TableStatus").string()),
      .keys = formats::key_names_of(table),
      .items = find_described(table, "ItemCount").integer().value_or(0),
      .bytes = find_described(table, "TableSizeBytes").integer().value_or(0),
      .stream_view{},
      .stream_arn{},
      .tags{},
      .time_to_live{}};
  if (find_described(stream, "StreamEnabled").boolean()) {
    description.stream_view = find_described(stream, "StreamViewType").string();
    description.stream_arn = find_described(table, "LatestStreamArn").string();
  }
  description.is_protected = find_described(table, "DeletionProtectionEnabled").boolean();
  description.tags = read_tags(calls, description.arn);
  description.time_to_live = read_time_to_live(calls, name);
  return description;
}

std::optional<std::string> table_id(client::EndpointCalls& calls, const std::string& name) {
  if (!calls.call("DescribeTable", bulk::table_request(name))) {
    if (calls.outcome().error_type == "ResourceNotFoundException") return std::nullopt;
    calls.fail("DescribeTable");
  }
  return std::string(find_described(find_described(calls.answer(), "Table"), "TableId").string());
}

std::vector<std::string> list_table_names(client::EndpointCalls& calls) {
  std::vector<std::string> names;
  std::string last;
  do {
    std::string body = "{";
    if (!last.empty()) {
      body += R"("ExclusiveStartTableName":)";
      api::json::append_string(body, last);
    }
    const Value answer = calls.need("ListTables", body + "}");
    for (const Value name : find_described(answer, "TableNames").array()) {
      if (!is_table_name(name.string())) {
        throw std::runtime_error(messages::kNoTableName(calls.endpoint().name()));
      }
      names.emplace_back(name.string());
    }
    last = find_described(answer, "LastEvaluatedTableName").string();
  } while (!last.empty());
  return names;
}

bool has_items(client::EndpointCalls& calls, const std::string& name) {
  std::string start;
  while (true) {
    std::string body = R"({"Limit":1,"ConsistentRead":true,"TableName":)";
    api::json::append_string(body, name);
    const Value page = calls.need("Scan", body + start + "}");
    if (!find_described(page, "Items").array().empty()) return true;
    // A page without items does not mean that none follow.
    const Value last = find_described(page, "LastEvaluatedKey");
    if (!last) return false;
    start = R"(,"ExclusiveStartKey":)";
    api::json::append_compact(last, start);
  }
}

std::string create_request_of(const TableDescription& table,
                              const std::function<void(const std::string&)>& warn) {
  constexpr std::string_view kLater[] = {"StreamSpecification", "DeletionProtectionEnabled"};
  const schema::Warn warn_of_setting = [&](std::uint32_t, const std::string& what) {
    warn(messages::kLeftOutOfTable(table.name, what));
  };
  const auto tree = schema::read_json(table.json);
  auto tables =
      tree ? schema::listed_tables(*tree, warn_of_setting) : std::vector<schema::TreeNode>();
  if (tables.size() != 1) throw std::runtime_error(messages::kNoDescription(table.name));
  tables.front().remove(kLater);
  if (const auto tags = schema::read_json(table.tags)) tables.front().add("Tags", *tags);
  return schema::make_table(tables.front(), warn_of_setting).create;
}

std::vector<std::string> structural_differences(const TableDescription& source,
                                                const TableDescription& target) {
  const schema::TableFacts from = structure_of(source);
  const schema::TableFacts to = structure_of(target);
  const auto value_in = [](const schema::TableFacts& facts, const std::string& path) {
    const auto found = facts.find(path);
    return found == facts.end() ? std::string("absent") : found->second;
  };
  schema::TableFacts all = from;
  all.insert(to.begin(), to.end());
  std::vector<std::string> sentences;
  for (const auto& [path, value] : all) {
    const std::string in_source = value_in(from, path);
    const std::string in_target = value_in(to, path);
    if (in_source == in_target) continue;
    sentences.push_back(messages::kTableDifference(path, in_source, in_target));
  }
  return sentences;
}

}  // namespace magneto::server::tools
