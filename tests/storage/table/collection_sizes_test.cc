#include "storage/table/collection_sizes.h"

#include <gtest/gtest.h>

#include <thread>

#include "storage/model/item_size.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

constexpr std::int64_t kLimit = 4 << 20;

// A database whose item collections may hold 4 MiB, and a table with a local index.
class CollectionSizesTest : public DatabaseTest {
 protected:
  CollectionSizesTest() {
    options_.item_collection_limit = kLimit;
    open();
    TableSchema schema = table_schema("t");
    schema.indexes = {
        index_schema("local", IndexKind::kLocal, {string_key("pk")}, {number_key("l")}),
        index_schema("global", IndexKind::kGlobal, {string_key("g")}, {}),
    };
    table_ = database().create_table(std::move(schema));
  }

  // An item with an entry in the local index, unless `l` is left out: twice 100,000 bytes.
  static Item item(const char* partition, int sort, bool indexed = true) {
    std::vector<Field> fields = {{"pk", partition}, {"sk", sort}, {"g", "x"}};
    if (indexed) fields.emplace_back("l", sort);
    const Item small = make_item(fields);
    fields.emplace_back("v", std::string(100'000 - item_size(small) - 1, 'v'));
    return make_item(fields);
  }
  static ItemWrite put_of(const TablePtr& table, const Item& item, const Decide& decide) {
    return {table, item_key(table->schema, item), decide};
  }
  std::int64_t size(const char* partition) {
    const Item key = make_item({{"pk", partition}});
    return database().collection_size(*table_, key.view().find("pk"));
  }
  // Puts items with rising sort keys until one is refused; how many fitted.
  int fill(const char* partition) {
    for (int count = 0;; ++count) {
      try {
        put(database(), table_, item(partition, count));
      } catch (const CollectionFull&) {
        return count;
      }
    }
  }

  TablePtr table_;
};
INSTANTIATE_TEST_SUITE_P(Engines, CollectionSizesTest, kEngineKinds, engine_kind_name);

TEST_P(CollectionSizesTest, CountsItemsAndTheirLocalEntries) {
  EXPECT_EQ(size("a"), 0);
  put(database(), table_, item("a", 1));
  EXPECT_EQ(size("a"), 200'000);
  put(database(), table_, item("a", 2, false));
  put(database(), table_, item("b", 1));
  EXPECT_EQ(size("a"), 300'000);
  EXPECT_EQ(size("b"), 200'000);
  remove(database(), table_, item("a", 1));
  EXPECT_EQ(size("a"), 100'000);
}

TEST_P(CollectionSizesTest, KeepsTheSizeOfALargeCollectionUpToDate) {
  for (int i = 0; i < 10; ++i) put(database(), table_, item("a", i));
  EXPECT_EQ(size("a"), 2'000'000);
  put(database(), table_, item("a", 10));
  EXPECT_EQ(size("a"), 2'200'000);
  put(database(), table_, item("a", 10));
  put(database(), table_, make_item({{"pk", "a"}, {"sk", 9}}));
  EXPECT_EQ(size("a"),
            2'000'000 + static_cast<std::int64_t>(item_size(make_item({{"pk", "a"}, {"sk", 9}}))));
  for (int i = 0; i < 11; ++i) remove(database(), table_, item("a", i));
  EXPECT_EQ(size("a"), 0);
}

TEST_P(CollectionSizesTest, WhatIsKeptIsNoDeletion) {
  for (int i = 0; i < 10; ++i) put(database(), table_, item("a", i));
  EXPECT_EQ(size("a"), 2'000'000);
  const auto keep = [](const StoredItem&) { return WriteDecision::keep(); };
  for (int i = 0; i < 10; ++i) {
    const Item kept = item("a", i);
    EXPECT_TRUE(database().write({table_, item_key(table_->schema, kept.view()), keep}).kept);
  }
  EXPECT_EQ(size("a"), 2'000'000);
}

TEST_P(CollectionSizesTest, AFullCollectionTakesNoMore) {
  EXPECT_EQ(fill("a"), kLimit / 200'000);
  const std::int64_t full = size("a");
  EXPECT_EQ(full, kLimit / 200'000 * 200'000);
  EXPECT_FALSE(get(database(), table_, item("a", 20)));
  expect_consistent(database(), "t");

  // An item that is not in the index costs half, and just fits.
  put(database(), table_, item("a", 100, false));
  EXPECT_THROW(put(database(), table_, item("a", 101, false)), CollectionFull);
  // Other collections have room, and writes that do not grow are allowed.
  EXPECT_EQ(fill("b"), kLimit / 200'000);
  put(database(), table_, item("a", 3));
  put(database(), table_, item("a", 3, false));
  remove(database(), table_, item("a", 4));
  put(database(), table_, item("a", 21));
  EXPECT_EQ(size("a"), full);
  EXPECT_THROW(put(database(), table_, item("a", 22)), CollectionFull);
}

TEST_P(CollectionSizesTest, WritesTogetherAreCountedTogether) {
  EXPECT_EQ(fill("a"), 20);
  remove(database(), table_, item("a", 0));
  const Item first = item("a", 30);
  const Item other = item("c", 30);
  const Item second = item("a", 31);
  const auto put_first = [&](const StoredItem&) { return WriteDecision::put(first); };
  const auto put_other = [&](const StoredItem&) { return WriteDecision::put(other); };
  const auto put_second = [&](const StoredItem&) { return WriteDecision::put(second); };
  const std::vector<ItemWrite> writes = {put_of(table_, first, put_first),
                                         put_of(table_, other, put_other),
                                         put_of(table_, second, put_second)};
  try {
    database().write_all(writes);
    ADD_FAILURE() << "the collection had no room for two";
  } catch (const CollectionFull& full) {
    EXPECT_EQ(full.write(), 2U);
  }
  EXPECT_FALSE(get(database(), table_, first));
  EXPECT_FALSE(get(database(), table_, other));
  database().write_all(std::span(writes).first(2));
  EXPECT_TRUE(get(database(), table_, first));
}

TEST_P(CollectionSizesTest, ATableWithoutLocalIndexesHasNoLimit) {
  TableSchema schema = table_schema("plain");
  schema.indexes = {index_schema("global", IndexKind::kGlobal, {string_key("g")}, {})};
  const TablePtr plain = database().create_table(std::move(schema));
  for (int i = 0; i < 45; ++i) put(database(), plain, item("a", i));
  EXPECT_EQ(plain->statistics->item_count, 45);
}

TEST_P(CollectionSizesTest, ConcurrentWritersDoNotLoseCount) {
  for (int i = 0; i < 8; ++i) put(database(), table_, item("a", i));
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 100; ++i) {
        const Item one = item("a", 100 + writer);
        if (i % 2 == 0) {
          put(database(), table_, one);
        } else {
          remove(database(), table_, one);
        }
        size("a");
      }
    });
  }
  writers.clear();
  const std::int64_t remembered = size("a");
  EXPECT_GE(remembered, 1'600'000);
  // Only commits at the moment of the first walk can count twice.
  EXPECT_LE(remembered, 1'600'000 + 4 * 200'000);
}

}  // namespace
}  // namespace magneto::storage
