#include "server/tools/schema/schema_start.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/tools/schema/unfinished_tables.h"
#include "storage/engine/memory/memory_engine.h"
#include "tests/api/test_service.h"
#include "tests/support/engines.h"
#include "tests/support/faulty_engine.h"

namespace magneto::server::tools::schema {
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
      create_schema_tables(
          {.files = {write("s.json", text)}, .parameters = {}, .notes = notes_}, api::Caller{},
          rehearsal.service(), service_.service(),
          {.warning = [](std::string_view) {}, .progress = [](std::string_view) {}});
      return {};
    } catch (const SchemaError& error) {
      return error.what();
    }
  }

  std::string count() {
    const std::string answer = service_.succeed("Scan", R"({"TableName":"tab","Select":"COUNT"})");
    return answer.substr(0, answer.find(','));
  }

  std::unique_ptr<storage::Engine> faulty_engine() {
    return std::make_unique<storage::FaultyEngine>(
        storage::open_engine(storage::EngineKind::kRocksdb, store_), faults_);
  }

  storage::TempDirectory directory_;
  storage::TempDirectory store_;
  std::shared_ptr<storage::Notes> notes_ =
      std::make_shared<storage::Notes>(storage::make_memory_engine());
  std::shared_ptr<storage::FaultyEngine::Faults> faults_ =
      std::make_shared<storage::FaultyEngine::Faults>();
  api::TestService service_{faulty_engine()};
};

TEST_F(SchemaStartTest, TablesAndItemsAreMadeOnce) {
  const std::string text =
      std::string(kTable) +
      R"(,"TimeToLiveSpecification":{"AttributeName":"e","Enabled":true},)"
      R"("PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true},)"
      R"("ContributorInsightsSpecification":{"Enabled":true},)"
      R"("Tags":[{"Key":"k","Value":"v"}],"Items":[{"a":{"S":"1"}},{"a":{"S":"2"}}]})";
  ASSERT_EQ(start(text), "");
  EXPECT_EQ(count(), R"({"Count":2)");
  EXPECT_NE(service_.succeed("DescribeTimeToLive", R"({"TableName":"tab"})").find("ENABLED"),
            std::string::npos);
  EXPECT_NE(service_.succeed("DescribeContinuousBackups", R"({"TableName":"tab"})")
                .find(R"("PointInTimeRecoveryStatus":"ENABLED")"),
            std::string::npos);
  EXPECT_NE(service_.succeed("DescribeContributorInsights", R"({"TableName":"tab"})")
                .find(R"("ContributorInsightsStatus":"ENABLED")"),
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

// The region is in the record of unfinished tables, which lists the tables to delete.
TEST_F(SchemaStartTest, ARegionThatIsNoneIsRefused) {
  for (const std::string region : {"", "eu\norders", "eu west", "\xff"}) {
    api::TestService rehearsal;
    SchemaOptions options;
    options.files = {write("s.json", std::string(kTable) + "}")};
    options.parameters = {{"AWS::Region", region}};
    try {
      create_schema_tables(options, {}, rehearsal.service(), service_.service(), {});
      ADD_FAILURE() << region;
    } catch (const SchemaError& error) {
      EXPECT_NE(std::string_view(error.what()).find("is not a region"), std::string::npos)
          << error.what();
    }
  }
}

// The command line names the owner of the tables, or no owner is needed.
TEST_F(SchemaStartTest, AFileForAnotherRegionThanTheirsIsRefused) {
  const auto make = [&](bool by_region, const std::string& region) -> std::string {
    api::TestService rehearsal;
    SchemaOptions options;
    options.files = {
        write("serverless.yml",
              "service: s\nprovider:\n  region: eu-west-1\nresources:\n  Resources: {}\n")};
    options.by_region = by_region;
    api::Caller caller;
    if (!region.empty()) {
      options.parameters = {{"AWS::Region", region}};
      caller.region = region;
    }
    try {
      create_schema_tables(
          options, caller, rehearsal.service(), service_.service(),
          {.warning = [](std::string_view) {}, .progress = [](std::string_view) {}});
      return {};
    } catch (const SchemaError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(make(false, ""), "");
  EXPECT_EQ(make(true, "eu-west-1"), "");
  const std::string error = make(true, "");
  EXPECT_NE(error.find("serverless.yml:3: this is for eu-west-1"), std::string::npos) << error;
  EXPECT_NE(error.find("those of us-east-1: give"), std::string::npos) << error;
}

TEST_F(SchemaStartTest, ANoteThatSaysNotWhoseTheTablesAreDeletesNothing) {
  const UnfinishedTables unfinished(*notes_);
  for (const std::string note :
       {"", "\ntab\n", "eu-west-1\ntab\n", "everybody else\ntab\n", "everybody", "everybody\ntab",
        "everybody\n\n", "region \ntab\n"}) {
    notes_->put("schema-tables.begun", note, storage::Notes::Durability::kProcess);
    try {
      unfinished.read();
      ADD_FAILURE() << note;
    } catch (const SchemaError& error) {
      EXPECT_STREQ(error.what(),
                   "the list of the tables that an earlier --schema left unfinished is damaged: to "
                   "keep all tables, put a file schema-tables.begun with the line 'everybody' into "
                   "the data directory");
    }
  }
  unfinished.write({.region = std::nullopt, .names = {"tab"}});
  EXPECT_EQ(unfinished.read()->region, std::nullopt);
  unfinished.write({.region = "eu-west-1", .names = {"tab", "other"}});
  EXPECT_EQ(unfinished.read()->region, "eu-west-1");
  EXPECT_EQ(unfinished.read()->names, (std::vector<std::string>{"tab", "other"}));
}

TEST_F(SchemaStartTest, AParameterThatNobodyAsksForIsRefused) {
  api::TestService rehearsal;
  SchemaOptions options;
  options.files = {write("s.json", std::string(kTable) + "}")};
  options.parameters = {{"Stage", "dev"}};
  const SchemaReport report{[](std::string_view) {}, [](std::string_view) {}};
  EXPECT_THROW(
      create_schema_tables(options, api::Caller{}, rehearsal.service(), service_.service(), report),
      SchemaError);
}

// `count` items with the keys "0", "1" and so on, in a file of one item a line.
std::string table_with_items(std::size_t count) {
  std::string text = std::string(kTable) + ",\"Items\":[";
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "" : ",\n") + std::string(R"({"a":{"S":")") + std::to_string(i) + "\"}}";
  }
  return text + "]}";
}

std::string with_another(const std::string& table) {
  std::string other = std::string(kTable) + "}";
  return "[" + table + ',' + other.replace(other.find("tab"), 3, "another") + "]";
}

TEST_F(SchemaStartTest, ManyItemsGoInAndOfOneKeyTheLast) {
  std::string text = table_with_items(130);
  text.insert(text.size() - 2, R"(,{"a":{"S":"x"},"n":{"N":"1"}},{"a":{"S":"x"},"n":{"N":"2"}})");
  ASSERT_EQ(start(text), "");
  EXPECT_EQ(count(), R"({"Count":131)");
  EXPECT_NE(service_.succeed("GetItem", R"({"TableName":"tab","Key":{"a":{"S":"x"}}})")
                .find(R"({"N":"2"})"),
            std::string::npos);
}

TEST_F(SchemaStartTest, ARefusedItemAmongManyIsFound) {
  std::string text = table_with_items(130);
  text.replace(text.find(R"({"S":"77"})"), 10, R"({"N":"77"})");
  const std::string error = start(text);
  EXPECT_NE(error.find("s.json:78: an item for table tab is refused by PutItem: "),
            std::string::npos)
      << error;
}

TEST_F(SchemaStartTest, ARefusalWithoutAMessageTellsItsType) {
  std::string deep = R"({"S":"x"})";
  for (int i = 0; i < 90; ++i) deep = R"({"L":[)" + deep + "]}";
  const std::string error =
      start(std::string(kTable) + R"(,"Items":[{"a":{"S":"1"},"d":)" + deep + "}]}");
  EXPECT_FALSE(error.ends_with("PutItem: ")) << error;
}

TEST_F(SchemaStartTest, WhatFailsOnTheWayIsDeletedAgain) {
  const auto commits =
      std::make_shared<std::atomic<int>>(0);  // the database closes after this test
  faults_->fails = [commits](const storage::WriteBatch&) { return ++*commits == 6; };
  const std::string error = start(with_another(table_with_items(500)));
  EXPECT_NE(error.find("the tables of --schema cannot be created: "), std::string::npos) << error;
  EXPECT_EQ(error.find("deleted again"), std::string::npos) << error;
  EXPECT_EQ(service_.succeed("ListTables", "{}"), R"({"TableNames":[]})");
  EXPECT_FALSE(UnfinishedTables(*notes_).read());
  EXPECT_EQ(start(with_another(table_with_items(500))), "");
  EXPECT_EQ(count(), R"({"Count":500)");
}

// The tables of a start that cannot delete them either, or is killed.
TEST_F(SchemaStartTest, APartThatIsLeftIsMadeAnewByTheNextStart) {
  const auto commits = std::make_shared<std::atomic<int>>(0);
  faults_->fails = [commits](const storage::WriteBatch&) { return ++*commits >= 12; };
  const std::string text = with_another(table_with_items(500));
  const std::string error = start(text);
  EXPECT_NE(error.find("could not be deleted again; the next start deletes them: tab, another"),
            std::string::npos)
      << error;
  EXPECT_EQ(service_.succeed("ListTables", "{}"), R"({"TableNames":["another","tab"]})");
  EXPECT_NE(count(), R"({"Count":500)");

  const UnfinishedTables unfinished(*notes_);
  const std::optional<UnfinishedTables::Record> record = unfinished.read();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->names, (std::vector<std::string>{"tab", "another"}));
  std::vector<std::string> told;
  const auto tell = [&told](std::string_view what) { told.emplace_back(what); };
  EXPECT_THROW(remove_unfinished_tables(unfinished, *record, service_.service(), tell),
               SchemaError);
  EXPECT_TRUE(unfinished.read());
  faults_->fails = [](const storage::WriteBatch&) { return false; };
  remove_unfinished_tables(unfinished, *record, service_.service(), tell);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].ends_with("the unfinished tables were deleted: tab, another")) << told[0];
  EXPECT_FALSE(unfinished.read());
  EXPECT_EQ(service_.succeed("ListTables", "{}"), R"({"TableNames":[]})");
  EXPECT_EQ(start(text), "");
  EXPECT_EQ(count(), R"({"Count":500)");
}

TEST_F(SchemaStartTest, ANoteThatCannotBeWrittenEndsTheStartBeforeAnythingIsMade) {
  const auto faults = std::make_shared<storage::FaultyEngine::Faults>();
  notes_ = std::make_shared<storage::Notes>(
      std::make_shared<storage::FaultyEngine>(storage::make_memory_engine(), faults));
  faults->commits = true;
  EXPECT_EQ(start(std::string(kTable) + "}"),
            "cannot save which tables --schema creates: the disk is on fire");
  EXPECT_EQ(service_.succeed("ListTables", "{}"), R"({"TableNames":[]})");
}

TEST(UnfinishedTablesTest, ANoteSaysWhoseTheTablesAre) {
  storage::Notes notes(storage::make_memory_engine());
  const UnfinishedTables unfinished(notes);
  EXPECT_FALSE(unfinished.read());
  unfinished.write({.region = "eu-west-1", .names = {"a", "b"}});
  unfinished.write({.region = "eu-west-1", .names = {"c"}});
  ASSERT_TRUE(unfinished.read());
  EXPECT_EQ(unfinished.read()->region, "eu-west-1");
  EXPECT_EQ(unfinished.read()->names, std::vector<std::string>{"c"});
  unfinished.clear();
  EXPECT_FALSE(unfinished.read());
  unfinished.clear();
}

}  // namespace
}  // namespace magneto::server::tools::schema
