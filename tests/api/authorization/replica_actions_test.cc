#include <gtest/gtest.h>

#include <utility>

#include "tests/api/authorization/authorized_service.h"

// What replicas of tables in other regions need beside the call that asks for them.
namespace magneto::api {
namespace {

using ReplicaActionsTest = AuthorizedService;

// A replica needs its actions, in both regions.
TEST_F(ReplicaActionsTest, ReplicasNeedTheirActions) {
  constexpr const char* kAdd =
      R"({"TableName":"Orders","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]})";
  constexpr const char* kRemove =
      R"({"TableName":"Orders","ReplicaUpdates":[{"Delete":{"RegionName":"eu-west-1"}}]})";
  allow(R"({"Effect":"Allow","Action":"dynamodb:UpdateTable","Resource":"*"})");
  EXPECT_FALSE(may("UpdateTable", kAdd));
  EXPECT_FALSE(may("UpdateTable", kRemove));
  allow(R"([{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
    {"Effect":"Deny","Action":"dynamodb:DeleteTableReplica",
     "Resource":"arn:aws:dynamodb:eu-west-1:*:table/Orders"}])");
  EXPECT_TRUE(may("UpdateTable", kAdd));
  EXPECT_FALSE(may("UpdateTable", kRemove));
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

}  // namespace
}  // namespace magneto::api
