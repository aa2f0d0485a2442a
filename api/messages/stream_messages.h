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
std::string invalid_sequence_number(std::string_view text);
inline constexpr std::string_view kIncompleteShardFilter =
    "One or more parameter values were invalid: ShardFilter must have a Type and a ShardId";
std::string iterator_member_given(std::string_view member, std::string_view iterator_type);
std::string iterator_member_missing(std::string_view member, std::string_view iterator_type);
inline constexpr std::string_view kTimestampToCome =
    "One or more parameter values were invalid: Timestamp must not be in the future";

}  // namespace magneto::api::messages
