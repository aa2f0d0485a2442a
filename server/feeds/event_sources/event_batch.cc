#include "server/feeds/event_sources/event_batch.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <random>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/times.h"
#include "server/client/signing/sha256.h"

namespace magneto::server::feeds {

using api::SourceRecord;
using api::SourceStream;

namespace {

constexpr std::string_view kBegin = R"({"Records":[)";
constexpr std::string_view kEnd = "]}";
// Records that are searched at a time, and bytes of their JSON.
constexpr std::size_t kMostSeen = 20'000;
constexpr std::size_t kMostSeenBytes = std::size_t{32} << 20;

// Only one thread at a time parses a longer record, since parsing takes ten times its size.
constexpr std::size_t kLongRecord = std::size_t{64} << 10;

bool is_wanted(const EventSourceMapping& mapping, api::json::Document& document,
               std::string& record) {
  if (mapping.filters.empty()) return true;
  static std::mutex long_records;
  std::unique_lock lock(long_records, std::defer_lock);
  if (record.size() > kLongRecord) lock.lock();
  const auto value = document.parse(record);
  return value && std::ranges::any_of(mapping.filters, [&](const FilterPattern& pattern) {
           return pattern.matches(*value);
         });
}

std::string function_arn(const SourceStream& stream, const std::string& function) {
  if (function.starts_with("arn:")) return function;
  return "arn:aws:lambda:" + stream.region() + ":" + stream.account() + ":function:" + function;
}

// A random (version 4) UUID.
std::string random_uuid() {
  std::random_device random;
  std::string seed;
  for (int i = 0; i < 4; ++i) seed += std::to_string(random()) + ",";
  std::string id = client::to_hex(client::sha256(seed)).substr(0, 32);
  id[12] = '4';
  id[16] = "89ab"[static_cast<unsigned char>(id[16]) & 3];
  for (const std::size_t place : {20, 16, 12, 8}) id.insert(place, 1, '-');
  return id;
}

// "2019-11-14T00:13:19Z"
std::string seconds_text(SourceRecord::Time time) {
  constexpr std::size_t kSeconds = 19;
  return api::time_text(time).substr(0, kSeconds) + "Z";
}

}  // namespace

EventBatch read_batch(const BatchSource& place, const MappingWork& work, std::uint64_t first,
                      std::uint64_t last, std::size_t limit) {
  EventBatch batch;
  // A block of this size gets its own mapping (memory_watch.cc). Its pages cost nothing before they
  // are written, and return to the system with the block, whichever thread had it.
  batch.event.reserve(FunctionClient::kMostBytes);
  batch.event = kBegin;
  api::json::Document document;
  std::size_t seen = 0;
  std::size_t seen_bytes = 0;
  const auto take = [&](const SourceRecord& record) {
    if (batch.entries.size() == limit || seen == kMostSeen || seen_bytes > kMostSeenBytes ||
        work.is_over()) {
      return false;
    }
    const std::size_t size = record.json.size();
    const std::size_t whole = batch.event.size() + 1 + size + kEnd.size();
    if (!batch.entries.empty() && whole > FunctionClient::kMostBytes) return false;
    ++seen;
    seen_bytes += size;
    if (!is_wanted(work.mapping, document, record.json)) {
      ++batch.filtered;
      return true;
    }
    if (!batch.entries.empty()) batch.event += ',';
    batch.event += record.json;
    batch.entries.push_back({record.position, record.made});
    return true;
  };
  batch.page = place.stream->read(place.shard, first, last, place.lane, take);
  batch.event += kEnd;
  return batch;
}

std::optional<std::size_t> first_failed_item(std::set<std::string> failed,
                                             const EventBatch& batch) {
  const std::size_t none = batch.entries.size();
  if (failed.empty()) return none;
  std::size_t lowest = none;
  for (std::size_t i = none; i-- > 0;) {
    if (failed.erase(SourceStream::sequence_number(batch.entries[i].position)) > 0) lowest = i;
  }
  return failed.empty() ? std::optional(lowest) : std::nullopt;
}

std::string left_out_record(const BatchSource& place, const EventSourceMapping& mapping,
                            const DroppedRecords& dropped) {
  const SourceStream& stream = *place.stream;
  const EventBatch::Entry& first = dropped.batch->entries.front();
  const EventBatch::Entry& last = dropped.batch->entries[dropped.count - 1];
  const Invocation* const call = dropped.last;
  std::string text;
  api::json::Writer writer(text);
  writer.begin_object();
  writer.key("requestContext");
  writer.begin_object();
  const bool is_told = call != nullptr && !call->request_id.empty();
  writer.text("requestId", is_told ? call->request_id : random_uuid());
  writer.text("functionArn", function_arn(stream, mapping.function_name));
  writer.text("condition", dropped.condition);
  writer.integer("approximateInvokeCount", static_cast<std::int64_t>(dropped.invocations));
  writer.end_object();
  if (call != nullptr && call->status != 0) {
    writer.key("responseContext");
    writer.begin_object();
    writer.integer("statusCode", call->status);
    writer.text("executedVersion", call->version.empty() ? "$LATEST" : call->version);
    if (!call->function_error.empty()) writer.text("functionError", call->function_error);
    writer.end_object();
  }
  writer.text("version", "1.0");
  writer.text("timestamp", api::time_text(stream.now()));
  writer.key("DDBStreamBatchInfo");
  writer.begin_object();
  writer.text("shardId", stream.shard_id(place.shard));
  writer.text("startSequenceNumber", SourceStream::sequence_number(first.position));
  writer.text("endSequenceNumber", SourceStream::sequence_number(last.position));
  writer.text("approximateArrivalOfFirstRecord", seconds_text(first.made));
  writer.text("approximateArrivalOfLastRecord", seconds_text(last.made));
  writer.integer("batchSize", static_cast<std::int64_t>(dropped.count));
  writer.text("streamArn", stream.arn());
  writer.end_object();
  writer.end_object();
  return text;
}

}  // namespace magneto::server::feeds
