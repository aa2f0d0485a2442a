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

constexpr std::chrono::milliseconds kTableDelay = 10min;

constexpr const char* kStatesTable = R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
constexpr const char* kStatesName = R"({"TableName":"tab"})";
constexpr const char* kStatesStream =
    R"({"TableName":"tab","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
constexpr const char* kAddIndex = R"({"TableName":"tab",
    "AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"gsi",
    "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]})";
constexpr const char* kAddReplica =
    R"({"TableName":"tab","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]})";
constexpr const char* kAddAnotherIndex = R"({"TableName":"tab",
    "AttributeDefinitions":[{"AttributeName":"b","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"other",
    "KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]})";
constexpr const char* kUpdateIndex = R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Update":
    {"IndexName":"gsi","OnDemandThroughput":{"MaxReadRequestUnits":5}}}]})";
constexpr const char* kToProvisioned = R"({"TableName":"tab","BillingMode":"PROVISIONED",
    "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}})";
constexpr const char* kMaximum =
    R"({"TableName":"tab","OnDemandThroughput":{"MaxReadRequestUnits":6}})";
constexpr const char* kQueryIndex = R"({"TableName":"tab","IndexName":"gsi","Select":"COUNT",
    "KeyConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"S":"x"}}})";
constexpr const char* kIndexesAreChanging =
    "Cannot delete table while indexes are being created, updated, or deleted.";
constexpr const char* kOnlyOneIndex =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#LimitExceededException","message":)"
    R"("Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously )"
    R"(per table"})";
constexpr const char* kRemoveIndex =
    R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"gsi"}}]})";

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
  ::testing::AssertionResult becomes(std::string_view text, bool present = true) {
    clock_.advance(kTableDelay);
    for (int i = 0; i < 12'000; ++i) {
      if (describes(text) == present) return ::testing::AssertionSuccess();
      std::this_thread::sleep_for(10ms);
    }
    return ::testing::AssertionFailure() << (present ? "no " : "still ") << text << " in "
                                         << call("DescribeTable", R"({"TableName":"tab"})");
  }

  void expect_in_use(std::string_view operation, std::string body, std::string_view what) {
    EXPECT_EQ(call(operation, std::move(body)),
              R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException","message":)"
              R"("Attempt to change a resource which is still in use: )" +
                  std::string(what) + "\"}");
  }

  // Neither Query nor Scan nor a statement reads the index "gsi" while it is being created.
  void expect_unreadable() {
    const std::pair<std::string_view, std::string_view> reads[] = {
        {"Query", kQueryIndex},
        {"Scan", R"({"TableName":"tab","IndexName":"gsi"})"},
        {"ExecuteStatement", R"({"Statement":"SELECT * FROM tab.gsi WHERE a = 'x'"})"}};
    for (const auto& [operation, body] : reads) {
      EXPECT_EQ(call(operation, std::string(body)),
                R"({"__type":"com.amazon.coral.validate#ValidationException","message":)"
                R"("Cannot read from backfilling global secondary index: gsi"})");
    }
  }

  static ServiceOptions by_region() {
    ServiceOptions options;
    options.isolation = Isolation::kRegion;
    return options;
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ =
      storage::Databases::open(storage::DatabaseOptions{.data_directory = {},
                                                        .control_plane_delay = kTableDelay,
                                                        .global_index_delay = {},
                                                        .report_warning = {}},
                               clock_);
  Service service_{*databases_, by_region()};
};

TEST_F(TableStates, OfTheTable) {
  call("CreateTable", kStatesTable);
  EXPECT_TRUE(describes(R"("TableStatus":"CREATING")"));
  expect_in_use("UpdateTable", kStatesStream, "Table is being created: tab");
  expect_in_use("DeleteTable", kStatesName, "Table is being created: tab");
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

  call("UpdateTable", kStatesStream);
  EXPECT_TRUE(describes(R"("TableStatus":"UPDATING")"));
  expect_in_use("UpdateTable", R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST"})",
                "Table is being updated: tab");
  expect_in_use("DeleteTable", kStatesName, "Table: tab is in the process of being updated.");
  // Deletion protection, encryption and warm throughput are not held up.
  call("UpdateTable", R"({"TableName":"tab","SSESpecification":{"Enabled":true}})");
  EXPECT_TRUE(describes(R"("SSEDescription":{"Status":"ENABLED")"));
  call("UpdateTable", R"({"TableName":"tab","WarmThroughput":{"ReadUnitsPerSecond":12001}})");
  EXPECT_TRUE(describes(R"("ReadUnitsPerSecond":12001)"));
  EXPECT_TRUE(describes(R"("TableStatus":"UPDATING")"));
  call("UpdateTable", R"({"TableName":"tab","DeletionProtectionEnabled":true})");
  EXPECT_TRUE(describes(R"("DeletionProtectionEnabled":true)"));
  call("UpdateTable", R"({"TableName":"tab","DeletionProtectionEnabled":false})");
  EXPECT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));

  // A maximum is set at once, and a change to the current state takes no time.
  for (const std::string_view change :
       {R"("OnDemandThroughput":{"MaxReadRequestUnits":6})", R"("BillingMode":"PAY_PER_REQUEST")",
        R"("TableClass":"STANDARD")"}) {
    call("UpdateTable", R"({"TableName":"tab",)" + std::string(change) + "}");
    EXPECT_TRUE(describes(R"("TableStatus":"ACTIVE")")) << change;
  }

  call("DeleteTable", kStatesName);
  EXPECT_TRUE(describes(R"("TableStatus":"DELETING")"));
  expect_in_use("UpdateTable", kStatesStream, "Table is being deleted: tab");
  EXPECT_NE(call("CreateTable", kStatesTable).find("Table already exists: tab"), std::string::npos);
  EXPECT_TRUE(becomes("Requested resource not found: Table: tab not found"));
}

TEST_F(TableStates, OfAReplica) {
  call("CreateTable", kStatesTable);
  ASSERT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  call("UpdateTable", kAddReplica);
  EXPECT_TRUE(describes(R"("TableStatus":"UPDATING")"));
  expect_in_use("UpdateTableReplicaAutoScaling",
                R"({"TableName":"tab","ProvisionedWriteCapacityAutoScalingUpdate":)"
                R"({"AutoScalingDisabled":true}})",
                "Table is being updated: tab");
  expect_in_use("UpdateTable", kStatesStream, "Table is being updated: tab");
  EXPECT_TRUE(becomes(R"("ReplicaStatus":"ACTIVE")"));
}

// AWS API reference, UpdateTimeToLive: no change until the one before is processed.
TEST_F(TableStates, OfTimeToLive) {
  const auto update = [&](std::string_view enabled) {
    return call("UpdateTimeToLive", R"({"TableName":"tab","TimeToLiveSpecification":)"
                                    R"({"AttributeName":"ttl","Enabled":)" +
                                        std::string(enabled) + "}}");
  };
  const auto status = [&] { return call("DescribeTimeToLive", kStatesName); };
  const auto becomes_so = [&](const std::string& expected) {
    clock_.advance(kTableDelay);
    for (int i = 0; i < 12'000 && status() != expected; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_EQ(status(), expected);
  };
  const std::string_view too_early =
      R"("Time to live has been modified multiple times within a fixed interval")";
  call("CreateTable", kStatesTable);
  expect_in_use("UpdateTimeToLive",
                R"({"TableName":"tab","TimeToLiveSpecification":)"
                R"({"AttributeName":"ttl","Enabled":true}})",
                "Table tab is being created");
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
  call("CreateTable", kStatesTable);
  ASSERT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  call("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"1"},"a":{"S":"x"}}})");

  // While resources are allocated.
  const std::string added = call("UpdateTable", kAddIndex);
  EXPECT_NE(added.find(R"("TableStatus":"UPDATING")"), std::string::npos) << added;
  EXPECT_NE(added.find(R"("IndexStatus":"CREATING","Backfilling":false)"), std::string::npos);
  EXPECT_TRUE(describes(R"("TableStatus":"UPDATING")"));
  EXPECT_TRUE(describes(R"("IndexStatus":"CREATING","Backfilling":false)"));
  expect_in_use("UpdateTable", kRemoveIndex,
                "Index creation is in resource allocation phase. Retry deletion during backfilling "
                "phase or when the index is active. Table: tab Index: gsi");
  EXPECT_EQ(call("UpdateTable", kAddAnotherIndex), kOnlyOneIndex);
  expect_in_use("UpdateTable", kUpdateIndex,
                "Index is being created but is not backfilling yet. Table: tab Index: gsi");
  expect_in_use("DeleteTable", kStatesName, kIndexesAreChanging);
  expect_unreadable();
  call("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"2"},"a":{"S":"x"}}})");
  EXPECT_EQ(call("GetItem", R"({"TableName":"tab","Key":{"pk":{"S":"2"}}})"),
            R"({"Item":{"a":{"S":"x"},"pk":{"S":"2"}}})");

  // While it is filled.
  EXPECT_TRUE(becomes(R"("IndexStatus":"CREATING","Backfilling":true)"));
  EXPECT_TRUE(describes(R"("TableStatus":"ACTIVE")"));
  EXPECT_EQ(call("UpdateTable", kAddAnotherIndex), kOnlyOneIndex);
  expect_in_use("DeleteTable", kStatesName, kIndexesAreChanging);
  expect_unreadable();
  call("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"3"},"a":{"S":"x"}}})");
  EXPECT_TRUE(becomes(R"("IndexStatus":"ACTIVE")"));
  EXPECT_FALSE(describes("Backfilling"));
  EXPECT_NE(call("Query", kQueryIndex).find(R"("Count":3)"), std::string::npos);

  call("UpdateTable", kUpdateIndex);
  EXPECT_TRUE(describes(R"("IndexStatus":"UPDATING")"));
  EXPECT_TRUE(describes(R"("TableStatus":"ACTIVE")"));
  expect_in_use("UpdateTable", R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Update":
      {"IndexName":"gsi","OnDemandThroughput":{"MaxReadRequestUnits":6}}}]})",
                "Index is being updated. Table: tab Index: gsi");
  EXPECT_TRUE(becomes(R"("IndexStatus":"ACTIVE")"));

  call("UpdateTable", kRemoveIndex);
  EXPECT_TRUE(describes(R"("IndexStatus":"DELETING")"));
  EXPECT_FALSE(describes("Backfilling"));
  EXPECT_NE(call("Query", kQueryIndex).find("The table does not have the specified index: gsi"),
            std::string::npos);
  EXPECT_NE(call("ExecuteStatement", R"({"Statement":"SELECT * FROM tab.gsi"})")
                .find(R"("The table does not have the specified index")"),
            std::string::npos);
  EXPECT_NE(call("Scan", kStatesName).find(R"("Count":3)"), std::string::npos);
  expect_in_use("UpdateTable", kRemoveIndex, "Index is being deleted. Table: tab Index: gsi");
  expect_in_use("UpdateTable", kUpdateIndex, "Index is being deleted. Table: tab Index: gsi");
  EXPECT_EQ(call("UpdateTable", kAddAnotherIndex), kOnlyOneIndex);
  expect_in_use("DeleteTable", kStatesName, kIndexesAreChanging);
  EXPECT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  EXPECT_FALSE(describes("GlobalSecondaryIndexes"));
  EXPECT_NE(call("Query", kQueryIndex).find("The table does not have the specified index: gsi"),
            std::string::npos);
}

// Captured from AWS, October 2026.
TEST_F(TableStates, BesideAnIndex) {
  call("CreateTable", kStatesTable);
  ASSERT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  call("UpdateTable", kAddIndex);
  expect_in_use("UpdateTable", kStatesStream,
                "Can't change stream status when an index is being created. Table: tab Indexes: "
                "[gsi]");
  expect_in_use("UpdateTable", kToProvisioned,
                "Can't change table IOPS when an index is being created. Table: tab Indexes: "
                "[gsi]");
  expect_in_use("UpdateTable", kMaximum,
                "OnDemandThroughput cannot be updated while index creation is in progress for "
                "indexes: [gsi]");

  ASSERT_TRUE(becomes(R"("Backfilling":true)"));
  call("UpdateTable", kMaximum);
  EXPECT_TRUE(describes(R"("OnDemandThroughput":{"MaxReadRequestUnits":6})"));
  ASSERT_TRUE(becomes(R"("IndexStatus":"ACTIVE")"));

  call("UpdateTable", kRemoveIndex);
  expect_in_use("UpdateTable", kToProvisioned,
                "Can't change table IOPS when an index is being deleted. Table: tab Indexes: "
                "[gsi]");
  expect_in_use("UpdateTable", kMaximum,
                "OnDemandThroughput cannot be updated while index deletion is in progress for "
                "indexes: [gsi]");
  EXPECT_NE(call("UpdateTable", R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST"})")
                .find(R"("TableStatus":"UPDATING")"),
            std::string::npos);
}

// AWS API reference, GlobalSecondaryIndexDescription: an index that is being filled may be deleted.
TEST_F(TableStates, OfAnIndexThatIsCancelled) {
  call("CreateTable", kStatesTable);
  ASSERT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  call("UpdateTable", kAddIndex);
  ASSERT_TRUE(becomes(R"("Backfilling":true)"));
  call("UpdateTable", kRemoveIndex);
  EXPECT_TRUE(describes(R"("IndexStatus":"DELETING")"));
  EXPECT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  EXPECT_FALSE(describes("GlobalSecondaryIndexes"));
  // The name is free again.
  call("UpdateTable", kAddIndex);
  EXPECT_TRUE(becomes(R"("Backfilling":true)"));
  EXPECT_TRUE(becomes(R"("IndexStatus":"ACTIVE")"));
}

// AWS developer guide, "Managing Global Secondary Indexes": the throughput that can be changed
// while an index is created, filled or deleted.
TEST_F(TableStates, OfIndexesBesideAnother) {
  const auto limit_reads = [&](std::string_view index, int units) {
    return call("UpdateTable",
                R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":")" +
                    std::string(index) + R"(","OnDemandThroughput":{"MaxReadRequestUnits":)" +
                    std::to_string(units) + "}}}]}");
  };
  call("CreateTable", kStatesTable);
  ASSERT_TRUE(becomes(R"("TableStatus":"ACTIVE")"));
  call("UpdateTable", kAddIndex);
  ASSERT_TRUE(becomes(R"("Backfilling":true)"));

  // The one that is filled.
  limit_reads("gsi", 5);
  EXPECT_TRUE(describes(R"("IndexStatus":"UPDATING","Backfilling":true)"));
  expect_unreadable();
  EXPECT_EQ(call("UpdateTable", kAddAnotherIndex), kOnlyOneIndex);
  ASSERT_TRUE(becomes(R"("IndexStatus":"ACTIVE")"));
  EXPECT_FALSE(describes("Backfilling"));
  EXPECT_TRUE(describes(R"("OnDemandThroughput":{"MaxReadRequestUnits":5})"));

  // Another one than the new.
  call("UpdateTable", kAddAnotherIndex);
  EXPECT_TRUE(describes(R"("TableStatus":"UPDATING")"));
  limit_reads("gsi", 6);
  EXPECT_TRUE(describes(R"("OnDemandThroughput":{"MaxReadRequestUnits":6})"));
  EXPECT_TRUE(describes(R"("IndexStatus":"UPDATING")"));
  EXPECT_TRUE(becomes(R"("Backfilling":true)"));
  EXPECT_TRUE(becomes("CREATING", false));

  // Another one than the old.
  call("UpdateTable",
       R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"other"}}]})");
  EXPECT_TRUE(describes(R"("IndexStatus":"DELETING")"));
  limit_reads("gsi", 7);
  EXPECT_TRUE(describes(R"("OnDemandThroughput":{"MaxReadRequestUnits":7})"));
  EXPECT_TRUE(becomes(R"("IndexName":"other")", false));
  EXPECT_TRUE(describes(R"("IndexStatus":"ACTIVE")"));
}

}  // namespace
}  // namespace magneto::api
