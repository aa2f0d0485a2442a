#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "tests/server/tools/schema/schema_reading.h"

namespace magneto::server::tools::schema {
namespace {

using Names = std::vector<std::string>;

TEST(ServerlessTest, AServerlessFileResolvesItsVariables) {
  const std::string text = R"(
service: shop
provider: {name: aws, stage: "${opt:stage, 'dev'}"}
custom:
  names: {dev: first, prod: second}
  loop: ${self:custom.loop}
  key: [{AttributeName: a, KeyType: HASH}]
  table: ${self:service}-${self:custom.names.${self:provider.stage}}-${sls:stage}
resources:
  Resources:
    Bucket: {Type: AWS::S3::Bucket, Properties: {BucketName: "${cf:other.name}"}}
    Orders:
      Type: AWS::DynamoDB::Table
      Properties: {TableName: NAME, KeySchema: "${self:custom.key}"}
)";
  const auto with = [&](const std::string& name) {
    std::string changed = text;
    return changed.replace(changed.find("NAME"), 4, '"' + name + '"');
  };
  const auto create = [&](const std::string& name) {
    const Reading reading = read_text(with(name));
    return reading.names().size() == 1 ? reading.names().front() : reading.error;
  };
  EXPECT_EQ(read_text(with("t")).create(),
            R"({"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"TableName":"t"})");
  EXPECT_EQ(create("${self:custom.table}"), "shop-first-dev");
  EXPECT_EQ(read_text(with("${self:custom.table}"), {{"stage", "prod"}}).names(),
            Names{"shop-second-prod"});
  EXPECT_EQ(create("${env:HOME_TABLE}"), "at-home");
  EXPECT_EQ(create("${env:NONE, 'other'}"), "other");
  EXPECT_EQ(create("${opt:none, ${self:custom.none, 'x-${sls:stage}'}}"), "x-dev");
  EXPECT_EQ(create("${self:custom.key.0.AttributeName}-${aws:region}"), "a-us-east-1");
  EXPECT_EQ(create("${param:none, env:HOME_TABLE}"), "at-home");
  EXPECT_EQ(create("${opt:none}"),
            "f:14: the parameter none has no value: give it with --schema-parameter none=VALUE");
  EXPECT_EQ(create("${self:none}"), "f:14: ${self:none} has no value, and no fallback");
  EXPECT_EQ(create("${self:custom.loop}").substr(0, 34), "f:6: a variable refers to itself: ");
  EXPECT_EQ(create("${file(./a.yml):x}"),
            "f:14: ${file(./a.yml):x} cannot be resolved here: give the output of `serverless "
            "print`, or --schema-parameter 'file(./a.yml):x=VALUE'");
  EXPECT_EQ(read_text(with("${ssm:/a/b}"), {{"ssm:/a/b", "given"}}).names(), Names{"given"});
  EXPECT_EQ(create("${ self:custom.table }"), "shop-first-dev");
  EXPECT_EQ(
      read_text(with("${file(./a.${opt:stage, 'dev'}.yml):x}"), {{"file(./a.dev.yml):x", "y"}})
          .names(),
      Names{"y"});
  EXPECT_EQ(create("${file(./a.${opt:stage, 'dev'}.yml):x}"),
            "f:14: ${file(./a.dev.yml):x} cannot be resolved here: give the output of `serverless "
            "print`, or --schema-parameter 'file(./a.dev.yml):x=VALUE'");
}

// A serverless.yml of one table, with this name and these other members.
Reading read_serverless(const std::string& name, const std::string& members,
                        std::map<std::string, std::string> given = {}) {
  return read_text("service: shop\n" + members +
                       "resources:\n  Resources:\n    T:\n      Type: AWS::DynamoDB::Table\n"
                       "      Properties: {TableName: " +
                       name + "}\n",
                   std::move(given));
}

// The fallback is for a variable without a value, not for one with a value elsewhere.
TEST(ServerlessTest, AFallbackIsNoGuess) {
  for (const std::string unknown :
       {"file(./a.yml):x", "file(./a.${opt:stage, 'dev'}.yml):x", "ssm:/a/b", "cf:other.name",
        "cf(us-east-1):other.name", "s3:bucket/key", "aws:other", "sls:instanceId", "git:branch",
        "strToBool(x)", "vault:secret", "opt:none, cf.us-east-1:other.name",
        "opt:none, aws-secrets:a"}) {
    const Reading reading =
        read_serverless("\"${" + unknown + ", 'guess'}\"", "provider: {name: aws}\n");
    EXPECT_NE(reading.error.find("cannot be resolved here"), std::string::npos) << unknown;
  }
  EXPECT_EQ(read_serverless("\"${opt:none, param:none, env:NONE, self:none, 'named'}\"",
                            "provider: {name: aws}\n")
                .names(),
            Names{"named"});
}

TEST(ServerlessTest, AServerlessFileHasOneRegionAndOneAccount) {
  const std::string both = "!Sub '${AWS::Region}.${aws:region}.${AWS::AccountId}.${aws:accountId}'";
  const auto name = [&](const std::string& provider, std::map<std::string, std::string> given) {
    const Reading reading = read_serverless(both, "provider: " + provider + "\n", std::move(given));
    return reading.error.empty() ? reading.names().front() : reading.error;
  };
  EXPECT_EQ(name("{region: eu-west-1}", {}), "eu-west-1.eu-west-1.000000000000.000000000000");
  EXPECT_EQ(name("{name: aws}", {}), "us-east-1.us-east-1.000000000000.000000000000");
  EXPECT_EQ(name("{region: eu-west-1}", {{"AWS::Region", "ap-south-1"}}),
            "ap-south-1.ap-south-1.000000000000.000000000000");
  EXPECT_EQ(
      name("{region: eu-west-1}", {{"region", "eu-west-2"}, {"AWS::AccountId", "123456789012"}}),
      "eu-west-2.eu-west-2.123456789012.123456789012");
  EXPECT_EQ(read_serverless("t", "provider: {region: '${file(a.yml):region}'}\n").names(),
            Names{"t"});
  EXPECT_EQ(name("{region: \"${aws:region}\"}", {}).substr(0, 32),
            "f:2: a variable refers to itself");
}

TEST(ServerlessTest, ParametersOfAStageLieInOneOfTwoPlaces) {
  const auto name = [](const std::string& members) {
    const Reading reading = read_serverless("\"${param:x}\"", "provider: {name: aws}\n" + members);
    return reading.error.empty() ? reading.names().front() : reading.error;
  };
  EXPECT_EQ(name("params: {dev: {x: a}, default: {x: b}}\n"), "a");
  EXPECT_EQ(name("stages: {dev: {params: {x: a}}, default: {params: {x: b}}}\n"), "a");
  EXPECT_EQ(name("stages: {default: {params: {x: b}}}\n"), "b");
}

TEST(ServerlessTest, PropertiesMayBeAVariable) {
  EXPECT_EQ(
      read_text("service: shop\ncustom: {props: {TableName: mine}}\nresources:\n  Resources:\n"
                "    T: {Type: AWS::DynamoDB::Table, Properties: '${self:custom.props}'}\n"
                "    B: {Type: AWS::S3::Bucket, Properties: '${file(b.yml)}'}\n")
          .names(),
      Names{"mine"});
}

TEST(ServerlessTest, APartOfAnotherFileIsPassedOverWhenAsked) {
  const std::string text =
      "service: shop\nresources:\n  - ${file(roles.yml)}\n"
      "  - Resources: {T: {Type: AWS::DynamoDB::Table, Properties: {TableName: t}}}\n";
  EXPECT_EQ(read_text(text).error.substr(0, 50),
            "f:3: ${file(roles.yml)} cannot be resolved here: g");
  EXPECT_EQ(read_text(text, {{"file(roles.yml)", ""}}).names(), Names{"t"});
}

TEST(ServerlessTest, VariablesInALargeMapAreBounded) {
  std::string text = "provider: {name: aws}\ncustom:\n";
  for (int i = 0; i < 50'000; ++i) text += "  m" + std::to_string(i) + ": a\n";
  std::string name;
  for (int i = 0; i < 10'000; ++i) name += "${self:custom.m49999}";
  EXPECT_NE(read_serverless('"' + name + '"', text).error.find("takes too many steps"),
            std::string::npos);
}

}  // namespace
}  // namespace magneto::server::tools::schema
