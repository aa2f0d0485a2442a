#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/clock.h"
#include "storage/model/stream_schema.h"

// The shards of a stream and their successors: a shard closes after a while and gets one child, or
// two if its range of the partition hash is split. Pure functions on a stream's schema.
namespace magneto::storage {

// How long records stay readable (AWS developer guide, "Change data capture for DynamoDB Streams"),
// and a closed shard or stream with them.
inline constexpr std::chrono::hours kStreamRetention{24};
// How long a shard accepts records. AWS does not document it; in its examples (AWS API reference,
// DescribeStream) it is four hours and some minutes.
inline constexpr std::chrono::hours kShardLifetime{4};

// Milliseconds since the epoch, and the milliseconds of a duration.
std::int64_t milliseconds_of(Clock::TimePoint time);
constexpr std::int64_t milliseconds_of(std::chrono::milliseconds duration) {
  return duration.count();
}

// The time of a change of shards, by the stream's own time, which never goes back (StreamLog), and
// a sequence number above all that were drawn before.
struct ShardMoment {
  std::int64_t time;  // milliseconds since the epoch
  std::uint64_t sequence;
  // The moment is still to come for writers: a shard that closes then ends right before the number.
  bool is_ahead = false;
};

// Gives a stream without shards `count` shards, at least one.
void open_shards(StreamSchema& stream, std::uint32_t count, const ShardMoment& moment);
// Closes open shards older than kShardLifetime, each with one child. False if there were none.
bool roll_over_shards(StreamSchema& stream, const ShardMoment& moment);
// Closes all open shards, each with two children.
void split_shards(StreamSchema& stream, const ShardMoment& moment);
// Closes the stream and its open shards for ever. A change of shards that is still ahead is undone.
void close_stream(StreamSchema& stream, const ShardMoment& moment);

bool is_expired(const StreamSchema& stream, std::int64_t now);
bool is_expired(const StreamShard& shard, std::int64_t now);

// Open shards in the order of their ranges, as indexes into `shards`: a record with the hash h (its
// upper half) belongs to the one at h * size / 2^32. Empty if the stream is closed.
std::vector<std::size_t> open_shards_of(const StreamSchema& stream);

// The same at a sequence number, when shards whose change is ahead may be closed or opened already.
std::vector<std::size_t> open_shards_at(const StreamSchema& stream, std::uint64_t sequence);

const StreamShard* find_shard(const StreamSchema& stream, std::uint32_t number);

// "shardId-00000001414576573621-f55eea83": the time of opening and a number that differs among the
// shards of a stream, so ids ascend from parent to child (form: AWS API reference, DescribeStream).
// parent_shard_id() is empty if there is no parent.
std::string shard_id(const StreamSchema& stream, const StreamShard& shard);
std::string parent_shard_id(const StreamSchema& stream, const StreamShard& shard);
// nullptr if no shard of the stream has the id.
const StreamShard* find_shard(const StreamSchema& stream, std::string_view id);

// The name of a stream, for example "2026-10-08T23:07:31.275".
std::string stream_label(std::int64_t milliseconds);
// The time of such a label; for any other text, such as an empty one, a time before all others.
std::int64_t milliseconds_of_label(std::string_view label);

}  // namespace magneto::storage
