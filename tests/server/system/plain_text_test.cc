#include "server/system/plain_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "server/system/readable_text.h"

namespace magneto::server::system {
namespace {

TEST(PlainText, HasNoControlCharactersAndNothingButCharacters) {
  EXPECT_EQ(plain_text("It's \u00e4 text", 100), "It's \u00e4 text");
  EXPECT_EQ(plain_text(std::string_view("a\r\nb\0c\x7F\x1B[2J", 11), 100), "a  b c  [2J");
  EXPECT_EQ(plain_text("a\u0085b\u009Fc\u00A0", 100), "a b c\u00A0");
  EXPECT_EQ(plain_text("\xFF\xFEx\xED\xA0\x80", 100), "\uFFFD\uFFFDx\uFFFD\uFFFD\uFFFD");
}

TEST(PlainText, EndsWithAWholeCharacter) {
  EXPECT_EQ(plain_text("abc", 2), "ab");
  EXPECT_EQ(plain_text("a\u00e4", 2), "a");
  EXPECT_EQ(plain_text("a\u00e4", 3), "a\u00e4");
  EXPECT_EQ(plain_text("\U0001F600x", 3), "");
  EXPECT_EQ(plain_text("\U0001F600x", 4), "\U0001F600");
  EXPECT_EQ(plain_text("\xFF", 2), "");
  EXPECT_EQ(plain_text("x", 0), "");
}

TEST(PlainText, OfAnyBytes) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 20'000; ++turn) {
    std::string text(random() % 20, ' ');
    for (char& c : text)
      c = static_cast<char>(random() % 2 == 0 ? random() : 0xC0 + random() % 0x40);
    const std::size_t most = random() % 20;
    const std::string plain = plain_text(text, most);
    EXPECT_LE(plain.size(), most);
    EXPECT_EQ(readable_text(plain), plain);
    EXPECT_EQ(plain_text(plain, most), plain);
  }
}

}  // namespace
}  // namespace magneto::server::system
