#include <algorithm>
#include <chrono>
#include <string>

#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/request_messages.h"
#include "api/messages/stream_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_shapes.h"
#include "api/streams/stream_target.h"
#include "api/validation/constraint.h"

// AWS API reference, GetShardIterator.
namespace magneto::api {

extern const Operation kGetShardIterator;
namespace {

constexpr std::string_view kAtTimestamp = "AT_TIMESTAMP";
constexpr std::array<std::string_view, 5> kGetShardIteratorTypeValues{
    "AFTER_SEQUENCE_NUMBER", "LATEST", kAtTimestamp, "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"};
constexpr Shape kGetShardIteratorTypeShape = enum_shape(kGetShardIteratorTypeValues);
// check_length() words the range.
constexpr Shape kSequenceNumberShape = with_range(kStringShape, 21, 40);
constexpr MemberShape kGetShardIteratorMembers[] = {
    kStreamArn,
    {"ShardId", &kShardIdShape, Required::kYes},
    {"ShardIteratorType", &kGetShardIteratorTypeShape, Required::kYes},
    {"SequenceNumber", &kStringShape},
    {"Timestamp", &kDoubleShape},
};
constexpr Shape kGetShardIteratorInput = older_request(kGetShardIteratorMembers);

bool names_sequence(std::string_view type) {
  return type == "AT_SEQUENCE_NUMBER" || type == "AFTER_SEQUENCE_NUMBER";
}

// The refusal does not show the number.
void check_length(json::Value number) {
  const auto fail = [](const std::string& constraint) {
    fail_one_validation_error(messages::hidden_value_at("sequenceNumber", constraint));
  };
  constexpr std::string_view kMeasure = "length";
  const Shape& shape = kSequenceNumberShape;
  if (below_minimum(number, shape)) fail(messages::at_least(kMeasure, shape.min));
  if (above_maximum(number, shape)) fail(messages::at_most(kMeasure, shape.max));
}

void check_start(const Parameters& parameters, std::string_view type) {
  const bool has_number = parameters.has("SequenceNumber");
  const bool has_time = parameters.has("Timestamp");
  if (has_number) check_length(parameters.value("SequenceNumber"));
  if (has_number && !names_sequence(type)) fail_validation(messages::kSequenceNumberGiven);
  if (!has_number && names_sequence(type)) fail_validation(messages::kNoSequenceNumber);
  if (has_time && type != kAtTimestamp) fail_validation(messages::timestamp_given(type));
  if (!has_time && type == kAtTimestamp) fail_validation(messages::kNoTimestamp);
}

// Throws for a time in the future. A time before the first possible time counts as the first.
storage::Clock::TimePoint time_in(const Parameters& parameters, storage::Clock::TimePoint now) {
  using storage::Clock;
  const std::chrono::duration<double> since(parameters.value("Timestamp").number());
  if (!(since <= now - Clock::kFirst)) fail_validation(messages::kTimestampToCome);
  if (!(since.count() > 0)) return Clock::kFirst;
  return Clock::kFirst + std::chrono::round<Clock::Duration>(since);
}

// The start of the iterator. A sequence number older than the horizon is refused, even if no record
// was lost (AWS API reference, TrimmedDataAccessException).
std::uint64_t position_of(const Parameters& parameters, const storage::StreamLog& stream,
                          const storage::StreamShard& shard, storage::Clock::TimePoint now) {
  const std::string_view type = parameters.string_or_empty("ShardIteratorType");
  if (type == "LATEST") return stream.end();
  const std::uint64_t horizon = stream.horizon();
  const std::uint64_t oldest = std::max(shard.first_sequence, horizon);
  if (type == kAtTimestamp) return std::max(oldest, stream.position_at(time_in(parameters, now)));
  if (!names_sequence(type)) return oldest;
  const std::string_view number = parameters.string_or_empty("SequenceNumber");
  if (sequence_position(number, false) < horizon) fail_trimmed();
  return sequence_position(number, type == "AFTER_SEQUENCE_NUMBER");
}

void get_shard_iterator(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view type = parameters.string_or_empty("ShardIteratorType");
  check_start(parameters, type);
  const auto stream = find_stream(request.database, parameters.string_or_empty("StreamArn"));
  const storage::StreamSchema schema = stream->schema();
  const storage::StreamShard* shard = find_shard(schema, parameters.string_or_empty("ShardId"));
  if (shard == nullptr) {
    throw ApiError(ErrorType::kResourceNotFound, messages::kShardNotFound);
  }
  const storage::Clock::TimePoint now = request.database.clock().now();
  const std::uint64_t position = position_of(parameters, *stream, *shard, now);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.text("ShardIterator", encode_shard_iterator({stream, shard->number, position}, now));
  writer.end_object();
}

}  // namespace

constinit const Operation kGetShardIterator{.name = "GetShardIterator",
                                            .input = kGetShardIteratorInput,
                                            .handle = &get_shard_iterator,
                                            .resource = "StreamArn",
                                            .service = WireService::kStreams};

}  // namespace magneto::api
