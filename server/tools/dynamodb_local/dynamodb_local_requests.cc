#include "server/tools/dynamodb_local/dynamodb_local_requests.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "api/json/json_writer.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;
using api::json::Writer;

Value find(Value object, std::string_view name) { return object.object().find(name); }

void copy(Writer& writer, std::string_view name, Value object) {
  const Value value = find(object, name);
  if (!value) return;
  writer.key(name);
  append_compact(value, writer.raw());
}

using Names = std::vector<std::string_view>;

// {"SQLiteIndex":{"":[{"DynamoDBAttribute":{"AttributeName":"pk",...},"KeyType":"HASH",...}]}}
void write_table_key(Writer& writer, Value info, Names& used) {
  writer.key("KeySchema");
  writer.begin_array();
  for (const std::string_view type : {"HASH", "RANGE"}) {
    for (const Value element : find(find(info, "SQLiteIndex"), "").array()) {
      if (find(element, "KeyType").string() != type) continue;
      const std::string_view name =
          find(find(element, "DynamoDBAttribute"), "AttributeName").string();
      used.push_back(name);
      writer.begin_object();
      writer.text("AttributeName", name);
      writer.text("KeyType", type);
      writer.end_object();
    }
  }
  writer.end_array();
}

void write_number(Writer& writer, std::string_view name, std::int64_t number) {
  writer.integer(name, number);
}

// A table or an index that was on demand once keeps 0 units, but a request needs at least 1.
void write_provisioned(Writer& writer, std::int64_t read, std::int64_t write) {
  writer.key("ProvisionedThroughput");
  writer.begin_object();
  write_number(writer, "ReadCapacityUnits", std::max<std::int64_t>(1, read));
  write_number(writer, "WriteCapacityUnits", std::max<std::int64_t>(1, write));
  writer.end_object();
}

// In the file, -1 means no limit; requests leave the limit out.
void write_on_demand(Writer& writer, std::int64_t read, std::int64_t write) {
  if (read <= 0 && write <= 0) return;
  writer.key("OnDemandThroughput");
  writer.begin_object();
  if (read > 0) write_number(writer, "MaxReadRequestUnits", read);
  if (write > 0) write_number(writer, "MaxWriteRequestUnits", write);
  writer.end_object();
}

void write_index_throughput(Writer& writer, const LocalTable& table, Value index) {
  if (table.on_demand) {
    const Value limits = find(index, "OnDemandThroughput");
    write_on_demand(writer, find(limits, "MaxReadRequestUnits").truncated(),
                    find(limits, "MaxWriteRequestUnits").truncated());
    return;
  }
  const Value own = find(index, "ProvisionedThroughput");
  const std::int64_t read = find(own, "ReadCapacityUnits").truncated();
  const std::int64_t write = find(own, "WriteCapacityUnits").truncated();
  write_provisioned(writer, read > 0 ? read : table.read_units,
                    write > 0 ? write : table.write_units);
}

// Leaves out indexes that were being deleted.
std::vector<Value> indexes_of(Value info, std::string_view name) {
  std::vector<Value> indexes;
  for (const Value index : find(info, name).array()) {
    if (find(index, "IndexStatus").string() != "DELETING") indexes.push_back(index);
  }
  return indexes;
}

void write_indexes(Writer& writer, const LocalTable& table, std::string_view member,
                   const std::vector<Value>& indexes, Names& used) {
  if (indexes.empty()) return;
  writer.key(member);
  writer.begin_array();
  for (const Value index : indexes) {
    writer.begin_object();
    copy(writer, "IndexName", index);
    copy(writer, "KeySchema", index);
    copy(writer, "Projection", index);
    if (member == "GlobalSecondaryIndexes") write_index_throughput(writer, table, index);
    writer.end_object();
    for (const Value element : find(index, "KeySchema").array()) {
      used.push_back(find(element, "AttributeName").string());
    }
  }
  writer.end_array();
}

// Writes only attributes that a key uses: the service refuses others.
void write_definitions(Writer& writer, Value info, Names used) {
  writer.key("AttributeDefinitions");
  writer.begin_array();
  for (const Value attribute : find(info, "Attributes").array()) {
    const std::string_view name = find(attribute, "AttributeName").string();
    if (std::erase(used, name) == 0) continue;
    writer.begin_object();
    writer.text("AttributeName", name);
    writer.text("AttributeType", find(attribute, "AttributeType").string());
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace

std::string create_table_request(const LocalTable& table, Value info) {
  std::string text;
  Writer writer(text);
  Names used;
  writer.begin_object();
  writer.text("TableName", table.name);
  write_table_key(writer, info, used);
  write_indexes(writer, table, "LocalSecondaryIndexes", indexes_of(info, "LSIList"), used);
  // The list of descriptions also has the limits of on-demand indexes.
  std::vector<Value> global = indexes_of(info, "GSIDescList");
  if (find(info, "GSIDescList").array().empty()) global = indexes_of(info, "GSIList");
  write_indexes(writer, table, "GlobalSecondaryIndexes", global, used);
  write_definitions(writer, info, std::move(used));
  writer.text("BillingMode", table.on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (table.on_demand) {
    write_on_demand(writer, table.max_read_units, table.max_write_units);
  } else {
    write_provisioned(writer, table.read_units, table.write_units);
  }
  writer.end_object();
  return text;
}

std::optional<std::string> time_to_live_request(const LocalTable& table, Value info) {
  const std::string_view attribute = find(info, "TimeToLiveAttributeName").string();
  if (attribute.empty()) return std::nullopt;
  std::string text;
  Writer writer(text);
  writer.begin_object();
  writer.text("TableName", table.name);
  writer.key("TimeToLiveSpecification");
  writer.begin_object();
  writer.text("AttributeName", attribute);
  writer.key("Enabled");
  writer.boolean(true);
  writer.end_object();
  writer.end_object();
  return text;
}

std::optional<std::string> stream_request(const LocalTable& table) {
  if (table.stream_view.empty()) return std::nullopt;
  std::string text;
  Writer writer(text);
  writer.begin_object();
  writer.text("TableName", table.name);
  writer.key("StreamSpecification");
  writer.begin_object();
  writer.key("StreamEnabled");
  writer.boolean(true);
  writer.text("StreamViewType", table.stream_view);
  writer.end_object();
  writer.end_object();
  return text;
}

}  // namespace magneto::server::tools
