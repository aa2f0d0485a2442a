#include "api/streams/stream_record_json.h"

#include <chrono>
#include <cstdio>

#include "api/json/attribute_value_json.h"
#include "api/streams/shard_iterator.h"
#include "storage/model/item_size.h"

namespace magneto::api {
namespace {

using storage::ChangeKind;

// Spreads a number over all 64 bits, without collisions: the finaliser of MurmurHash3.
std::uint64_t spread(std::uint64_t number) {
  number = (number ^ number >> 33) * 0xFF51AFD7ED558CCD;
  number = (number ^ number >> 33) * 0xC4CEB9FE1A85EC53;
  return number ^ number >> 33;
}

}  // namespace

std::string_view event_name(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kInsert:
      return "INSERT";
    case ChangeKind::kModify:
      return "MODIFY";
    case ChangeKind::kRemove:
      break;
  }
  return "REMOVE";
}

void write_image(json::Writer& writer, std::string_view key, storage::ItemView item) {
  if (item.empty()) return;
  writer.key(key);
  json::append_item(writer.raw(), item, json::SetOrder::kByHash);
}

std::string event_id(const storage::StreamSchema& stream, std::uint64_t sequence) {
  const std::uint64_t first = spread(sequence ^ stream.secret);
  const std::uint64_t second = spread(first + stream.secret);
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(second));
  return text;
}

std::size_t stream_record_size(const storage::StreamRecord& record) {
  return storage::item_size(record.keys) + storage::item_size(record.old_image) +
         storage::item_size(record.new_image);
}

void write_stream_change(json::Writer& writer, const storage::StreamSchema& stream,
                         std::uint64_t sequence, storage::Clock::TimePoint made,
                         const storage::StreamRecord& record) {
  writer.begin_object();
  writer.integer("ApproximateCreationDateTime",
                 std::chrono::floor<std::chrono::seconds>(made).time_since_epoch().count());
  write_image(writer, "Keys", record.keys);
  write_image(writer, "NewImage", record.new_image);
  write_image(writer, "OldImage", record.old_image);
  writer.text("SequenceNumber", sequence_text(sequence));
  writer.integer("SizeBytes", static_cast<std::int64_t>(stream_record_size(record)));
  writer.text("StreamViewType", stream.view_type);
  writer.end_object();
}

void write_stream_record(json::Writer& writer, const storage::StreamSchema& stream,
                         std::uint64_t sequence, storage::Clock::TimePoint made,
                         const storage::StreamRecord& record, std::string_view region) {
  writer.begin_object();
  writer.text("awsRegion", region);
  writer.key("dynamodb");
  write_stream_change(writer, stream, sequence, made, record);
  writer.text("eventID", event_id(stream, sequence));
  writer.text("eventName", event_name(record.kind));
  writer.text("eventSource", "aws:dynamodb");
  writer.text("eventVersion", "1.1");
  if (record.by_time_to_live) {
    writer.key("userIdentity");
    writer.begin_object();
    writer.text("PrincipalId", "dynamodb.amazonaws.com");
    writer.text("Type", "Service");
    writer.end_object();
  }
  writer.end_object();
}

}  // namespace magneto::api
