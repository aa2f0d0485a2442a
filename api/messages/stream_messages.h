#pragma once

#include <string>
#include <string_view>

// Streams of tables, their shards and iterators.
namespace magneto::api::messages {

std::string invalid_stream_arn(std::string_view arn);
std::string stream_not_found(std::string_view arn);
inline constexpr std::string_view kShardNotFound =
    "Requested resource not found: Shard does not exist";
inline constexpr std::string_view kTrimmed = "The data you are trying to access has been trimmed";
inline constexpr std::string_view kInvalidIterator = "Invalid ShardIterator";
inline constexpr std::string_view kExpiredIterator =
    "The provided iterator exceeds the maximum age allowed.";
inline constexpr std::string_view kInvalidSequenceNumber = "Invalid SequenceNumber for the shard";
inline constexpr std::string_view kNoSequenceNumber =
    "One or more parameter values were invalid: SequenceNumber cannot be null";
inline constexpr std::string_view kSequenceNumberGiven =
    "One or more parameter values were invalid: SequenceNumber should not be passed for this iterator type";
inline constexpr std::string_view kIncompleteShardFilter =
    "One or more parameter values were invalid: ShardFilter must have a Type and a ShardId";
std::string timestamp_given(std::string_view iterator_type);
inline constexpr std::string_view kNoTimestamp =
    "One or more parameter values were invalid: Timestamp must be given with ShardIteratorType AT_TIMESTAMP";
inline constexpr std::string_view kTimestampToCome =
    "One or more parameter values were invalid: Timestamp must not be in the future";

}  // namespace magneto::api::messages
