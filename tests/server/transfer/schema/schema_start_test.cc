#include "server/transfer/schema/schema_start.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/api/test_service.h"
#include "tests/support/engines.h"

namespace magneto::server::schema {
namespace {

constexpr const char* kTable =
    R"({"TableName":"tab","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST")";

class SchemaStartTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(directory_.file(name), std::ios::binary | std::ios::trunc) << text;
    return directory_.file(name);
  }

  // The message of the refusal; empty when the tables are there.
  std::string start(const std::string& text) {
    api::TestService rehearsal;
    try {
      create_schema_tables({.files = {write("s.json", text)}, .parameters = {}}, api::Caller{},
                           rehearsal.service(), service_.service(), [](std::string_view) {});
      return {};
    } catch (const SchemaError& error) {
      return error.what();
    }
  }

  std::string count() {
    const std::string answer = service_.succeed("Scan", R"({"TableName":"tab","Select":"COUNT"})");
    return answer.substr(0, answer.find(','));
  }

  storage::TempDirectory directory_;
  api::TestService service_;
};

TEST_F(SchemaStartTest, TablesAndItemsAreMadeOnce) {
  const std::string text =
      std::string(kTable) +
      R"(,"TimeToLiveSpecification":{"AttributeName":"e","Enabled":true},)"
      R"("PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true},)"
      R"("Tags":[{"Key":"k","Value":"v"}],"Items":[{"a":{"S":"1"}},{"a":{"S":"2"}}]})";
  ASSERT_EQ(start(text), "");
  EXPECT_EQ(count(), R"({"Count":2)");
  EXPECT_NE(service_.succeed("DescribeTimeToLive", R"({"TableName":"tab"})").find("ENABLED"),
            std::string::npos);
  EXPECT_NE(service_.succeed("DescribeContinuousBackups", R"({"TableName":"tab"})")
                .find(R"("PointInTimeRecoveryStatus":"ENABLED")"),
            std::string::npos);
  service_.succeed("DeleteItem", R"({"TableName":"tab","Key":{"a":{"S":"1"}}})");
  ASSERT_EQ(start(text), "");
  EXPECT_EQ(count(), R"({"Count":1)");
}

TEST_F(SchemaStartTest, ADifferenceIsToldAndNothingIsChanged) {
  ASSERT_EQ(start(std::string(kTable) + "}"), "");
  const std::string other =
      R"({"TableName":"tab","KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"b","AttributeType":"S"}],)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},)"
      R"("Tags":[{"Key":"k","Value":"v"}]})";
  const std::string error =
      start("[" + other + ',' + R"({"TableName":"new",)" + other.substr(19) + "]");
  for (
      const std::string difference :
      {R"(AttributeDefinitions[a].AttributeType is "S", in the file absent)",
       R"(BillingModeSummary.BillingMode is "PAY_PER_REQUEST", in the file "PROVISIONED")",
       R"(KeySchema is [{"AttributeName":"a","KeyType":"HASH"}], in the file [{"AttributeName":"b","KeyType":"HASH"}])",
       R"(ProvisionedThroughput.ReadCapacityUnits is 0, in the file 1)",
       R"(Tags[k].Value is absent, in the file "v")"}) {
    EXPECT_NE(error.find(difference), std::string::npos) << difference << " in " << error;
  }
  service_.fail("DescribeTable", R"({"TableName":"new"})");
}

TEST_F(SchemaStartTest, WhatAwsRefusesChangesNothing) {
  const std::string good = std::string(kTable) + "}";
  const std::string error = start("[" + good + ",\n{\"TableName\":\"other\"}]");
  EXPECT_NE(error.find("s.json:2: table other is refused by CreateTable: "), std::string::npos)
      << error;
  service_.fail("DescribeTable", R"({"TableName":"tab"})");
  const std::string item =
      start(std::string(kTable) + ",\"Items\":[{\"a\":{\"S\":\"1\"}},\n{\"b\":{\"S\":\"1\"}}]}");
  EXPECT_NE(item.find("s.json:2: an item for table tab is refused by PutItem: "), std::string::npos)
      << item;
  service_.fail("DescribeTable", R"({"TableName":"tab"})");
}

TEST_F(SchemaStartTest, HowATableCameToBeIsNoDifference) {
  ASSERT_EQ(start(std::string(kTable) + "}"), "");
  service_.succeed("UpdateTable",
                   R"({"TableName":"tab","BillingMode":"PROVISIONED",)"
                   R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}})");
  service_.succeed("UpdateTable", R"({"TableName":"tab","ProvisionedThroughput":)"
                                  R"({"ReadCapacityUnits":3,"WriteCapacityUnits":1}})");
  EXPECT_EQ(start(R"({"TableName":"tab","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
                  R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)"
                  R"("ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":1}})"),
            "");
}

TEST_F(SchemaStartTest, AParameterThatNobodyAsksForIsRefused) {
  api::TestService rehearsal;
  EXPECT_THROW(
      create_schema_tables(
          {.files = {write("s.json", std::string(kTable) + "}")}, .parameters = {{"Stage", "dev"}}},
          api::Caller{}, rehearsal.service(), service_.service(), [](std::string_view) {}),
      SchemaError);
}

}  // namespace
}  // namespace magneto::server::schema
