#include "api/deliveries/source_stream.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>

#include "api/error.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_record_json.h"
#include "api/streams/stream_target.h"

namespace magneto::api {

using storage::StreamLog;
using storage::StreamSchema;
using storage::StreamShard;

namespace {

// The allocator maps a block of this size separately (server/http/memory_watch.cc). Its pages cost
// nothing before they are written, and are returned to the system with the block. Many threads read
// records, each only occasionally.
constexpr std::size_t kMappedRecord = std::size_t{4} << 20;

std::string stream_id_of(const StreamSchema& stream) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(stream.secret));
  return text;
}

// The upper half of an FNV-1a hash, which depends on all bytes. This function must never change,
// because the lane of an item must stay the same.
std::uint32_t lane_hash(std::string_view keys) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char byte : keys) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  }
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

void write_function_record(json::Writer& writer, const StreamSchema& stream,
                           const std::string& stream_arn, std::uint64_t sequence,
                           storage::Clock::TimePoint made, const storage::StreamRecord& record) {
  writer.begin_object();
  writer.text("eventID", event_id(stream, sequence));
  writer.text("eventName", event_name(record.kind));
  writer.text("eventVersion", "1.1");
  writer.text("eventSource", "aws:dynamodb");
  writer.text("awsRegion", stream.region);
  writer.key("dynamodb");
  write_stream_change(writer, stream, sequence, made, record);
  if (record.by_time_to_live) {
    writer.key("userIdentity");
    writer.begin_object();
    writer.text("type", "Service");
    writer.text("principalId", "dynamodb.amazonaws.com");
    writer.end_object();
  }
  writer.text("eventSourceARN", stream_arn);
  writer.end_object();
}

SourceStream::SourceStream(std::shared_ptr<const StreamLog> log, const storage::Clock& clock)
    : log_(std::move(log)),
      clock_(&clock),
      id_(stream_id_of(log_->description())),
      arn_(log_->arn()) {}

std::map<std::string, std::vector<SourceStream::Ptr>> SourceStream::of_tables(
    storage::Databases& databases, const std::set<std::string>& tables) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  std::map<std::string, std::vector<Ptr>> found;
  if (tables.empty()) return found;
  const std::string only = tables.size() == 1 ? *tables.begin() : std::string();
  for (storage::Database* const database : databases.all()) {
    for (const auto& log : database->list_streams(only, {}, kAll)) {
      const std::string& table = log->description().table_name;
      if (!tables.contains(table)) continue;
      found[table].push_back(Ptr(new SourceStream(log, database->clock())));
    }
  }
  return found;
}

std::vector<SourceStream::Ptr> SourceStream::of_arn(storage::Databases& databases,
                                                    std::string_view arn) {
  std::vector<Ptr> found;
  for (storage::Database* const database : databases.all()) {
    auto log = database->find_stream(arn);
    if (log == nullptr) continue;
    found.push_back(Ptr(new SourceStream(std::move(log), database->clock())));
  }
  return found;
}

bool SourceStream::is_stream_arn(std::string_view arn) {
  try {
    check_stream_arn(arn);
    return true;
  } catch (const ApiError&) {
    return false;
  }
}

std::string SourceStream::shard_id(std::uint32_t number) const {
  const StreamSchema stream = log_->schema();
  const StreamShard* const shard = storage::find_shard(stream, number);
  return shard == nullptr ? std::string() : storage::shard_id(stream, *shard);
}

std::string SourceStream::sequence_number(std::uint64_t position) {
  return sequence_text(position);
}

std::vector<SourceShard> SourceStream::shards() const {
  std::vector<SourceShard> found;
  for (const StreamShard& shard : log_->schema().shards) {
    found.push_back({shard.number, shard.parent, shard.closed != 0});
  }
  return found;
}

SourcePage SourceStream::read(std::uint32_t shard, std::uint64_t position, std::uint64_t last,
                              SourceLane lane, Take take) const {
  SourcePage page{.next = std::max<std::uint64_t>(position, 1)};
  // Taken before the shard is read: everything below this position can be read.
  const std::uint64_t end = log_->end();
  std::optional<storage::StreamCursor> cursor;
  StreamLog::Access access = log_->read(shard, page.next, cursor);
  if (access == StreamLog::Access::kTrimmed) {
    page.has_lost = true;
    page.next = log_->horizon();
    access = log_->read(shard, page.next, cursor);
  }
  if (access == StreamLog::Access::kTrimmed) return page;  // the horizon has advanced
  page.has_ended = access == StreamLog::Access::kNoShard;
  if (page.has_ended) return page;
  const StreamSchema& stream = log_->description();
  std::string text;
  text.reserve(kMappedRecord);
  while (cursor->next()) {
    const std::uint64_t sequence = cursor->sequence();
    if (sequence > last) return page;
    const storage::StreamRecord record = cursor->record();
    if (lane.count == 1 || lane_hash(record.keys.bytes()) % lane.count == lane.number) {
      text.clear();
      json::Writer writer(text);
      write_function_record(writer, stream, arn_, sequence, cursor->made(), record);
      if (!take({sequence, cursor->made(), text})) return page;
    }
    page.next = sequence + 1;
  }
  page.has_ended = cursor->shard_has_ended();
  page.next = std::max(page.next, end);
  return page;
}

}  // namespace magneto::api
