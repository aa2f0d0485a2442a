#include "server/formats/table_list.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::formats {
namespace {

TEST(TableListTest, NamesAreReadAgain) {
  const std::vector<std::string> names = {"a", "Never.made", std::string(255, 'x')};
  EXPECT_EQ(read_table_list(table_list_text(names)), names);
  EXPECT_EQ(read_table_list(""), std::vector<std::string>());
}

TEST(TableListTest, NamesThatNoTableCanHaveAreLeftOut) {
  const std::vector<std::string> names = {"", "a\nb", "good", std::string(256, 'x')};
  EXPECT_EQ(table_list_text(names), "good\n");
}

TEST(TableListTest, DamageIsSeen) {
  for (const std::string_view text :
       {std::string_view("a"), std::string_view("a\nb"), std::string_view("\n"),
        std::string_view("a\n\n"), std::string_view("a\0b\n", 4), std::string_view("a\x7F\n")}) {
    EXPECT_EQ(read_table_list(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace magneto::server::formats
