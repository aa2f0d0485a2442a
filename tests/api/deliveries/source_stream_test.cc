#include "api/deliveries/source_stream.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/service.h"

namespace magneto::api {
namespace {

constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

struct Read {
  std::vector<std::string> records;
  std::vector<std::uint64_t> positions;
  SourcePage page;
};

class SourceStreamTest : public testing::Test {
 protected:
  void call(std::string_view operation, std::string body) {
    std::string answer;
    Caller caller;
    caller.region = "eu-west-2";
    ASSERT_EQ(service_.call(find_operation(operation), caller, "test", body, answer), 200)
        << answer;
  }
  void create() {
    call(
        "CreateTable",
        R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
        R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
        R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})");
  }
  void put(const std::string& key) {
    call("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":")" + key + "\"}}}");
  }
  SourceStream::Ptr stream() {
    const auto found = SourceStream::of_tables(*databases_, {"tab"})["tab"];
    return found.size() == 1 ? found.front() : nullptr;
  }
  static Read read(const SourceStream& stream, std::uint32_t shard, std::uint64_t from,
                   SourceLane lane = {}, std::size_t limit = 1000, std::uint64_t last = kNoEnd) {
    Read read;
    read.page = stream.read(shard, from, last, lane, [&](const SourceRecord& record) {
      if (read.records.size() == limit) return false;
      read.records.push_back(record.json);
      read.positions.push_back(record.position);
      return true;
    });
    return read;
  }

  static storage::DatabaseOptions one_partition() {
    storage::DatabaseOptions options{};
    options.partitions = 1;
    return options;
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ =
      storage::Databases::open(one_partition(), clock_);
  Service service_{*databases_, {.report_elsewhere = {}}};
};

TEST_F(SourceStreamTest, IsReadFromPositionToPosition) {
  EXPECT_EQ(stream(), nullptr);
  create();
  const SourceStream::Ptr found = stream();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->region(), "eu-west-2");
  EXPECT_EQ(found->id().size(), 16U);
  ASSERT_EQ(SourceStream::of_arn(*databases_, found->arn()).size(), 1U);
  EXPECT_TRUE(SourceStream::of_arn(*databases_, found->arn() + "1").empty());
  ASSERT_EQ(found->shards().size(), 1U);
  const std::uint32_t shard = found->shards().front().number;
  EXPECT_TRUE(found->shard_id(shard).starts_with("shardId-"));
  for (int i = 0; i < 5; ++i) put("x" + std::to_string(i));
  const Read all = read(*found, shard, 1);
  ASSERT_EQ(all.records.size(), 5U);
  EXPECT_EQ(all.page.next, found->end());
  EXPECT_FALSE(all.page.has_ended);
  EXPECT_NE(all.records[0].find(R"("eventSourceARN":")" + found->arn()), std::string::npos);
  EXPECT_EQ(read(*found, shard, all.page.next).records.size(), 0U);
  const Read two = read(*found, shard, 1, {}, 2);
  EXPECT_EQ(two.records.size(), 2U);
  EXPECT_EQ(two.page.next, all.positions[1] + 1);
  const Read middle = read(*found, shard, two.page.next, {}, 1000, all.positions[3]);
  EXPECT_EQ(middle.positions, (std::vector<std::uint64_t>{all.positions[2], all.positions[3]}));
  EXPECT_EQ(middle.page.next, all.positions[3] + 1);
}

TEST_F(SourceStreamTest, LanesShareTheRecordsByItem) {
  create();
  const SourceStream::Ptr found = stream();
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 40; ++i) {
      put("x" + std::to_string(i));
      call("DeleteItem", R"({"TableName":"tab","Key":{"pk":{"S":"x)" + std::to_string(i) + "\"}}}");
    }
  }
  const std::uint32_t shard = found->shards().front().number;
  std::map<std::string, std::set<std::uint32_t>> lanes;  // of each item
  std::size_t records = 0;
  for (std::uint32_t lane = 0; lane < 3; ++lane) {
    const Read part = read(*found, shard, 1, {lane, 3});
    EXPECT_GT(part.records.size(), 0U);
    records += part.records.size();
    for (const std::string& record : part.records) {
      const std::size_t begin = record.find(R"("Keys":)");
      lanes[record.substr(begin, record.find('}', begin) - begin)].insert(lane);
    }
  }
  EXPECT_EQ(records, 160U);
  EXPECT_EQ(lanes.size(), 40U);
  for (const auto& [item, of_item] : lanes) EXPECT_EQ(of_item.size(), 1U) << item;
}

TEST_F(SourceStreamTest, TellsWhatIsLostAndWhatHasEnded) {
  create();
  put("old");
  const SourceStream::Ptr found = stream();
  const std::uint32_t shard = found->shards().front().number;
  clock_.advance(std::chrono::hours(25));
  put("new");
  const Read late = read(*found, shard, 1);
  EXPECT_TRUE(late.page.has_lost || late.page.has_ended);
  EXPECT_LE(late.records.size(), 1U);
  call("DeleteTable", R"({"TableName":"tab"})");
  // Its remaining records can be read for a day.
  ASSERT_NE(stream(), nullptr);
  EXPECT_TRUE(stream()->is_closed());
  for (const SourceShard& left : found->shards()) {
    EXPECT_TRUE(left.is_closed);
    EXPECT_TRUE(read(*found, left.number, 1).page.has_ended);
  }
  EXPECT_TRUE(read(*found, 12345, 1).page.has_ended);
}

TEST_F(SourceStreamTest, KnowsArnsOfStreams) {
  EXPECT_TRUE(SourceStream::is_stream_arn(
      "arn:aws:dynamodb:us-east-1:000000000000:table/tab/stream/2026-01-01T00:00:00.000"));
  EXPECT_FALSE(SourceStream::is_stream_arn("arn:aws:dynamodb:us-east-1:000000000000:table/tab"));
  EXPECT_FALSE(SourceStream::is_stream_arn(""));
}

}  // namespace
}  // namespace magneto::api
