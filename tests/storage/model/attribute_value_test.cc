#include "storage/model/attribute_value.h"

#include <gtest/gtest.h>

#include <vector>

#include "storage/model/value_writer.h"

namespace magneto::storage {
namespace {

// {"b": {"L": [1, {"S": "x"}, {}]}, "k": {"M": {"": NULL, "n": true}}, "s": {"SS": ["", "a", "c"]}}
Item sample() {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("b");
  writer.begin_list();
  writer.number(Number::from_integer(1));
  writer.string("x");
  writer.begin_map();
  writer.end_map();
  writer.end_list();
  writer.name("k");
  writer.begin_map();
  writer.name("");
  writer.null();
  writer.name("n");
  writer.boolean(true);
  writer.end_map();
  writer.name("s");
  writer.set(AttributeType::kStringSet, {"c", "", "a"});
  writer.end_item();
  return Item(std::move(bytes));
}

TEST(AttributeType, HasTheWireNames) {
  EXPECT_EQ(type_name(AttributeType::kString), "S");
  EXPECT_EQ(type_name(AttributeType::kNumber), "N");
  EXPECT_EQ(type_name(AttributeType::kBinary), "B");
  EXPECT_EQ(type_name(AttributeType::kBoolean), "BOOL");
  EXPECT_EQ(type_name(AttributeType::kNull), "NULL");
  EXPECT_EQ(type_name(AttributeType::kStringSet), "SS");
  EXPECT_EQ(type_name(AttributeType::kNumberSet), "NS");
  EXPECT_EQ(type_name(AttributeType::kBinarySet), "BS");
  EXPECT_EQ(type_name(AttributeType::kList), "L");
  EXPECT_EQ(type_name(AttributeType::kMap), "M");
}

TEST(AttributeValue, OwnersReadLikeTheirViews) {
  EXPECT_EQ(AttributeValue::string("text").view().type(), AttributeType::kString);
  EXPECT_EQ(AttributeValue::string("text").view().scalar_bytes(), "text");
  const AttributeValue binary = AttributeValue::binary(std::string_view("\0\xFF", 2));
  EXPECT_EQ(binary.view().scalar_bytes(), std::string_view("\0\xFF", 2));
  EXPECT_EQ(AttributeValue::number(Number::from_integer(-7)).view().number().to_string(), "-7");
  EXPECT_TRUE(AttributeValue::boolean(true).view().boolean());
  EXPECT_FALSE(AttributeValue::boolean(false).view().boolean());
  EXPECT_FALSE(AttributeValue());
  EXPECT_EQ(AttributeValue(binary.view()).view(), binary.view());
}

TEST(AttributeValue, LongRunsKeepTheirLength) {
  for (const std::size_t size : {0U, 1U, 127U, 128U, 16'383U, 16'384U, 2'097'152U}) {
    const std::string text(size, 't');
    const AttributeValue value = AttributeValue::string(text);
    EXPECT_EQ(value.view().scalar_bytes(), text);
    std::string two(value.view().bytes());
    two += AttributeValue::boolean(true).view().bytes();
    std::string_view rest = two;
    EXPECT_EQ(take_value(rest), value.view());
    EXPECT_TRUE(take_value(rest).boolean());
    EXPECT_TRUE(rest.empty());
  }
}

TEST(ListView, ReadsByIndexAndInOrder) {
  const Item item = sample();
  const ListView list = item.view().find("b").list();
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list.at(0).number().to_integer(), 1);
  EXPECT_EQ(list.at(1).scalar_bytes(), "x");
  EXPECT_TRUE(list.at(2).map().empty());
  EXPECT_FALSE(list.at(3));
  EXPECT_FALSE(list.at(0xFFFFFFFF));
  std::vector<AttributeType> types;
  for (const AttributeView element : list) types.push_back(element.type());
  EXPECT_EQ(types,
            (std::vector{AttributeType::kNumber, AttributeType::kString, AttributeType::kMap}));
}

TEST(MapView, FindsMembersByName) {
  const Item item = sample();
  EXPECT_EQ(item.view().size(), 3U);
  EXPECT_FALSE(item.view().find("a"));
  EXPECT_FALSE(item.view().find("c"));
  EXPECT_FALSE(item.view().find("t"));
  EXPECT_FALSE(item.view().find(""));
  const MapView map = item.view().find("k").map();
  EXPECT_EQ(map.find("").type(), AttributeType::kNull);
  EXPECT_TRUE(map.find("n").boolean());
  std::vector<std::string_view> names;
  for (const NamedAttribute& member : item.view()) names.push_back(member.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"b", "k", "s"}));
}

TEST(MapView, WithoutBytesHasNoMembers) {
  const MapView none;
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.find("a"));
  EXPECT_FALSE(none.begin() != none.end());
}

TEST(SetView, KnowsItsMembers) {
  const Item item = sample();
  const SetView set = item.view().find("s").set();
  EXPECT_EQ(set.size(), 3U);
  for (const std::string_view member : {"", "a", "c"}) EXPECT_TRUE(set.contains(member));
  for (const std::string_view other : {"b", "d", "aa"}) EXPECT_FALSE(set.contains(other));
  std::vector<std::string_view> members;
  for (const std::string_view member : set) members.push_back(member);
  EXPECT_EQ(members, (std::vector<std::string_view>{"", "a", "c"}));
}

}  // namespace
}  // namespace magneto::storage
