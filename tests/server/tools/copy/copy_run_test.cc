#include "server/tools/copy/copy_run.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <random>

#include "server/tools/copy/messages.h"
#include "server/tools/copy/state_keeper.h"
#include "server/tools/copy/table_description.h"
#include "tests/server/tools/copy/copy_endpoints.h"
#include "tests/support/engines.h"

namespace magneto::server::tools {
namespace {

using Fate = FaultyEndpoint::Fate;

constexpr const char* kMusic =
    R"({"TableName":"Music","BillingMode":"PROVISIONED","DeletionProtectionEnabled":true,)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},)"
    R"({"AttributeName":"g","AttributeType":"S"}],"Tags":[{"Key":"team","Value":"a"},{"Key":"cost","Value":"7"}],)"
    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"},)"
    R"("GlobalSecondaryIndexes":[{"IndexName":"byG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],)"
    R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["y","x"]},)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}],)"
    R"("LocalSecondaryIndexes":[{"IndexName":"byL","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
    R"({"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]})";

std::string simple_table(const std::string& name) {
  return R"({"TableName":")" + name +
         R"(","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
         R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})";
}

class CopyTest : public ::testing::Test {
 protected:
  int copy(CopyOptions options = {}) { return copy(options, from_.endpoint, to_.endpoint); }
  int copy(CopyOptions options, client::Endpoint& source, client::Endpoint& target) {
    if (options.segments == CopyOptions().segments) options.segments = 3;
    testing::internal::CaptureStderr();
    int status = 0;
    try {
      status = run_copy(options, source, target, stop_, progress_);
    } catch (...) {
      testing::internal::GetCapturedStderr();
      throw;
    }
    told_ = testing::internal::GetCapturedStderr();
    return status;
  }

  void make_music() {
    from_.succeed("CreateTable", kMusic);
    from_.succeed(
        "UpdateTimeToLive",
        R"({"TableName":"Music","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"gone"}})");
  }
  void fill(const std::string& table, int count, bool with_sort_key) {
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      const std::string sort = with_sort_key ? R"(,"sk":{"N":")" + number + "\"}" : std::string();
      from_.succeed("PutItem",
                    R"({"TableName":")" + table + R"(","Item":{"pk":{"S":"p)" + number + "\"}" +
                        sort + R"(,"n":{"N":")" + number +
                        R"(.50"},"g":{"S":"é\"\\"},"l":{"L":[{"NULL":true},{"BOOL":false}]},)" +
                        R"("b":{"B":"AAEC"},"ss":{"SS":["b","a"]},"big":{"S":")" +
                        std::string(static_cast<std::size_t>(i % 7) * 1000, 'x') + "\"}}}");
    }
  }

  CopySide from_{"from"};
  CopySide to_{"to"};
  std::atomic<bool> stop_{false};
  storage::TempDirectory directory_;
  bulk::ProgressLine progress_;
  std::string told_;
};

TEST_F(CopyTest, BringsTablesWithAllThatTheyHave) {
  make_music();
  fill("Music", 700, true);
  from_.succeed("CreateTable", simple_table("Empty"));
  ASSERT_EQ(copy({.verify = true}), kCopyDone) << told_;
  EXPECT_EQ(to_.items("Music"), from_.items("Music"));
  client::EndpointCalls source(from_.endpoint);
  client::EndpointCalls target(to_.endpoint);
  for (const char* const name : {"Music", "Empty"}) {
    const auto before = describe_table(source, name);
    const auto after = describe_table(target, name);
    ASSERT_TRUE(before && after);
    EXPECT_EQ(structural_differences(*before, *after), std::vector<std::string>());
    EXPECT_EQ(after->tags, before->tags);
    EXPECT_EQ(after->time_to_live, before->time_to_live);
    EXPECT_EQ(after->stream_view, before->stream_view);
    EXPECT_EQ(after->is_protected, before->is_protected);
  }
  // The stream has no records of the copied items.
  const auto music = describe_table(target, "Music");
  const std::string shards =
      to_.succeed("DescribeStream", R"({"StreamArn":")" + music->stream_arn + "\"}");
  const std::size_t id = shards.find("\"ShardId\":\"") + 11;
  const std::string shard = shards.substr(id, shards.find('"', id) - id);
  const std::string iterator =
      to_.succeed("GetShardIterator", R"({"ShardIteratorType":"TRIM_HORIZON","StreamArn":")" +
                                          music->stream_arn + R"(","ShardId":")" + shard + "\"}");
  EXPECT_TRUE(to_.succeed("GetRecords", iterator).starts_with(R"({"Records":[])"));
  // The existing items prevent another copy.
  EXPECT_EQ(copy(), kCopyFailed);
  EXPECT_NE(told_.find(messages::kTargetNotEmpty("Music", "to")), std::string::npos) << told_;
}

TEST_F(CopyTest, GoesOnOverFaultsOfAnyKind) {
  make_music();
  fill("Music", 600, true);
  from_.succeed("CreateTable", simple_table("Other"));
  fill("Other", 300, false);
  const std::string state = directory_.file("state");
  std::mt19937 random(7);
  std::mutex mutex;
  int until_fault = 0;
  const auto decide = [&](std::string_view operation) {
    const std::lock_guard lock(mutex);
    if (--until_fault == 0) return random() % 2 == 0 ? Fate::kFault : Fate::kLost;
    if (operation != "BatchWriteItem") return Fate::kWell;
    const auto fate = random() % 6;
    return fate == 0 ? Fate::kTwice : fate == 1 ? Fate::kPart : Fate::kWell;
  };
  FaultyEndpoint source(from_.endpoint, decide);
  FaultyEndpoint target(to_.endpoint, decide);
  int runs = 0;
  int status = kCopyFailed;
  while (status == kCopyFailed && ++runs < 200) {
    until_fault = 4 * runs;
    status = copy({.state_file = state, .verify = true}, source, target);
  }
  EXPECT_EQ(status, kCopyDone) << told_;
  EXPECT_GT(runs, 5);
  for (const char* const table : {"Music", "Other"}) {
    EXPECT_EQ(to_.items(table), from_.items(table));
  }
  EXPECT_EQ(copy({.state_file = state}), kCopyDone);
  EXPECT_NE(told_.find(messages::table_was_copied("Other", 300)), std::string::npos) << told_;
}

TEST_F(CopyTest, ChangesNothingWhereATableIsInTheWay) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 3, false);
  make_music();
  std::string other = kMusic;
  other.replace(other.find("KEYS_ONLY"), 9, "ALL");
  to_.succeed("CreateTable", other);
  EXPECT_EQ(copy({.state_file = directory_.file("state")}), kCopyFailed);
  EXPECT_NE(
      told_.find(
          R"(LocalSecondaryIndexes[byL].Projection.ProjectionType is "KEYS_ONLY" at the source and "ALL" at the target)"),
      std::string::npos)
      << told_;
  EXPECT_EQ(to_.service.call("DescribeTable", R"({"TableName":"Good"})").status, 400);
  EXPECT_FALSE(std::filesystem::exists(directory_.file("state")));
  EXPECT_EQ(copy({.only = {"Nothing"}}), kCopyFailed);
  EXPECT_EQ(copy({.only = {"Go*"}, .filter = {.expression = "nonsense"}}), kCopyFailed);
  EXPECT_EQ(to_.service.call("DescribeTable", R"({"TableName":"Good"})").status, 400);

  EXPECT_EQ(copy({.only = {"Go*"}, .dry_run = true}), kCopyDone);
  EXPECT_NE(told_.find(std::string(messages::kWouldMake)), std::string::npos) << told_;
  EXPECT_EQ(to_.service.call("DescribeTable", R"({"TableName":"Good"})").status, 400);
  // An empty table with the same structure is used.
  to_.succeed("CreateTable", simple_table("Good"));
  EXPECT_EQ(copy({.only = {"Go*"}}), kCopyDone) << told_;
  EXPECT_EQ(to_.items("Good"), from_.items("Good"));
}

TEST_F(CopyTest, TakesTheItemsThatTheFilterLetsPass) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 40, false);
  EXPECT_EQ(copy({.filter = {.expression = "#n < :n",
                             .names = R"({"#n":"n"})",
                             .values = R"({":n":{"N":"10"}})"},
                  .verify = true}),
            kCopyDone)
      << told_;
  EXPECT_EQ(to_.items("Good").size(), 10U);
}

TEST_F(CopyTest, VerificationNamesWhatDiffers) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 60, false);
  std::atomic<int> batches{0};
  FaultyEndpoint target(to_.endpoint, [&](std::string_view operation) {
    return operation == "BatchWriteItem" && ++batches == 1 ? Fate::kForgotten : Fate::kWell;
  });
  EXPECT_EQ(copy({.verify = true}, from_.endpoint, target), kCopyDiffers);
  EXPECT_NE(told_.find("Good: the target does not have {\"pk\":{\"S\":\"p"), std::string::npos)
      << told_;
  // Fewer than there are.
  EXPECT_LE(std::ranges::count(told_, '\n'), 30);
}

TEST_F(CopyTest, VerificationEndsWhenEnoughDiffers) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 5000, false);  // six pages or so in each segment
  std::atomic<int> scans{0};
  FaultyEndpoint source(from_.endpoint, [&](std::string_view operation) {
    if (operation == "Scan") ++scans;
    return Fate::kWell;
  });
  FaultyEndpoint target(to_.endpoint, [](std::string_view operation) {
    return operation == "BatchWriteItem" ? Fate::kForgotten : Fate::kWell;
  });
  ASSERT_EQ(copy({}, source, target), kCopyDone) << told_;
  const int pages = scans;
  scans = 0;
  to_.succeed("DeleteTable", R"({"TableName":"Good"})");
  EXPECT_EQ(copy({.verify = true}, source, target), kCopyDiffers);
  EXPECT_GE(pages, 15);
  EXPECT_LT(scans, pages + 8);
}

TEST_F(CopyTest, VerificationKeepsEachSideUnderItsLimit) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 400, false);  // 1.2 MB, 300 units
  const auto time_of = [&](CopyOptions options) {
    to_.service.call("DeleteTable", R"({"TableName":"Good"})");
    options.verify = true;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(copy(options), kCopyDone) << told_;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // An eventually consistent read of the source takes half as long as a consistent one of the
  // target. It is repeated because a busy machine slows both.
  bool is_half = false;
  for (int i = 0; i < 10 && !is_half; ++i) {
    const double of_target = time_of({.target_read_limit = 100});
    EXPECT_GT(of_target, 2.1);
    const double of_source = time_of({.read_limit = 100});
    EXPECT_GT(of_source, 1);
    is_half = of_source < 0.75 * of_target;
  }
  EXPECT_TRUE(is_half);
}

TEST_F(CopyTest, EndsWhenItIsAskedTo) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 60, false);
  FaultyEndpoint target(to_.endpoint, [&](std::string_view operation) {
    if (operation == "BatchWriteItem") stop_ = true;
    return Fate::kWell;
  });
  const CopyOptions options{.state_file = directory_.file("state")};
  EXPECT_EQ(copy(options, from_.endpoint, target), kCopyStopped);
  EXPECT_NE(told_.find("--state"), std::string::npos) << told_;
  stop_ = false;
  EXPECT_EQ(copy(options), kCopyDone) << told_;
  EXPECT_EQ(to_.items("Good"), from_.items("Good"));
}

// A server that keeps its tables in memory, and makes them from a file when it starts again.
TEST_F(CopyTest, SeesThatATableWasReplacedMeanwhile) {
  for (const char* const name : {"Alpha", "Beta"}) {
    from_.succeed("CreateTable", simple_table(name));
    fill(name, 200, false);
  }
  const auto replace = [](CopySide& side, const std::string& name) {
    side.succeed("DeleteTable", R"({"TableName":")" + name + "\"}");
    side.succeed("CreateTable", simple_table(name));
  };
  std::mutex mutex;
  int batches = 0;
  int replaced_at = 4;
  FaultyEndpoint target(to_.endpoint, [&](std::string_view operation) {
    const std::lock_guard lock(mutex);
    if (operation == "BatchWriteItem" && ++batches == replaced_at) replace(to_, "Alpha");
    return Fate::kWell;
  });
  // One thread, so that no other notices the missing table.
  const CopyOptions options{.segments = 1, .state_file = directory_.file("state")};
  EXPECT_EQ(copy(options, from_.endpoint, target), kCopyFailed);
  EXPECT_NE(told_.find(messages::kTableReplaced("Alpha", "to")), std::string::npos) << told_;
  EXPECT_EQ(copy(options), kCopyFailed);
  // When its items were copied already.
  to_.succeed("DeleteTable", R"({"TableName":"Alpha"})");
  to_.service.call("DeleteTable", R"({"TableName":"Beta"})");
  replaced_at = batches + 10;
  EXPECT_EQ(copy({.segments = 1}, from_.endpoint, target), kCopyFailed);
  EXPECT_NE(told_.find(messages::kTableReplaced("Alpha", "to")), std::string::npos) << told_;
  EXPECT_EQ(to_.items("Beta").size(), 200U);
  // The source's, between two pages of it.
  to_.succeed("DeleteTable", R"({"TableName":"Alpha"})");
  to_.succeed("DeleteTable", R"({"TableName":"Beta"})");
  bool is_replaced = false;
  FaultyEndpoint source(from_.endpoint, [&](std::string_view operation) {
    const std::lock_guard lock(mutex);
    if (operation == "Scan" && !is_replaced) {
      is_replaced = true;
      replace(from_, "Alpha");
    }
    return Fate::kWell;
  });
  EXPECT_EQ(copy({.segments = 1}, source, to_.endpoint), kCopyFailed);
  EXPECT_NE(told_.find(messages::kTableReplaced("Alpha", "from")), std::string::npos) << told_;
}

TEST_F(CopyTest, TellsEndpointsApartByTheirTables) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 5, false);
  CopySide account("from");  // another one behind the same name
  EXPECT_EQ(copy({}, from_.endpoint, account.endpoint), kCopyDone) << told_;
  EXPECT_EQ(account.items("Good"), from_.items("Good"));
  const client::LocalEndpoint other_name(
      client::OpenService(client::OpenService(), &from_.service.service()), "also");
  const auto target = other_name.another();
  EXPECT_EQ(copy({}, from_.endpoint, *target), kCopyFailed);
  EXPECT_NE(told_.find(messages::kSameEndpoint("from", "also", "Good")), std::string::npos)
      << told_;
}

TEST_F(CopyTest, TakesWhatAnAttemptWithoutAnswerHasDone) {
  make_music();
  fill("Music", 30, true);
  FaultyEndpoint source(from_.endpoint, [](std::string_view) { return Fate::kTwice; });
  FaultyEndpoint target(to_.endpoint, [](std::string_view) { return Fate::kTwice; });
  ASSERT_EQ(copy({.verify = true}, source, target), kCopyDone) << told_;
  client::EndpointCalls calls(to_.endpoint);
  const auto music = describe_table(calls, "Music");
  ASSERT_TRUE(music);
  EXPECT_EQ(music->time_to_live, "gone");
  EXPECT_EQ(music->stream_view, "OLD_IMAGE");
  EXPECT_TRUE(music->is_protected);
  // The stream of the source, too.
  from_.succeed("CreateTable", simple_table("Plain"));
  const CopyOptions options{
      .only = {"Plain"}, .follow = true, .until_caught_up = true, .enable_stream = true};
  EXPECT_EQ(copy(options, source, target), kCopyDone) << told_;
}

// Between the look at the target and CreateTable.
TEST_F(CopyTest, TakesNoTableThatSomebodyElseMadeMeanwhile) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 5, false);
  std::string made = simple_table("Good");
  made.replace(made.find("\"AttributeType\":\"S\""), 19, "\"AttributeType\":\"N\"");
  bool has_item = false;
  FaultyEndpoint target(to_.endpoint, [&](std::string_view operation) {
    if (operation != "CreateTable") return Fate::kWell;
    to_.succeed("CreateTable", made);
    if (has_item) to_.succeed("PutItem", R"({"TableName":"Good","Item":{"pk":{"S":"mine"}}})");
    return Fate::kWell;
  });
  EXPECT_EQ(copy({}, from_.endpoint, target), kCopyFailed);
  EXPECT_NE(told_.find("in the meantime:\n  table Good differs: AttributeDefinitions"),
            std::string::npos)
      << told_;
  to_.succeed("DeleteTable", R"({"TableName":"Good"})");
  made = simple_table("Good");
  has_item = true;
  EXPECT_EQ(copy({}, from_.endpoint, target), kCopyFailed);
  EXPECT_NE(told_.find(messages::kTargetNotEmpty("Good", "to")), std::string::npos) << told_;
  EXPECT_EQ(to_.items("Good").size(), 1U);
  to_.succeed("DeleteTable", R"({"TableName":"Good"})");
  has_item = false;
  EXPECT_EQ(copy({}, from_.endpoint, target), kCopyDone) << told_;
}

TEST_F(CopyTest, TellsWhatWentWrongWhenItIsAskedToEnd) {
  make_music();
  fill("Music", 10, true);
  Fate fate = Fate::kTrimmed;  // an error that does not pass
  FaultyEndpoint target(to_.endpoint, [&](std::string_view operation) {
    if (operation != "UpdateTimeToLive") return Fate::kWell;
    stop_ = true;
    return fate;
  });
  const CopyOptions options{.state_file = directory_.file("state")};
  EXPECT_EQ(copy(options, from_.endpoint, target), kCopyFailed);
  EXPECT_NE(told_.find("TrimmedDataAccessException"), std::string::npos) << told_;
  stop_ = false;
  fate = Fate::kFault;  // an error that may pass, but is not retried
  EXPECT_EQ(copy(options, from_.endpoint, target), kCopyStopped);
  EXPECT_NE(told_.find(std::string(messages::kAsked)), std::string::npos) << told_;
  stop_ = false;
  EXPECT_EQ(copy(options), kCopyDone) << told_;
}

TEST_F(CopyTest, StateFilesAreForTheirCopyAlone) {
  from_.succeed("CreateTable", simple_table("Good"));
  fill("Good", 5, false);
  const std::string path = directory_.file("state");
  CopyOptions options{.state_file = path};
  ASSERT_EQ(copy(options), kCopyDone);
  EXPECT_EQ(copy({.only = {"Good"}, .state_file = path}), kCopyFailed);
  {
    const StateKeeper holder(path);
    EXPECT_THROW(copy(options), std::runtime_error);
  }
  // Another table under the same name.
  to_.succeed("DeleteTable", R"({"TableName":"Good"})");
  to_.succeed("CreateTable", simple_table("Good"));
  EXPECT_EQ(copy(options), kCopyFailed);
  EXPECT_NE(told_.find(messages::kOtherTarget("Good")), std::string::npos) << told_;
  EXPECT_THROW(copy({.state_file = directory_.path()}), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(directory_.path() + ".lock"));
  std::ofstream(path, std::ios::trunc) << "mine";
  EXPECT_THROW(copy(options), std::runtime_error);
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "mine");
}

}  // namespace
}  // namespace magneto::server::tools
