#include "server/system/readable_text.h"

#include <gtest/gtest.h>

namespace magneto::server::system {
namespace {

TEST(ReadableText, KeepsWhatIsText) {
  for (const std::string_view text :
       {"", "plain \x01\x7F\n", "\xC2\x80\xDF\xBF", "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80",
        "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "a\xEF\xBF\xBD"}) {
    EXPECT_EQ(readable_text(text), text);
  }
  EXPECT_EQ(readable_text(std::string_view("\0", 1)), std::string_view("\0", 1));
}

TEST(ReadableText, ReplacesEachByteThatIsPartOfNoCharacter) {
  for (const std::string_view bytes :
       {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xC2", "\xE0\x9F\xBF", "\xE2\x82", "\xED\xA0\x80",
        "\xEF\xBF", "\xF0\x8F\xBF\xBF", "\xF0\x90\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xFF\xFE"}) {
    std::string replaced = "a";
    for (std::size_t i = 0; i < bytes.size(); ++i) replaced += "\xEF\xBF\xBD";
    EXPECT_EQ(readable_text("a" + std::string(bytes)), replaced);
    EXPECT_EQ(readable_text("a" + std::string(bytes) + "z\xC3\xA9"), replaced + "z\xC3\xA9");
  }
}

}  // namespace
}  // namespace magneto::server::system
