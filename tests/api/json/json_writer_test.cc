#include "api/json/json_writer.h"

#include <gtest/gtest.h>

#include "api/json/json_reader.h"

namespace magneto::api::json {
namespace {

std::string literal_of(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

TEST(JsonWriter, EscapesWhatJsonAsksFor) {
  EXPECT_EQ(literal_of(""), "\"\"");
  EXPECT_EQ(literal_of("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(literal_of(std::string_view("\0\x01\x1f\b\f\n\r\t", 8)),
            R"("\u0000\u0001\u001f\b\f\n\r\t")");
  EXPECT_EQ(literal_of("\x7f/\xC3\xA9\xF0\x9F\x98\x80"), "\"\x7f/\xC3\xA9\xF0\x9F\x98\x80\"");
}

TEST(JsonWriter, FindsAnEscapeAtEveryPlaceOfALongText) {
  Document document;
  for (std::size_t length = 1; length < 40; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (const char c : {'"', '\\', '\n', '\x1f', ' ', '!', '[', ']', '#', '\x7f'}) {
        std::string text(length, 'x');
        text[at] = c;
        std::string json = literal_of(text);
        const auto read = document.parse(json);
        ASSERT_TRUE(read) << json;
        EXPECT_EQ(read->string(), text);
      }
    }
  }
}

TEST(JsonWriter, WritesNumbersAndTimes) {
  std::string out;
  append_double(out, 2);
  out += ' ';
  append_double(out, 0.5);
  out += ' ';
  append_double(out, 128.5);
  out += ' ';
  append_time(out, 1790000000.123);
  out += ' ';
  append_time(out, 1790000000.05);
  out += ' ';
  append_time(out, 1790000000);
  EXPECT_EQ(out, "2 0.5 128.5 1790000000.123 1790000000.050 1790000000");
}

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
  std::string out;
  Writer writer(out);
  writer.begin_object();
  writer.key("a");
  writer.begin_array();
  writer.integer(-1);
  writer.string("x");
  writer.begin_object();
  writer.end_object();
  writer.null();
  writer.end_array();
  writer.escaped_key("q\"");
  writer.boolean(true);
  writer.key("r");
  writer.raw() += "[1,2]";
  writer.key("n");
  writer.number(1.5);
  writer.end_object();
  EXPECT_EQ(out, R"({"a":[-1,"x",{},null],"q\"":true,"r":[1,2],"n":1.5})");
}

}  // namespace
}  // namespace magneto::api::json
