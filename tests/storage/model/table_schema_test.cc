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

TEST(IndexSchema, ItsElementsAreThoseOfItsKeyOrItsSearchSchema) {
  const auto names = [](const IndexSchema& index) {
    std::string text;
    for (const auto& [attribute, is_hash] : index.elements()) {
      text.append(attribute.name).append(is_hash ? " HASH " : " ");
    }
    return text;
  };
  const KeyAttribute tenant{"tenant", AttributeType::kString};
  const KeyAttribute year{"year", AttributeType::kNumber};
  IndexSchema index;
  EXPECT_EQ(names(index), "");
  index.key = {.partition = {tenant}, .sort = {year}};
  EXPECT_EQ(names(index), "tenant HASH year ");
  EXPECT_TRUE(index.has_element("year"));
  EXPECT_FALSE(index.has_element("month"));
  index.key.sort.clear();
  index.vector.search_schema = {{year, false}, {tenant, true}};
  EXPECT_EQ(names(index), "year tenant HASH ");
  EXPECT_TRUE(index.has_element("year"));
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
