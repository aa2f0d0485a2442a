#include <gtest/gtest.h>

#include <string>

#include "tests/server/tools/schema/schema_reading.h"

namespace magneto::server::tools::schema {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kTerraformTable = R"({"name":"t","hash_key":"a","range_key":"b",
  "billing_mode":"PROVISIONED","read_capacity":5,"write_capacity":6,
  "attribute":[{"name":"a","type":"S"},{"name":"b","type":"N"},{"name":"c","type":"S"}],
  "global_secondary_index":[{"name":"g","hash_key":"c","range_key":null,"projection_type":"INCLUDE",
    "non_key_attributes":["x"],"read_capacity":1,"write_capacity":2}],
  "local_secondary_index":[{"name":"l","range_key":"c","projection_type":"ALL","non_key_attributes":null}],
  "stream_enabled":true,"stream_view_type":"KEYS_ONLY","ttl":[{"attribute_name":"e","enabled":true}],
  "point_in_time_recovery":[{"enabled":true,"recovery_period_in_days":7}],
  "server_side_encryption":[],"tags":null,"tags_all":{"k":"v"},"table_class":"","replica":[]})";
constexpr const char* kTerraformRequest =
    R"({"TableName":"t","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"},)"
    R"({"AttributeName":"c","AttributeType":"S"}],"BillingMode":"PROVISIONED",)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
    R"("GlobalSecondaryIndexes":[{"IndexName":"g","KeySchema":[{"AttributeName":"c","KeyType":"HASH"}],)"
    R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]},)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}],)"
    R"("LocalSecondaryIndexes":[{"IndexName":"l","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},)"
    R"({"AttributeName":"c","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],)"
    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},)"
    R"("Tags":[{"Key":"k","Value":"v"}]})";

TEST(TerraformTest, ATerraformStateHasItsTables) {
  const Reading reading =
      read_text(std::string(R"({"version":4,"terraform_version":"1.5.0","resources":[
      {"mode":"managed","type":"aws_dynamodb_table","instances":[{"attributes":)") +
                kTerraformTable + R"(}]},
      {"mode":"managed","type":"aws_dynamodb_table_item","instances":[{"attributes":
        {"table_name":"t","hash_key":"a","item":"{\"a\": {\"S\": \"x\"}, \"b\": {\"N\": \"1\"}}"}}]}]})");
  EXPECT_EQ(reading.create(), kTerraformRequest);
  ASSERT_EQ(reading.tables[0].items.size(), 1U);
  EXPECT_EQ(reading.tables[0].items[0].json, R"({"a":{"S":"x"},"b":{"N":"1"}})");
  EXPECT_NE(reading.tables[0].recovery.find("\"RecoveryPeriodInDays\":7"), std::string::npos);
}

TEST(TerraformTest, InsightsBelongToTablesAndIndexes) {
  const auto insights = [](std::string_view values) {
    return R"({"mode":"managed","type":"aws_dynamodb_contributor_insights","instances":[{"attributes":)"
           "{\"table_name\":\"t\"" +
           std::string(values) + "}}]}";
  };
  const Reading reading =
      read_text(R"({"version":4,"terraform_version":"1.5.0","resources":[)" + insights("") + "," +
                insights(R"(,"index_name":"","mode":"THROTTLED_KEYS")") + "," +
                insights(R"(,"index_name":"g")") + "," + insights(R"(,"index_name":"none")") +
                R"(,{"mode":"managed","type":"aws_dynamodb_table","instances":[{"attributes":)" +
                kTerraformTable + "}]}]}");
  EXPECT_EQ(reading.create(), kTerraformRequest);
  EXPECT_EQ(reading.tables[0].insights,
            (Names{R"({"TableName":"t","ContributorInsightsAction":"ENABLE"})",
                   R"({"TableName":"t","IndexName":"g","ContributorInsightsAction":"ENABLE"})"}));
  ASSERT_EQ(reading.warnings.size(), 1U);
  EXPECT_NE(reading.warnings[0].find("none"), std::string::npos);
}

TEST(TerraformTest, ATerraformPlanHasTablesOfAllModules) {
  const std::string module =
      R"({"resources":[{"mode":"managed","type":"aws_dynamodb_table","values":)";
  EXPECT_EQ(
      read_text(R"({"format_version":"1.2","planned_values":{"root_module":{"child_modules":[)" +
                module + kTerraformTable + "}]}]}}}")
          .create(),
      kTerraformRequest);
  EXPECT_EQ(read_text("{\"format_version\":\"1.2\",\n\"planned_values\":{\"root_module\":" +
                      module + R"({"hash_key":"a"}}]}}})")
                .error.substr(0, 60),
            "f:2: the name of this aws_dynamodb_table is known only after");
}

// A state of resources, each with its type and its instances.
Reading read_state(const std::string& resources) {
  return read_text(R"({"version":4,"terraform_version":"1.5.0","resources":[)" + resources + "]}");
}

TEST(TerraformTest, WhatIsSaidOfTerraformNamesTheResource) {
  const std::string plan =
      R"({"format_version":"1.2","planned_values":{"root_module":{"resources":[)";
  EXPECT_EQ(
      read_text(plan +
                R"({"type":"aws_dynamodb_table","address":"module.m.aws_dynamodb_table.x[\"a\"]",
                               "values":{"hash_key":"a"}}]}}})")
          .error.substr(0, 66),
      R"(f:2: the name of module.m.aws_dynamodb_table.x["a"] is known only )");
  const Reading left_out =
      read_text(plan + R"({"type":"aws_dynamodb_table_item","address":"i.a","values":{"item":"{}"}},
    {"type":"aws_dynamodb_table_item","address":"i.b","values":{"table_name":"gone","item":"{}"}},
    {"type":"aws_dynamodb_global_secondary_index","address":"g","values":{"table_name":null}},
    {"type":"aws_dynamodb_tag","address":"tag","values":{"key":"k"}}]}}})");
  const std::string unknown =
      " is known only after apply, so this is ignored: give the state instead of the plan, "
      "or write the table's name in the configuration";
  EXPECT_EQ(
      left_out.warnings,
      (Names{"f:4: tag is not supported and is ignored", "f:3: the table of g" + unknown,
             "f:1: the table of i.a" + unknown, "f:2: i.b is ignored: the file has no table gone",
             "f: there is no table in it"}));
  EXPECT_EQ(read_state(R"({"type":"aws_dynamodb_table","name":"x","module":"module.m","instances":[
      {"index_key":0,"attributes":{}}]})")
                .error.substr(0, 62),
            "f:2: the name of module.m.aws_dynamodb_table.x[0] is known onl");
}

TEST(TerraformTest, WhatOfTerraformIsLeftOutIsTold) {
  const Reading reading = read_state(
      R"({"type":"aws_dynamodb_table","name":"x","instances":[{"attributes":{"name":"t","hash_key":"a",
      "server_side_encryption":[{"enabled":true,"kms_key_arn":"arn:k"}],"ttl":[{"attribute_name":"e"}],
      "warm_throughput":[{"read_units_per_second":20000}]}},
      {"deposed":"abcd","attributes":{"name":"t"}}]})");
  ASSERT_EQ(reading.error, "");
  EXPECT_EQ(reading.names(), Names{"t"});
  EXPECT_EQ(reading.tables[0].time_to_live, "");
  EXPECT_EQ(reading.warnings,
            (Names{"f:3: warm_throughput of aws_dynamodb_table.x is not supported and is ignored",
                   "f:2: kms_key_arn of aws_dynamodb_table.x is not supported and is ignored"}));
}

TEST(TerraformTest, AnIndexOfItsOwnJoinsItsTable) {
  EXPECT_EQ(
      read_text(R"({"format_version":"1","values":{"root_module":{"resources":[
    {"type":"aws_dynamodb_global_secondary_index","values":{"table_name":"t","index_name":"g",
     "key_schema":[{"attribute_name":"c","attribute_type":"S","key_type":"HASH"}],
     "projection":[{"projection_type":"KEYS_ONLY","non_key_attributes":null}]}},
    {"type":"aws_dynamodb_table","values":{"name":"t","hash_key":"a","billing_mode":"PAY_PER_REQUEST",
     "attribute":[{"name":"a","type":"S"}]}}]}}})")
          .create(),
      R"({"TableName":"t","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},)"
      R"({"AttributeName":"c","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST",)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"g","KeySchema":[{"AttributeName":"c","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"KEYS_ONLY"}}]})");
}

}  // namespace
}  // namespace magneto::server::tools::schema
