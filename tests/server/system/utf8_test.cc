#include "server/system/utf8.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace magneto::server::system {
namespace {

TEST(AppendUtf8, WritesEachLength) {
  std::string text;
  for (const std::uint32_t code :
       {0u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    append_utf8(code, text);
  }
  EXPECT_EQ(text, std::string_view("\0\x7F\u0080\u07FF\u0800\uFFFF\U00010000\U0010FFFF", 20));
}

TEST(ToValidUtf8, KeepsWhatIsText) {
  for (const std::string_view text :
       {"", "plain \x01\x7F\n", "\xC2\x80\xDF\xBF", "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80",
        "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "a\xEF\xBF\xBD"}) {
    EXPECT_EQ(to_valid_utf8(text), text);
  }
  EXPECT_EQ(to_valid_utf8(std::string_view("\0", 1)), std::string_view("\0", 1));
}

TEST(ToValidUtf8, ReplacesEachByteThatIsPartOfNoCharacter) {
  for (const std::string_view bytes :
       {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xC2", "\xE0\x9F\xBF", "\xE2\x82", "\xED\xA0\x80",
        "\xEF\xBF", "\xF0\x8F\xBF\xBF", "\xF0\x90\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xFF\xFE"}) {
    std::string replaced = "a";
    for (std::size_t i = 0; i < bytes.size(); ++i) replaced += "\xEF\xBF\xBD";
    EXPECT_EQ(to_valid_utf8("a" + std::string(bytes)), replaced);
    EXPECT_EQ(to_valid_utf8("a" + std::string(bytes) + "z\xC3\xA9"), replaced + "z\xC3\xA9");
  }
}

TEST(FirstCharacters, EndBeforeACharacterThatIsCut) {
  EXPECT_EQ(first_characters("a\r\u00e4", 9), "a\r\u00e4");
  EXPECT_EQ(first_characters("a\r\u00e4", 4), "a\r\u00e4");
  EXPECT_EQ(first_characters("a\r\u00e4", 3), "a\r");
  EXPECT_EQ(first_characters("\U0001F600", 3), "");
}

TEST(SanitizeForLog, HasNoControlCharactersAndNothingButCharacters) {
  EXPECT_EQ(sanitize_for_log("It's \u00e4 text", 100), "It's \u00e4 text");
  EXPECT_EQ(sanitize_for_log(std::string_view("a\r\nb\0c\x7F\x1B[2J", 11), 100), "a  b c  [2J");
  EXPECT_EQ(sanitize_for_log("a\u0085b\u009Fc\u00A0", 100), "a b c\u00A0");
  EXPECT_EQ(sanitize_for_log("\xFF\xFEx\xED\xA0\x80", 100), "\uFFFD\uFFFDx\uFFFD\uFFFD\uFFFD");
}

TEST(SanitizeForLog, EndsWithAWholeCharacter) {
  EXPECT_EQ(sanitize_for_log("abc", 2), "ab");
  EXPECT_EQ(sanitize_for_log("a\u00e4", 2), "a");
  EXPECT_EQ(sanitize_for_log("a\u00e4", 3), "a\u00e4");
  EXPECT_EQ(sanitize_for_log("\U0001F600x", 3), "");
  EXPECT_EQ(sanitize_for_log("\U0001F600x", 4), "\U0001F600");
  EXPECT_EQ(sanitize_for_log("\xFF", 2), "");
  EXPECT_EQ(sanitize_for_log("x", 0), "");
}

TEST(SanitizeForLog, OfAnyBytes) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 20'000; ++turn) {
    std::string text(random() % 20, ' ');
    for (char& c : text)
      c = static_cast<char>(random() % 2 == 0 ? random() : 0xC0 + random() % 0x40);
    const std::size_t most = random() % 20;
    const std::string plain = sanitize_for_log(text, most);
    EXPECT_LE(plain.size(), most);
    EXPECT_EQ(to_valid_utf8(plain), plain);
    EXPECT_EQ(sanitize_for_log(plain, most), plain);
  }
}

}  // namespace
}  // namespace magneto::server::system
