#include "api/json/text_block.h"

#include <gtest/gtest.h>

#include <string>

#include "api/json/json_writer.h"

namespace magneto::api::json {
namespace {

std::string put_string(const std::string& text) {
  std::string out = "before";
  TextBlock(out).put_string(text);
  return out;
}

std::string expected(const std::string& text) {
  std::string out = "before";
  append_string(out, text);
  return out;
}

TEST(TextBlock, StringsOfAllLengths) {
  std::string text;
  for (int i = 0; i < 3'000; ++i) {
    EXPECT_EQ(put_string(text), "before\"" + text + "\"");
    text += static_cast<char>(i % 3 == 0 ? 0xC3 + i % 2 : ' ' + i % 2);
  }
}

TEST(TextBlock, EscapesWhereverTheyStand) {
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

TEST(TextBlock, BytesNextToSpecialOnesAreKept) {
  std::string text;
  for (int i = 0x20; i < 0x80; ++i) {
    if (i != '"' && i != '\\') text += static_cast<char>(i);
  }
  EXPECT_EQ(put_string(text), "before\"" + text + "\"");
}

TEST(TextBlock, PiecesComeInOrderHoweverManyThereAre) {
  std::string out;
  std::string all;
  TextBlock block(out);
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
