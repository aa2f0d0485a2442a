#include "server/tools/schema/schema_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "server/system/descriptor.h"
#include "server/tools/schema/messages.h"
#include "tests/server/tools/schema/schema_reading.h"
#include "tests/support/engines.h"

namespace magneto::server::tools::schema {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kPlain =
    R"({"TableName":"t","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST"})";

TEST(SchemaFileTest, RequestsAreTakenAsTheyAre) {
  EXPECT_EQ(read_text(kPlain).create(), kPlain);
  EXPECT_EQ(read_text(std::string("[") + kPlain + "]").create(), kPlain);
  EXPECT_EQ(read_text(std::string("\xEF\xBB\xBF{\"Tables\":[") + kPlain + "]}").create(), kPlain);
}

TEST(SchemaFileTest, ItemsOfAListAreThoseOfTheTable) {
  const Reading reading = read_text(
      "Tables:\n- TableName: t\n  Items:\n  - {a: {S: 1}, l: {L: [{N: 2}, {BOOL: yes}, {NULL: true}]}}\n"
      "  - {a: {S: b}, m: {M: {x: {NS: [1, 2]}}}}\n");
  ASSERT_EQ(reading.error, "");
  ASSERT_EQ(reading.tables.size(), 1U);
  ASSERT_EQ(reading.tables[0].items.size(), 2U);
  EXPECT_EQ(reading.tables[0].items[0].json,
            R"({"a":{"S":"1"},"l":{"L":[{"N":"2"},{"BOOL":true},{"NULL":true}]}})");
  EXPECT_EQ(reading.tables[0].items[1].json, R"({"a":{"S":"b"},"m":{"M":{"x":{"NS":["1","2"]}}}})");
  EXPECT_EQ(reading.tables[0].items[1].line, 5U);
}

TEST(SchemaFileTest, AnAnswerOfDescribeTableMakesItsTable) {
  const Reading reading = read_text(R"({"Table":{"TableName":"t","TableStatus":"ACTIVE",
    "CreationDateTime":1.5,"TableArn":"arn","TableId":"id","ItemCount":3,"TableSizeBytes":9,
    "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],
    "AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],
    "BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1},
    "ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},
    "GlobalSecondaryIndexes":[{"IndexName":"g","IndexStatus":"ACTIVE","IndexArn":"x","ItemCount":0,
      "IndexSizeBytes":0,"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
      "ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0}}],
    "SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"arn"},
    "TableClassSummary":{"TableClass":"STANDARD"},"LatestStreamArn":"x","LatestStreamLabel":"y"}})");
  EXPECT_EQ(
      reading.create(),
      R"({"TableName":"t","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"g","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"ALL"}}],"BillingMode":"PAY_PER_REQUEST",)"
      R"("TableClass":"STANDARD","SSESpecification":{"Enabled":true,"SSEType":"KMS"}})");
  EXPECT_TRUE(reading.warnings.empty());
}

TEST(SchemaFileTest, WhatStandsBesideADescriptionIsTaken) {
  const std::string table =
      R"({"Table":{"TableName":"t","TableStatus":"ACTIVE","Replicas":[{"RegionName":"eu-west-1"}]},)";
  const Reading answers = read_text(table + R"("ResponseMetadata":{},"Else":1,
    "TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"e"},
    "ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":
      {"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":9}}})");
  ASSERT_EQ(answers.error, "");
  EXPECT_EQ(answers.tables[0].time_to_live,
            R"({"TableName":"t","TimeToLiveSpecification":{"AttributeName":"e","Enabled":true}})");
  EXPECT_EQ(answers.tables[0].recovery,
            R"({"TableName":"t","PointInTimeRecoverySpecification":)"
            R"({"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":9}})");
  EXPECT_EQ(answers.warnings, (Names{"f:1: Replicas is not supported and is ignored",
                                     "f:1: Else is not supported and is ignored"}));
  const Reading off =
      read_text(table + R"("TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  EXPECT_EQ(off.tables[0].time_to_live, "");
  const Reading asked = read_text(
      table + R"("PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  EXPECT_NE(asked.tables[0].recovery, "");
}

TEST(SchemaFileTest, WhatIsMeantAsJsonIsToldAsJson) {
  EXPECT_EQ(read_text("{\n// a\n\"a\": 1}").error.substr(0, 61),
            "f:2: this is not JSON, and it cannot be read as YAML either: ");
  EXPECT_EQ(read_text("{\"a\":1}\n{\"b\":2}\n").error,
            "f: this is not JSON, and it cannot be read as YAML either: the file has more than "
            "one YAML document");
  EXPECT_NE(read_text("{\"@level\":\"info\",\"type\":\"version\"}\n{\"@level\":\"info\"}\n")
                .error.find("terraform plan -out p && terraform show -json p > plan.json"),
            std::string::npos);
  EXPECT_NE(read_text(R"({"version":3,"terraform_version":"0.11.1","modules":[]})")
                .error.find("a state of version 3 cannot be read"),
            std::string::npos);
}

TEST(SchemaFileTest, WhatIsOfNoFormIsRefused) {
  const std::string none =
      ": this is not CreateTable's JSON, CloudFormation, serverless.yml or Terraform's JSON";
  EXPECT_EQ(read_text("").error, "f" + none);
  EXPECT_EQ(read_text("text").error, "f" + none);
  EXPECT_EQ(read_text("{}").error, "f" + none);
  EXPECT_EQ(read_text("[1]").error, "f:1: this is not a table: it has no TableName");
  EXPECT_EQ(read_text("\n{\"a\":]").error.substr(0, 5), "f:2: ");
  EXPECT_EQ(read_text("a: 1\nb: [\n").error,
            "f:3: this is not YAML: end of sequence flow not found");
  EXPECT_EQ(read_text("a: \xff\n").error, "f: the file is not in UTF-8");
  EXPECT_EQ(read_text("a: 1\na: 2\n").error, "f:2: a occurs twice");
  EXPECT_EQ(read_text("a: 1\n---\na: 2\n").error, "f: the file has more than one YAML document");
}

// yaml-cpp takes a NUL for a backslash, and gives two of its escapes as one byte.
TEST(SchemaFileTest, EscapesOfYamlAreUtf8) {
  const std::string escapes = "TableName: \"a\\N\\_\\xe9\u00e9\\L\\u20ac\\U0001F600\\_\"\n";
  EXPECT_EQ(read_text(escapes).create(),
            "{\"TableName\":\"a\u0085\u00a0\u00e9\u00e9\u2028\u20ac\U0001F600\u00a0\"}");
  EXPECT_EQ(read_text("a: 1\nb: x" + std::string(1, '\0') + "N\n").error,
            "f:2: this is not YAML: it has a NUL character");
  EXPECT_EQ(read_text("{\n\"a\": \"" + std::string(1, '\0') + "\"}").error,
            "f:2: this is not JSON, and it cannot be read as YAML either: it has a NUL character");
}

TEST(SchemaFileTest, YamlIsBounded) {
  std::string aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    aliases += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " +
               before + ", " + before + ", " + before + ", " + before + "]\n";
  }
  EXPECT_NE(read_text(aliases).error.find("its aliases stand for too much"), std::string::npos);
  EXPECT_EQ(read_text("a: &a [*a]\n").error, "f:1: an alias refers to the anchor that contains it");
  std::string chain = "- &a0 [x]\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string name = std::to_string(i);
    chain += "- &a" + name + " [[[*a" + std::to_string(i - 1) + "]]]\n";
  }
  EXPECT_EQ(read_text(chain).error, "f:34: the file is nested more than 100 levels deep");
  EXPECT_EQ(read_text(std::string(200, '[')).error,
            "f:1: the file is nested more than 100 levels deep");
  EXPECT_EQ(read_text(std::string(101, '[') + std::string(101, ']')).error,
            "f:1: the file is nested more than 100 levels deep");
  EXPECT_EQ(read_text(std::string(5 << 20, 'x')).error, "f: YAML of more than 4 MB is not read");
}

TEST(SchemaFileTest, MergedMembersGiveWayToTheMapsOwn) {
  EXPECT_EQ(read_text("base: &base {TableName: old, BillingMode: PAY_PER_REQUEST}\n"
                      "Tables:\n- <<: *base\n  TableName: new\n")
                .create(),
            R"({"TableName":"new","BillingMode":"PAY_PER_REQUEST"})");
}

// A file with KeyTyp does not mean a key without its type.
TEST(SchemaFileTest, RefusesMembersThatAreMisspelt) {
  EXPECT_EQ(
      read_text(R"({"TableName":"t","KeySchema":[{"AttributeName":"p","KeyTyp":"HASH"}]})").error,
      "f:1: unknown member KeyTyp; did you mean KeyType?");
  EXPECT_EQ(read_text("TableName: t\nBilingMode: PAY_PER_REQUEST\n").error,
            "f:2: unknown member BilingMode; did you mean BillingMode?");
  EXPECT_EQ(read_text("TableName: t\nWhatever: 1\n").warnings,
            Names{"f:2: Whatever is not supported and is ignored"});
}

TEST(SchemaFileTest, TellsWhichTablesThereAre) {
  const std::vector<std::string> files = {"shop.yaml"};
  const std::vector<std::string> tables = {"dev-orders", "SessionsTable"};
  EXPECT_EQ(messages::tables_of_files(files, tables, 2),
            "2 tables from shop.yaml: dev-orders, SessionsTable");
  EXPECT_EQ(messages::tables_of_files(files, tables, 1),
            "2 tables from shop.yaml (1 was there already): dev-orders, SessionsTable");
  EXPECT_EQ(messages::tables_of_files(files, tables, 0),
            "2 tables from shop.yaml (2 were there already): dev-orders, SessionsTable");
  EXPECT_EQ(messages::tables_of_files(std::vector<std::string>{"a", "b"}, {}, 0),
            "0 tables from 2 files");
  const std::vector<std::string> many(1000, std::string(255, 'x'));
  const std::string told = messages::tables_of_files(files, many, 1000);
  EXPECT_LT(told.size(), 700U);
  EXPECT_TRUE(told.ends_with("xxx and 999 more")) << told;
}

class SchemaFolderTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::ofstream(directory_.file(name), std::ios::binary) << text;
  }

  Reading read(const std::vector<std::string>& paths) {
    SchemaParameters parameters({}, "000000000000",
                                [](const std::string&) { return std::nullopt; });
    Reading reading;
    try {
      reading.tables = read_schema_files(
          paths, parameters, [&](std::string_view what) { reading.warnings.emplace_back(what); });
    } catch (const SchemaError& error) {
      reading.error = error.what();
    }
    return reading;
  }

  storage::TempDirectory directory_;
};

TEST_F(SchemaFolderTest, AFolderGivesItsFilesInOrder) {
  write("b.yaml", "TableName: b\n");
  write("a.json", R"([{"TableName":"a2"},{"TableName":"a1"}])");
  write("README.md", "no schema");
  write(".hidden.json", "{");
  write("manifest.json", R"({"version":"1"})");
  write("a1.items.jsonl", "{\"k\":{\"S\":\"1\"}}\n\n{\"Item\":{\"k\":{\"S\":\"2\"}}}\n");
  write("b.items.json", R"({"Items":[{"k":{"S":"3"}}],"Count":1})");
  const Reading reading = read({directory_.file("")});
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.names(), (Names{"a2", "a1", "b"}));
  EXPECT_EQ(reading.warnings.size(), 1U);
  ASSERT_EQ(reading.tables[1].items.size(), 2U);
  EXPECT_EQ(reading.tables[1].items[1].json, R"({"k":{"S":"2"}})");
  EXPECT_EQ(reading.tables[1].items[1].line, 3U);
  EXPECT_EQ(reading.tables[2].items.size(), 1U);
}

TEST_F(SchemaFolderTest, OtherFilesOfAFolderArePassedOver) {
  write("t.json", R"({"TableName":"t"})");
  write("params.json", R"([{"ParameterKey":"Stage","ParameterValue":"dev"}])");
  write("tsconfig.json", "{\n// a comment\n\"a\": {}}");
  write("kubernetes.yaml", "kind: Service\n---\nkind: Deployment\n");
  write("tree.json", "{\"a\":\"AWS::DynamoDB::Table\"," + std::string(kMaxFileSize, ' ') + "}");
  write("latin.yaml", "a: \xe9\n");
  const Reading reading = read({directory_.file("")});
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.names(), Names{"t"});
  EXPECT_EQ(reading.warnings.size(), 5U);
  EXPECT_EQ(reading.warnings[0], directory_.file("kubernetes.yaml") +
                                     ": the file has more than one YAML document; passed over");
  EXPECT_EQ(read({directory_.file("params.json")}).error,
            directory_.file("params.json") + ":1: this is not a table: it has no TableName");
  write("template.yaml", "Resources:\n  T: {Type: AWS::DynamoDB::Table\n");
  EXPECT_NE(read({directory_.file("")}).error.find("template.yaml:3: this is not YAML"),
            std::string::npos);
}

TEST_F(SchemaFolderTest, AFolderWithoutSuchFilesIsWarnedOf) {
  write("README.md", "no schema");
  write(".hidden.json", "{");
  write("t.items.json", "[]");
  const Reading reading = read({directory_.file("")});
  EXPECT_EQ(reading.error, "");
  EXPECT_TRUE(reading.tables.empty());
  EXPECT_EQ(reading.warnings,
            Names{directory_.file("") + ": there is no file in this folder that ends in .json, "
                                        ".yaml, .yml, .template or .tfstate"});
}

TEST_F(SchemaFolderTest, TimeToLiveMayLieBesideATable) {
  const std::string time_to_live =
      R"({"TableName":"t","TimeToLiveSpecification":{"AttributeName":"e","Enabled":true}})";
  write("t.json", R"({"TableName":"t"})");
  write("t.ttl.json",
        R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"e"}})");
  EXPECT_EQ(read({directory_.file("")}).tables[0].time_to_live, time_to_live);
  write("t.json",
        R"({"TableName":"t","TimeToLiveSpecification":{"AttributeName":"own","Enabled":true}})");
  EXPECT_NE(read({directory_.file("t.json")}).tables[0].time_to_live, time_to_live);
  write("t.json", R"({"TableName":"t"})");
  write("t.ttl.json", R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  EXPECT_EQ(read({directory_.file("t.json")}).tables[0].time_to_live, "");
  write("t.ttl.json", "{}");
  EXPECT_EQ(read({directory_.file("t.json")}).error,
            directory_.file("t.ttl.json") + ": this is not an answer of DescribeTimeToLive");
}

TEST_F(SchemaFolderTest, APipeIsReadToItsEnd) {
  const std::string path = directory_.file("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), S_IRUSR | S_IWUSR), 0);
  // Keeps what is written before the file is opened.
  const system::Descriptor kept(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  ASSERT_GE(kept.get(), 0);
  // There is a writer from the start.
  std::ofstream stream(path);
  std::thread writer([&] {
    stream << R"({"TableName":"t",)" << std::string(200'000, ' ') << "\"Tags\":[]}";
    stream.close();
  });
  EXPECT_EQ(read({path}).names(), Names{"t"});
  writer.join();
}

TEST_F(SchemaFolderTest, WhatCannotBeReadSaysWhere) {
  const std::string table = directory_.file("t.json");
  const std::string items = directory_.file("t.items.json");
  EXPECT_EQ(read({table}).error, table + ": the file cannot be read (No such file or directory)");
  write("t.json", R"({"TableName":"t"})");
  write("u.json", "\n{\"TableName\":\"t\"}");
  EXPECT_EQ(read({table, directory_.file("u.json")}).error,
            directory_.file("u.json") + ":2: table t is also in " + table + ":1");
  write("t.items.json", "{\"k\":{\"S\":\"1\"}}\nnone\n");
  EXPECT_EQ(read({table}).error, items + ":2: this line is not JSON");
  write("t.items.json", "[1]");
  EXPECT_EQ(read({table}).error, items + ":1: this is not an item");
  write("t.items.json", std::string(kMaxFileSize + 1, ' '));
  EXPECT_EQ(read({table}).error, items + ": the file is larger than 16 MB");
  write("main.tf", "resource");
  EXPECT_NE(read({directory_.file("main.tf")})
                .error.find("`terraform plan -out p && terraform show -json p > plan.json`"),
            std::string::npos);
}

// Served without a table, it would be found out much later.
TEST_F(SchemaFolderTest, RefusesAFolderOfTerraformsLanguageAlone) {
  write("main.tf", "resource");
  const Reading alone = read({directory_.path()});
  EXPECT_TRUE(alone.error.starts_with(directory_.path() + ": this folder describes tables"))
      << alone.error;
  EXPECT_NE(alone.error.find("terraform show -json p > plan.json"), std::string::npos);
  EXPECT_TRUE(alone.warnings.empty());
  write("package.json", "{}");
  EXPECT_EQ(read({directory_.path()}).error, alone.error);
  write("plan.json", R"({"TableName":"t"})");
  EXPECT_EQ(read({directory_.path()}).names(), Names{"t"});
}

TEST_F(SchemaFolderTest, RefusesAPipeThatNobodyWritesInto) {
  const std::string pipe = directory_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read({pipe}).error, pipe + ": this is a pipe without a writing process");
  // A writer that takes its time is waited for.
  const system::Descriptor kept(::open(pipe.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  ASSERT_GE(kept.get(), 0);
  const int writing = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(writing, 0);
  std::thread writer([&] {
    std::this_thread::yield();
    EXPECT_EQ(::write(writing, R"({"TableName":"t"})", 17), 17);
    ::close(writing);
  });
  EXPECT_EQ(read({pipe}).names(), Names{"t"});
  writer.join();
}

}  // namespace
}  // namespace magneto::server::tools::schema
