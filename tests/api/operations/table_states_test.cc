#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "api/service.h"
#include "storage/clock.h"
#include "storage/database.h"

// CREATING, UPDATING and DELETING, which last only with a control-plane delay.
namespace magneto::api {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kDelay = 10min;

class TableStates : public testing::Test {
 protected:
  // The answer's body; errors too.
  std::string call(std::string_view operation, std::string body) {
    std::string response;
    service_.call(find_operation(operation), Caller{}, "id", body, response);
    return response;
  }

  bool describes(std::string_view text) {
    return call("DescribeTable", R"({"TableName":"tab"})").find(text) != std::string::npos;
  }

  // Moves the clock past the delay and waits until the background has seen it.
  ::testing::AssertionResult becomes(std::string_view text) {
    clock_.advance(kDelay);
    for (int i = 0; i < 500; ++i) {
      if (describes(text)) return ::testing::AssertionSuccess();
      std::this_thread::sleep_for(10ms);
    }
    return ::testing::AssertionFailure()
           << text << " not in " << call("DescribeTable", R"({"TableName":"tab"})");
  }

  void expect_in_use(std::string_view operation, std::string body, std::string_view what) {
    EXPECT_EQ(call(operation, std::move(body)),
              R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException","message":)"
              R"("Attempt to change a resource which is still in use: )" +
                  std::string(what) + "\"}");
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Database> database_ =
      storage::Database::open(storage::DatabaseOptions{.data_directory = {},
                                                       .control_plane_delay = kDelay,
                                                       .global_index_delay = {},
                                                       .report_warning = {}},
                              clock_);
  Service service_{*database_};
};

constexpr const char* kTable = R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
constexpr const char* kName = R"({"TableName":"tab"})";
constexpr const char* kStream =
    R"({"TableName":"tab","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
constexpr const char* kAddIndex = R"({"TableName":"tab",
    "AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"gsi",
    "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]})";
constexpr const char* kRemoveIndex =
    R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"gsi"}}]})";

TEST_F(TableStates, OfTheTable) {
  call("CreateTable", kTable);
  EXPECT_TRUE(describes(R"("TableStatus":"CREATING")"));
  expect_in_use("UpdateTable", kStream, "Table is being created: tab");
  expect_in_use("DeleteTable", kName, "Table is being created: tab");
  expect_in_use("TagResource",
                R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tab",)"
                R"("Tags":[{"Key":"k","Value":"v"}]})",
                "Table is being created: tab");
  EXPECT_EQ(
      call("UpdateContinuousBackups", R"({"TableName":"tab","PointInTimeRecoverySpecification":)"
                                      R"({"PointInTimeRecoveryEnabled":true}})"),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ContinuousBackupsUnavailableException",)"
      R"("message":"Backups are being enabled for the table: tab. Please retry later"})");
  EXPECT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));

  call("UpdateTable", kStream);
  EXPECT_TRUE(describes(R"("TableStatus":"UPDATING")"));
  expect_in_use("UpdateTable", R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST"})",
                "Table is being updated: tab");
  expect_in_use("DeleteTable", kName, "Table is being updated: tab");
  // Deletion protection is not held up.
  call("UpdateTable", R"({"TableName":"tab","DeletionProtectionEnabled":true})");
  EXPECT_TRUE(describes(R"("DeletionProtectionEnabled":true)"));
  call("UpdateTable", R"({"TableName":"tab","DeletionProtectionEnabled":false})");
  EXPECT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));

  call("DeleteTable", kName);
  EXPECT_TRUE(describes(R"("TableStatus":"DELETING")"));
  expect_in_use("UpdateTable", kStream, "Table is being deleted: tab");
  EXPECT_NE(call("CreateTable", kTable).find("Table already exists: tab"), std::string::npos);
  EXPECT_TRUE(becomes("Requested resource not found: Table: tab not found"));
}

// AWS API reference, UpdateTimeToLive: no change until the one before is processed.
TEST_F(TableStates, OfTimeToLive) {
  const auto update = [&](std::string_view enabled) {
    return call("UpdateTimeToLive", R"({"TableName":"tab","TimeToLiveSpecification":)"
                                    R"({"AttributeName":"ttl","Enabled":)" +
                                        std::string(enabled) + "}}");
  };
  const auto status = [&] { return call("DescribeTimeToLive", kName); };
  const auto becomes_so = [&](const std::string& expected) {
    clock_.advance(kDelay);
    for (int i = 0; i < 500 && status() != expected; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_EQ(status(), expected);
  };
  const std::string_view too_early =
      R"("Time to live has been modified multiple times within a fixed interval")";
  call("CreateTable", kTable);
  expect_in_use("UpdateTimeToLive",
                R"({"TableName":"tab","TimeToLiveSpecification":)"
                R"({"AttributeName":"ttl","Enabled":true}})",
                "Table is being created: tab");
  ASSERT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  EXPECT_EQ(update("true"),
            R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})");
  EXPECT_EQ(status(),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLING","AttributeName":"ttl"}})");
  EXPECT_NE(update("false").find(too_early), std::string::npos);
  becomes_so(R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}})");
  update("false");
  EXPECT_EQ(status(),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLING","AttributeName":"ttl"}})");
  EXPECT_NE(update("true").find(too_early), std::string::npos);
  becomes_so(R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
}

// Captured facts, "Index lifecycle" and "UpdateTable / DeleteTable".
TEST_F(TableStates, OfAnIndex) {
  call("CreateTable", kTable);
  ASSERT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  call("UpdateTable", kAddIndex);
  EXPECT_TRUE(describes(R"("IndexStatus":"CREATING","Backfilling":)"));
  expect_in_use("UpdateTable", kRemoveIndex,
                "Index creation is in resource allocation phase. Retry deletion during backfilling "
                "phase or when the index is active. Table: tab Index: gsi");
  expect_in_use("DeleteTable", kName,
                "Cannot delete table while indexes are being created, updated, or deleted.");
  EXPECT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  EXPECT_TRUE(becomes(R"("IndexStatus":"ACTIVE")"));

  call("UpdateTable", R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Update":
      {"IndexName":"gsi","OnDemandThroughput":{"MaxReadRequestUnits":5}}}]})");
  EXPECT_TRUE(describes(R"("IndexStatus":"UPDATING")"));
  EXPECT_TRUE(describes(R"("TableStatus":"ACTIVE")"));
  expect_in_use("UpdateTable", R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Update":
      {"IndexName":"gsi","OnDemandThroughput":{"MaxReadRequestUnits":6}}}]})",
                "Index is being updated. Table: tab Index: gsi");
  EXPECT_TRUE(becomes(R"("IndexStatus":"ACTIVE")"));

  call("UpdateTable", kRemoveIndex);
  EXPECT_TRUE(describes(R"("IndexStatus":"DELETING")"));
  expect_in_use("DeleteTable", kName,
                "Cannot delete table while indexes are being created, updated, or deleted.");
  EXPECT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  EXPECT_FALSE(describes("GlobalSecondaryIndexes"));
}

}  // namespace
}  // namespace magneto::api
