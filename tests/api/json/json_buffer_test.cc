#include "api/json/json_buffer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace magneto::api::json {
namespace {

std::string put_string(const std::string& text) {
  std::string out = "before";
  JsonBuffer buffer(out);
  buffer.put_string(text);
  buffer.flush();
  return out;
}

// Byte by byte.
std::string expected(const std::string& text) {
  const std::map<char, std::string> named = {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}};
  std::string out = "before\"";
  for (const char c : text) {
    const auto found = named.find(c);
    if (found != named.end()) {
      out += found->second;
    } else if (c >= 0 && c < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

TEST(JsonBuffer, StringsOfAllLengths) {
  std::string text;
  for (int i = 0; i < 3'000; ++i) {
    EXPECT_EQ(put_string(text), "before\"" + text + "\"");
    text += static_cast<char>(i % 3 == 0 ? 0xC3 + i % 2 : ' ' + i % 2);
  }
}

TEST(JsonBuffer, EscapesWhereverTheyStand) {
  for (const char special : {'"', '\\', '\n', '\x01', '\x1f', '\0'}) {
    for (std::size_t size = 1; size < 70; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'a');
        text[at] = special;
        EXPECT_EQ(put_string(text), expected(text)) << size << " " << at;
      }
    }
  }
}

TEST(JsonBuffer, EscapesInTextsLongerThanABlock) {
  std::string text;
  for (int i = 0; i < 6'000; ++i) {
    text += i % 7 == 0 || i % 911 < 40 ? '"' : i % 13 == 0 ? '\x1e' : 'a';
    if (i % 97 != 0) continue;
    ASSERT_EQ(put_string(text), expected(text)) << i;
  }
}

TEST(JsonBuffer, BytesNextToSpecialOnesAreKept) {
  std::string text;
  for (int i = 0x20; i < 0x80; ++i) {
    if (i != '"' && i != '\\') text += static_cast<char>(i);
  }
  EXPECT_EQ(put_string(text), "before\"" + text + "\"");
}

TEST(JsonBuffer, PiecesComeInOrderHoweverManyThereAre) {
  std::string out;
  std::string all;
  JsonBuffer block(out);
  for (int i = 0; i < 2'000; ++i) {
    const std::string text(static_cast<std::size_t>(i % 37), 'x');
    block.put('[');
    block.put("literal");
    block.put_plain(text);
    block.put_string(text);
    all += "[literal" + text + "\"" + text + "\"";
    if (i % 100 == 0) {
      block.out() += "own";
      all += "own";
    }
  }
  const std::string longer(5'000, 'y');
  block.put_plain(longer);
  block.flush();
  EXPECT_EQ(out, all + longer);
}

}  // namespace
}  // namespace magneto::api::json
