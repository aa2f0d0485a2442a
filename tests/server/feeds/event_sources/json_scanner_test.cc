#include "server/feeds/event_sources/json_scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::server::feeds {
namespace {

using ScannedKind = JsonScanner::Kind;

// Records the calls for a text as a line.
class ScanLog final : public JsonScanner::Listener {
 public:
  void name(std::string_view text) override { line.append(text).append(":"); }
  void value(ScannedKind kind, std::string_view text) override {
    constexpr std::string_view kMarks = "{[\"n.";
    line += kMarks[static_cast<std::size_t>(kind)];
    line.append(text).append(" ");
  }
  void end() override { line += "; "; }

  std::string line;
};

// Checks that the result is the same for pieces of any size.
std::string scan(std::string_view text) {
  std::string whole;
  for (std::size_t size = 1; size <= text.size() + 1; ++size) {
    ScanLog log;
    JsonScanner scanner(log);
    for (std::size_t at = 0; at < text.size(); at += size) scanner.take(text.substr(at, size));
    std::string result = scanner.finish() ? log.line : "wrong";
    if (size == 1) whole = result;
    EXPECT_EQ(result, whole) << text << " in pieces of " << size;
  }
  return whole;
}

TEST(JsonScanner, TellsWhatStandsThere) {
  EXPECT_EQ(scan(R"( {"a" : [1, -2.5e+7, "b\n\u0041", null, true, {}, []], "c":{"d":0}} )"),
            "{ a:[ . . \"b\nA n . { ; [ ; ; c:{ d:. ; ; ");
  EXPECT_EQ(scan("null"), "n ");
  EXPECT_EQ(scan(R"("\"\\\/\b\f\r\t")"), "\"\"\\/\b\f\r\t ");
  EXPECT_EQ(scan(R"(["\u00e9\ud83d\ude00"])"), "[ \"\xFF\xFF\xFF ; ");
}

TEST(JsonScanner, CutsLongTexts) {
  const std::string text(JsonScanner::kMaxText + 10, 'x');
  EXPECT_EQ(scan("\"" + text + "\""), "\"" + text.substr(10) + " ");
}

// The same texts are JSON as for the reader of requests.
TEST(JsonScanner, RefusesWhatIsNoJson) {
  constexpr std::string_view kTexts[] = {
      "",         " ",         "{",        "}",           "[",
      "]",        "[1",        "[1,",      "[1,]",        "[,1]",
      "{,}",      "{\"a\"}",   "{\"a\":}", "{\"a\":1,}",  "{\"a\":1 \"b\":2}",
      "{a:1}",    "{\"a\":1]", "[1}",      "[1 2]",       "1 2",
      "{} {}",    "01",        "-",        "-a",          "1.",
      "1.e1",     "1e",        "1e+",      "+1",          ".5",
      "--1",      "tru",       "truee",    "nul",         "nulll",
      "True",     "\"",        "\"\\x\"",  "\"\\u12g4\"", "\"\\u12\"",
      "\"a\nb\"", "'a'",       "0",        "-0",          "0.0",
      "1E5",      "-1.5e-3",   "true",     "false",       "[]",
      "{}",       "[[],{}]",   "\"\"",     "{\"\":\"\"}", "\xEF\xBB\xBF{}",
      "//",       "[1]x",      "NaN"};
  for (const std::string_view text : kTexts) {
    api::json::Document document;
    std::string copy(text);
    EXPECT_EQ(scan(text) != "wrong", document.parse(copy).has_value()) << text;
  }
}

TEST(JsonScanner, BoundsItsDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  ScanLog log;
  JsonScanner deep(log);
  deep.take(nested(JsonScanner::kMaxDepth));
  EXPECT_TRUE(deep.finish());
  JsonScanner deeper(log);
  deeper.take(nested(JsonScanner::kMaxDepth + 1));
  EXPECT_FALSE(deeper.finish());
}

}  // namespace
}  // namespace magneto::server::feeds
