#include "server/feeds/event_sources/lane.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/feeds/event_sources/mapping_file.h"
#include "server/feeds/event_sources/messages.h"
#include "tests/api/test_service.h"
#include "tests/support/scripted_server.h"

namespace magneto::server::feeds {
namespace {

class LaneTest : public testing::Test {
 protected:
  struct Shard {
    std::unique_ptr<ShardProgress> progress;
    std::unique_ptr<Lane> lane;
  };

  void SetUp() override {
    service_.succeed(
        "CreateTable",
        R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
        R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
        R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})");
    const auto streams = api::SourceStream::of_tables(service_.databases(), {"tab"});
    ASSERT_EQ(streams.at("tab").size(), 1U);
    stream_ = streams.at("tab").front();
  }

  // All changes are of one item, and so in one shard and those that follow it.
  void put(int value) {
    service_.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"a"},"v":{"N":")" +
                                    std::to_string(value) + "\"}}}");
  }
  // Also follows shards that other shards were split into, or rolled over to, since.
  void follow_shards() {
    for (const api::SourceShard& shard : stream_->shards()) {
      if (!followed_.insert(shard.number).second) continue;
      Shard& made = shards_.emplace_back();
      made.progress =
          std::make_unique<ShardProgress>(positions_, std::to_string(shard.number), 1,
                                          PositionBounds{.begin = 0, .end = 0, .now = 0});
      made.lane = std::make_unique<Lane>(work_, BatchSource{stream_.get(), shard.number, {}},
                                         *made.progress);
    }
  }
  void step() {
    follow_shards();
    for (const Shard& shard : shards_) shard.lane->step();
  }
  EventSourceMapping mapping() {
    return std::move(
        read_mappings(
            R"({"EventSourceMappings":[{"TableName":"tab","FunctionName":"orders","StartingPosition":"TRIM_HORIZON","Endpoint":")" +
                server_.url() + "\"}]}",
            "f")
            .front());
  }
  // Checks the number of lost records, and of warnings about them.
  void expect_lost(std::uint64_t records, std::size_t times) {
    EXPECT_EQ(work_.counts.dropped, records);
    EXPECT_EQ(left_out_, std::vector(times, messages::kSourceRecordsTooOld("tab", "orders")));
  }

  api::TestService service_;
  int status_ = 200;
  ScriptedServer server_{[this](const std::string&) { return http_answer(status_, "null"); }};
  ConnectionPool pool_;
  CallMemory memory_{std::size_t{512} << 20};
  std::vector<std::string> warned_;
  std::vector<std::string> left_out_;
  MappingWork work_{
      mapping(),
      {pool_, memory_},
      [] { return false; },
      {.warn = [this](std::string_view what) { warned_.emplace_back(what); },
       .warn_left_out = [this](std::string_view what) { left_out_.emplace_back(what); }}};
  DeliveryPositions positions_{service_.databases().notes(), "event-sources",
                               [](std::string_view) {}};
  api::SourceStream::Ptr stream_;
  std::set<std::uint32_t> followed_;
  std::vector<Shard> shards_;
};

TEST_F(LaneTest, CountsAndTellsRecordsThatWaitedForADay) {
  status_ = 500;
  for (const int value : {1, 2, 3}) put(value);
  step();
  EXPECT_EQ(warned_.size(), 1U);
  expect_lost(0, 0);
  service_.clock().advance(std::chrono::hours(25));
  put(4);
  step();
  expect_lost(3, 1);
  status_ = 200;
  step();
  EXPECT_EQ(work_.counts.delivered, 1U);
  expect_lost(3, 1);
}

TEST_F(LaneTest, CountsThoseOfABatchThatAreLost) {
  status_ = 500;
  put(1);
  put(2);
  service_.clock().advance(std::chrono::hours(2));
  put(3);
  step();
  service_.clock().advance(std::chrono::hours(23));
  status_ = 200;
  step();
  EXPECT_EQ(work_.counts.delivered, 1U);
  expect_lost(2, 1);
}

TEST_F(LaneTest, CountsOneForThoseThatWereNeverRead) {
  put(1);
  put(2);
  service_.clock().advance(std::chrono::hours(25));
  put(3);
  step();
  EXPECT_EQ(work_.counts.delivered, 1U);
  expect_lost(1, 1);
}

}  // namespace
}  // namespace magneto::server::feeds
