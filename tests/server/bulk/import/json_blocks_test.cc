#include "server/bulk/import/json_blocks.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/formats/byte_source.h"
#include "server/formats/format.h"
#include "tests/support/engines.h"

namespace magneto::server::bulk {
namespace {

using Records = std::vector<std::pair<std::size_t, std::string>>;

class JsonBlocksTest : public testing::Test {
 protected:
  // Each record with its line. What ends the file comes last, with line 0.
  Records read(const std::string& text) {
    const std::string path = directory_.file("items.json");
    std::ofstream(path, std::ios::binary) << text;
    formats::ByteSource source(path);
    JsonBlocks blocks(source);
    Records records;
    try {
      while (std::optional<formats::RecordBlock> block = blocks.next()) {
        std::string_view rest = block->text;
        for (std::size_t number = 0; !rest.empty(); ++number) {
          const std::string record(formats::take_line(rest));
          if (record.empty()) continue;
          records.emplace_back(
              block->lines.empty() ? block->first_line + number : block->lines.at(number), record);
        }
      }
      has_next_page_ = blocks.has_next_page();
    } catch (const formats::TransferFileError& error) {
      records.emplace_back(0, std::string(error.what()).substr(path.size()));
    }
    return records;
  }

  bool reads_next_page(const std::string& text) {
    read(text);
    return has_next_page_;
  }

  storage::TempDirectory directory_;
  bool has_next_page_ = false;
};

TEST_F(JsonBlocksTest, ReadsLines) {
  const Records two = {{1, R"({"a":1})"}, {3, R"({"Items":[1],"b":2})"}};
  EXPECT_EQ(read("{\"a\":1}\n\n{\"Items\":[1],\"b\":2}\n"), two);
  EXPECT_EQ(read("\xEF\xBB\xBF{\"a\":1}\r\n\r\n{\"Items\":[1],\"b\":2}"), two);
  EXPECT_EQ(read(""), Records());
  EXPECT_EQ(read("\n \n"), (Records{{2, " "}}));
  EXPECT_EQ(read("a,b\n1,2\n"), (Records{{1, "a,b"}, {2, "1,2"}}));
  // A line that is cut off spoils no other.
  EXPECT_EQ(read("{\"a\":1\n{\"b\":2}\n"), (Records{{1, R"({"a":1)"}, {2, R"({"b":2})"}}));
}

TEST_F(JsonBlocksTest, ReadsArrays) {
  EXPECT_EQ(read(R"([{"a":1},{"b":[{},"]}"]}])"),
            (Records{{1, R"({"a":1})"}, {1, R"({"b":[{},"]}"]})"}}));
  EXPECT_EQ(read("[\n  {\n    \"a\": 1\n  },\n  {}\n]\n"),
            (Records{{2, R"({     "a": 1   })"}, {5, "{}"}}));
  EXPECT_EQ(read("[]"), Records());
  EXPECT_EQ(read(R"([{"a":1}][{"b":1}])"), (Records{{1, R"({"a":1})"}, {1, R"({"b":1})"}}));
  EXPECT_EQ(read(R"([{"Items":[{}]}])"), (Records{{1, R"({"Items":[{}]})"}}));
}

// aws dynamodb scan, and json.dumps(table.scan()).
TEST_F(JsonBlocksTest, ReadsAnswersOfScan) {
  const std::string pretty =
      "{\n    \"Items\": [\n        {\n            \"p\": {\n                \"S\": \"x\\\"]\"\n"
      "            }\n        },\n        {\"p\": {\"S\": \"y\"}}\n    ],\n    \"Count\": 2,\n"
      "    \"ScannedCount\": 2,\n    \"ConsumedCapacity\": null\n}\n";
  const Records found = read(pretty);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first, 3U);
  EXPECT_EQ(found[1], (std::pair<std::size_t, std::string>(8, R"({"p": {"S": "y"}})")));
  EXPECT_EQ(read(pretty + pretty).size(), 4U);
  const Records one = {{1, R"({"p":{"S":"x"}})"}};
  EXPECT_EQ(read(R"({"Items":[{"p":{"S":"x"}}],"Count":1,"ScannedCount":1})"), one);
  EXPECT_EQ(read(R"({"Count":1,"Items":[{"p":{"S":"x"}}],"LastEvaluatedKey":{"p":{"S":"]}"}}})"),
            one);
  EXPECT_EQ(read(R"({"Items":[],"Count":0})"), Records());
}

TEST_F(JsonBlocksTest, SeesThatAnAnswerIsNotTheLastPage) {
  const std::string items = R"("Items":[{"p":{"S":"x"},"LastEvaluatedKey":{"S":"y"}}])";
  const std::string key = R"("LastEvaluatedKey":{"p":{"S":"x"}})";
  const std::string token = R"("NextToken": "abc")";
  for (const std::string& end : {key, token}) {
    EXPECT_TRUE(reads_next_page("{" + items + "," + end + "}"));
    EXPECT_TRUE(reads_next_page("{" + end + "," + items + "}"));
    EXPECT_TRUE(
        reads_next_page("{\n" + items + ",\n\"Count\":1,\n" + end + ",\"ScannedCount\":1\n}\n"));
    EXPECT_TRUE(reads_next_page("{" + items + R"(,"$metadata":{"attempts":1},)" + end + "}"));
    // The last answer counts. An item with such attributes does not.
    EXPECT_FALSE(reads_next_page("{\n" + items + "," + end + "}\n{" + items + "}"));
    EXPECT_TRUE(reads_next_page("{\n" + items + "}\n{" + end + "," + items + "}"));
    EXPECT_FALSE(reads_next_page("{\n" + end + "}"));
    EXPECT_FALSE(reads_next_page("{\n" + end + R"(,"id":"x"})"));
    EXPECT_FALSE(reads_next_page("[{" + end + "}]"));
  }
  EXPECT_FALSE(reads_next_page("{" + items + "}"));
  EXPECT_FALSE(reads_next_page(
      "{" + items + R"(,"LastEvaluatedKey":null,"ConsumedCapacity":{"TableName":"t"}})"));
  EXPECT_FALSE(reads_next_page("{" + items + R"(,"LastEvaluatedKey":{},"NextToken":null})"));
  EXPECT_FALSE(reads_next_page(
      "{" + items +
      R"(,"ConsumedCapacity":{"NextToken":"x","LastEvaluatedKey":{"p":{"S":"x"}}}})"));
}

TEST_F(JsonBlocksTest, TakesAnItemThatHasItems) {
  const std::string order = R"({"Items":[{"sku":1}],"id":"x"})";
  EXPECT_EQ(read(order), (Records{{1, order}}));
  const std::string typed = R"({"Items":{"L":[]},"Count":{"N":"1"}})";
  EXPECT_EQ(read("{\n" + typed.substr(1)), (Records{{1, "{ " + typed.substr(1)}}));
  EXPECT_EQ(read("{\n\"id\":\"x\",\"Items\":[{\"sku\":1}]}"),
            (Records{{1, R"({ "id":"x","Items":[{"sku":1}]})"}}));
}

TEST_F(JsonBlocksTest, ReadsValuesOnSeveralLines) {
  EXPECT_EQ(read("{\n\"a\":1\n}\n{\"b\":2}{\n}"),
            (Records{{1, R"({ "a":1 })"}, {4, R"({"b":2})"}, {4, "{ }"}}));
}

TEST_F(JsonBlocksTest, GivesWhatIsWholeBeforeItFails) {
  EXPECT_EQ(read("[{\"a\":1},\n{\"b\":"),
            (Records{{1, R"({"a":1})"}, {0, ":2: begins a JSON value that has no end"}}));
  EXPECT_EQ(
      read("[{\"a\":1},\n7]"),
      (Records{{1, R"({"a":1})"},
               {0, ":2: has something other than a JSON object where an item should begin"}}));
  EXPECT_EQ(
      read("[[{}]]"),
      (Records{{0, ":1: has something other than a JSON object where an item should begin"}}));
  EXPECT_EQ(read("[{\"a\":\"\n\"}]"),
            (Records{{0, ":1: has a string that continues after the end of a line"}}));
  EXPECT_EQ(
      read("[{}] x"),
      (Records{{1, "{}"},
               {0, ":1: has something other than a JSON object where an item should begin"}}));
}

TEST_F(JsonBlocksTest, IsBounded) {
  const std::string most(formats::kMaxRecordBytes - 8, 'x');
  EXPECT_EQ(read("[{\"a\":\"" + most + "\"}]").back().second.size(), formats::kMaxRecordBytes);
  EXPECT_EQ(read("[{\"a\":\"" + most + "y\"}]"),
            (Records{{0, ":1: is longer than any item can be"}}));
  // Many blocks, and one line without an end.
  std::string many = "[";
  constexpr std::size_t kCount = 300'000;
  for (std::size_t i = 0; i < kCount; ++i) many += R"({"p":{"S":"0123456789"}},)";
  many.back() = ']';
  EXPECT_GT(many.size(), formats::kMaxRecordBytes - (1 << 20));
  EXPECT_EQ(read(many).size(), kCount);
  EXPECT_EQ(read(R"({"Items":)" + many + R"(,"Count":300000})").size(), kCount);
}

// In any layout, and with any sizes of the pieces read.
TEST_F(JsonBlocksTest, SeesTheSameItemsInEveryLayout) {
  std::string lines;
  std::string pretty = "{\n\"Items\":\n[\n";
  for (int i = 0; i < 20'000; ++i) {
    const std::string value = R"({"p":{"S":"\")" + std::to_string(i) + R"(}{][\\"}})";
    lines += value + "\n";
    pretty += (i == 0 ? "" : ",\n") + value;
  }
  const Records expected = read(lines);
  const Records found = read(pretty + "]}");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].second, expected[i].second);
    ASSERT_EQ(found[i].first, expected[i].first + 3);
  }
}

}  // namespace
}  // namespace magneto::server::bulk
