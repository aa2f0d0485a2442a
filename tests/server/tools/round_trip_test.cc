// Imports and exports against services in this process.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "api/json/attribute_value_json.h"
#include "server/client/endpoint/local_endpoint.h"
#include "server/formats/byte_source.h"
#include "server/tools/export_command.h"
#include "server/tools/import_command.h"
#include "tests/api/test_service.h"
#include "tests/server/tools/table_items.h"
#include "tests/support/engines.h"
#include "tests/support/random_values.h"

namespace magneto::server::tools {
namespace {

constexpr const char* kDescription =
    R"({"Table":{"TableName":"other","TableStatus":"ACTIVE","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
    R"({"AttributeName":"sk","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
    R"({"AttributeName":"sk","AttributeType":"N"}],"ProvisionedThroughput":{"ReadCapacityUnits":5,)"
    R"("WriteCapacityUnits":6,"NumberOfDecreasesToday":0},"ItemCount":3,"TableArn":"x","LocalSecondaryIndexes":[)"
    R"({"IndexName":"byL","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
    R"("Projection":{"ProjectionType":"ALL"},"IndexArn":"y","IndexSizeBytes":7}]}})";

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A service with a table "t01" with the keys pk (S) and sk (N).
class Side {
 public:
  Side() : endpoint(client::OpenService(client::OpenService(), &service.service()), "here") {}

  void create_table() {
    service.succeed(
        "CreateTable",
        R"({"TableName":"t01","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk",)"
        R"("KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
        R"({"AttributeName":"sk","AttributeType":"N"}],"BillingMode":"PAY_PER_REQUEST"})");
  }
  void put(const std::string& item) {
    service.succeed("PutItem", R"({"TableName":"t01","Item":)" + item + "}");
  }
  std::multiset<std::string> items() { return scan_items(service, "t01"); }

  api::TestService service;
  client::LocalEndpoint endpoint;
};

class RoundTrip : public ::testing::Test {
 protected:
  bool import_text(std::string_view text, ImportOptions options = {}) {
    const std::string path = directory_.file("in");
    std::ofstream(path, std::ios::trunc | std::ios::binary) << text;
    options.table = "t01";
    options.files = {path};
    options.workers = 3;
    return import_items(options, to_.endpoint, progress_);
  }

  std::string export_to(const std::string& name,
                        formats::Format format = formats::Format::kTypedJson) {
    const std::string path = directory_.file(name);
    export_items({.table = "t01", .format = format, .out = path, .workers = 2}, from_.endpoint,
                 progress_);
    EXPECT_FALSE(std::filesystem::exists(path + ".part"));
    return path;
  }

  const storage::TempDirectory directory_;
  Side from_;
  Side to_;
  bulk::ProgressLine progress_;
};

ImportOptions in(formats::Format format) {
  ImportOptions options;
  options.format = format;
  return options;
}

formats::Format format_of(std::string_view name) {
  if (name == "folder") return formats::Format::kAws;
  return name.find("csv") != std::string_view::npos ? formats::Format::kCsv
                                                    : formats::Format::kTypedJson;
}

std::string random_item(testing::RandomValues& random, int number) {
  storage::Item item = random.item(6, 4);
  std::string text;
  api::json::append_item(text, item);
  std::string keys = R"({"pk":{"S":"k)" + std::to_string(number % 40) + R"("},"sk":{"N":")" +
                     std::to_string(number) + "\"}";
  if (text.size() > 2) keys += ',';
  return keys + text.substr(1);
}

TEST_F(RoundTrip, CarriesEveryItemExactly) {
  from_.create_table();
  testing::RandomValues random(11);
  int taken = 0;
  for (int i = 0; i < 600; ++i) {
    const std::string item = random_item(random, i);
    taken +=
        from_.service.call("PutItem", R"({"TableName":"t01","Item":)" + item + "}").status == 200;
  }
  ASSERT_GT(taken, 150);
  std::ofstream(directory_.file("table.json")) << kDescription;
  for (const char* const name : {"a.jsonl", "a.jsonl.gz", "a.csv", "a.csv.gz", "folder"}) {
    const formats::Format format = format_of(name);
    const std::string path = export_to(name, format);
    Side to;
    ImportOptions options = in(format);
    options.table = "t01";
    options.files = {path};
    options.create_from = directory_.file("table.json");
    options.workers = 3;
    EXPECT_TRUE(import_items(options, to.endpoint, progress_));
    EXPECT_EQ(to.items(), from_.items());
  }
}

TEST_F(RoundTrip, CarriesPlainItems) {
  from_.create_table();
  to_.create_table();
  from_.put(
      R"({"pk":{"S":"a"},"sk":{"N":"1"},"n":{"N":"12345678901234567890123456789012345678"},"l":{"L":[{"BOOL":true},{"NULL":true}]}})");
  from_.put(
      R"({"pk":{"S":"b"},"sk":{"N":"-1E-130"},"m":{"M":{"k":{"S":""}}},"é":{"S":"\u0000\"x"}})");
  const std::string path = export_to("p.jsonl", formats::Format::kPlainJson);
  EXPECT_TRUE(import_text(slurp(path), in(formats::Format::kPlainJson)));
  EXPECT_EQ(to_.items(), from_.items());
}

TEST_F(RoundTrip, CarriesAnEmptyTable) {
  from_.create_table();
  to_.create_table();
  for (const char* const name : {"a.jsonl", "a.jsonl.gz", "a.csv", "a.csv.gz"}) {
    const formats::Format format = format_of(name);
    const std::string path = export_to(name, format);
    EXPECT_EQ(slurp(path).empty(), !path.ends_with(".gz")) << name;
    EXPECT_TRUE(import_text(slurp(path), in(format))) << name;
  }
  EXPECT_TRUE(to_.items().empty());
}

TEST_F(RoundTrip, CarriesAnEmptyTableInAwsFormat) {
  from_.create_table();
  to_.create_table();
  ImportOptions options = in(formats::Format::kAws);
  options.table = "t01";
  options.files = {export_to("folder", formats::Format::kAws)};
  EXPECT_TRUE(import_items(options, to_.endpoint, progress_));
  EXPECT_THROW(export_to("folder", formats::Format::kAws), formats::TransferFileError);
  EXPECT_THROW(
      export_items({.table = "none", .format = formats::Format::kAws, .out = directory_.file("no")},
                   from_.endpoint, progress_),
      std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(directory_.file("no")));
  EXPECT_FALSE(std::filesystem::exists(directory_.file("no.part")));
}

TEST_F(RoundTrip, CountsTheItemsOfAnAwsExport) {
  from_.create_table();
  to_.create_table();
  from_.put(R"({"pk":{"S":"a"},"sk":{"N":"1"}})");
  const std::string path = export_to("folder", formats::Format::kAws);
  const auto folder = std::filesystem::directory_iterator(path + "/AWSDynamoDB")->path();
  for (const std::string name : {"manifest-files", "manifest-summary"}) {
    for (const char* const end : {".checksum", ".md5"})
      std::filesystem::remove(folder / (name + end));
    std::string manifest = slurp(folder / (name + ".json"));
    manifest.replace(manifest.find(R"("itemCount":1)"), 13, R"("itemCount":2)");
    std::ofstream(folder / (name + ".json"), std::ios::trunc) << manifest;
  }
  ImportOptions options = in(formats::Format::kAws);
  options.table = "t01";
  options.files = {path};
  EXPECT_FALSE(import_items(options, to_.endpoint, progress_));
}

TEST_F(RoundTrip, TakesFilesThatBeginWithTheMarkOfUtf8) {
  to_.create_table();
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_TRUE(
      import_text(mark + "\"pk:S\",\"sk:N\"\r\n\"a\",\"1\"\r\n", in(formats::Format::kCsv)));
  EXPECT_TRUE(import_text(mark + R"({"pk":{"S":"b"},"sk":{"N":"1"}})"));
  EXPECT_EQ(to_.items().size(), 2U);
}

TEST_F(RoundTrip, PassesOverStrayQuotesAlone) {
  to_.create_table();
  std::string text = "pk:S,sk:N,x:S\n";
  for (int i = 0; i < 30'000; ++i) {
    const std::string number = std::to_string(i);
    text += i % 10'000 == 5 ? "5\" pipe,1,\n" : "p," + number + ",\"one\nphantom,1,x\nend\"\n";
  }
  ImportOptions options = in(formats::Format::kCsv);
  options.max_errors = 3;
  EXPECT_TRUE(import_text(text, options));
  EXPECT_EQ(to_.items().size(), 29'997U);
}

TEST_F(RoundTrip, KeepsItsInputFromItsErrors) {
  to_.create_table();
  ImportOptions options;
  options.errors_file = directory_.file("in");
  EXPECT_THROW(import_text(R"({"pk":{"S":"a"},"sk":{"N":"1"}})", options), std::runtime_error);
  EXPECT_NE(slurp(directory_.file("in")), "");
  options.errors_file = "/dev/full";
  options.max_errors = 9;
  EXPECT_FALSE(import_text("1\n2\n", options));
}

TEST_F(RoundTrip, RefusesToLoseAnything) {
  from_.create_table();
  from_.put(R"({"pk":{"S":"a"},"sk":{"N":"1"},"s":{"SS":["x"]}})");
  try {
    export_to("p.jsonl", formats::Format::kPlainJson);
    FAIL();
  } catch (const formats::TransferFileError& error) {
    EXPECT_NE(std::string(error.what()).find(R"(type SS of the item {"pk")"), std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(directory_.file("p.jsonl")));
  EXPECT_FALSE(std::filesystem::exists(directory_.file("p.jsonl.part")));
}

TEST_F(RoundTrip, ReplacesAFileOnlyWhenTold) {
  from_.create_table();
  const std::string path = export_to("f");
  EXPECT_THROW(export_to("f"), formats::TransferFileError);
  std::ofstream(path) << "old";
  export_items({.table = "t01", .out = path, .force = true}, from_.endpoint, progress_);
  EXPECT_EQ(slurp(path), "");
  EXPECT_THROW(
      export_items({.table = "t01", .out = directory_.file("no/f")}, from_.endpoint, progress_),
      formats::TransferFileError);
  EXPECT_THROW(
      export_items({.table = "none", .out = directory_.file("g")}, from_.endpoint, progress_),
      std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(directory_.file("g")));
}

TEST_F(RoundTrip, LetsTheLastItemOfAKeyWin) {
  to_.create_table();
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    const char* const form = i % 2 == 0 ? "" : ".0";
    text += R"({"pk":{"S":"a"},"sk":{"N":")" + std::to_string(i % 7) + form + R"("},"i":{"N":")" +
            std::to_string(i) + "\"}}\n";
  }
  EXPECT_TRUE(import_text(text));
  std::multiset<std::string> expected;
  for (int key = 0; key < 7; ++key) {
    const int last = 19'999 - (19'999 - key) % 7;
    expected.insert(R"({"i":{"N":")" + std::to_string(last) + R"("},"pk":{"S":"a"},"sk":{"N":")" +
                    std::to_string(key) + "\"}}");
  }
  EXPECT_EQ(to_.items(), expected);
}

TEST_F(RoundTrip, TakesItemsUnderTheMemberItem) {
  to_.create_table();
  EXPECT_TRUE(import_text(
      "{\"Item\":{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"}}}\r\n\n"
      " { \"\\u0049tem\" : {\"pk\":{\"S\":\"b\"},\"sk\":{\"N\":\"2\"},\"Item\":{\"M\":{}}} } "));
  EXPECT_EQ(to_.items(),
            (std::multiset<std::string>{R"({"pk":{"S":"a"},"sk":{"N":"1"}})",
                                        R"({"Item":{"M":{}},"pk":{"S":"b"},"sk":{"N":"2"}})"}));
}

TEST_F(RoundTrip, StopsAtTheFirstErrorAndNamesItsPlace) {
  to_.create_table();
  const std::string good = R"({"pk":{"S":"a"},"sk":{"N":"1"}})";
  const std::vector<std::string> bad = {
      "{",
      "[]",
      R"({"pk":{"S":"a"}})",
      R"({"pk":{"S":"a"},"sk":{"N":"x"}})",
      R"({"pk":{"S":"b"},"sk":{"N":"1"}}},{"PutRequest":{"Item":{"pk":{"S":"c"},"sk":{"N":"1"}})",
      R"({"pk":{"S":"a"},"sk":{"N":"1"},"x":{"S":1}})",
      "{\"pk\":{\"S\":\"\xFF\"},\"sk\":{\"N\":\"1\"}}",
      R"({"pk":{"S":"a"},"sk":{"N":"1"},"x":5})"};
  for (const std::string& line : bad) {
    ImportOptions options;
    options.errors_file = directory_.file("errors");
    EXPECT_FALSE(import_text(good + "\n\n" + line + "\n", options)) << line;
    const std::string errors = slurp(options.errors_file);
    EXPECT_TRUE(errors.starts_with(directory_.file("in") + ":3: ")) << errors;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    options.max_errors = 1;
    EXPECT_TRUE(import_text(good + "\n" + line + "\n", options)) << line;
    EXPECT_EQ(to_.items(), std::multiset<std::string>{good});
    to_.service.succeed("DeleteItem", R"({"TableName":"t01","Key":)" + good + "}");
  }
}

TEST_F(RoundTrip, NamesTheLineOfACsvRecord) {
  to_.create_table();
  const std::string head = "pk:S,\"sk:N\",x:BOOL\r\n\"a\n\",1,\r\n";
  for (const char* const bad :
       {"b,2", "b,2,yes", "b,2,true,", "\"b\"c,2,", "b,x,", ",2,", "\xFF,2,"}) {
    ImportOptions options = in(formats::Format::kCsv);
    options.errors_file = directory_.file("errors");
    EXPECT_FALSE(import_text(head + bad + "\n", options)) << bad;
    EXPECT_TRUE(slurp(options.errors_file).starts_with(directory_.file("in") + ":4: ")) << bad;
  }
  EXPECT_EQ(to_.items(), (std::multiset<std::string>{R"({"pk":{"S":"a\n"},"sk":{"N":"1"}})"}));
  for (const char* const columns : {"", "\n", "pk\n", "pk:S,pk:N\n", "pk:X\n", "\"pk:S\n"}) {
    EXPECT_EQ(import_text(columns, in(formats::Format::kCsv)), *columns == '\0') << columns;
  }
}

TEST_F(RoundTrip, NeedsATable) {
  EXPECT_THROW(import_text("{}"), std::runtime_error);
  ImportOptions options;
  options.create_from = directory_.file("d");
  EXPECT_THROW(import_text("{}", options), std::runtime_error);
  for (const char* const description :
       {"{", "{}", "[]", R"({"Table":{"KeySchema":1}})", R"({"KeySchema":[]})"}) {
    std::ofstream(options.create_from, std::ios::trunc) << description;
    EXPECT_THROW(import_text("{}", options), std::runtime_error) << description;
  }
}

TEST_F(RoundTrip, SurvivesMutatedLines) {
  to_.create_table();
  const std::string seed =
      R"({"Item":{"pk":{"S":"a"},"sk":{"N":"1"},"l":{"L":[{"B":"AA=="},{"SS":["x","y"]}]}}})";
  testing::RandomValues random(3);
  std::string text;
  for (int i = 0; i < 2'000; ++i) {
    std::string line = seed;
    for (std::size_t changes = random.below(4); changes > 0; --changes) {
      const std::size_t at = random.below(line.size());
      line.replace(at, random.below(3), 1, "{}[]\",:\\01SNBM\x80"[random.below(15)]);
    }
    text += line + "\n";
  }
  for (const formats::Format format : {formats::Format::kTypedJson, formats::Format::kPlainJson}) {
    ImportOptions options = in(format);
    options.max_errors = 1'000'000;
    EXPECT_TRUE(import_text(text, options));
  }
}

}  // namespace
}  // namespace magneto::server::tools
