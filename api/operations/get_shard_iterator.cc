#include <algorithm>
#include <string>

#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/stream_messages.h"
#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_shapes.h"
#include "api/streams/stream_target.h"

// AWS API reference, GetShardIterator.
namespace magneto::api {
namespace {

constexpr std::array<std::string_view, 4> kTypeValues{"AFTER_SEQUENCE_NUMBER", "LATEST",
                                                      "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"};
constexpr Shape kTypeShape = enum_shape(kTypeValues);
constexpr Shape kSequenceNumberShape = with_range(kStringShape, 21, 40);
constexpr MemberShape kMembers[] = {
    kStreamArn,
    {"ShardId", &kShardIdShape, Required::kYes},
    {"ShardIteratorType", &kTypeShape, Required::kYes},
    {"SequenceNumber", &kSequenceNumberShape},
};
constexpr Shape kInput = older_request(kMembers);

bool names_sequence(std::string_view type) {
  return type == "AT_SEQUENCE_NUMBER" || type == "AFTER_SEQUENCE_NUMBER";
}

void check_sequence_given(std::string_view type, bool given) {
  if (names_sequence(type) == given) return;
  fail_validation(given ? messages::sequence_number_given(type)
                        : messages::sequence_number_missing(type));
}

// Where the iterator begins. A number older than the horizon is refused, even if nothing was lost
// (AWS API reference, TrimmedDataAccessException).
std::uint64_t position_of(const Parameters& parameters, const storage::StreamLog& stream,
                          const storage::StreamShard& shard) {
  const std::string_view type = parameters.string_or_empty("ShardIteratorType");
  if (type == "LATEST") return stream.end();
  const std::uint64_t horizon = stream.horizon();
  if (!names_sequence(type)) return std::max(shard.first_sequence, horizon);
  const std::string_view number = parameters.string_or_empty("SequenceNumber");
  if (sequence_position(number, false) < horizon) fail_trimmed();
  return sequence_position(number, type == "AFTER_SEQUENCE_NUMBER");
}

void get_shard_iterator(Request& request) {
  const Parameters parameters(request.input);
  check_sequence_given(parameters.string_or_empty("ShardIteratorType"),
                       parameters.has("SequenceNumber"));
  const auto stream = find_stream(request.database, parameters.string_or_empty("StreamArn"));
  const storage::StreamSchema schema = stream->schema();
  const storage::StreamShard* shard = find_shard(schema, parameters.string_or_empty("ShardId"));
  if (shard == nullptr) {
    throw ApiError(ErrorType::kResourceNotFound, messages::kShardNotFound);
  }
  const std::uint64_t position = position_of(parameters, *stream, *shard);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.text("ShardIterator", encode_shard_iterator({stream, shard->number, position},
                                                     request.database.clock().now()));
  writer.end_object();
}

}  // namespace

constinit const Operation kGetShardIterator{.name = "GetShardIterator",
                                            .input = kInput,
                                            .handle = &get_shard_iterator,
                                            .service = WireService::kStreams};

}  // namespace magneto::api
