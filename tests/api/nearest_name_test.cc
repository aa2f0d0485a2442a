#include "api/nearest_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace magneto::api {
namespace {

const std::vector<std::string>& names() {
  static const std::vector<std::string> known = {"port", "host", "data-dir", "memory-limit-mb",
                                                 "ui"};
  return known;
}

TEST(NearestName, TakesFewChanges) {
  EXPECT_EQ(nearest_name("prot", names()), "port");
  EXPECT_EQ(nearest_name("ports", names()), "port");
  EXPECT_EQ(nearest_name("PORT", names()), "port");
  EXPECT_EQ(nearest_name("datadir", names()), "data-dir");
  EXPECT_EQ(nearest_name("hosst", names()), "host");
}

TEST(NearestName, TakesBeginnings) {
  EXPECT_EQ(nearest_name("mem", names()), "memory-limit-mb");
  EXPECT_EQ(nearest_name("me", names()), "");
}

TEST(NearestName, GivesNothingThatIsFar) {
  EXPECT_EQ(nearest_name("", names()), "");
  EXPECT_EQ(nearest_name("bogus", names()), "");
  EXPECT_EQ(nearest_name("x", names()), "");
  EXPECT_EQ(nearest_name("port", {}), "");
}

TEST(NearestName, IsBounded) {
  EXPECT_EQ(nearest_name(std::string(kLongestComparedName + 1, 'x'), names()), "");
  const std::vector<std::string> longest = {std::string(kLongestComparedName, 'x'),
                                            std::string(kLongestComparedName + 1, 'x')};
  EXPECT_EQ(nearest_name(std::string(kLongestComparedName, 'x'), longest), longest.front());
}

}  // namespace
}  // namespace magneto::api
