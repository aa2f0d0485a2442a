#include "server/tools/copy/stream_source.h"

#include <chrono>
#include <stdexcept>
#include <string_view>

#include "api/json/json_writer.h"
#include "server/tools/copy/call_in_turn.h"
#include "server/tools/copy/messages.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;
using api::json::Writer;

Value find_stream(Value object, std::string_view name) { return object.object().find(name); }

std::string shard_request(const std::string& stream_arn, const std::string& shard,
                          std::string_view type, std::string_view sequence) {
  std::string body;
  Writer writer(body);
  writer.begin_object();
  writer.text("StreamArn", stream_arn);
  writer.text("ShardId", shard);
  writer.text("ShardIteratorType", type);
  if (!sequence.empty()) writer.text("SequenceNumber", sequence);
  writer.end_object();
  return body;
}

// Throws if the error means that records were lost.
void check_lost(const client::Outcome& outcome, const std::string& table) {
  if (outcome.error_type == "TrimmedDataAccessException" ||
      outcome.error_type == "ResourceNotFoundException") {
    throw std::runtime_error(messages::kChangesLost(table));
  }
}

std::string records_request(const std::string& iterator, int limit) {
  std::string body;
  Writer writer(body);
  writer.begin_object();
  writer.text("ShardIterator", iterator);
  writer.integer("Limit", limit);
  writer.end_object();
  return body;
}

// Call this after a failed GetRecords: whether the iterator has expired. Throws for any other
// reason.
bool is_expired(const client::EndpointCalls& source, const std::string& table) {
  if (source.outcome().error_type == "ExpiredIteratorException") return true;
  check_lost(source.outcome(), table);
  source.fail("GetRecords");
}

}  // namespace

std::int64_t seconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

ListedStream list_stream(client::EndpointCalls& source, const std::string& stream_arn,
                         const StopSignal& stop) {
  ListedStream stream;
  std::string last;
  do {
    std::string body = R"({"StreamArn":)";
    api::json::append_string(body, stream_arn);
    if (!last.empty()) {
      body += R"(,"ExclusiveStartShardId":)";
      api::json::append_string(body, last);
    }
    if (!call_in_turn(source, "DescribeStream", body + "}", stop)) source.fail("DescribeStream");
    const Value told = find_stream(source.answer(), "StreamDescription");
    const std::string_view status = find_stream(told, "StreamStatus").string();
    stream.is_on = status.starts_with("ENABL");
    stream.is_settled = status.ends_with("ED");
    for (const Value shard : find_stream(told, "Shards").array()) {
      const Value range = find_stream(shard, "SequenceNumberRange");
      stream.shards.push_back(
          {.id = std::string(find_stream(shard, "ShardId").string()),
           .parent = std::string(find_stream(shard, "ParentShardId").string()),
           .is_closed = find_stream(range, "EndingSequenceNumber").is_string()});
    }
    last = find_stream(told, "LastEvaluatedShardId").string();
  } while (!last.empty());
  return stream;
}

std::string iterator_request(const std::string& stream_arn, const std::string& shard,
                             const ShardState& position) {
  switch (position.position) {
    case ShardState::Position::kAt:
      return shard_request(stream_arn, shard, "AT_SEQUENCE_NUMBER", position.sequence);
    case ShardState::Position::kAfter:
      return shard_request(stream_arn, shard, "AFTER_SEQUENCE_NUMBER", position.sequence);
    case ShardState::Position::kStart:
    case ShardState::Position::kEnded:
      break;
  }
  return shard_request(stream_arn, shard, "TRIM_HORIZON", {});
}

std::string latest_iterator_request(const std::string& stream_arn, const std::string& shard) {
  return shard_request(stream_arn, shard, "LATEST", {});
}

std::string get_iterator(client::EndpointCalls& source, const std::string& table,
                         const std::string& request, const StopSignal& stop) {
  if (!call_in_turn(source, "GetShardIterator", request, stop)) {
    check_lost(source.outcome(), table);
    source.fail("GetShardIterator");
  }
  return std::string(find_stream(source.answer(), "ShardIterator").string());
}

bool get_records(client::EndpointCalls& source, const std::string& table,
                 const std::string& iterator, int limit, const StopSignal& stop) {
  return call_in_turn(source, "GetRecords", records_request(iterator, limit), stop) ||
         !is_expired(source, table);
}

std::optional<bool> try_records(client::EndpointCalls& source, const std::string& table,
                                const std::string& iterator, int limit) {
  if (source.call("GetRecords", records_request(iterator, limit))) return true;
  if (source.outcome().error_type == "LimitExceededException") return std::nullopt;
  return !is_expired(source, table);
}

}  // namespace magneto::server::tools
