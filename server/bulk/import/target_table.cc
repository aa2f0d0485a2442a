#include "server/bulk/import/target_table.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "api/index_lists.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "server/bulk/import/messages.h"
#include "server/bulk/operations.h"
#include "server/formats/messages.h"

namespace magneto::server::bulk {
namespace {

using api::json::Value;
using api::json::Writer;

constexpr std::chrono::milliseconds kPollTime{100};
constexpr std::chrono::minutes kLongestWait{10};

Value find(Value object, std::string_view name) { return object.object().find(name); }

void copy(Writer& writer, Value from, std::string_view name) {
  const Value value = find(from, name);
  if (!value || value.is_null()) return;
  writer.key(name);
  api::json::append_compact(value, writer.raw());
}

bool is_on_demand(Value table) {
  return find(table, "BillingMode").string() == "PAY_PER_REQUEST" ||
         find(find(table, "BillingModeSummary"), "BillingMode").string() == "PAY_PER_REQUEST";
}

// DescribeTable returns more members than CreateTable accepts.
void write_throughput(Writer& writer, Value from) {
  const Value units = find(from, "ProvisionedThroughput");
  writer.key("ProvisionedThroughput");
  writer.begin_object();
  for (const std::string_view name : {"ReadCapacityUnits", "WriteCapacityUnits"}) {
    writer.integer(name, find(units, name).truncated());
  }
  writer.end_object();
}

void write_indexes(Writer& writer, Value table, std::string_view name, bool provisioned) {
  const Value indexes = find(table, name);
  if (indexes.array().empty()) return;
  writer.key(name);
  writer.begin_array();
  for (const Value index : indexes.array()) {
    writer.begin_object();
    for (const std::string_view member : api::kIndexMembers) copy(writer, index, member);
    if (provisioned) write_throughput(writer, index);
    writer.end_object();
  }
  writer.end_array();
}

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) throw std::runtime_error(messages::kUnusableDescription(path));
  return {std::istreambuf_iterator<char>(file), {}};
}

// An existing table takes writes even while it changes or fills an index. For a new table, wait for
// its indexes too.
bool is_ready(Value table, bool is_new) {
  if (is_new) return is_active(table);
  const std::string_view status = find(table, "TableStatus").string();
  return status == "ACTIVE" || status == "UPDATING";
}

void create_table(client::Endpoint& endpoint, const std::string& table,
                  const std::string& description) {
  std::string create = create_table_request_of(read_whole(description), table);
  if (create.empty()) throw std::runtime_error(messages::kUnusableDescription(description));
  const client::Outcome outcome = endpoint.call("CreateTable", create);
  if (!outcome.succeeded() && outcome.error_type != "ResourceInUseException") {
    throw std::runtime_error(messages::kTableNotMade(table, outcome.reason()));
  }
}

}  // namespace

std::string create_table_request_of(std::string description, const std::string& table) {
  api::json::Document document;
  const Value parsed = document.parse(description).value_or(Value());
  const Value described = find(parsed, "Table") ? find(parsed, "Table") : parsed;
  if (!find(described, "KeySchema").is_array()) return {};
  const bool provisioned = !is_on_demand(described);
  std::string body;
  Writer writer(body);
  writer.begin_object();
  writer.text("TableName", table);
  copy(writer, described, "AttributeDefinitions");
  copy(writer, described, "KeySchema");
  writer.text("BillingMode", provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (provisioned) write_throughput(writer, described);
  for (const std::string_view list : api::kIndexLists) {
    write_indexes(writer, described, list, provisioned && list == "GlobalSecondaryIndexes");
  }
  for (const std::string_view name : {"StreamSpecification", "DeletionProtectionEnabled"}) {
    copy(writer, described, name);
  }
  writer.end_object();
  return body;
}

formats::KeyNames open_target_table(client::Endpoint& endpoint, const std::string& table,
                                    const std::string& description_file) {
  std::string request = table_request(table);
  bool is_new = false;
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  while (std::chrono::steady_clock::now() < deadline) {
    const client::Outcome outcome = endpoint.call("DescribeTable", request);
    if (outcome.succeeded()) {
      api::json::Document document;
      std::string answer = outcome.body;
      const Value described = find(document.parse(answer).value_or(Value()), "Table");
      if (is_ready(described, is_new)) return formats::key_names_of(described);
    } else if (outcome.error_type != "ResourceNotFoundException") {
      throw std::runtime_error(messages::kWriteFailed(endpoint.name(), outcome.reason()));
    } else if (description_file.empty()) {
      throw std::runtime_error(messages::kNoSuchTable(endpoint.name(), table));
    } else if (!is_new) {
      create_table(endpoint, table, description_file);
      is_new = true;
      continue;
    }
    // DescribeTable may not see a new table at once (API reference, DescribeTable).
    std::this_thread::sleep_for(kPollTime);
  }
  throw std::runtime_error(messages::kTableNeverActive(table));
}

}  // namespace magneto::server::bulk
