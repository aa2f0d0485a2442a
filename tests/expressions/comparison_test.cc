#include "expressions/comparison.h"

#include <gtest/gtest.h>

#include "tests/support/literal_values.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;
using storage::AttributeValue;
using storage::AttributeView;
using storage::Effort;

std::optional<std::strong_ordering> compared(AttributeView a, AttributeView b) {
  Effort effort;
  return compare(a, b, effort);
}

std::optional<std::uint32_t> measured(AttributeView value) {
  Effort effort;
  return size_of(value, effort);
}

TEST(ComparisonTest, OrdersScalarsOfOneType) {
  EXPECT_EQ(compared(s("a"), s("b")), std::strong_ordering::less);
  EXPECT_EQ(compared(s("b"), s("aa")), std::strong_ordering::greater);
  EXPECT_EQ(compared(s(""), s("")), std::strong_ordering::equal);
  EXPECT_EQ(compared(b("\x7F"), b("\x80")), std::strong_ordering::less);
  EXPECT_EQ(compared(n("-10"), n("9")), std::strong_ordering::less);
  EXPECT_EQ(compared(n("10"), n("9.5")), std::strong_ordering::greater);
  EXPECT_EQ(compared(n("1.0"), n("1")), std::strong_ordering::equal);
}

TEST(ComparisonTest, LeavesTheRestUnordered) {
  EXPECT_EQ(compared(s("1"), n("1")), std::nullopt);
  EXPECT_EQ(compared(s("a"), b("a")), std::nullopt);
  EXPECT_EQ(compared(boolean(false), boolean(true)), std::nullopt);
  EXPECT_EQ(compared(null(), null()), std::nullopt);
  EXPECT_EQ(compared(ss({"a"}), ss({"b"})), std::nullopt);
  EXPECT_EQ(compared(list({}), list({})), std::nullopt);
  EXPECT_EQ(compared({}, s("a")), std::nullopt);
  EXPECT_EQ(compared(s("a"), {}), std::nullopt);
}

TEST(ComparisonTest, CountsUtf16Units) {
  EXPECT_EQ(measured(s("")), 0u);
  EXPECT_EQ(measured(s("abc")), 3u);
  EXPECT_EQ(measured(s("\xC3\xA9")), 1u);
  EXPECT_EQ(measured(s("\xE2\x82\xAC")), 1u);
  EXPECT_EQ(measured(s("\xF0\x9F\x98\x80")), 2u);
  EXPECT_EQ(measured(s("a\xC3\xA9\xF0\x9F\x98\x80")), 4u);
}

TEST(ComparisonTest, CountsMembers) {
  EXPECT_EQ(measured(b("\x01\x02")), 2u);
  EXPECT_EQ(measured(ns({"1", "2", "3"})), 3u);
  EXPECT_EQ(measured(list({null(), null()})), 2u);
  EXPECT_EQ(measured(map({{"a", null()}})), 1u);
  for (const auto& value : {n("5"), boolean(true), null()})
    EXPECT_EQ(measured(value), std::nullopt);
  EXPECT_EQ(measured({}), std::nullopt);
}

bool contained(AttributeView value, AttributeView part, std::uint64_t* steps = nullptr) {
  Effort effort;
  const bool found = contains(value, part, effort);
  if (steps != nullptr) *steps = effort.spent();
  return found;
}

std::string repeated(std::size_t count, std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(ComparisonTest, FindsTextsOfAnyLength) {
  for (const std::size_t size : {1, 2, 63, 64, 65, 300}) {
    const std::string part = repeated(size - 1, "a") + "b";
    EXPECT_TRUE(contained(s(part), s(part))) << size;
    EXPECT_TRUE(contained(s("a" + part), s(part))) << size;
    EXPECT_TRUE(contained(s(part + "c"), s(part))) << size;
    EXPECT_TRUE(contained(s(repeated(1'000, "a") + "b" + repeated(70'000, "a")), s(part))) << size;
    EXPECT_FALSE(contained(s(repeated(100'000, "a")), s(part))) << size;
    EXPECT_FALSE(contained(s(part.substr(1)), s(part))) << size;
    EXPECT_FALSE(contained(b(part), s(part))) << size;
  }
  EXPECT_TRUE(contained(s("a"), s("")));
  EXPECT_TRUE(contained(s(""), s("")));
  EXPECT_FALSE(contained(s(""), s("a")));
  EXPECT_TRUE(contained(s(std::string("a\0b\0c", 5)), s(std::string("b\0c", 3))));
}

// Each of these takes minutes when every place is compared with all of the text.
TEST(ComparisonTest, LooksForTextsInLinearTime) {
  const std::string value = repeated(380'000, "a");
  for (const std::size_t size : {30, 64, 65, 1'000, 190'000}) {
    const std::string most = repeated(size, "a");
    for (const std::string& part : {most + "b", "b" + most, most + "b" + most}) {
      std::uint64_t steps = 0;
      for (int i = 0; i < 100; ++i) EXPECT_FALSE(contained(s(value), s(part), &steps));
      EXPECT_LE(steps, value.size() + part.size() + value.size() / 32) << size;
    }
  }
}

TEST(ComparisonTest, LeavesTheThreadInTheMiddleOfALongText) {
  const AttributeValue value = s(repeated(380'000, "a"));
  Effort effort(100'000);
  EXPECT_THROW(contains(value, s("ab"), effort), storage::NeedsWorker);
  EXPECT_LT(effort.spent(), 200'000U);
}

TEST(ComparisonTest, CountsBytesAndMembers) {
  const std::string text = repeated(64'000, "a");
  Effort effort;
  EXPECT_TRUE(equals(s(text), s(text), effort));
  EXPECT_EQ(effort.spent(), 1'001U);
  EXPECT_FALSE(equals(s(text), s("a"), effort));
  EXPECT_EQ(effort.spent(), 1'002U);
  std::uint64_t steps = 0;
  EXPECT_FALSE(contained(list({n("1"), n("2"), n("3")}), n("4"), &steps));
  EXPECT_EQ(steps, 4U);
  EXPECT_TRUE(contained(ss({"a", "b", "c"}), s("b"), &steps));
  EXPECT_EQ(steps, 3U);
}

}  // namespace
}  // namespace magneto::expressions
