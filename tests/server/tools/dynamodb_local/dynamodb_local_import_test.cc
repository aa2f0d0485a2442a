#include "server/tools/dynamodb_local/dynamodb_local_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "server/tools/dynamodb_local/dynamodb_local_file.h"
#include "tests/api/test_service.h"
#include "tests/server/tools/dynamodb_local/dynamodb_local_builder.h"
#include "tests/support/engines.h"

namespace magneto::server::tools {
namespace {

namespace fs = std::filesystem;
using storage::TempDirectory;

constexpr const char* kShared = "shared-local-instance.db";

// As DynamoDB Local writes it for a provisioned table with a local and a global index.
constexpr const char* kIndexedInfo =
    R"({"Attributes":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},)"
    R"({"AttributeName":"l","AttributeType":"B"},{"AttributeName":"g","AttributeType":"S"},)"
    R"({"AttributeName":"old","AttributeType":"S"}],"LSIList":[{"IndexName":"byL",)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],)"
    R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}],"GSIList":[{"IndexName":"byG",)"
    R"("KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3}}],"GSIDescList":[)"
    R"({"IndexName":"byG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],)"
    R"("Projection":{"ProjectionType":"ALL"},"IndexStatus":"ACTIVE",)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3},"IndexSizeBytes":0,"ItemCount":0},)"
    R"({"IndexName":"gone","KeySchema":[{"AttributeName":"old","KeyType":"HASH"}],)"
    R"("Projection":{"ProjectionType":"ALL"},"IndexStatus":"DELETING"}],)"
    R"("SQLiteIndex":{"":[{"DynamoDBAttribute":{"AttributeName":"pk","AttributeType":"S"},"KeyType":"HASH",)"
    R"("SQLiteColumnName":"hashKey","SQLiteDataType":"TEXT"},{"DynamoDBAttribute":{"AttributeName":"sk",)"
    R"("AttributeType":"N"},"KeyType":"RANGE","SQLiteColumnName":"rangeKey","SQLiteDataType":"BLOB"}]}})";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string pk_item(std::string_view key) {
  return R"({"pk":{"S":")" + std::string(key) + R"("}})";
}

// Bytes of a sound file with some changed, half the time where pages and cells begin; now and then
// it ends early.
std::string damaged(std::string bytes, std::mt19937& random) {
  const std::size_t flips = 1 + random() % 8;
  const std::size_t reach = random() % 2 == 0 ? 100 : 1024;
  for (std::size_t i = 0; i < flips; ++i) {
    const std::size_t page = random() % (bytes.size() / 1024);
    bytes[page * 1024 + random() % reach] = static_cast<char>(random() % 256);
  }
  if (random() % 10 == 0) bytes.resize(random() % bytes.size());
  return bytes;
}

// A folder of DynamoDB Local's, a data directory for copies and a service.
class ImportTest : public testing::Test {
 protected:
  ImportTest() { fs::create_directory(folder()); }

  std::string folder() const { return directory_.file("source"); }
  std::string file(const std::string& name = kShared) const { return folder() + "/" + name; }
  const std::string& data() const { return data_; }
  storage::Notes& notes() { return *service_->databases().notes(); }
  void note_begun(std::string tables) {
    notes().put(std::string("dynamodb-local/") + kShared + ".importing", std::move(tables),
                storage::Notes::Durability::kProcess);
  }

  void import(bool shared = true) {
    import_dynamodb_local(folder(), {notes(), data()}, shared, service_->service(),
                          {[this](std::string_view line) { progress_.emplace_back(line); },
                           [this](std::string_view line) { warnings_.emplace_back(line); }});
  }
  // The sentence of an import that must fail.
  std::string fail_to_import() {
    try {
      import();
    } catch (const LocalFileError& error) {
      return error.what();
    }
    ADD_FAILURE() << "it was imported";
    return {};
  }
  void begin_anew() {
    service_ = std::make_unique<api::TestService>();
    fs::remove_all(data());
    warnings_.clear();
  }

  std::string tables() { return service_->succeed("ListTables", "{}"); }
  std::string describe(const std::string& table) {
    return service_->succeed("DescribeTable", R"({"TableName":")" + table + R"("})");
  }
  std::string scan(const std::string& table) {
    return service_->succeed("Scan", R"({"TableName":")" + table + R"("})");
  }

  const TempDirectory directory_;
  const std::string data_ = directory_.file("data");
  std::unique_ptr<api::TestService> service_ = std::make_unique<api::TestService>();
  std::vector<std::string> progress_;
  std::vector<std::string> warnings_;
};

TEST_F(ImportTest, MakesTablesWithTheirKeysIndexesAndUnits) {
  {
    DynamodbLocalBuilder builder(file());
    builder.add_table("Indexed", kIndexedInfo,
                      {.on_demand = false, .read_units = 5, .write_units = 7});
    for (const char* sort : {"10", "-1.5", "0", "9"}) {
      builder.add_item("Indexed", R"({"sk":{"N":")" + std::string(sort) +
                                      R"("},"pk":{"S":"p"},"l":{"B":"YQ=="},"g":{"S":"gg"}})");
    }
  }
  import();
  const std::string table = describe("Indexed");
  EXPECT_TRUE(contains(table, R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
                              R"({"AttributeName":"sk","KeyType":"RANGE"}])"))
      << table;
  EXPECT_TRUE(contains(table, R"("ReadCapacityUnits":5,"WriteCapacityUnits":7)")) << table;
  EXPECT_TRUE(contains(table, R"("ReadCapacityUnits":2,"WriteCapacityUnits":3)")) << table;
  EXPECT_TRUE(contains(table, R"("IndexName":"byL")")) << table;
  EXPECT_FALSE(contains(table, "gone")) << table;
  EXPECT_FALSE(contains(table, "old")) << table;
  const std::string page = service_->succeed(
      "Query",
      R"({"TableName":"Indexed","KeyConditionExpression":"pk=:p","ProjectionExpression":"sk",)"
      R"("ExpressionAttributeValues":{":p":{"S":"p"}}})");
  EXPECT_TRUE(contains(
      page, R"([{"sk":{"N":"-1.5"}},{"sk":{"N":"0"}},{"sk":{"N":"9"}},{"sk":{"N":"10"}}])"))
      << page;
  for (const std::string index :
       {R"("byG","KeyConditionExpression":"g=:v")", R"("byL","KeyConditionExpression":"pk=:v")"}) {
    const std::string value = contains(index, "g=") ? "gg" : "p";
    const std::string found = service_->succeed(
        "Query", R"({"TableName":"Indexed","Select":"COUNT","IndexName":)" + index +
                     R"(,"ExpressionAttributeValues":{":v":{"S":")" + value + R"("}}})");
    EXPECT_TRUE(contains(found, R"("Count":4)")) << index << found;
  }
  EXPECT_EQ(warnings_, std::vector<std::string>());
}

TEST_F(ImportTest, KeepsOnDemandLimitsTimeToLiveStreamAndProtection) {
  {
    DynamodbLocalBuilder builder(file());
    builder.add_simple_table("Plain", R"(,"TimeToLiveAttributeName":"expires")");
    builder.add_item("Plain", pk_item("a"));
    builder.run(
        "UPDATE dm SET DeletionProtectionEnabled='true', MaxReadRequestUnits=100, "
        "MaxWriteRequestUnits=-1");
    builder.add_stream("Plain", "NEW_IMAGE", "DISABLED");
    builder.add_stream("Plain", "KEYS_ONLY", "ENABLED");
  }
  import();
  const std::string table = describe("Plain");
  EXPECT_TRUE(contains(table, R"("BillingMode":"PAY_PER_REQUEST")")) << table;
  EXPECT_TRUE(contains(table, R"("MaxReadRequestUnits":100)")) << table;
  EXPECT_TRUE(contains(table, R"("DeletionProtectionEnabled":true)")) << table;
  EXPECT_TRUE(contains(table, R"("StreamViewType":"KEYS_ONLY")")) << table;
  EXPECT_TRUE(contains(service_->succeed("DescribeTimeToLive", R"({"TableName":"Plain"})"),
                       R"("AttributeName":"expires")"));
  // The stream begins after the items.
  const std::string streams = service_->succeed("ListStreams", "{}");
  const std::size_t start = streams.find("arn:");
  ASSERT_NE(start, std::string::npos) << streams;
  const std::string arn = streams.substr(start, streams.find('"', start) - start);
  const std::string stream =
      service_->succeed("DescribeStream", R"({"StreamArn":")" + arn + R"("})");
  for (std::size_t at = stream.find("shardId-"); at != std::string::npos;
       at = stream.find("shardId-", at + 1)) {
    const std::string shard = stream.substr(at, stream.find('"', at) - at);
    std::string iterator = service_->succeed(
        "GetShardIterator", R"({"ShardIteratorType":"TRIM_HORIZON","StreamArn":")" + arn +
                                R"(","ShardId":")" + shard + R"("})");
    const std::string records = service_->succeed("GetRecords", iterator);
    EXPECT_TRUE(contains(records, R"("Records":[])")) << records;
  }
  EXPECT_EQ(warnings_, std::vector<std::string>());
}

TEST_F(ImportTest, KeepsItemsAsTheyAre) {
  const std::string big(400 * 1024 - 10, 'x');
  const std::string item =
      R"({"pk":{"S":"all"},"n":{"N":"1500"},"small":{"N":"-1E-130"},"b":{"B":"AP8="},"t":{"BOOL":true},)"
      R"("null":{"NULL":true},"m":{"M":{"a":{"L":[{"N":"1"},{"M":{}}]},"e":{"S":""}}},)"
      R"("s":{"S":"a \"q\" é \uD83D\uDE00 \u0000 x"},"ss":{"SS":["a","b"]},"ns":{"NS":["-3","1"]},)"
      R"("bs":{"BS":["","eg=="]}})";
  {
    DynamodbLocalBuilder builder(file());
    builder.add_simple_table("Plain");
    builder.add_item("Plain", item);
    builder.add_item("Plain", R"({"pk":{"S":"big"},"b":{"S":")" + big + R"("}})");
    builder.run("BEGIN");
    for (int i = 0; i < 200; ++i) builder.add_item("Plain", pk_item(std::to_string(i)));
    builder.run("COMMIT");
  }
  import();
  const std::string got =
      service_->succeed("GetItem", R"({"TableName":"Plain","Key":{"pk":{"S":"all"}}})");
  for (const std::string_view part :
       {R"("n":{"N":"1500"})", R"("b":{"B":"AP8="})",
        R"("m":{"M":{"a":{"L":[{"N":"1"},{"M":{}}]},)", R"("ns":{"NS":["-3","1"]})",
        R"("null":{"NULL":true})", R"(\u0000 x)"}) {
    EXPECT_TRUE(contains(got, part)) << part << '\n' << got;
  }
  EXPECT_TRUE(contains(service_->succeed("Scan", R"({"TableName":"Plain","Select":"COUNT"})"),
                       R"("Count":202)"));
  EXPECT_EQ(warnings_, std::vector<std::string>());
}

TEST_F(ImportTest, ImportsOnceAndLeavesTheFileAlone) {
  {
    DynamodbLocalBuilder builder(file());
    builder.add_simple_table("Plain");
    builder.add_item("Plain", pk_item("a"));
  }
  const std::string before = bytes_of(file());
  import();
  EXPECT_TRUE(contains(scan("Plain"), R"("Count":1)"));
  EXPECT_EQ(bytes_of(file()), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1);
  ASSERT_EQ(progress_.size(), 2U);
  EXPECT_EQ(progress_[0], "Importing " + file() + ": 1 table");
  EXPECT_EQ(progress_[1], "Imported 1 table and 1 item of " + file() + ", which stays as it is");
  service_->succeed("DeleteTable", R"({"TableName":"Plain"})");
  import();
  EXPECT_TRUE(contains(tables(), "[]"));
  EXPECT_EQ(notes().names(""),
            std::vector<std::string>{std::string("dynamodb-local/") + kShared + ".imported"});
}

TEST_F(ImportTest, TakesEachCallersFileUnlessShared) {
  for (const std::string name : {"dummy_us-east-1.db", "other_eu-west-1.db", kShared}) {
    DynamodbLocalBuilder builder(file(name));
    builder.add_simple_table("Of." + name.substr(0, 5));
    builder.add_simple_table("Both");
  }
  write_bytes(file("notes_of-mine.db"), "no database");
  write_bytes(file("empty_us-east-1.db"), "");
  write_bytes(file("_.db"), "no database");
  import(false);
  EXPECT_EQ(tables(), R"({"TableNames":["Both","Of.dummy","Of.other"]})");
  ASSERT_EQ(warnings_.size(), 2U);
  EXPECT_TRUE(
      contains(warnings_[0], "notes_of-mine.db is not an SQLite file, and is left unchanged"));
  EXPECT_TRUE(contains(warnings_[1], "table Both of ")) << warnings_[1];
  import(true);
  EXPECT_EQ(tables(), R"({"TableNames":["Both","Of.dummy","Of.other","Of.share"]})");
}

TEST_F(ImportTest, BeginsAgainWhatWasBegun) {
  {
    DynamodbLocalBuilder builder(file());
    builder.add_simple_table("Plain");
    builder.add_simple_table("Mine");
    builder.add_item("Plain", pk_item("a"));
  }
  service_->create_table("Plain", true);
  service_->succeed("UpdateTable", R"({"TableName":"Plain","DeletionProtectionEnabled":true})");
  service_->create_table("Mine", true);
  note_begun("Plain\nNever.made\n");
  import();
  EXPECT_TRUE(contains(scan("Plain"), R"("Items":[{"pk":{"S":"a"}}])"));
  EXPECT_TRUE(contains(describe("Mine"), R"("sk")")) << "it was there before";
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_TRUE(contains(warnings_[0], "table Mine of ")) << warnings_[0];
}

TEST_F(ImportTest, WaitsForTablesThatTakeTheirTime) {
  storage::DatabaseOptions options;
  options.control_plane_delay = std::chrono::milliseconds(20);
  service_ = std::make_unique<api::TestService>(options);
  {
    DynamodbLocalBuilder builder(file());
    builder.add_simple_table("Plain", R"(,"TimeToLiveAttributeName":"expires")");
    builder.add_stream("Plain", "KEYS_ONLY", "ENABLED");
    builder.add_item("Plain", pk_item("a"));
  }
  service_->create_table("Plain", true);
  note_begun("Plain\n");
  import();
  EXPECT_TRUE(contains(scan("Plain"), R"("Count":1)"));
  EXPECT_TRUE(contains(describe("Plain"), "KEYS_ONLY"));
  EXPECT_EQ(warnings_, std::vector<std::string>());
}

TEST_F(ImportTest, HonoursAWriteAheadLog) {
  const std::string other = directory_.file("open.db");
  DynamodbLocalBuilder builder(other);
  builder.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0");
  builder.add_simple_table("Plain");
  builder.add_item("Plain", pk_item("a"));
  fs::copy_file(other, file());
  fs::copy_file(other + "-wal", file() + "-wal");
  const std::string before = bytes_of(file());
  const std::string log = bytes_of(file() + "-wal");
  import();
  EXPECT_TRUE(contains(scan("Plain"), R"("Count":1)"));
  EXPECT_EQ(bytes_of(file()), before);
  EXPECT_EQ(bytes_of(file() + "-wal"), log);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 2);
  EXPECT_TRUE(fs::is_empty(data() + "/dynamodb-local/copy"));
}

TEST_F(ImportTest, UndoesATransactionThatWasCutOff) {
  const std::string other = directory_.file("open.db");
  DynamodbLocalBuilder builder(other);
  builder.add_simple_table("Plain");
  builder.add_item("Plain", pk_item("a"));
  builder.run("PRAGMA synchronous=FULL; PRAGMA cache_size=2; BEGIN");
  for (int i = 0; i < 100; ++i) {
    builder.add_item("Plain",
                     R"({"pk":{"S":")" + std::string(500, 'x') + std::to_string(i) + R"("}})");
  }
  ASSERT_GT(fs::file_size(other + "-journal"), 0U);
  fs::copy_file(other, file());
  fs::copy_file(other + "-journal", file() + "-journal");
  import();
  EXPECT_TRUE(contains(scan("Plain"), R"("Count":1)"));
}

TEST_F(ImportTest, NamesWhatTheServiceRefuses) {
  {
    DynamodbLocalBuilder builder(file());
    builder.add_simple_table("Plain");
    builder.add_item("Plain", pk_item("a"));
    builder.add_item("Plain", R"({"pk":{"N":"1"}})");
    builder.add_item("Plain", R"({"other":{"S":"x"}})");
    builder.add_item("Plain", pk_item("b"));
    builder.add_table("Keyless", R"({"Attributes":[]})", {});
  }
  import();
  EXPECT_TRUE(contains(scan("Plain"), R"("Count":2)"));
  ASSERT_EQ(warnings_.size(), 2U);
  EXPECT_TRUE(warnings_[0].starts_with("table Keyless was not imported: ")) << warnings_[0];
  EXPECT_TRUE(warnings_[1].starts_with("2 of 4 items of table Plain were left out: "))
      << warnings_[1];
}

TEST_F(ImportTest, SaysWhatIsWrongWithAFile) {
  const auto expect = [this](std::string_view part) {
    const std::string sentence = fail_to_import();
    EXPECT_TRUE(sentence.starts_with(file())) << sentence;
    EXPECT_TRUE(contains(sentence, part)) << sentence;
    EXPECT_EQ(tables(), R"({"TableNames":[]})");
    fs::remove(file());
  };
  write_bytes(file(), std::string(5000, 'x'));
  expect("is not an SQLite file");
  DynamodbLocalBuilder(file()).run("DROP TABLE dm");
  expect("it has no table dm");
  DynamodbLocalBuilder(file()).run("DROP TABLE dm; CREATE TABLE dm (a)");
  expect("its table dm differs");
  DynamodbLocalBuilder(file()).run(
      "DROP TABLE dm; CREATE VIEW dm AS WITH RECURSIVE n(i) AS "
      "(SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n");
  expect("it has no table dm");
  {
    DynamodbLocalBuilder builder(file());
    builder.add_simple_table("Plain");
    builder.run("DROP TABLE Plain");
  }
  expect("the items of table Plain are missing");
  fs::create_directory(file());
  expect("is not an SQLite file");
}

TEST_F(ImportTest, ChangesNothingWhenAnItemIsNoJson) {
  {
    DynamodbLocalBuilder builder(file());
    builder.add_simple_table("Plain");
    builder.add_simple_table("Second");
    builder.add_item("Plain", pk_item("a"));
    builder.add_item("Second", R"({"pk":{"S":"a"}}},{"DeleteRequest":{}})");
  }
  EXPECT_TRUE(contains(fail_to_import(), "an item of table Second is not JSON"));
  EXPECT_EQ(tables(), R"({"TableNames":[]})");
}

// The same flips each time.
TEST_F(ImportTest, SurvivesFlippedBytes) {
  {
    DynamodbLocalBuilder builder(file());
    builder.add_table("Indexed", kIndexedInfo, {.on_demand = false});
    builder.add_simple_table("Plain", R"(,"TimeToLiveAttributeName":"expires")");
    builder.add_stream("Plain", "KEYS_ONLY", "ENABLED");
    for (int i = 0; i < 60; ++i) builder.add_item("Plain", pk_item(std::to_string(i)));
    builder.add_item("Plain", R"({"pk":{"S":")" + std::string(5'000, 'y') + R"("}})");
  }
  const std::string sound = bytes_of(file());
  std::mt19937 random(12);
  int refused = 0;
  int imported = 0;
  for (int round = 0; round < 4'000; ++round) {
    write_bytes(file(), damaged(sound, random));
    try {
      DynamodbLocalFile damaged_file(file(), data());
      for (const LocalTable& table : damaged_file.tables()) {
        damaged_file.visit_items(table,
                                 [](std::string_view item) { EXPECT_LT(item.size(), 1 << 20); });
      }
      if (imported == 60) continue;
      begin_anew();
      import();
      ++imported;
    } catch (const LocalFileError& error) {
      EXPECT_NE(std::string_view(error.what()), "");
      ++refused;
    }
  }
  EXPECT_GT(refused, 1'000);
  EXPECT_EQ(imported, 60);
}

}  // namespace
}  // namespace magneto::server::tools
