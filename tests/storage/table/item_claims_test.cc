#include "storage/table/item_claims.h"

#include <gtest/gtest.h>

namespace magneto::storage {
namespace {

using Keys = std::vector<std::string_view>;

TEST(ItemClaims, AreAllOrNothing) {
  ItemClaims claims;
  std::vector<bool> conflicts;
  const Keys first{"a", "b"};
  const Keys second{"c", "b", "d"};
  {
    const auto claim = claims.claim(first, conflicts);
    EXPECT_TRUE(conflicts.empty());
    EXPECT_TRUE(claims.is_claimed("a"));
    EXPECT_FALSE(claims.is_claimed("c"));
    {
      const auto refused = claims.claim(second, conflicts);
      EXPECT_EQ(conflicts, (std::vector<bool>{false, true, false}));
    }
    EXPECT_TRUE(claims.is_claimed("b"));
    EXPECT_FALSE(claims.is_claimed("d"));
    EXPECT_EQ(claims.conflicts(second), (std::vector<bool>{false, true, false}));
  }
  EXPECT_EQ(claims.conflict_count(), 4U);  // "a" and "b" were claimed, and "b" met twice
  EXPECT_FALSE(claims.is_claimed("a"));
  const auto claim = claims.claim(second, conflicts);
  EXPECT_TRUE(conflicts.empty());
}

}  // namespace
}  // namespace magneto::storage
