#include "server/formats/item_key.h"

#include <gtest/gtest.h>

namespace magneto::server::formats {
namespace {

std::string canonical(std::string_view number) {
  std::string out;
  append_canonical_number(number, out);
  return out;
}

std::string key_of(std::string text, const KeyNames& names) {
  api::json::Document document;
  std::string out;
  return append_key(*document.parse(text), names, out) ? out : "none";
}

TEST(ItemKey, BringsNumbersIntoOneForm) {
  for (const char* const one : {"1", "1.0", "01", "+1", "10e-1", "0.1E1", "1e+0", "1.000e0"}) {
    EXPECT_EQ(canonical(one), "1E0") << one;
  }
  for (const char* const zero : {"0", "-0", "0.00", "0e5"}) EXPECT_EQ(canonical(zero), "0");
  EXPECT_EQ(canonical("-15.50"), "-155E-1");
  EXPECT_EQ(canonical("1500"), "15E2");
  EXPECT_NE(canonical("1"), canonical("-1"));
  for (const char* const none : {"", "x", "1x", "1e", "e1", ".", "1..2"}) {
    EXPECT_EQ(canonical(none), none);
  }
}

TEST(ItemKey, TellsKeysApart) {
  const KeyNames both = {"p", "s"};
  EXPECT_EQ(key_of(R"({"p":{"S":"\u0061"},"s":{"N":"1.0"}})", both),
            key_of(R"({"s":{"N":"1"},"x":{"S":"y"},"p":{"S":"a"}})", both));
  EXPECT_NE(key_of(R"({"p":{"S":"a"},"s":{"S":"bc"}})", both),
            key_of(R"({"p":{"S":"ab"},"s":{"S":"c"}})", both));
  EXPECT_NE(key_of(R"({"p":{"S":"AA=="}})", {"p"}), key_of(R"({"p":{"B":"AA=="}})", {"p"}));
  EXPECT_NE(key_of(R"({"p":{"S":"1"}})", {"p"}), key_of(R"({"p":{"N":"1"}})", {"p"}));
}

TEST(ItemKey, FindsNoneWhereNoneIs) {
  for (const char* const text :
       {"{}", R"({"p":{}})", R"({"p":"a"})", R"({"p":{"S":1}})", R"({"p":{"SS":["a"]}})", "[]",
        R"({"p":{"BOOL":true}})", R"({"p":{"S":"a","N":[]}})"}) {
    EXPECT_EQ(key_of(text, {"p"}), "none") << text;
  }
}

}  // namespace
}  // namespace magneto::server::formats
