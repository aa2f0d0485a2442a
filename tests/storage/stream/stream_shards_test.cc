#include "storage/stream/stream_shards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace magneto::storage {
namespace {

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kStart = 1'414'562'045'508;

StreamSchema stream_of(std::uint32_t count) {
  StreamSchema stream;
  stream.number = 7;
  stream.created = kStart;
  stream.secret = 0x1234567890ABCDEF;
  open_shards(stream, count, {kStart, 100});
  return stream;
}

// "2<1 [0] 108..": number, parent, range, first sequence number, and ".." when open.
std::string describe_shards(const StreamShard& shard) {
  return std::to_string(shard.number) +
         (shard.parent != 0 ? "<" + std::to_string(shard.parent) : "") + " [" +
         std::to_string(shard.range) + "] " + std::to_string(shard.first_sequence) +
         (shard.closed == 0 ? ".." : "");
}

std::vector<std::string> describe_shards(const StreamSchema& stream) {
  std::vector<std::string> texts;
  for (const StreamShard& shard : stream.shards) texts.push_back(describe_shards(shard));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(StreamShards, AStreamBeginsWithAShardForEachPartition) {
  EXPECT_EQ(describe_shards(stream_of(3)), (Texts{"1 [0] 100..", "2 [1] 100..", "3 [2] 100.."}));
}

TEST(StreamShards, OldShardsRollOverIntoOneChildEach) {
  StreamSchema stream = stream_of(2);
  EXPECT_FALSE(roll_over_shards(stream, {kStart + 4 * kHour - 1, 200}));
  EXPECT_TRUE(roll_over_shards(stream, {kStart + 4 * kHour, 300}));
  EXPECT_EQ(describe_shards(stream),
            (Texts{"1 [0] 100", "2 [1] 100", "3<1 [0] 300..", "4<2 [1] 300.."}));
  EXPECT_EQ(stream.shards[0].closed, kStart + 4 * kHour);
  EXPECT_FALSE(roll_over_shards(stream, {kStart + 5 * kHour, 400}));
}

TEST(StreamShards, ASplitGivesEachShardTwoChildren) {
  StreamSchema stream = stream_of(2);
  split_shards(stream, {kStart + 1, 200});
  EXPECT_EQ(describe_shards(stream), (Texts{"1 [0] 100", "2 [1] 100", "3<1 [0] 200..",
                                            "4<1 [1] 200..", "5<2 [2] 200..", "6<2 [3] 200.."}));
  EXPECT_TRUE(roll_over_shards(stream, {kStart + 5 * kHour, 300}));
  EXPECT_EQ(open_shards_of(stream), (std::vector<std::size_t>{6, 7, 8, 9}));
}

TEST(StreamShards, OpenShardsStandInTheOrderOfTheirRanges) {
  StreamSchema stream = stream_of(3);
  stream.shards[1].opened -= kHour;
  EXPECT_TRUE(roll_over_shards(stream, {kStart + 3 * kHour, 200}));
  EXPECT_EQ(open_shards_of(stream), (std::vector<std::size_t>{0, 3, 2}));
}

TEST(StreamShards, AClosedStreamHasNoOpenShard) {
  StreamSchema stream = stream_of(2);
  close_stream(stream, {kStart + 9, 200});
  EXPECT_TRUE(open_shards_of(stream).empty());
  EXPECT_EQ(stream.closed, kStart + 9);
  EXPECT_EQ(stream.shards[1].closed, kStart + 9);
}

TEST(StreamShards, WhatIsClosedExpiresADayLater) {
  StreamSchema stream = stream_of(1);
  EXPECT_FALSE(is_expired(stream, kStart + 1'000 * kHour));
  EXPECT_FALSE(is_expired(stream.shards[0], kStart + 1'000 * kHour));
  close_stream(stream, {kStart, 200});
  EXPECT_FALSE(is_expired(stream, kStart + 24 * kHour - 1));
  EXPECT_FALSE(is_expired(stream.shards[0], kStart + 24 * kHour - 1));
  EXPECT_TRUE(is_expired(stream, kStart + 24 * kHour));
  EXPECT_TRUE(is_expired(stream.shards[0], kStart + 24 * kHour));
}

TEST(StreamShards, AClockThatWentBackClosesNothingBeforeItOpened) {
  StreamSchema stream = stream_of(1);
  split_shards(stream, {kStart - kHour, 200});
  EXPECT_EQ(stream.shards[0].closed, kStart);
  EXPECT_EQ(stream.shards[1].opened, kStart + 1);
  close_stream(stream, {kStart - kHour, 300});
  EXPECT_EQ(stream.closed, kStart);
  EXPECT_EQ(stream.shards[1].closed, kStart + 1);
}

TEST(StreamShards, IdsAscendFromParentToChildAndDiffer) {
  StreamSchema stream = stream_of(64);
  split_shards(stream, {kStart, 200});  // in the same millisecond
  split_shards(stream, {kStart, 300});
  std::set<std::string> ids;
  for (const StreamShard& shard : stream.shards) {
    const std::string id = shard_id(stream, shard);
    EXPECT_EQ(id.size(), 37U) << id;
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_EQ(find_shard(stream, id), &shard);
    const std::string parent = parent_shard_id(stream, shard);
    EXPECT_EQ(parent.empty(), shard.parent == 0);
    EXPECT_LT(parent, id);
    if (shard.parent != 0) {
      EXPECT_EQ(find_shard(stream, parent)->number, shard.parent);
      EXPECT_EQ(find_shard(stream, shard.parent)->range, shard.range / 2);
    }
  }
  EXPECT_EQ(shard_id(stream, stream.shards[0]).substr(0, 29), "shardId-00000001414562045508-");
  EXPECT_EQ(find_shard(stream, std::string_view("shardId-00000001414562045508-00000000")), nullptr);
  EXPECT_EQ(find_shard(stream, 1'000U), nullptr);
}

TEST(StreamShards, TheIdOfAParentOutlivesIt) {
  StreamSchema stream = stream_of(1);
  const std::string id = shard_id(stream, stream.shards[0]);
  EXPECT_TRUE(roll_over_shards(stream, {kStart + 4 * kHour, 200}));
  stream.shards.erase(stream.shards.begin());
  EXPECT_EQ(parent_shard_id(stream, stream.shards[0]), id);
}

TEST(StreamShards, LabelsAreTimes) {
  EXPECT_EQ(stream_label(kStart), "2014-10-29T05:54:05.508");
  EXPECT_EQ(stream_label(1'000), "1970-01-01T00:00:01.000");
}

TEST(StreamShards, SequenceNumbersAreMicroseconds) {
  const Clock::TimePoint time{std::chrono::microseconds(1'414'562'045'508'001)};
  const SequenceScale scale;
  EXPECT_EQ(scale.at(time), 1'414'562'045'508'001U);
  EXPECT_EQ(scale.time_of(scale.at(time)), time);
  EXPECT_EQ(milliseconds_of(time), kStart);
}

TEST(StreamShards, SequenceNumbersOfASharedStoreAscendFromWhenItBecameShared) {
  const Clock::TimePoint start{std::chrono::microseconds(1'414'562'045'508'001)};
  const SequenceScale alone;
  const SequenceScale shared(version_at(start) + 7);
  using std::chrono::microseconds;
  for (const int before : {0, 1, 1'000'000}) {
    const Clock::TimePoint time = start - microseconds(before);
    EXPECT_EQ(shared.at(time), alone.at(time));
    EXPECT_EQ(shared.time_of(shared.at(time)), time);
  }
  for (const int after : {1, 2, 1'000'000}) {
    const Clock::TimePoint time = start + microseconds(after);
    EXPECT_EQ(shared.at(time), alone.at(start) + static_cast<unsigned>(after) * kVersionStep);
    EXPECT_EQ(shared.time_of(shared.at(time)), time);
    EXPECT_EQ(shared.time_of(shared.at(time) + kVersionStep - 1), time);
    EXPECT_EQ(shared.of_version(version_at(time) + 5), shared.at(time) + 5);
  }
  EXPECT_EQ(shared.of_version(0), alone.at(start));
}

}  // namespace
}  // namespace magneto::storage
