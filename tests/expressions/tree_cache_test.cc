#include "expressions/tree_cache.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace magneto::expressions {
namespace {

struct Text {
  std::string text;
};

TEST(TreeCacheTest, ParsesATextOnce) {
  TreeCache<Text> cache;
  int parses = 0;
  const auto parse = [&](std::string_view text) {
    ++parses;
    return std::make_shared<const Text>(Text{std::string(text)});
  };
  const auto first = cache.get("a", parse);
  EXPECT_EQ(cache.get("a", parse), first);
  EXPECT_EQ(parses, 1);
  for (int i = 0; i < 1000; ++i) {
    const std::string text = std::to_string(i);
    EXPECT_EQ(cache.get(text, parse)->text, text);
  }
  EXPECT_EQ(first->text, "a");
}

TEST(TreeCacheTest, PassesLongTextsAndFailuresOn) {
  TreeCache<Text> cache;
  int parses = 0;
  const std::string text(TreeCache<Text>::kMaxTextSize + 1, 'a');
  for (int i = 0; i < 2; ++i) {
    cache.get(text, [&](std::string_view given) {
      ++parses;
      return std::make_shared<const Text>(Text{std::string(given)});
    });
    EXPECT_THROW(cache.get("bad",
                           [&](std::string_view) -> std::shared_ptr<const Text> {
                             ++parses;
                             throw std::invalid_argument("bad");
                           }),
                 std::invalid_argument);
  }
  EXPECT_EQ(parses, 4);
}

}  // namespace
}  // namespace magneto::expressions
