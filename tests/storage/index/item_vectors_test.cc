// The vectors that several threads read in the order of keys are those that each item has.
#include "storage/index/item_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/key_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/value_writer.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

constexpr std::uint32_t kDimensions = 2'048;  // some hundred items are work for several threads

class ItemVectorsTest : public EngineTest {
 protected:
  // The vector has its value in each dimension; a value below 0 means none, 0 one of another length.
  std::string put(int number, int value) {
    std::string bytes;
    ValueWriter writer(bytes);
    writer.begin_item();
    if (value >= 0) {
      writer.name("e");
      writer.begin_list();
      for (std::uint32_t i = 0; i < (value == 0 ? 3 : kDimensions); ++i) {
        writer.number(Number::from_integer(value));
      }
      writer.end_list();
    }
    writer.name("pk");
    writer.string("p" + std::to_string(number));
    writer.name("sk");
    writer.number(Number::from_integer(number));
    writer.end_item();
    const Item item(std::move(bytes));
    std::string key = item_key(schema_, item);
    WriteBatch batch;
    batch.put(items_.tree_of(key), key, encode_item(item));
    engine_->commit(batch);
    return key;
  }
  void remove(const std::string& key) {
    WriteBatch batch;
    batch.remove(items_.tree_of(key), key);
    engine_->commit(batch);
  }
  // Reads the wanted items and returns the values that were found.
  std::map<std::string, int> read(const std::set<std::string>& keys) {
    IndexedVectors vectors(kDimensions, DistanceFunction::kEuclidean, 0);
    std::vector<ItemVectors::Wanted> wanted;
    for (const std::string& key : keys) {
      const auto place =
          vectors.put_place({.key = key, .partition = "", .values = {}, .vector = {}});
      wanted.push_back({.key = key, .place = place, .is_found = false});
    }
    std::shuffle(wanted.begin(), wanted.end(), random_);
    ItemVectors(*engine_, items_, specification_).read(wanted);
    EXPECT_EQ(wanted.size(), keys.size());
    for (const ItemVectors::Wanted& one : wanted) {
      if (!one.is_found) vectors.remove(one.place);
    }
    std::map<std::string, int> found;
    vectors.for_each([&](const IndexedVectors::Entry& entry) {
      const auto value = static_cast<int>(entry.vector.front());
      for (const float element : entry.vector) EXPECT_EQ(element, static_cast<float>(value));
      EXPECT_TRUE(found.emplace(entry.key, value).second);
      return true;
    });
    return found;
  }

  TableSchema schema_ = [] {
    TableSchema schema = table_schema("t");
    schema.number = 7;
    return schema;
  }();
  VectorSpecification specification_{.attribute = "e",
                                     .dimensions = kDimensions,
                                     .function = DistanceFunction::kEuclidean,
                                     .search_schema = {}};
  PartitionMap items_{*engine_, ColumnFamily::kItems, 7, 0, 4};
  std::mt19937 random_{17};
};

INSTANTIATE_TEST_SUITE_P(Engines, ItemVectorsTest,
                         testing::Values(EngineKind::kMemory, EngineKind::kRocksdb,
                                         EngineKind::kBareRocksdb, EngineKind::kOverlay),
                         engine_kind_name);

TEST_P(ItemVectorsTest, AreThoseOfTheWantedItems) {
  std::map<std::string, int> values;  // that a reader finds
  std::vector<std::string> keys;
  for (int i = 0; i < 700; ++i) {
    const int value = static_cast<int>(random_() % 20) - 1;
    keys.push_back(put(i, value));
    if (value > 0) values[keys.back()] = value;
  }
  for (int i = 0; i < 700; i += 7) {  // keys of which no item is left
    const std::string& key = keys[static_cast<std::size_t>(i)];
    remove(key);
    values.erase(key);
  }
  // All items, most of them, few of them, one, and none.
  for (const unsigned part : {1U, 2U, 30U, 700U, 1'000'000U}) {
    std::set<std::string> wanted;
    std::map<std::string, int> expected;
    for (const std::string& key : keys) {
      if (random_() % part != 0) continue;
      wanted.insert(key);
      if (values.contains(key)) expected.emplace(key, values.at(key));
    }
    EXPECT_EQ(read(wanted), expected) << part;
  }
}

TEST_P(ItemVectorsTest, OneItemMayBeWantedForTwoPlaces) {
  IndexedVectors vectors(kDimensions, DistanceFunction::kEuclidean, 0);
  std::vector<ItemVectors::Wanted> wanted;
  for (int i = 0; i < 40; ++i) {
    const std::string key = put(i, i + 1);
    for (const std::string entry : {"a", "b"}) {
      const auto place =
          vectors.put_place({.key = entry + key, .partition = "", .values = {}, .vector = {}});
      wanted.push_back({.key = key, .place = place, .is_found = false});
    }
  }
  ItemVectors(*engine_, items_, specification_).read(wanted);
  EXPECT_TRUE(std::ranges::all_of(wanted, [](const auto& one) { return one.is_found; }));
  std::map<float, int> found;
  vectors.for_each([&](const IndexedVectors::Entry& entry) {
    ++found[entry.vector.back()];
    return true;
  });
  EXPECT_EQ(found.size(), 40U);
  EXPECT_TRUE(std::ranges::all_of(found, [](const auto& one) { return one.second == 2; }));
}

TEST_P(ItemVectorsTest, AnEmptyTableHasNone) {
  const std::string key = put(1, 5);
  remove(key);
  EXPECT_TRUE(read({key}).empty());
}

}  // namespace
}  // namespace magneto::storage
