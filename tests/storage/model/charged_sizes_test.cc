#include "storage/model/charged_sizes.h"

#include <gtest/gtest.h>

#include <string>

#include "storage/model/item_size.h"
#include "storage/model/value_writer.h"

namespace magneto::storage {
namespace {

IndexSchema vector_index(const std::string& name, const std::string& attribute,
                         std::uint32_t dimensions) {
  IndexSchema index;
  index.name = name;
  index.kind = IndexKind::kVector;
  index.vector.attribute = attribute;
  index.vector.dimensions = dimensions;
  return index;
}

// An item with a list of numbers.
Item item_with(const std::string& attribute, std::size_t count, std::string_view number) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name(attribute);
  writer.begin_list();
  NumberError error{};
  for (std::size_t i = 0; i < count; ++i) writer.number(Number::parse(number, error).value());
  writer.end_list();
  writer.end_item();
  return Item(std::move(bytes));
}

std::size_t charged(const TableSchema& schema, const Item& item) {
  return ChargedSizes(schema).of(item.view(), item_size(item));
}

TEST(ChargedSizes, CountsAVectorByItsDimensions) {
  TableSchema schema;
  const Item item = item_with("e", 8, "1234567");
  EXPECT_EQ(charged(schema, item), 52U);
  schema.indexes.push_back(vector_index("one", "e", 8));
  schema.indexes.push_back(vector_index("two", "e", 8));
  EXPECT_EQ(charged(schema, item), 33U);
  schema.indexes.front().status = ResourceStatus::kDeleting;
  EXPECT_EQ(charged(schema, item), 33U);
  schema.indexes.back().status = ResourceStatus::kDeleting;
  EXPECT_EQ(charged(schema, item), 52U);
}

TEST(ChargedSizes, GivesTheDifferenceInBothDirections) {
  TableSchema schema;
  EXPECT_EQ(ChargedSizes(schema).difference(item_with("e", 8, "1234567").view()), 0);
  schema.indexes.push_back(vector_index("one", "e", 8));
  const ChargedSizes sizes(schema);
  EXPECT_EQ(sizes.difference(item_with("e", 8, "1234567").view()), -19);
  EXPECT_EQ(sizes.difference(item_with("e", 8, "0").view()), 8 * 4 - (3 + 8 * 2));
  EXPECT_EQ(sizes.difference(ItemView()), 0);
  EXPECT_EQ(charged_size(schema, item_with("e", 8, "0").view(), 20), 33U);
}

TEST(ChargedSizes, HasOneFingerprintForTheSameVectors) {
  TableSchema schema;
  EXPECT_EQ(ChargedSizes(schema).fingerprint(), 0U);
  schema.indexes.push_back(vector_index("one", "e", 8));
  const std::uint64_t one = ChargedSizes(schema).fingerprint();
  EXPECT_NE(one, 0U);
  schema.indexes.push_back(vector_index("two", "e", 8));
  EXPECT_EQ(ChargedSizes(schema).fingerprint(), one);
  schema.indexes.push_back(vector_index("three", "f", 8));
  const std::uint64_t both = ChargedSizes(schema).fingerprint();
  EXPECT_NE(both, one);
  schema.indexes[0] = vector_index("four", "f", 8);
  schema.indexes[1].status = ResourceStatus::kDeleting;
  schema.indexes[2] = vector_index("five", "e", 8);
  EXPECT_EQ(ChargedSizes(schema).fingerprint(), both);  // in another order
  schema.indexes[0].vector.dimensions = 9;
  EXPECT_NE(ChargedSizes(schema).fingerprint(), both);
}

TEST(ChargedSizes, CountsOtherListsAsTheyAre) {
  TableSchema schema;
  schema.indexes.push_back(vector_index("one", "e", 8));
  EXPECT_EQ(charged(schema, item_with("e", 7, "1234567")), 46U);
  EXPECT_EQ(charged(schema, item_with("f", 8, "1234567")), 52U);
  EXPECT_EQ(charged(schema, item_with("e", 8, "1E39")), 4U + 8 * 3);
  EXPECT_EQ(ChargedSizes(schema).of(ItemView(), 0), 0U);
}

}  // namespace
}  // namespace magneto::storage
