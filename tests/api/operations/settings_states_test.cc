#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "api/service.h"
#include "storage/clock.h"
#include "storage/database.h"

// Settings of a table while it is created, changed and deleted, as captured from AWS, October 2026.
namespace magneto::api {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kSettingsDelay = 10min;

constexpr std::string_view kTable = R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
constexpr std::string_view kName = R"({"TableName":"tab"})";
constexpr std::string_view kStream =
    R"({"TableName":"tab","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
constexpr std::string_view kEnableInsights =
    R"({"TableName":"tab","ContributorInsightsAction":"ENABLE"})";
constexpr std::string_view kDestination =
    R"({"TableName":"tab","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/name"})";
constexpr std::string_view kDestinationUpdate =
    R"({"TableName":"tab","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/name",
    "UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}})";

constexpr std::string_view kInUse = "Attempt to change a resource which is still in use: ";
constexpr std::string_view kNotActive = "TableStatus must be ACTIVE to enable ContributorInsights.";

std::string time_to_live(std::string_view attribute, bool enabled) {
  return R"({"TableName":"tab","TimeToLiveSpecification":{"AttributeName":")" +
         std::string(attribute) + R"(","Enabled":)" + (enabled ? "true" : "false") + "}}";
}

class SettingsStates : public testing::Test {
 protected:
  std::string call(std::string_view operation, std::string_view request) {
    std::string body(request);
    std::string response;
    service_.call(find_operation(operation), Caller{}, "id", body, response);
    return response;
  }

  void expect(std::string_view operation, std::string_view request, std::string_view text) {
    const std::string answer = call(operation, request);
    EXPECT_NE(answer.find(text), std::string::npos) << operation << ": " << answer;
  }

  void become(std::string_view text) {
    clock_.advance(kSettingsDelay);
    for (int i = 0; i < 12'000; ++i) {
      if (call("DescribeTable", kName).find(text) != std::string::npos) return;
      std::this_thread::sleep_for(10ms);
    }
    FAIL() << "no " << text << " in " << call("DescribeTable", kName);
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ =
      storage::Databases::open(storage::DatabaseOptions{.data_directory = {},
                                                        .control_plane_delay = kSettingsDelay,
                                                        .global_index_delay = {},
                                                        .report_warning = {}},
                               clock_);
  Service service_{*databases_};
};

TEST_F(SettingsStates, OfANewTable) {
  expect("CreateTable", kTable, "CREATING");
  expect("CreateTable", kTable, std::string(kInUse) + "Table is being created: tab");
  expect("DescribeTimeToLive", kName,
         "Cannot describe time to live while table is in CREATING state: Current table state is "
         "CREATING");
  expect("UpdateTimeToLive", time_to_live("a", true),
         std::string(kInUse) + "Table tab is being created");
  expect("UpdateContributorInsights", kEnableInsights, kNotActive);
  expect("EnableKinesisStreamingDestination", kDestination,
         "Requested resource not found: Table: tab not found");
}

TEST_F(SettingsStates, OfAChangingTable) {
  call("CreateTable", kTable);
  become(R"("TableStatus":"ACTIVE")");
  expect("UpdateTable", kStream, R"("TableStatus":"UPDATING")");
  expect("UpdateTimeToLive", time_to_live("a", true), R"("AttributeName":"a","Enabled":true)");
  expect("DescribeTimeToLive", kName, "ENABLING");
  expect("UpdateContributorInsights", kEnableInsights, "ENABLING");
  expect("EnableKinesisStreamingDestination", kDestination, "ENABLING");
  expect("DescribeTable", kName, R"("TableStatus":"UPDATING")");
}

// A request for the current setting has its own error, even while any change is too early.
TEST_F(SettingsStates, OfTimeToLiveThatChanges) {
  call("CreateTable", kTable);
  become(R"("TableStatus":"ACTIVE")");
  const std::string_view too_early = "modified multiple times within a fixed interval";
  call("UpdateTimeToLive", time_to_live("a", true));
  expect("UpdateTimeToLive", time_to_live("a", true), "TimeToLive is already enabled");
  expect("UpdateTimeToLive", time_to_live("b", true), "current AttributeName is a");
  expect("UpdateTimeToLive", time_to_live("b", false), "current AttributeName is a");
  expect("UpdateTimeToLive", time_to_live("a", false), too_early);

  clock_.advance(kSettingsDelay);
  for (int i = 0;
       i < 12'000 && call("DescribeTimeToLive", kName).find("ENABLED") == std::string::npos; ++i) {
    std::this_thread::sleep_for(10ms);
  }
  expect("UpdateTimeToLive", time_to_live("a", false), R"("Enabled":false)");
  expect("UpdateTimeToLive", time_to_live("a", false), "TimeToLive is already disabled");
  expect("UpdateTimeToLive", time_to_live("a", true), too_early);
  expect("UpdateTimeToLive", time_to_live("b", true), too_early);
}

TEST_F(SettingsStates, OfADyingTable) {
  call("CreateTable", kTable);
  become(R"("TableStatus":"ACTIVE")");
  call("UpdateTimeToLive", time_to_live("a", true));
  call("UpdateContributorInsights", kEnableInsights);
  call("EnableKinesisStreamingDestination", kDestination);
  clock_.advance(kSettingsDelay);
  expect("DeleteTable", kName, "DELETING");

  const std::string dying = std::string(kInUse) + "Table is being deleted: tab";
  expect("DeleteTable", kName, dying);
  expect("CreateTable", kTable, "Table already exists: tab");
  expect("DescribeTimeToLive", kName,
         "Cannot describe time to live while table is in DELETING state: Current table state is "
         "DELETING");
  expect("UpdateTimeToLive", time_to_live("a", true), "TimeToLive is already enabled");
  expect("UpdateContributorInsights", kEnableInsights, kNotActive);
  expect("UpdateContributorInsights",
         R"({"TableName":"tab","ContributorInsightsAction":"DISABLE"})", "DISABLING");
  expect("EnableKinesisStreamingDestination", kDestination, "must be DISABLED or ENABLE_FAILED");
  expect("DisableKinesisStreamingDestination", kDestination, "must be ACTIVE to perform DISABLE");
  expect("UpdateKinesisStreamingDestination", kDestinationUpdate, "only allowed in ACTIVE state");
  expect("DescribeKinesisStreamingDestination", kName, "stream/name");
  become("Requested resource not found: Table: tab not found");
  expect("DeleteTable", kName, "Requested resource not found: Table: tab not found");
}

}  // namespace
}  // namespace magneto::api
