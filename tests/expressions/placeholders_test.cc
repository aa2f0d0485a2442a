#include "expressions/placeholders.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/literal_values.h"

namespace magneto::expressions {
namespace {

TEST(PlaceholdersTest, RemembersWhatWasUsed) {
  const storage::AttributeValue value = testing::n("1");
  Placeholders placeholders;
  placeholders.add_name("#b", "b");
  placeholders.add_name("#a", "a");
  placeholders.add_value(":y", value);
  placeholders.add_value(":x", value);
  EXPECT_EQ(placeholders.use_name("#c"), nullptr);
  EXPECT_FALSE(placeholders.use_value(":z"));
  EXPECT_EQ(placeholders.unused_names(), (std::vector<std::string_view>{"#b", "#a"}));
  EXPECT_EQ(placeholders.unused_values(), (std::vector<std::string_view>{":y", ":x"}));
  EXPECT_EQ(*placeholders.use_name("#a"), "a");
  EXPECT_EQ(placeholders.use_value(":y"), value.view());
  EXPECT_EQ(placeholders.unused_names(), (std::vector<std::string_view>{"#b"}));
  placeholders.add_name("#b", "other");
  EXPECT_EQ(placeholders.unused_names(), (std::vector<std::string_view>{"#b"}));
  EXPECT_EQ(*placeholders.use_name("#b"), "other");
  EXPECT_EQ(placeholders.unused_values(), (std::vector<std::string_view>{":x"}));
}

TEST(PlaceholdersTest, CountsTheBytesOfValues) {
  const storage::AttributeValue number = testing::n("100");
  const storage::AttributeValue text = testing::s("text");
  Placeholders placeholders;
  EXPECT_EQ(placeholders.values_size(), 0U);
  placeholders.add_value(":n", number);
  placeholders.add_value(":t", text);
  EXPECT_EQ(placeholders.values_size(), 6U);
}

TEST(PlaceholdersTest, FindsOneAmongMany) {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("#n" + std::to_string(i));
  Placeholders placeholders;
  for (int i = 0; i < 500; ++i) placeholders.add_name(names[static_cast<std::size_t>(i)], "x");
  EXPECT_NE(placeholders.use_name("#n499"), nullptr);
  for (int i = 500; i < 1000; ++i) placeholders.add_name(names[static_cast<std::size_t>(i)], "y");
  placeholders.add_name("#n7", "again");
  EXPECT_EQ(*placeholders.use_name("#n999"), "y");
  EXPECT_EQ(*placeholders.use_name("#n7"), "again");
  EXPECT_EQ(placeholders.use_name("#n1000"), nullptr);
  EXPECT_EQ(placeholders.unused_names().size(), 997u);
}

}  // namespace
}  // namespace magneto::expressions
