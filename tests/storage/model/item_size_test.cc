#include "storage/model/item_size.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "storage/model/limits.h"
#include "storage/model/value_writer.h"
#include "tests/support/random_values.h"

namespace magneto::storage {
namespace {

// The rule by recursion.
std::size_t plain_size(AttributeView value) {
  switch (value.type()) {
    case AttributeType::kNumber:
      return value.number().stored_size();
    case AttributeType::kBoolean:
    case AttributeType::kNull:
      return 1;
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet: {
      std::size_t size = 0;
      for (const std::string_view member : value.set()) {
        size += value.type() == AttributeType::kNumberSet ? Number::from_bytes(member).stored_size()
                                                          : member.size();
      }
      return size;
    }
    case AttributeType::kList: {
      std::size_t size = 3;
      for (const AttributeView element : value.list()) size += 1 + plain_size(element);
      return size;
    }
    case AttributeType::kMap: {
      std::size_t size = 3;
      for (const NamedAttribute& member : value.map()) {
        size += 1 + member.name.size() + plain_size(member.value);
      }
      return size;
    }
    default:
      return value.scalar_bytes().size();
  }
}

std::size_t plain_levels(AttributeView value) {
  std::size_t deepest = 0;
  if (value.type() == AttributeType::kList) {
    for (const AttributeView element : value.list())
      deepest = std::max(deepest, plain_levels(element));
  } else if (value.type() == AttributeType::kMap) {
    for (const NamedAttribute& member : value.map()) {
      deepest = std::max(deepest, plain_levels(member.value));
    }
  }
  return deepest + 1;
}

AttributeValue nested(std::size_t containers, bool maps) {
  std::string bytes;
  ValueWriter writer(bytes);
  for (std::size_t i = 0; i < containers; ++i) {
    if (maps) {
      writer.begin_map();
      writer.name("n");
    } else {
      writer.begin_list();
    }
  }
  writer.string("leaf");
  for (std::size_t i = 0; i < containers; ++i) maps ? writer.end_map() : writer.end_list();
  return AttributeValue(std::move(bytes));
}

TEST(ItemSize, CountsNamesValuesAndDocuments) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("pk");
  writer.string("abc");
  writer.name("n");
  writer.number(Number::from_integer(123));
  writer.name("b");
  writer.binary(std::string_view("\0\1\2", 3));
  writer.name("flag");
  writer.boolean(true);
  writer.name("l");
  writer.begin_list();
  writer.string("x");
  writer.null();
  writer.end_list();
  writer.name("m");
  writer.begin_map();
  writer.name("k");
  writer.string("vv");
  writer.end_map();
  writer.name("ss");
  writer.set(AttributeType::kStringSet, {"a", "bc"});
  writer.end_item();
  // pk 2+3, n 1+3, b 1+3, flag 4+1, l 1+3+2+2, m 1+3+1+1+2, ss 2+3
  EXPECT_EQ(item_size(ItemView(bytes)), 5U + 4 + 4 + 5 + 8 + 8 + 5);
  EXPECT_EQ(item_size(ItemView()), 0U);
}

TEST(ItemSize, AgreesWithTheRuleByRecursion) {
  testing::RandomValues random(7);
  for (int round = 0; round < 1'000; ++round) {
    const Item item = random.item(8, 6);
    std::size_t size = 0;
    for (const NamedAttribute& member : item.view()) {
      size += member.name.size() + plain_size(member.value);
      ASSERT_EQ(value_size(member.value), plain_size(member.value));
      ASSERT_EQ(nesting_levels(member.value), plain_levels(member.value));
    }
    ASSERT_EQ(item_size(item), size);
  }
}

TEST(NestingLevels, CountsTheAttributeItselfAsTheFirst) {
  EXPECT_EQ(nesting_levels(AttributeValue::string("s")), 1U);
  EXPECT_EQ(nesting_levels(nested(31, true)), kMaxNestingLevels);
  EXPECT_EQ(nesting_levels(nested(32, false)), kMaxNestingLevels + 1);
  std::string empty;
  ValueWriter writer(empty);
  writer.begin_map();
  writer.end_map();
  EXPECT_EQ(nesting_levels(AttributeView(empty)), 1U);
}

TEST(NestingLevels, DepthNeedsNoStack) {
  const AttributeValue deep = nested(20'000, false);
  EXPECT_EQ(nesting_levels(deep), 20'001U);
  EXPECT_EQ(value_size(deep), 20'000U * 4 + 4);
}

}  // namespace
}  // namespace magneto::storage
