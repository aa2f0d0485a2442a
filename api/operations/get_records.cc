#include <optional>

#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_record_json.h"
#include "api/streams/stream_shapes.h"
#include "api/streams/stream_target.h"

// AWS API reference, GetRecords.
namespace magneto::api {

extern const Operation kGetRecords;
namespace {

using Access = storage::StreamLog::Access;

constexpr std::int64_t kMaxRecords = 1000;               // per answer
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;  // of records; the first is always included

constexpr Shape kIteratorShape = with_range(kStringShape, 1, 2048);
constexpr Shape kLimitShape = with_range(kIntegerShape, 1, kMaxRecords);
constexpr MemberShape kGetRecordsMembers[] = {
    {"ShardIterator", &kIteratorShape, Required::kYes},
    {"Limit", &kLimitShape},
};
constexpr Shape kGetRecordsInput = older_request(kGetRecordsMembers);

// Writes records until there are no more or the limits are reached. Returns whether the shard may
// have more records, and advances `at.position`.
bool write_records(json::Writer& writer, const std::string& output, storage::StreamCursor& cursor,
                   std::int64_t limit, std::string_view region, ShardPosition& at,
                   storage::Effort& effort) {
  constexpr std::size_t kStepsOfARecord = 16;
  constexpr std::size_t kWrittenInAStep = 8;  // bytes
  std::size_t bytes = 0;
  for (std::int64_t count = 0; cursor.next(); ++count) {
    const storage::StreamRecord record = cursor.record();
    bytes += stream_record_size(record);
    if (count == limit || (count > 0 && bytes > kMaxBytes)) return true;
    const std::size_t before = output.size();
    write_stream_record(writer, at.stream->description(), cursor.sequence(), cursor.made(), record,
                        region);
    effort.spend(kStepsOfARecord + (output.size() - before) / kWrittenInAStep);
    at.position = cursor.sequence() + 1;
  }
  return !cursor.shard_has_ended();
}

void get_records(Request& request) {
  const Parameters parameters(request.input);
  ShardPosition at =
      decode_shard_iterator(request.database, parameters.string_or_empty("ShardIterator"));
  std::optional<storage::StreamCursor> cursor;
  if (at.stream->read(at.shard_number, at.position, cursor) != Access::kGiven) fail_trimmed();
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Records");
  writer.begin_array();
  const bool more = write_records(writer, request.output, *cursor,
                                  parameters.integer("Limit").value_or(kMaxRecords),
                                  request.caller.home_region(), at, request.effort);
  writer.end_array();
  const auto now = request.database.clock().now();
  at.stream->record_read(at.shard_number, at.position);
  if (more) writer.text("NextShardIterator", encode_shard_iterator(at, now));
  writer.end_object();
}

}  // namespace

constinit const Operation kGetRecords{.name = "GetRecords",
                                      .input = kGetRecordsInput,
                                      .handle = &get_records,
                                      .resource = "ShardIterator",
                                      .answers_much = true,
                                      .service = WireService::kStreams};

}  // namespace magneto::api
