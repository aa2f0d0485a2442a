#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tests/api/authorization/authorized_service.h"

// The permissions that replicas in other regions need, besides that for the call.
namespace magneto::api {
namespace {

constexpr const char* kAddReplica =
    R"({"TableName":"Orders","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]})";
constexpr const char* kRemoveReplica =
    R"({"TableName":"Orders","ReplicaUpdates":[{"Delete":{"RegionName":"eu-west-1"}}]})";

using ReplicaActionsTest = AuthorizedService;

// A replica needs its actions, in both regions.
TEST_F(ReplicaActionsTest, ReplicasNeedTheirActions) {
  allow(R"({"Effect":"Allow","Action":"dynamodb:UpdateTable","Resource":"*"})");
  EXPECT_FALSE(may("UpdateTable", kAddReplica));
  EXPECT_FALSE(may("UpdateTable", kRemoveReplica));
  allow(R"([{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
    {"Effect":"Deny","Action":"dynamodb:DeleteTableReplica",
     "Resource":"arn:aws:dynamodb:eu-west-1:*:table/Orders"}])");
  EXPECT_TRUE(may("UpdateTable", kAddReplica));
  EXPECT_FALSE(may("UpdateTable", kRemoveReplica));
}

// A witness needs its own on the table, since it has none.
TEST_F(ReplicaActionsTest, WitnessesNeedTheirActions) {
  constexpr const char* kAdd = R"({"TableName":"Orders","MultiRegionConsistency":"STRONG",
    "ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}],
    "GlobalTableWitnessUpdates":[{"Create":{"RegionName":"eu-west-2"}}]})";
  constexpr const char* kRemove = R"({"TableName":"Orders",
    "ReplicaUpdates":[{"Delete":{"RegionName":"eu-west-1"}}],
    "GlobalTableWitnessUpdates":[{"Delete":{"RegionName":"eu-west-2"}}]})";
  allow(R"([{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
    {"Effect":"Deny","Action":"dynamodb:DeleteGlobalTableWitness",
     "Resource":"arn:aws:dynamodb:us-east-1:*:table/Orders"}])");
  EXPECT_TRUE(may("UpdateTable", kAdd));
  EXPECT_FALSE(may("UpdateTable", kRemove));
}

// So do the tables that join or leave a global table of version 2017.11.29.
TEST_F(ReplicaActionsTest, GlobalTablesNeedTheirActionInEachRegion) {
  constexpr std::pair<const char*, const char*> kCalls[] = {
      {"CreateGlobalTable",
       R"({"GlobalTableName":"Orders","ReplicationGroup":[{"RegionName":"eu-west-1"}]})"},
      {"UpdateGlobalTable",
       R"({"GlobalTableName":"Orders","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]})"},
      {"UpdateGlobalTable",
       R"({"GlobalTableName":"Orders","ReplicaUpdates":[{"Delete":{"RegionName":"eu-west-1"}}]})"}};
  allow(R"({"Effect":"Allow","Action":"dynamodb:*","Resource":"*"})");
  for (const auto& [operation, request] : kCalls) EXPECT_TRUE(may(operation, request)) << request;
  allow(R"([{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
    {"Effect":"Deny","Action":"dynamodb:*GlobalTable",
     "Resource":"arn:aws:dynamodb:eu-west-1:*:table/Orders"}])");
  for (const auto& [operation, request] : kCalls) EXPECT_FALSE(may(operation, request)) << request;
}

// The caller is an administrator. Its decisions are not recorded, and only resource policies apply.
class PolicyElsewhereTest : public testing::Test {
 protected:
  int call(std::string_view region, std::string_view operation, std::string_view body) {
    const Caller caller{.region = region,
                        .account = kOwner,
                        .access_key = "ADMIN",
                        .principal_arn = "arn:aws:iam::000000000000:user/admin",
                        .address = "10.1.2.3:4711"};
    std::string text(body);
    return service_.call(find_operation(operation), caller, "id", text, response_);
  }

  void make_table_with_replica() {
    ASSERT_EQ(call("us-east-1", "CreateTable", R"({
                "TableName":"Orders","BillingMode":"PAY_PER_REQUEST",
                "AttributeDefinitions":[{"AttributeName":"Customer","AttributeType":"S"}],
                "KeySchema":[{"AttributeName":"Customer","KeyType":"HASH"}]})"),
              200)
        << response_;
    databases_->main().settle();
    ASSERT_EQ(call("us-east-1", "UpdateTable", kAddReplica), 200) << response_;
    databases_->main().settle();
  }
  // To all that the replica's policy names.
  void deny_on_replica(std::string_view action) {
    const std::string arn = "arn:aws:dynamodb:eu-west-1:000000000000:table/Orders";
    const std::string policy =
        std::string(R"({\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",)")
            .append(R"(\"Action\":\"dynamodb:)")
            .append(action)
            .append(R"(\",\"Resource\":\"*\"}})");
    ASSERT_EQ(call("eu-west-1", "PutResourcePolicy",
                   R"({"ResourceArn":")" + arn + R"(","Policy":")" + policy + R"("})"),
              200)
        << response_;
  }
  bool is_denied() const { return response_.find("#AccessDeniedException") != std::string::npos; }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ =
      storage::Databases::open(storage::DatabaseOptions{}, clock_);
  Authorizer authorizer_{[] { return nullptr; }, true};
  std::string response_;
  Service service_{
      *databases_,
      {.isolation = Isolation::kRegion, .report_elsewhere = {}, .authorizer = &authorizer_}};
};

TEST_F(PolicyElsewhereTest, AReplicaIsNotDeletedAgainstItsPolicy) {
  make_table_with_replica();
  deny_on_replica("DeleteTableReplica");
  call("us-east-1", "UpdateTable", kRemoveReplica);
  EXPECT_TRUE(is_denied()) << response_;
}

TEST_F(PolicyElsewhereTest, NoReplicaTakesThePlaceOfATableAgainstItsPolicy) {
  make_table_with_replica();
  deny_on_replica("CreateTableReplica");
  call("us-east-1", "UpdateTable", kAddReplica);
  EXPECT_TRUE(is_denied()) << response_;
}

TEST_F(PolicyElsewhereTest, AReplicaIsNotChangedAgainstItsPolicy) {
  make_table_with_replica();
  constexpr const char* kChange = R"({"TableName":"Orders","ReplicaUpdates":[
    {"Update":{"RegionName":"eu-west-1","TableClassOverride":"STANDARD_INFREQUENT_ACCESS"}}]})";
  call("us-east-1", "UpdateTable", kChange);
  EXPECT_FALSE(is_denied()) << response_;
  databases_->main().settle();
  deny_on_replica("UpdateTable");
  call("us-east-1", "UpdateTable", kChange);
  EXPECT_TRUE(is_denied()) << response_;
}

TEST_F(PolicyElsewhereTest, AReplicaIsNotScaledAgainstItsPolicy) {
  make_table_with_replica();
  constexpr const char* kScale = R"({"TableName":"Orders","ReplicaUpdates":[
    {"RegionName":"us-east-1","ReplicaProvisionedReadCapacityAutoScalingUpdate":
      {"AutoScalingDisabled":true}}]})";
  call("us-east-1", "UpdateTableReplicaAutoScaling", kScale);
  EXPECT_FALSE(is_denied()) << response_;
  databases_->main().settle();
  deny_on_replica("UpdateTableReplicaAutoScaling");
  call("us-east-1", "UpdateTableReplicaAutoScaling", kScale);
  EXPECT_TRUE(is_denied()) << response_;
}

}  // namespace
}  // namespace magneto::api
