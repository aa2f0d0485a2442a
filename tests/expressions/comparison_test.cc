#include "expressions/comparison.h"

#include <gtest/gtest.h>

#include "tests/support/literal_values.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

TEST(ComparisonTest, OrdersScalarsOfOneType) {
  EXPECT_EQ(compare(s("a"), s("b")), std::strong_ordering::less);
  EXPECT_EQ(compare(s("b"), s("aa")), std::strong_ordering::greater);
  EXPECT_EQ(compare(s(""), s("")), std::strong_ordering::equal);
  EXPECT_EQ(compare(b("\x7F"), b("\x80")), std::strong_ordering::less);
  EXPECT_EQ(compare(n("-10"), n("9")), std::strong_ordering::less);
  EXPECT_EQ(compare(n("10"), n("9.5")), std::strong_ordering::greater);
  EXPECT_EQ(compare(n("1.0"), n("1")), std::strong_ordering::equal);
}

TEST(ComparisonTest, LeavesTheRestUnordered) {
  EXPECT_EQ(compare(s("1"), n("1")), std::nullopt);
  EXPECT_EQ(compare(s("a"), b("a")), std::nullopt);
  EXPECT_EQ(compare(boolean(false), boolean(true)), std::nullopt);
  EXPECT_EQ(compare(null(), null()), std::nullopt);
  EXPECT_EQ(compare(ss({"a"}), ss({"b"})), std::nullopt);
  EXPECT_EQ(compare(list({}), list({})), std::nullopt);
  EXPECT_EQ(compare({}, s("a")), std::nullopt);
  EXPECT_EQ(compare(s("a"), {}), std::nullopt);
}

TEST(ComparisonTest, CountsUtf16Units) {
  EXPECT_EQ(size_of(s("")), 0u);
  EXPECT_EQ(size_of(s("abc")), 3u);
  EXPECT_EQ(size_of(s("\xC3\xA9")), 1u);
  EXPECT_EQ(size_of(s("\xE2\x82\xAC")), 1u);
  EXPECT_EQ(size_of(s("\xF0\x9F\x98\x80")), 2u);
  EXPECT_EQ(size_of(s("a\xC3\xA9\xF0\x9F\x98\x80")), 4u);
}

TEST(ComparisonTest, CountsMembers) {
  EXPECT_EQ(size_of(b("\x01\x02")), 2u);
  EXPECT_EQ(size_of(ns({"1", "2", "3"})), 3u);
  EXPECT_EQ(size_of(list({null(), null()})), 2u);
  EXPECT_EQ(size_of(map({{"a", null()}})), 1u);
  for (const auto& value : {n("5"), boolean(true), null()}) EXPECT_EQ(size_of(value), std::nullopt);
  EXPECT_EQ(size_of({}), std::nullopt);
}

}  // namespace
}  // namespace magneto::expressions
