#include "storage/model/table_schema.h"

#include <gtest/gtest.h>

namespace magneto::storage {
namespace {

TableSchema sample_schema() {
  TableSchema table;
  table.name = "orders";
  table.region = "eu-west-2";
  table.account = "000000000000";
  table.indexes.resize(2);
  table.indexes[0].name = "by_date";
  table.indexes[1].name = "by_customer";
  return table;
}

TEST(TableSchema, NamesItsResources) {
  const TableSchema table = sample_schema();
  EXPECT_EQ(table.arn(), "arn:aws:dynamodb:eu-west-2:000000000000:table/orders");
  EXPECT_EQ(table.index_arn(table.indexes[1]),
            "arn:aws:dynamodb:eu-west-2:000000000000:table/orders/index/by_customer");
}

TEST(KeySchema, WalksPartitionAttributesFirst) {
  const auto walk = [](const KeySchema& key) {
    std::string text;
    for (const auto [attribute, is_partition] : key.attributes()) {
      text.append(attribute.name).append(is_partition ? " HASH " : " RANGE ");
    }
    return text;
  };
  EXPECT_EQ(walk({{{"a"}, {"b"}}, {{"c"}, {"d"}}}), "a HASH b HASH c RANGE d RANGE ");
  EXPECT_EQ(walk({{{"a"}}, {}}), "a HASH ");
  EXPECT_EQ(walk({}), "");
  EXPECT_EQ((KeySchema{{{"a"}}, {{"c"}}}).attributes().size(), 2U);
}

TEST(TableSchema, FindsIndexesByName) {
  const TableSchema table = sample_schema();
  EXPECT_EQ(table.find_index("by_customer"), &table.indexes[1]);
  EXPECT_EQ(table.find_index("by_date"), table.indexes.data());
  EXPECT_EQ(table.find_index("by"), nullptr);
}

TEST(KeySchema, ContainsItsAttributes) {
  const KeySchema key{{{"p1", AttributeType::kString}, {"p2", AttributeType::kNumber}},
                      {{"s", AttributeType::kBinary}}};
  for (const char* name : {"p1", "p2", "s"}) EXPECT_TRUE(key.contains(name)) << name;
  EXPECT_FALSE(key.contains("p"));
}

}  // namespace
}  // namespace magneto::storage
