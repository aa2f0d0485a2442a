#include "server/formats/plain_json.h"

#include <gtest/gtest.h>

#include <random>

namespace magneto::server::formats {
namespace {

std::string typed(std::string_view text) {
  std::string item;
  const auto problem = read_plain_item(text, item);
  return problem ? std::string(*problem) : item;
}

TEST(PlainJson, GivesEachValueItsType) {
  EXPECT_EQ(
      typed(R"({"s":"x","e":"","n":1.50,"t":true,"f":false,"z":null})"),
      R"({"s":{"S":"x"},"e":{"S":""},"n":{"N":"1.50"},"t":{"BOOL":true},"f":{"BOOL":false},"z":{"NULL":true}})");
  EXPECT_EQ(typed(R"( { "l" : [ 1 , "a" , [ ] ] , "m" : { "k" : { } } } )"),
            R"({"l":{"L":[{"N":"1"},{"S":"a"},{"L":[]}]},"m":{"M":{"k":{"M":{}}}}})");
  EXPECT_EQ(typed("{}"), "{}");
  EXPECT_EQ(typed(R"({"q":"a\"b\\","}":"{"})"), R"({"q":{"S":"a\"b\\"},"}":{"S":"{"}})");
}

TEST(PlainJson, KeepsAllDigits) {
  EXPECT_EQ(typed(R"({"n":-12345678901234567890123456789012345678})"),
            R"({"n":{"N":"-12345678901234567890123456789012345678"}})");
  EXPECT_EQ(typed(R"({"n":0.1E-125})"), R"({"n":{"N":"0.1E-125"}})");
}

TEST(PlainJson, RefusesWhatIsNoObject) {
  for (
      const char* const text :
      {"",           " ",           "[]",          "1",           "\"a\"",           "{",
       "}",          "{}x",         "{} {}",       "{\"a\"}",     "{\"a\":}",        "{\"a\":1,}",
       "{a:1}",      "{\"a\":01}",  "{\"a\":1.}",  "{\"a\":.5}",  "{\"a\":+1}",      "{\"a\":-}",
       "{\"a\":1e}", "{\"a\":nul}", "{\"a\":tru",  "{\"a\":\"x}", "{\"a\":\"x\\\"}", "{\"a\":[1,]}",
       "{\"a\":[1}", "{\"a\":NaN}", "{\"a\":1 2}", "{'a':1}"}) {
    EXPECT_EQ(typed(text), "is not a JSON object") << text;
  }
}

TEST(PlainJson, BoundsDepth) {
  const auto nested = [](std::size_t levels) {
    return "{\"a\":" + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_TRUE(typed(nested(kMaxPlainLevels)).starts_with("{\"a\""));
  EXPECT_EQ(typed(nested(kMaxPlainLevels + 1)), "nests too deeply");
  EXPECT_EQ(typed(nested(1'000'000)), "nests too deeply");
}

TEST(PlainJson, WritesWhatItReads) {
  for (const char* const text :
       {R"({})",
        R"({"a":"x","n":1.50,"t":true,"f":false,"z":null,"l":[1,[],{}],"m":{"k":{"q":"\"\n{"}}})",
        R"({"n":12345678901234567890123456789012345678,"x":"[","y":"{"})"}) {
    std::string item = typed(text);
    api::json::Document document;
    const auto parsed = document.parse(item);
    ASSERT_TRUE(parsed) << item;
    std::string out;
    EXPECT_EQ(append_plain_item(*parsed, out), "");
    EXPECT_EQ(out, text);
  }
}

TEST(PlainJson, NamesTheTypeThatHasNoForm) {
  for (const auto& [value, type] : {std::pair{R"({"SS":["a"]})", "SS"},
                                    {R"({"B":"AA=="})", "B"},
                                    {R"({"L":[{"M":{"x":{"NS":["1"]}}}]})", "NS"}}) {
    std::string item = std::string("{\"a\":") + value + "}";
    api::json::Document document;
    std::string out;
    EXPECT_EQ(append_plain_item(*document.parse(item), out), type);
  }
}

// Any text ends, and the output is JSON if the input is.
TEST(PlainJson, SurvivesMutations) {
  const std::string seed =
      R"({"a":"x\"y","n":-1.5e10,"t":true,"z":null,"l":[1,[],{}],"m":{"k":{"q":"{"}}})";
  std::mt19937 random(1);
  api::json::Document document;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seed;
    for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = "{}[]\",:\\01e-. tfn\0\xFF"[random() % 20];
          break;
        case 1:
          text.erase(at, 1 + random() % 3);
          if (text.empty()) text = "{";
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 8));
      }
    }
    std::string item;
    const bool read = !read_plain_item(text, item);
    std::string copy = text;
    const auto direct = document.parse(copy);
    EXPECT_TRUE(read || !direct || !direct->is_object()) << text;
    if (!read) continue;
    copy = item;
    const bool sound = document.parse(copy).has_value();
    EXPECT_TRUE(sound || !direct) << text;
  }
}

}  // namespace
}  // namespace magneto::server::formats
