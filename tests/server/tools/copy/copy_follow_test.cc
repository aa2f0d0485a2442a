#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "server/tools/copy/copy_plan.h"
#include "server/tools/copy/copy_run.h"
#include "server/tools/copy/messages.h"
#include "tests/server/tools/copy/copy_endpoints.h"
#include "tests/support/engines.h"

namespace magneto::server::tools {
namespace {

using Fate = FaultyEndpoint::Fate;

constexpr const char* kTable =
    R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"N"}]})";
constexpr const char* kStream =
    R"({"TableName":"Tab","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
constexpr int kKeys = 40;

class CopyFollowTest : public ::testing::Test {
 protected:
  void SetUp() override { from_.succeed("CreateTable", kTable); }

  int copy(const FaultyEndpoint::Decide& decide, bool enable_stream = false) {
    FaultyEndpoint source(from_.endpoint, decide);
    FaultyEndpoint target(to_.endpoint, decide);
    const CopyOptions options{.segments = 3,
                              .state_file = directory_.file("state"),
                              .verify = true,
                              .follow = true,
                              .until_caught_up = true,
                              .enable_stream = enable_stream};
    testing::internal::CaptureStderr();
    const int status = run_copy(options, source, target, stop_, progress_);
    told_ = testing::internal::GetCapturedStderr();
    return status;
  }

  // Puts or deletes one of the source's items.
  void write() {
    const std::string number = std::to_string(random_() % kKeys);
    if (random_() % 4 == 0) {
      from_.succeed("DeleteItem", R"({"TableName":"Tab","Key":{"pk":{"N":")" + number + "\"}}}");
      return;
    }
    from_.succeed("PutItem", R"({"TableName":"Tab","Item":{"pk":{"N":")" + number +
                                 R"("},"v":{"N":")" + std::to_string(++value_) + "\"}}}");
  }

  // Every shard is closed and gets a child; iterators expire.
  void roll_over() {
    from_.service.clock().advance(std::chrono::hours(4) + std::chrono::seconds(1));
    from_.service.database().settle();
  }

  CopySide from_{"from"};
  CopySide to_{"to"};
  std::atomic<bool> stop_{false};
  storage::TempDirectory directory_;
  bulk::ProgressLine progress_;
  std::mt19937 random_{5};
  int value_ = 0;
  std::string told_;
};

// After any earlier run, and with writes between any two of its calls.
TEST_F(CopyFollowTest, ConvergesOverWritesShardsAndFaults) {
  constexpr int kRunsWithWrites = 12;
  from_.succeed("UpdateTable", kStream);
  for (int i = 0; i < 200; ++i) write();
  std::mutex mutex;
  int until_fault = 0;
  int writes_left = 0;
  int calls = 0;
  const auto decide = [&](std::string_view operation) {
    const std::lock_guard lock(mutex);
    if (writes_left > 0) {
      --writes_left;
      write();
      if (++calls % 60 == 0 && calls <= 240) roll_over();  // records are there for a day
    }
    if (--until_fault == 0) return random_() % 2 == 0 ? Fate::kFault : Fate::kLost;
    if (operation == "GetRecords" && random_() % 8 == 0) return Fate::kExpired;
    if (operation != "BatchWriteItem") return Fate::kWell;
    const auto fate = random_() % 6;
    return fate == 0 ? Fate::kTwice : fate == 1 ? Fate::kPart : Fate::kWell;
  };
  int runs = 0;
  int status = kCopyFailed;
  // A run that had caught up while items are still written may end, and find differences.
  while ((runs < kRunsWithWrites || status == kCopyFailed) && ++runs < 100) {
    until_fault = 5 * runs;
    writes_left = runs < kRunsWithWrites ? 60 : 0;
    status = copy(decide);
  }
  EXPECT_EQ(status, kCopyDone) << told_;
  EXPECT_EQ(to_.items("Tab"), from_.items("Tab"));
}

// The parent has pages left when the child could be read.
TEST_F(CopyFollowTest, ReadsAShardAfterItsParent) {
  constexpr int kRecords = 5000;  // five pages
  from_.succeed("UpdateTable", kStream);
  write();
  bool has_failed = false;
  const auto decide = [&](std::string_view operation) {
    if (operation != "BatchWriteItem" || has_failed) return Fate::kWell;
    has_failed = true;
    return Fate::kFault;
  };
  const auto put = [&](int value) {
    from_.succeed("PutItem", R"({"TableName":"Tab","Item":{"pk":{"N":"1"},"v":{"N":")" +
                                 std::to_string(value) + "\"}}}");
  };
  EXPECT_EQ(copy(decide), kCopyFailed);
  for (int i = 0; i < kRecords; ++i) put(i);
  roll_over();
  put(kRecords);
  EXPECT_EQ(copy(decide), kCopyDone) << told_;
  EXPECT_EQ(to_.items("Tab"), from_.items("Tab"));
}

// No read of the stream finds nothing, so what is caught up with is where the stream was at first.
TEST_F(CopyFollowTest, CatchesUpWithASourceThatIsAlwaysWrittenTo) {
  from_.succeed("UpdateTable", kStream);
  for (int i = 0; i < 50; ++i) write();
  std::mutex mutex;
  int reads = 0;
  const auto decide = [&](std::string_view operation) {
    const std::lock_guard lock(mutex);
    if (operation == "GetRecords" && ++reads < 2'000) write();
    return Fate::kWell;
  };
  const int status = copy(decide);
  EXPECT_TRUE(status == kCopyDone || status == kCopyDiffers) << told_;
  EXPECT_LT(reads, 200);
}

// The items are copied and the state is saved while others use up the reads of a shard.
TEST_F(CopyFollowTest, CopiesWhileAShardIsReadByOthers) {
  constexpr int kMostLimited = 20;
  from_.succeed("UpdateTable", kStream);
  std::string other = kTable;
  other.replace(other.find("Tab\""), 3, "Zed");
  from_.succeed("CreateTable", other);
  other = kStream;
  from_.succeed("UpdateTable", other.replace(other.find("Tab\""), 3, "Zed"));
  from_.succeed("PutItem", R"({"TableName":"Zed","Item":{"pk":{"N":"1"}}})");
  std::atomic<bool> is_written{false};
  std::atomic<int> limited{0};
  const auto decide = [&](std::string_view operation) {
    if (operation == "BatchWriteItem") {
      while (limited == 0) std::this_thread::yield();
      is_written = true;
    }
    if (operation != "GetRecords" || is_written || limited == kMostLimited) return Fate::kWell;
    ++limited;
    return Fate::kLimited;
  };
  EXPECT_EQ(copy(decide), kCopyDone) << told_;
  EXPECT_GT(limited, 0);
  EXPECT_LT(limited, kMostLimited);
  EXPECT_EQ(to_.items("Zed"), from_.items("Zed"));
}

TEST_F(CopyFollowTest, RefusesStreamsThatDoNotTellEnough) {
  const auto well = [](std::string_view) { return Fate::kWell; };
  EXPECT_EQ(copy(well), kCopyFailed);
  EXPECT_NE(told_.find("--enable-stream"), std::string::npos) << told_;
  std::string keys_only = kStream;
  keys_only.replace(keys_only.find("NEW_IMAGE"), 9, "KEYS_ONLY");
  from_.succeed("UpdateTable", keys_only);
  EXPECT_EQ(copy(well), kCopyFailed);
  EXPECT_NE(told_.find("KEYS_ONLY"), std::string::npos) << told_;
}

TEST_F(CopyFollowTest, SaysWhenChangesAreLost) {
  from_.succeed("UpdateTable", kStream);
  write();
  bool is_trimmed = false;
  const auto decide = [&](std::string_view operation) {
    if (operation == "BatchWriteItem" && !is_trimmed) {
      is_trimmed = true;
      return Fate::kFault;
    }
    return operation == "GetShardIterator" && is_trimmed ? Fate::kTrimmed : Fate::kWell;
  };
  EXPECT_EQ(copy(decide), kCopyFailed);
  EXPECT_EQ(copy(decide), kCopyFailed);
  EXPECT_NE(told_.find(messages::kChangesLost("Tab")), std::string::npos) << told_;
  // A stream that was disabled and enabled again is another stream.
  from_.succeed("UpdateTable",
                R"({"TableName":"Tab","StreamSpecification":{"StreamEnabled":false}})");
  from_.succeed("UpdateTable", kStream);
  EXPECT_EQ(copy([](std::string_view) { return Fate::kWell; }), kCopyFailed);
  EXPECT_NE(told_.find(messages::kOtherStreamNow("Tab")), std::string::npos) << told_;
  // The check comes before another stream is enabled for nothing.
  from_.succeed("UpdateTable",
                R"({"TableName":"Tab","StreamSpecification":{"StreamEnabled":false}})");
  EXPECT_EQ(copy([](std::string_view) { return Fate::kWell; }, true), kCopyFailed);
  EXPECT_NE(told_.find(messages::kOtherStreamNow("Tab")), std::string::npos) << told_;
  EXPECT_EQ(from_.succeed("DescribeTable", R"({"TableName":"Tab"})").find("StreamSpecification"),
            std::string::npos);
}

TEST(CopyPlan, TellsWhenStreamsWouldForgetBeforeAllIsCopied) {
  std::vector<TablePlan> plans(2);
  for (TablePlan& plan : plans) plan.source.bytes = std::int64_t{50} << 30;
  CopyOptions options{.read_limit = 1000, .write_limit = 1000, .follow = true};
  EXPECT_NE(problem_of_time(options, plans).find("29 hours at least"), std::string::npos);
  EXPECT_NE(problem_of_time(options, plans).find("--write-limit 1619 "), std::string::npos);
  options.write_limit = 1619;
  EXPECT_EQ(problem_of_time(options, plans), "");
  options.read_limit = 404;
  EXPECT_NE(problem_of_time(options, plans).find("--read-limit 405 "), std::string::npos);
  options.read_limit = options.write_limit = 0;
  EXPECT_EQ(problem_of_time(options, plans), "");
  // Each small item takes a unit.
  options.write_limit = 1;
  plans[1].source = {};
  plans[0].source.bytes = plans[0].source.items = 18 * 3600 + 1;
  EXPECT_NE(problem_of_time(options, plans), "");
  plans[1].is_begun = true;
  EXPECT_EQ(problem_of_time(options, plans), "");
  options.follow = false;
  plans[1].is_begun = false;
  EXPECT_EQ(problem_of_time(options, plans), "");
}

}  // namespace
}  // namespace magneto::server::tools
