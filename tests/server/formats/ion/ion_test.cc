#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "api/json/attribute_value_json.h"
#include "server/bulk/export/ion_line.h"
#include "server/formats/body_encoding.h"
#include "server/formats/format.h"
#include "server/formats/ion/ion_blocks.h"
#include "server/formats/ion/ion_text.h"
#include "server/formats/messages.h"
#include "tests/support/engines.h"

namespace magneto::server::formats {
namespace {

using Problems = std::vector<std::pair<std::size_t, std::string>>;

class IonTest : public testing::Test {
 protected:
  // Returns the lines of all records of a file. Refused records are added to problems_.
  std::string read(std::string_view bytes) {
    std::ofstream(path_, std::ios::trunc | std::ios::binary) << bytes;
    problems_.clear();
    ByteSource source(path_);
    IonBlocks blocks(source, [&](std::size_t record, std::string_view problem) {
      problems_.emplace_back(record, problem);
    });
    std::string lines;
    std::size_t records = 0;
    while (const auto block = blocks.next()) {
      EXPECT_EQ(block->first_line, records + 1);
      records += static_cast<std::size_t>(std::ranges::count(block->text, '\n'));
      lines += block->text;
    }
    return lines;
  }

  // Returns the line of one item whose attribute has this text.
  std::string value(std::string_view text) {
    const std::string line = read("$ion_1_0 {Item:{a:" + std::string(text) + "}}\n");
    if (!problems_.empty()) return problems_.front().second;
    constexpr std::string_view kBefore = R"({"Item":{"a":)";
    EXPECT_TRUE(line.starts_with(kBefore)) << line;
    EXPECT_TRUE(line.ends_with("}}\n")) << line;
    return line.substr(kBefore.size(), line.size() - kBefore.size() - 3);
  }

  // The same for a value in binary.
  std::string binary_value(std::string_view bytes) {
    // Symbols 10 and 11.
    const std::string symbols = "\x87" + with_length(11, std::string("\x84Item\x81") + "a");
    std::string file(IonBinary::kVersionMarker);
    file += with_length(14, "\x81\x83" + with_length(13, symbols));
    file += with_length(13, "\x8A" + with_length(13, "\x8B" + std::string(bytes)));
    const std::string line = read(file);
    if (!problems_.empty()) return problems_.front().second;
    constexpr std::string_view kBefore = R"({"Item":{"a":)";
    EXPECT_TRUE(line.starts_with(kBefore)) << line;
    return line.substr(kBefore.size(), line.size() - kBefore.size() - 3);
  }

  static std::string with_length(unsigned type, std::string_view body) {
    std::string length;
    std::size_t size = body.size();
    length += static_cast<char>(0x80 | (size & 0x7F));
    while (size >>= 7) length.insert(length.begin(), static_cast<char>(size & 0x7F));
    return static_cast<char>(type << 4 | 14) + length + std::string(body);
  }

  const storage::TempDirectory directory_;
  const std::string path_ = directory_.file("f");
  Problems problems_;
};

TEST_F(IonTest, ReadsValuesOfText) {
  const std::pair<const char*, const char*> kValues[] = {
      {R"("x")", R"({"S":"x"})"},
      {R"("")", R"({"S":""})"},
      {R"("\n\t\"\\\x41\u00e9\U0001F600\uD83D\uDE00\/")",
       "{\"S\":\"\\n\\t\\\"\\\\A\xC3\xA9\xF0\x9F\x98\x80\xF0\x9F\x98\x80/\"}"},
      {"'''a\r\nb''' /* and */ '''c'''", R"({"S":"a\nbc"})"},
      {"103.", R"({"N":"103"})"},
      {"1_000.25", R"({"N":"1000.25"})"},
      {"-1.5d-3", R"({"N":"-1.5E-3"})"},
      {"0d+5", R"({"N":"0E+5"})"},
      {"12", R"({"N":"12"})"},
      {"2e0", R"({"N":"2E0"})"},
      {"true", R"({"BOOL":true})"},
      {"false", R"({"BOOL":false})"},
      {"null", R"({"NULL":true})"},
      {"null.string", R"({"NULL":true})"},
      {"{{ AAEC }}", R"({"B":"AAEC"})"},
      {"{{}}", R"({"B":""})"},
      {"[]", R"({"L":[]})"},
      {R"([1., "a", [true,],])", R"({"L":[{"N":"1"},{"S":"a"},{"L":[{"BOOL":true}]}]})"},
      {R"({'b c':"x",d:{},"e":null, '''f''':1})",
       R"({"M":{"b c":{"S":"x"},"d":{"M":{}},"e":{"NULL":true},"f":{"N":"1"}}})"},
      {R"($dynamodb_SS::["a","b"])", R"({"SS":["a","b"]})"},
      {R"('$dynamodb_NS' :: [1.,-2.5])", R"({"NS":["1","-2.5"]})"},
      {R"($dynamodb_BS::[{{AAEC}}])", R"({"BS":["AAEC"]})"},
      {R"(other::$dynamodb_SS::["a"])", R"({"SS":["a"]})"},
      {"\n  // a comment }\n \"x\"", R"({"S":"x"})"},
  };
  for (const auto& [text, json] : kValues) EXPECT_EQ(value(text), json) << text;
}

TEST_F(IonTest, SaysWhatTextIsNoItem) {
  using namespace messages;
  const std::string deep = std::string(70, '[') + std::string(70, ']');
  const std::pair<std::string, std::string_view> kValues[] = {
      {"2026-01-01", kNoDynamoDbType},
      {"2026T", kNoDynamoDbType},
      {"word", kNoDynamoDbType},
      {"'word'", kNoDynamoDbType},
      {"0x1F", kNoDynamoDbType},
      {"nan", kNoDynamoDbType},
      {"+inf", kNoDynamoDbType},
      {"007", kNoDynamoDbType},
      {"1__0", kNoDynamoDbType},
      {"{{\"clob\"}}", kNoDynamoDbType},
      {"(a b)", kNoIon},
      {"{{AA}}", kNoIon},
      {"\"a", kNoIon},
      {"\"\\q\"", kNoIon},
      {"\"\\uD83D\"", kNoIon},
      {"[1 2]", kNoIon},
      {"{a 1}", kNoIon},
      {"{$10:1}", kIonSymbolNumber},
      {"$dynamodb_SS::[1.]", kOtherInSet},
      {"$dynamodb_SS::[[\"a\"]]", kOtherInSet},
      {"$dynamodb_NS::[null]", kOtherInSet},
      {deep, kTooDeep},
      {"\"\xFF\"", kNoUtf8},
  };
  for (const auto& [text, problem] : kValues) EXPECT_EQ(value(text), problem) << text;
  for (const char* const record :
       {"{}", "1", "null", "[{Item:{}}]", "{Item:1}", "{Item:{},Item:{}}", "{Other:{}}",
        "{Item:{},Other:1}", "\"Item\""}) {
    EXPECT_EQ(read(record), "\n") << record;
    EXPECT_EQ(problems_, (Problems{{1, std::string(kNoIonItem)}})) << record;
  }
}

TEST_F(IonTest, FindsItsWayBehindWhatIsNoIon) {
  EXPECT_EQ(read("{Item:{a:1}}\n{Item:{a:}}\n{Item:{a:3}} {Item:{a:4}}\n"),
            "{\"Item\":{\"a\":{\"N\":\"1\"}}}\n\n{\"Item\":{\"a\":{\"N\":\"3\"}}}\n"
            "{\"Item\":{\"a\":{\"N\":\"4\"}}}\n");
  EXPECT_EQ(problems_.size(), 1U);
  // A record without an end does not include another one.
  EXPECT_EQ(read("$ion_1_0 {Item:{a:[\n\n}}\n$ion_1_0\n{Item:{a:2}}\n$ion_1_0 {Item"),
            "\n{\"Item\":{\"a\":{\"N\":\"2\"}}}\n\n");
  EXPECT_EQ(problems_,
            (Problems{{1, std::string(messages::kNoIon)}, {3, std::string(messages::kNoIon)}}));
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("$ion_1_0\n// nothing"), "");
  EXPECT_EQ(read("/*"), "\n");
}

TEST_F(IonTest, ReadsValuesOfBinary) {
  using namespace messages;
  const std::pair<std::string, std::string_view> kValues[] = {
      {"\x81x", R"({"S":"x"})"},
      {"\x80", R"({"S":""})"},
      {"\x20", R"({"N":"0"})"},
      {"\x21\x07", R"({"N":"7"})"},
      {"\x32\x01\x02", R"({"N":"-258"})"},
      {"\x50", R"({"N":"0"})"},
      {"\x52\xC1\x0F", R"({"N":"15E-1"})"},
      {"\x52\x81\x8F", R"({"N":"-15E1"})"},
      {"\x51\x80", R"({"N":"0"})"},
      {std::string("\x48\x3F\xF8\0\0\0\0\0\0", 9), R"({"N":"1.5"})"},
      {std::string("\x44\xC0\0\0\0", 5), R"({"N":"-2"})"},
      {"\x40", R"({"N":"0"})"},
      {"\x11", R"({"BOOL":true})"},
      {"\x10", R"({"BOOL":false})"},
      {"\x0F", R"({"NULL":true})"},
      {"\x8F", R"({"NULL":true})"},
      {std::string("\xA2\0\1", 3), R"({"B":"AAE="})"},
      {"\xB4\x81x\x21\x01", R"({"L":[{"S":"x"},{"N":"1"}]})"},
      {"\xD3\x8B\x21\x05", R"({"M":{"a":{"N":"5"}}})"},
      {"\xDE\x83\x8B\x21\x05", R"({"M":{"a":{"N":"5"}}})"},
      {"\xD1\x83\x8B\x21\x05", R"({"M":{"a":{"N":"5"}}})"},
      {"\x8E\x82xy", R"({"S":"xy"})"},
      {std::string("\x48\x7F\xF0\0\0\0\0\0\0", 9), kNoDynamoDbType},
      {"\x71\x0B", kNoDynamoDbType},
      {"\x91x", kNoDynamoDbType},
      {"\xC0", kNoDynamoDbType},
      {"\x63\x80\x0F\xD0", kNoDynamoDbType},
      {"\xD3\xFF\x21\x05", kIonSymbolNumber},
      {"\x81\xFF", kNoUtf8},
  };
  for (const auto& [bytes, json] : kValues) {
    EXPECT_EQ(binary_value(bytes), json) << testing::PrintToString(bytes);
  }
}

TEST_F(IonTest, SaysWhereBinaryCannotBeRead) {
  const std::string marker(IonBinary::kVersionMarker);
  const std::pair<std::string, std::string_view> kFiles[] = {
      {marker + "\x85x", messages::kNoIon},          // shorter than its length
      {marker + "\xF1", messages::kNoIon},           // a type that does not exist
      {marker + "\xD3\x8B\x85x", messages::kNoIon},  // a value longer than its container
      {marker + "\xDE" + std::string(12, '\x7F'), messages::kNoIon},
      {marker + "\xDE\x7F\x7F\x7F\xFF", messages::kRecordTooLong},
      {marker + with_length(14, "\x81\x83" + with_length(13, "\x86" + with_length(11, "\xD0"))),
       messages::kIonSharedSymbols},
  };
  for (const auto& [bytes, problem] : kFiles) {
    try {
      read(bytes);
      ADD_FAILURE() << problem;
    } catch (const TransferFileError& error) {
      EXPECT_EQ(error.what(), messages::kAtRecord(path_, 1, problem));
    }
  }
  EXPECT_EQ(read(marker), "");
  EXPECT_EQ(read(marker + "\x02xx" + marker), "");  // filling
}

// Names are long and written often.
TEST_F(IonTest, AnItemThatSymbolsMakeLongIsRefused) {
  const std::string name(1 << 20, 'n');
  std::string fields;
  for (int i = 0; i < 1'000; ++i) fields += "\x8B\x21\x01";
  const std::string symbols = "\x87" + with_length(11, "\x84Item" + with_length(8, name));
  EXPECT_EQ(read(std::string(IonBinary::kVersionMarker) +
                 with_length(14, "\x81\x83" + with_length(13, symbols)) +
                 with_length(13, "\x8A" + with_length(13, fields))),
            "\n");
  EXPECT_EQ(problems_, (Problems{{1, std::string(messages::kRecordTooLong)}}));
}

TEST_F(IonTest, ARecordWithoutAnEndEndsTheFile) {
  EXPECT_THROW(read("{Item:{a:\"" + std::string(2 * kMaxRecordBytes, 'x')), TransferFileError);
}

// Also if the file's compression is damaged.
TEST_F(IonTest, GivesTheRecordsBeforeADamage) {
  const std::string text = "{Item:{a:\"x\"}}\n";
  const std::string item = R"({"Item":{"a":{"S":"x"}}})"
                           "\n";
  std::string binary(IonBinary::kVersionMarker);
  binary += with_length(
      14,
      "\x81\x83" + with_length(13, "\x87" + with_length(11, std::string("\x84Item\x81") + "a")));
  binary += with_length(13, "\x8A" + with_length(13, "\x8B\x81x"));
  std::string member;
  std::string cut;
  ASSERT_TRUE(deflate_body(Coding::kGzip, text, member));
  ASSERT_TRUE(deflate_body(Coding::kGzip, text + text, cut));
  for (const std::string& file :
       {binary + "\xDE", text + "{Item:{a:\"" + std::string(2 * kMaxRecordBytes, 'x'),
        member + cut.substr(0, 12)}) {
    std::ofstream(path_, std::ios::trunc | std::ios::binary) << file;
    ByteSource source(path_);
    IonBlocks blocks(source, [](std::size_t, std::string_view) { ADD_FAILURE(); });
    const auto block = blocks.next();
    ASSERT_TRUE(block);
    EXPECT_EQ(block->text, item);
    EXPECT_THROW(blocks.next(), TransferFileError);
    EXPECT_THROW(blocks.next(), TransferFileError);
  }
}

TEST_F(IonTest, WritesWhatItReads) {
  const char* const kItems[] = {
      R"({"pk":{"S":"x"},"n":{"N":"-1.50"},"e":{"N":"1E+125"},"b":{"B":"AAEC"},"t":{"BOOL":true}})",
      R"({"null":{"NULL":true},"true":{"L":[{"L":[]},{"M":{}}]},"$10":{"M":{"a b":{"S":""}}}})",
      R"({"ss":{"SS":["a","b"]},"ns":{"NS":["1","2.5"]},"bs":{"BS":["AA==","AAEC"]}," ":{"S":"'"}})",
      R"({"s":{"S":"\u0000\u0001\n\r\t\"\\\u007f' é 😀"},"q'\\\n":{"S":"'''"}})",
  };
  std::string file;
  std::string expected;
  for (const char* const item : kItems) {
    std::string text = item;
    api::json::Document document;
    const storage::Item stored =
        api::json::read_item(*document.parse(text), api::json::kOlderDialect);
    bulk::append_ion_line(stored, file);
    expected += "{\"Item\":";
    api::json::append_item(expected, stored);
    expected += "}\n";
  }
  EXPECT_EQ(std::ranges::count(file, '\n'), 4);
  std::string read_back = read(file);
  EXPECT_TRUE(problems_.empty());
  EXPECT_EQ(read_back, expected);
}

TEST_F(IonTest, RecordsOfAnySizeComeWhole) {
  std::mt19937 random(11);
  std::string file;
  std::string expected;
  for (int i = 0; i < 3'000; ++i) {
    const std::string text(random() % (i % 100 == 0 ? 900'000 : 1'000), 'x');
    file += "$ion_1_0 {Item:{a:\"" + text + "\"}}\n";
    expected += "{\"Item\":{\"a\":{\"S\":\"" + text + "\"}}}\n";
  }
  EXPECT_EQ(read(file), expected);
  EXPECT_TRUE(problems_.empty());
}

}  // namespace
}  // namespace magneto::server::formats
