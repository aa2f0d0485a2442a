#include "server/system/sentence.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace magneto::server::system {
namespace {

constexpr Sentence<2> kUnknown{"host {host} is unknown: {why}"};

TEST(Sentence, HasItsArgumentsInThePlacesOfTheirNames) {
  EXPECT_EQ(kUnknown("a.example", std::string("no such name")),
            "host a.example is unknown: no such name");
  EXPECT_EQ(kUnknown("", std::string_view()), "host  is unknown: ");
  EXPECT_EQ(kUnknown("{why}", "{{}}"), "host {why} is unknown: {{}}");
  EXPECT_EQ(kUnknown(std::string_view("a\0b", 3), "it ends"),
            std::string_view("host a\0b is unknown: it ends", 28));
  constexpr Sentence<1> kAlone{"{name}"};
  EXPECT_EQ(kAlone(""), "");
  EXPECT_EQ(kAlone(std::string(1000, 'x')), std::string(1000, 'x'));
}

TEST(Sentence, RepeatsAnArgumentWhereItsNameOccursAgain) {
  constexpr Sentence<3> kColumn{"{name}{type} in {file}: {name}:{type}{name}"};
  EXPECT_EQ(kColumn("a", "S", "x.csv"), "aS in x.csv: a:Sa");
}

TEST(Sentence, WritesDoubledBracesOnce) {
  constexpr Sentence<1> kVariable{"}}${{{name}}} or {{name}}{{"};
  EXPECT_EQ(kVariable("x"), "}${x} or {name}{");
}

TEST(Sentence, TakesWholeNumbersOfAnyWidth) {
  constexpr Sentence<2> kRange{"from {least} to {most}"};
  EXPECT_EQ(kRange(std::int8_t{-128}, std::uint8_t{255}), "from -128 to 255");
  EXPECT_EQ(kRange(0, std::uint16_t{8000}), "from 0 to 8000");
  EXPECT_EQ(
      kRange(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max()),
      "from -9223372036854775808 to 18446744073709551615");
}

TEST(Sentence, TakesAsManyTextsAndNumbersAsItHasNames) {
  using Two = Sentence<2>;
  static_assert(std::is_invocable_v<Two, const char*, int>);
  static_assert(!std::is_invocable_v<Two, const char*>);
  static_assert(!std::is_invocable_v<Two, const char*, int, int>);
}

bool is_sentence(std::string_view text, std::size_t names) {
  try {
    SentenceReader reader(text);
    while (reader.next()) continue;
    return reader.names() == names;
  } catch (const char*) {
    return false;
  }
}

TEST(Sentence, IsCheckedForItsBracesAndNames) {
  EXPECT_TRUE(is_sentence("", 0));
  EXPECT_TRUE(is_sentence("{a}{b_c}{a}", 2));
  EXPECT_TRUE(is_sentence("{a}{b}{c}{d}{e}{f}{g}{h}{a}", 8));
  for (const char* const text : {"{", "}", "a {", "a } b", "{}", "{a", "{a}}", "{{a}", "{0}", "{A}",
                                 "{a b}", "{a:d}", "{a}{b}{c}{d}{e}{f}{g}{h}{i}"}) {
    EXPECT_FALSE(is_sentence(text, 1)) << text;
  }
}

}  // namespace
}  // namespace magneto::server::system
