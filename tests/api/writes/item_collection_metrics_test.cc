#include "api/writes/item_collection_metrics.h"

#include <gtest/gtest.h>

#include "storage/model/value_writer.h"
#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

using storage::AttributeType;
using storage::TablePtr;

class ItemCollectionMetrics : public testing::Test {
 protected:
  ItemCollectionMetrics() {
    storage::IndexSchema index;
    index.name = "local";
    index.key.partition = {{"pk", AttributeType::kString}};
    index.key.sort = {{"l", AttributeType::kString}};
    storage::TableSchema schema;
    schema.name = "books";
    schema.key.partition = {{"pk", AttributeType::kString}};
    schema.key.sort = {{"sk", AttributeType::kString}};
    schema.indexes = {index};
    table_ = service_.database().create_table(schema);
    service_.succeed(
        "PutItem", R"({"TableName":"books","Item":{"pk":{"S":"a"},"sk":{"S":"b"},"l":{"S":"c"}}})");
  }

  std::string metrics() {
    std::string key;
    storage::ValueWriter key_writer(key);
    key_writer.begin_item();
    key_writer.name("pk");
    key_writer.string("a");
    key_writer.end_item();
    std::string out;
    json::Writer writer(out);
    append_collection_metrics(writer, service_.database(), *table_, storage::ItemView(key));
    return out;
  }

  TestService service_;
  TablePtr table_;
};

constexpr std::string_view kSmall =
    R"({"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0,1]})";

TEST_F(ItemCollectionMetrics, OfASmallTableNeedNoWalk) {
  EXPECT_TRUE(has_item_collections(*table_));
  EXPECT_EQ(metrics(), kSmall);
}

// Once the table could hold a collection of a gigabyte, the collection itself is measured.
TEST_F(ItemCollectionMetrics, OfALargeTableAreMeasured) {
  table_->statistics->size_bytes += 3LL << 30;
  EXPECT_EQ(metrics(), kSmall);
}

TEST_F(ItemCollectionMetrics, AreOnlyOfTablesWithLocalIndexes) {
  storage::IndexSchema index;
  index.name = "global";
  index.kind = storage::IndexKind::kGlobal;
  index.key.partition = {{"g", AttributeType::kString}};
  storage::TableSchema schema;
  schema.name = "plain";
  schema.key.partition = {{"pk", AttributeType::kString}};
  schema.indexes = {index};
  EXPECT_FALSE(has_item_collections(*service_.database().create_table(schema)));
}

}  // namespace
}  // namespace magneto::api
