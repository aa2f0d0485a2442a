#include <gtest/gtest.h>

#include <string>

#include "tests/server/tools/schema/schema_reading.h"

namespace magneto::server::tools::schema {
namespace {

using Names = std::vector<std::string>;

// A template whose only table has this name, and these sections.
std::string named(const std::string& name, const std::string& sections = "") {
  return sections + "Resources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n    Properties:\n" +
         "      TableName: " + name + "\n";
}

std::string name_of(const std::string& name, const std::string& sections = "",
                    std::map<std::string, std::string> given = {}) {
  const Reading reading = read_text(named(name, sections), std::move(given));
  if (!reading.error.empty()) return reading.error;
  return reading.tables.size() == 1 ? reading.tables[0].name : "no table";
}

TEST(TemplateTest, AWholeTableBecomesTheRequest) {
  const Reading reading = read_text(R"(
Resources:
  Readings:
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    Properties:
      TableName: readings
      BillingMode: PROVISIONED
      ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: '6'}
      AttributeDefinitions:
        - {AttributeName: sensor, AttributeType: S}
        - {AttributeName: at, AttributeType: N}
      KeySchema: [{AttributeName: sensor, KeyType: HASH}, {AttributeName: at, KeyType: RANGE}]
      GlobalSecondaryIndexes:
        - IndexName: by_at
          KeySchema: [{AttributeName: at, KeyType: HASH}]
          Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [1, on]}
          ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 2}
          ContributorInsightsSpecification: {Enabled: true, Mode: THROTTLED_KEYS}
      StreamSpecification: {StreamViewType: NEW_IMAGE}
      SSESpecification: {SSEEnabled: true, SSEType: KMS, KMSMasterKeyId: !GetAtt Key.Arn}
      TimeToLiveSpecification: {AttributeName: gone, Enabled: true}
      PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: yes, RecoveryPeriodInDays: 7}
      DeletionProtectionEnabled: true
      ContributorInsightsSpecification: {Enabled: 'true', Rules: 2}
      KinesisStreamSpecification: {StreamArn: !GetAtt Stream.Arn}
      Tags: [{Key: team, Value: 7}]
)");
  EXPECT_EQ(
      reading.create(),
      R"({"BillingMode":"PROVISIONED",)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
      R"("AttributeDefinitions":[{"AttributeName":"sensor","AttributeType":"S"},)"
      R"({"AttributeName":"at","AttributeType":"N"}],)"
      R"("KeySchema":[{"AttributeName":"sensor","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"by_at","KeySchema":[{"AttributeName":"at","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["1","on"]},)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}],)"
      R"("StreamSpecification":{"StreamViewType":"NEW_IMAGE","StreamEnabled":true},)"
      R"("SSESpecification":{"Enabled":true,"SSEType":"KMS"},)"
      R"("DeletionProtectionEnabled":true,"Tags":[{"Key":"team","Value":"7"}],"TableName":"readings"})");
  ASSERT_EQ(reading.tables.at(0).line, 3U);
  EXPECT_EQ(
      reading.tables[0].time_to_live,
      R"({"TableName":"readings","TimeToLiveSpecification":{"AttributeName":"gone","Enabled":true}})");
  EXPECT_EQ(reading.tables[0].recovery,
            R"({"TableName":"readings","PointInTimeRecoverySpecification":)"
            R"({"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}})");
  EXPECT_EQ(reading.warnings,
            (Names{"f:21: KMSMasterKeyId is not supported and is ignored",
                   "f:26: KinesisStreamSpecification is not supported and is ignored",
                   "f:25: Rules is not supported and is ignored"}));
  EXPECT_EQ(
      reading.tables[0].insights,
      (Names{
          R"({"TableName":"readings","ContributorInsightsAction":"ENABLE"})",
          R"({"TableName":"readings","IndexName":"by_at",)"
          R"("ContributorInsightsAction":"ENABLE","ContributorInsightsMode":"THROTTLED_KEYS"})"}));
}

TEST(TemplateTest, FunctionsAreWorkedOut) {
  const std::string sections = R"(
Parameters:
  Stage: {Type: String, Default: dev}
  Zones: {Type: CommaDelimitedList, Default: 'a, b,c'}
Mappings:
  Names: {dev: {Short: d, Lists: [x, y]}}
)";
  const auto name = [&](const std::string& text) { return name_of(text, sections); };
  EXPECT_EQ(name("!Ref Stage"), "dev");
  EXPECT_EQ(name("{Ref: Stage}"), "dev");
  EXPECT_EQ(name("!Sub '${Stage}-${AWS::Region}-${!Stage}'"), "dev-us-east-1-${Stage}");
  EXPECT_EQ(name("!Sub ['${a}-${Stage}', {a: !Ref AWS::AccountId}]"), "000000000000-dev");
  EXPECT_EQ(name("!Sub '${AWS::StackName}.${!Other}'"), "local.${Other}");
  EXPECT_EQ(name("!FindInMap [Names, !Ref Stage, Short]"), "d");
  EXPECT_EQ(name("!FindInMap [Names, prod, Short, {DefaultValue: p}]"), "p");
  EXPECT_EQ(name("!Join ['-', [a, !Ref Stage, b]]"), "a-dev-b");
  EXPECT_EQ(name("!Join ['', !Ref Zones]"), "abc");
  EXPECT_EQ(name("!Select [1, !Split ['/', 'a/b/c']]"), "b");
  EXPECT_EQ(name("!Select [1, !FindInMap [Names, dev, Lists]]"), "y");
  EXPECT_EQ(name("!Base64 ab"), "YWI=");
  EXPECT_EQ(name("!Select ['2', !Split ['/', !Ref AWS::StackId]]"),
            "00000000-0000-0000-0000-000000000000");
  EXPECT_EQ(name("!Ref AWS::NoValue"), "Orders");
}

TEST(TemplateTest, ConditionsChoose) {
  const std::string sections = R"(
Parameters: {Stage: {Type: String}}
Conditions:
  Prod: !Equals [!Ref Stage, prod]
  Test: !Equals [!Ref Stage, test]
  Both: !And [!Condition Prod, !Condition Test]
  One: !Or [!Condition Prod, {Condition: Test}]
  Neither: !Not [!Condition One]
)";
  const auto name = [&](const std::string& condition, const std::string& stage) {
    return name_of("!If [" + condition + ", yes, no]", sections, {{"Stage", stage}});
  };
  EXPECT_EQ(name("Prod", "prod"), "yes");
  EXPECT_EQ(name("Both", "prod"), "no");
  EXPECT_EQ(name("One", "test"), "yes");
  EXPECT_EQ(name("Neither", "dev"), "yes");
  EXPECT_EQ(name("Missing", "dev"), "f:13: there is no condition Missing");
}

TEST(TemplateTest, ATableWithAFalseConditionIsNotMade) {
  const Reading reading = read_text(R"({
  "Conditions": {"Never": {"Fn::Equals": ["a", "b"]}},
  "Resources": {"A": {"Type": "AWS::DynamoDB::Table", "Condition": "Never", "Properties": {}},
                "B": {"Type": "AWS::S3::Bucket", "Properties": {"X": {"Fn::Strange": 1}}}}})");
  EXPECT_EQ(reading.error, "");
  EXPECT_TRUE(reading.tables.empty());
  EXPECT_EQ(reading.warnings, Names{"f: there is no table in it"});
}

TEST(TemplateTest, WhatCannotBeKnownIsRefusedWithItsLine) {
  const auto refusal = [](const std::string& name) { return name_of(name, "\n\n"); };
  EXPECT_EQ(refusal("!ImportValue shared"),
            "f:7: Fn::ImportValue cannot be resolved here: write its value in the file");
  EXPECT_EQ(refusal("!Strange shared"),
            "f:7: Fn::Strange cannot be resolved here: write its value in the file");
  EXPECT_EQ(refusal("!GetAtt Key.Arn"),
            "f:7: Fn::GetAtt Key.Arn is known to AWS alone: give its value with "
            "--schema-parameter Key.Arn=VALUE");
  EXPECT_EQ(refusal("!Ref Nothing"),
            "f:7: Ref Nothing: there is neither a parameter nor a resource of that name");
  EXPECT_EQ(refusal("!Sub '${Nothing'"), "f:7: Fn::Sub has a ${ without a }");
  EXPECT_EQ(refusal("'{{resolve:ssm:name}}'"),
            "f:7: the dynamic reference {{resolve:ssm:name}} cannot be resolved here: write its "
            "value in the file");
  EXPECT_EQ(refusal("!Ref Orders"), "f:7: this refers to itself, or is nested too deeply");
  EXPECT_EQ(refusal("!Join [a]"), "f:7: Fn::Join needs a list of 2 values");
  EXPECT_EQ(refusal("!Select [3, [a]]"), "f:7: Fn::Select has no value number 3");
  EXPECT_EQ(refusal("[a]"), "f:7: TableName is not a string");
}

TEST(TemplateTest, ParametersWithoutDefaultAreAskedFor) {
  const std::string sections =
      "Parameters:\n  A: {Type: String}\n"
      "  B: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /path}\n";
  EXPECT_EQ(name_of("!Ref A", sections),
            "f:8: the parameter A has no default: give it with --schema-parameter A=VALUE");
  EXPECT_EQ(name_of("!Ref B", sections),
            "f:8: the parameter B lies in AWS Systems Manager: give it with --schema-parameter "
            "B=VALUE");
  EXPECT_EQ(name_of("!Ref B", sections, {{"B", "given"}}), "given");
  EXPECT_EQ(name_of("!Sub '${Key.Arn}'", sections, {{"Key.Arn", "given"}}), "given");
}

TEST(TemplateTest, MisspeltResourcesAreRefused) {
  const auto error_of = [](const std::string& type, const std::string& members) {
    return read_text("Resources:\n  A:\n    " + type + "\n    " + members + "\n  B:\n" +
                     "    Type: AWS::DynamoDB::Table\n")
        .error;
  };
  for (const char* const type : {"AWS::DynamoDB::Tabel", "AWS::DynamoDb::Table",
                                 "aws::dynamodb::table", "AWS::DynamoDB::Tables"}) {
    EXPECT_EQ(error_of(std::string("Type: ") + type, "Properties: {}"),
              std::string("f:3: unknown type ") + type + "; did you mean AWS::DynamoDB::Table?");
  }
  EXPECT_EQ(
      error_of("Type: AWS::DynamoDB::GlobalTabel", "Properties: {}"),
      "f:3: unknown type AWS::DynamoDB::GlobalTabel; did you mean AWS::DynamoDB::GlobalTable?");
  EXPECT_EQ(error_of("Type: AWS::DynamoDB::Table", "Propertys: {}"),
            "f:4: unknown member Propertys; did you mean Properties?");
  EXPECT_EQ(error_of("Typ: AWS::DynamoDB::Table", "Properties: {}"),
            "f:3: unknown member Typ; did you mean Type?");
  // Resources that are not tables are of no concern here.
  EXPECT_EQ(read_text("Resources:\n  A:\n    Type: AWS::SQS::Queue\n    Propertys: {}\n"
                      "  B:\n    Type: AWS::DynamoDB::Table\n    Metadata: {x: y}\n")
                .names(),
            std::vector<std::string>{"B"});
}

TEST(TemplateTest, SimpleTablesAreThoseOfSam) {
  EXPECT_EQ(
      read_text("Resources: {T: {Type: 'AWS::Serverless::SimpleTable'}}").create(),
      R"({"TableName":"T","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
      R"("BillingMode":"PAY_PER_REQUEST"})");
  EXPECT_EQ(read_text(R"({"Resources": {"T": {"Type": "AWS::Serverless::SimpleTable", "Properties":
      {"PrimaryKey": {"Name": "n", "Type": "Number"}, "Tags": {"a": "b"}, "TableName": "t",
       "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2}}}}})")
                .create(),
            R"({"Tags":[{"Key":"a","Value":"b"}],)"
            R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},)"
            R"("TableName":"t","AttributeDefinitions":[{"AttributeName":"n","AttributeType":"N"}],)"
            R"("KeySchema":[{"AttributeName":"n","KeyType":"HASH"}]})");
}

TEST(TemplateTest, AGlobalTableIsThatOfOneReplica) {
  const Reading reading = read_text(R"(
Resources:
  T:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      KeySchema: [{AttributeName: a, KeyType: HASH}]
      WriteProvisionedThroughputSettings: {WriteCapacityAutoScalingSettings: {MinCapacity: 3, MaxCapacity: 9}}
      GlobalSecondaryIndexes:
        - IndexName: g
          WriteProvisionedThroughputSettings: {WriteCapacityAutoScalingSettings: {SeedCapacity: 4, MinCapacity: 1}}
      Replicas:
        - Region: eu-west-1
        - Region: us-east-1
          TableClass: STANDARD_INFREQUENT_ACCESS
          ReadProvisionedThroughputSettings: {ReadCapacityUnits: 5}
          GlobalSecondaryIndexes: [{IndexName: g, ReadProvisionedThroughputSettings: {ReadCapacityUnits: 6}}]
)");
  EXPECT_EQ(
      reading.create(),
      R"({"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"g",)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":6,"WriteCapacityUnits":4}}],)"
      R"("TableName":"T","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":3},)"
      R"("TableClass":"STANDARD_INFREQUENT_ACCESS"})");
  EXPECT_EQ(reading.warnings, Names{"f:3: only the replica in us-east-1 is created"});
}

TEST(TemplateTest, GeneratedResourcesAreRefusedWhereTheyAreTables) {
  EXPECT_EQ(read_text("Resources:\n  Fn::ForEach::T:\n    - X\n    - [a, b]\n"
                      "    - 'T${X}': {Type: 'AWS::DynamoDB::Table'}\n")
                .error,
            "f:2: Fn::ForEach::T cannot be resolved here: write its value in the file");
}

TEST(TemplateTest, WhatGrowsWithoutEndIsRefused) {
  std::string conditions = "Conditions:\n  C0: !Equals [a, a]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "!Condition C" + std::to_string(i - 1);
    conditions += "  C" + std::to_string(i) + ": !And [" + before + ", " + before + "]\n";
  }
  EXPECT_EQ(name_of("!If [C59, yes, no]", conditions), "yes");
  EXPECT_EQ(name_of("!If [Self, yes, no]", "Conditions: {Self: {Condition: Self}}\n"),
            "f:1: this refers to itself, or is nested too deeply");
  std::string doubled = "'ab'";
  for (int i = 0; i < 30; ++i) doubled = "!Sub ['${x}${x}', {x: " + doubled + "}]";
  EXPECT_NE(name_of(doubled).find("f:5: "), std::string::npos);
}

TEST(TemplateTest, OneAccountIsThatWhichWasGiven) {
  const std::string table = "  B: {Type: AWS::DynamoDB::Table, Properties: {TableName: b}}\n";
  const Reading reading = read_text(
      named("!Join ['.', [!Ref AWS::AccountId, !Select [4, !Split [':', !GetAtt B.Arn]]]]") + table,
      {{"AWS::AccountId", "123456789012"}});
  ASSERT_EQ(reading.error, "");
  EXPECT_EQ(reading.tables[0].name, "123456789012.123456789012");
}

TEST(TemplateTest, ADeclaredParameterMayBeGivenThoughNoTableNeedsIt) {
  const std::string sections = "Parameters: {Stage: {Type: String}, LogLevel: {Type: String}}\n";
  SchemaParameters parameters({{"Stage", "dev"}, {"LogLevel", "debug"}, {"Other", "x"}}, "0",
                              [](const std::string&) { return std::nullopt; });
  read_schema(named("!Ref Stage", sections), "f", parameters, [](std::string_view) {});
  EXPECT_EQ(parameters.unused(), Names{"Other"});
}

TEST(TemplateTest, FlagsHaveTheWordsOfYaml) {
  const auto table = [](const std::string& members) {
    return read_text("TableName: t\n" + members);
  };
  const auto expect_flag = [&](const std::string& word, const std::string& flag) {
    const Reading reading =
        table("DeletionProtectionEnabled: " + word +
              "\nTimeToLiveSpecification: {AttributeName: e, Enabled: " + word +
              "}\nPointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: " + word +
              "}\nItems: [{b: {BOOL: " + word + "}}]\n");
    ASSERT_EQ(reading.error, "") << word;
    const TableDefinition& made = reading.tables[0];
    EXPECT_NE(made.create.find("\"DeletionProtectionEnabled\":" + flag), std::string::npos)
        << made.create;
    EXPECT_EQ(made.items[0].json, R"({"b":{"BOOL":)" + flag + "}}");
    if (flag == "false") {
      EXPECT_EQ(made.time_to_live, "");
      EXPECT_EQ(made.recovery, "");
    } else {  // a flag, or a word that the operation refuses
      EXPECT_NE(made.time_to_live.find("\"Enabled\":" + flag), std::string::npos) << word;
      EXPECT_NE(made.recovery.find("\"PointInTimeRecoveryEnabled\":" + flag), std::string::npos)
          << word;
    }
  };
  for (const std::string word : {"true", "True", "yes", "on", "ON", "'true'"}) {
    expect_flag(word, "true");
  }
  for (const std::string word : {"false", "no", "off", "'False'"}) expect_flag(word, "false");
  expect_flag("1", "1");
  expect_flag("offer", "\"offer\"");
  expect_flag("[true]", "[true]");
  EXPECT_EQ(table("TimeToLiveSpecification: {AttributeName: e}\n").tables[0].time_to_live,
            R"({"TableName":"t","TimeToLiveSpecification":{"AttributeName":"e"}})");
}

TEST(TemplateTest, TypesOfSimpleTablesAreSams) {
  for (const auto& [type, attribute_type] :
       std::vector<std::pair<std::string, std::string>>{{"String", "S"},
                                                        {"Number", "N"},
                                                        {"Binary", "B"},
                                                        {"B", "B"},
                                                        {"number", "number"},
                                                        {"\uFEFFNumber", "\uFEFFNumber"}}) {
    const std::string create =
        read_text(
            "Resources: {T: {Type: 'AWS::Serverless::SimpleTable', Properties: {PrimaryKey: "
            "{Type: " +
            type + "}}}}")
            .create();
    EXPECT_NE(create.find("\"AttributeType\":\"" + attribute_type + "\""), std::string::npos)
        << create;
  }
}

TEST(TemplateTest, GlobalsOfSamAreThoseOfSimpleTables) {
  const Reading reading = read_text(R"(
Parameters: {Key: {Type: String, Default: KMS}}
Globals:
  Function: {Timeout: !ImportValue x}
  SimpleTable: {SSESpecification: {SSEEnabled: true, SSEType: !Ref Key}}
Resources:
  A: {Type: 'AWS::Serverless::SimpleTable'}
  B: {Type: 'AWS::Serverless::SimpleTable', Properties: {SSESpecification: {SSEEnabled: false}}}
  C: {Type: 'AWS::DynamoDB::Table'}
)");
  ASSERT_EQ(reading.error, "");
  const auto holds = [&](std::size_t table, const std::string& text) {
    return reading.tables[table].create.find(text) != std::string::npos;
  };
  EXPECT_TRUE(holds(0, R"("SSESpecification":{"Enabled":true,"SSEType":"KMS"})"));
  EXPECT_TRUE(holds(1, R"("SSESpecification":{"Enabled":false,"SSEType":"KMS"})"));
  EXPECT_FALSE(holds(2, "SSESpecification"));
}

TEST(TemplateTest, NamesOfSubInALargeMapAreBounded) {
  std::string own;
  for (int i = 0; i < 50'000; ++i) own += "m" + std::to_string(i) + ": a, ";
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "${m49999}";
  EXPECT_NE(name_of("!Sub ['" + text + "', {" + own + "z: a}]").find("takes too many steps"),
            std::string::npos);
}

}  // namespace
}  // namespace magneto::server::tools::schema
