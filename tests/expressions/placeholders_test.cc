#include "expressions/placeholders.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(placeholders.unused_values(), (std::vector<std::string_view>{":x"}));
}

}  // namespace
}  // namespace magneto::expressions
