#include "storage/model/packed_strings.h"

#include <gtest/gtest.h>

namespace magneto::storage {
namespace {

TEST(PackedStringsTest, KeepsEachString) {
  PackedStrings strings;
  EXPECT_TRUE(strings.views().empty());
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 300; ++i) {
    expected.emplace_back(i % 7 == 0 ? 0 : i, static_cast<char>(i));
    strings.add([&](std::string& buffer) { buffer += expected.back(); });
  }
  ASSERT_EQ(strings.size(), expected.size());
  const std::vector<std::string_view> views = strings.views();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(strings[i], expected[i]) << i;
    EXPECT_EQ(views[i], expected[i]) << i;
  }
}

TEST(PackedStringsTest, BeginsAnewWhenCleared) {
  PackedStrings strings;
  strings.add([](std::string& buffer) { buffer += "before"; });
  strings.clear();
  EXPECT_EQ(strings.size(), 0U);
  strings.add([](std::string& buffer) { buffer += "after"; });
  EXPECT_EQ(strings[0], "after");
}

}  // namespace
}  // namespace magneto::storage
