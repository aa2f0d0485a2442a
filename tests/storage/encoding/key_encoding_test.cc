#include "storage/encoding/key_encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/partition_hash.h"
#include "tests/support/random_values.h"

namespace magneto::storage {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using testing::RandomValues;

constexpr std::array kKeyTypes = {AttributeType::kString, AttributeType::kNumber,
                                  AttributeType::kBinary};

std::string key_part(const AttributeValue& value) {
  std::string out;
  append_key_part(out, value);
  return out;
}

// DynamoDB's order of two values of one type.
int order_of(AttributeView a, AttributeView b) {
  return a.scalar_bytes().compare(b.scalar_bytes());
}

std::string big_endian(std::uint64_t value) {
  std::string out;
  append_uint64(out, value);
  return out;
}

Item item_of(const std::vector<std::pair<std::string, AttributeValue>>& attributes) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  for (const auto& [name, value] : attributes) {
    writer.name(name);
    writer.value(value);
  }
  writer.end_item();
  return Item(std::move(bytes));
}

TEST(KeyEncoding, PartsAreAsDrawn) {
  EXPECT_EQ(key_part(AttributeValue::string("ab")), "ab\0\x01"s);
  EXPECT_EQ(key_part(AttributeValue::string("")), "\0\x01"s);
  EXPECT_EQ(key_part(AttributeValue::binary("\0a\0\0"s)),
            "\0\xFF"
            "a\0\xFF\0\xFF\0\x01"s);
  EXPECT_EQ(key_part(AttributeValue::number(Number::from_integer(-1))), "\x3E\x64\x66\0"s);
}

TEST(KeyEncoding, ItemKeysAreAsDrawn) {
  const AttributeValue partition = AttributeValue::string("user#1");
  const AttributeValue sort = AttributeValue::number(Number::from_integer(100));
  const std::string start =
      tree_prefix(7, 0) + big_endian(partition_hash("user#1")) + "user#1\0\x01"s;
  EXPECT_EQ(item_key(7, {partition, {}}), start);
  EXPECT_EQ(item_key(7, {partition, sort}), start + "\xC2\x02\0"s);

  TableSchema table;
  table.number = 7;
  table.key = {{{"pk", AttributeType::kString}}, {{"sk", AttributeType::kNumber}}};
  EXPECT_EQ(item_key(table, item_of({{"pk", partition}, {"sk", sort}, {"z", partition}})),
            start + "\xC2\x02\0"s);
  table.key.sort.clear();
  EXPECT_EQ(item_key(table, item_of({{"pk", partition}, {"sk", sort}})), start);
}

TEST(KeyEncoding, ItemKeysOfSeveralItemsAreTheSame) {
  RandomValues random(13);
  std::vector<AttributeValue> partitions;
  for (std::size_t count = 0; count < 100; ++count) {
    partitions.push_back(random.key_value(kKeyTypes[random.below(3)]));
    std::vector<ItemKeyValues> values;
    for (std::size_t i = 0; i < partitions.size(); ++i) {
      values.push_back({partitions[i], i % 3 == 0 ? AttributeView() : partitions[i / 2]});
    }
    const PackedStrings keys = item_keys(9, values);
    ASSERT_EQ(keys.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(keys[i], item_key(9, values[i]));
  }
}

TEST(KeyEncoding, IndexKeysEndInTheTableKey) {
  TableSchema table;
  table.number = 7;
  table.key = {{{"pk", AttributeType::kString}}, {{"sk", AttributeType::kString}}};
  IndexSchema index;
  index.number = 2;
  index.key = {{{"a", AttributeType::kString}, {"b", AttributeType::kString}},
               {{"sk", AttributeType::kString}}};
  const auto text = [](std::string_view value) { return AttributeValue::string(value); };
  const Item item =
      item_of({{"pk", text("P")}, {"sk", text("S")}, {"a", text("A")}, {"b", text("B")}});
  EXPECT_EQ(index_key(table, index, item), tree_prefix(7, 2) + big_endian(partition_hash("AB")) +
                                               "A\0\1B\0\1S\0\1"s +
                                               big_endian(partition_hash("PS")) + "P\0\1S\0\1"s);
  EXPECT_EQ(
      index_key(table, index, item_of({{"pk", text("P")}, {"sk", text("S")}, {"a", text("A")}})),
      std::nullopt);
  EXPECT_EQ(index_key(table, index,
                      item_of({{"pk", text("P")},
                               {"sk", text("S")},
                               {"a", AttributeValue::binary("A")},
                               {"b", text("B")}})),
            std::nullopt);
}

TEST(KeyEncoding, AnItemWhoseValueCannotStandInAKeyIsNotInTheIndex) {
  TableSchema table;
  table.key = {{{"pk", AttributeType::kString}}, {}};
  IndexSchema index;
  index.key = {{{"a", AttributeType::kString}, {"b", AttributeType::kBinary}},
               {{"c", AttributeType::kString}, {"d", AttributeType::kNumber}}};
  const auto is_in = [&](std::size_t a, std::size_t b, std::size_t c) {
    return index_key(table, index,
                     item_of({{"pk", AttributeValue::string("P")},
                              {"a", AttributeValue::string(std::string(a, '\0'))},
                              {"b", AttributeValue::binary(std::string(b, 'b'))},
                              {"c", AttributeValue::string(std::string(c, 'c'))},
                              {"d", AttributeValue::number(Number())}}))
        .has_value();
  };
  EXPECT_TRUE(is_in(1, 1, 1));
  EXPECT_TRUE(is_in(2'048, 2'048, 1'024));
  const std::vector<std::size_t> sizes{0, 2'049, 65'535, 65'536, 400'000};
  for (const std::size_t size : sizes) {
    EXPECT_FALSE(is_in(size, 1, 1)) << size;
    EXPECT_FALSE(is_in(1, size, 1)) << size;
    EXPECT_FALSE(is_in(1, 1, size)) << size;
  }
  EXPECT_FALSE(is_in(1, 1, 1'025));
}

TEST(KeyEncoding, AnEncoderMakesTheKeysOfAllIndexesAndVersionsOfAnItem) {
  TableSchema table;
  table.number = 7;
  table.key = {{{"pk", AttributeType::kString}}, {{"sk", AttributeType::kString}}};
  IndexSchema local;
  local.number = 1;
  local.key = {{{"pk", AttributeType::kString}}, {{"a", AttributeType::kString}}};
  IndexSchema global;
  global.number = 2;
  global.kind = IndexKind::kGlobal;
  global.key = {{{"a", AttributeType::kString}}, {}};
  const auto item_with = [](std::string_view a) {
    return item_of({{"pk", AttributeValue::string("P\0Q"sv)},
                    {"sk", AttributeValue::string("S")},
                    {"a", AttributeValue::string(a)}});
  };
  const Item first = item_with("A");
  const Item second = item_with("B");
  const std::string key = item_key(table, first);
  IndexKeyEncoder keys(table, key, first);
  for (const Item* item : {&first, &second}) {
    for (const IndexSchema* index : {&local, &global}) {
      IndexKeyValues values;
      ASSERT_TRUE(collect_index_key(*index, *item, values));
      EXPECT_EQ(keys.encode(*index, values), index_key(table, *index, *item));
    }
  }
  const std::string tie_break = big_endian(partition_hash("P\0QS"sv)) + "P\0\xFFQ\0\1S\0\1"s;
  EXPECT_EQ(index_key(table, local, first),
            tree_prefix(7, 1) + key.substr(6, 8) + "P\0\xFFQ\0\1A\0\1"s + tie_break);
  EXPECT_EQ(index_key(table, global, second),
            tree_prefix(7, 2) + big_endian(partition_hash("B")) + "B\0\1"s + tie_break);
  IndexKeyValues values;
  EXPECT_FALSE(collect_index_key(local, {}, values));
  for (const Item* item : {&first, &second}) {
    std::string of_entry = "before";
    append_item_key_of_entry(of_entry, table, *index_key(table, local, *item), *item);
    EXPECT_EQ(of_entry, "before" + key);
  }
}

TEST(KeyEncodingProperty, PartsKeepTheOrderAndAreNoPrefixOfEachOther) {
  RandomValues random(9);
  for (const AttributeType type : kKeyTypes) {
    for (int round = 0; round < 20'000; ++round) {
      const AttributeValue a = random.key_value(type);
      const AttributeValue b = random.key_value(type);
      // The bytes after a part of a key must not matter.
      const std::string x = key_part(a) + random.bytes(2);
      const std::string y = key_part(b) + random.bytes(2);
      const int order = order_of(a, b);
      if (order == 0) continue;
      ASSERT_EQ(x < y, order < 0);
      ASSERT_FALSE(x.starts_with(key_part(b)));
    }
  }
}

// A table or index with `partition_size` and `sort_size` key attributes k0, k1, ..., and entries.
struct Fixture {
  Fixture(RandomValues& random, bool in_index, std::size_t partition_size, std::size_t sort_size) {
    table.number = 3;
    KeySchema key;
    for (std::size_t i = 0; i < partition_size + sort_size; ++i) {
      const KeyAttribute attribute{"k" + std::to_string(i), kKeyTypes[random.below(3)]};
      (i < partition_size ? key.partition : key.sort).push_back(attribute);
    }
    pools.resize(partition_size + sort_size);
    for (std::size_t i = 0; i < pools.size(); ++i) {
      const AttributeType type =
          i < partition_size ? key.partition[i].type : key.sort[i - partition_size].type;
      const std::size_t size = i + 1 < pools.size() || sort_size == 0 ? 3 : 30;
      while (pools[i].size() < size) {
        const AttributeValue value = random.key_value(type);
        if (!value.view().scalar_bytes().empty()) pools[i].push_back(value);  // as in every key
      }
    }
    table.key = in_index ? KeySchema{{{"id", AttributeType::kNumber}}, {}} : key;
    index.number = in_index ? 4 : 0;
    index.key = key;
    for (int n = 0; n < 200; ++n) {
      std::vector<std::pair<std::string, AttributeValue>> attributes = {
          {"id", AttributeValue::number(Number::from_integer(n))}};
      for (std::size_t i = 0; i < pools.size(); ++i) {
        attributes.emplace_back("k" + std::to_string(i), pick(random, i));
      }
      items.push_back(item_of(attributes));
      keys.push_back(in_index ? index_key(table, index, items.back()).value()
                              : item_key(table, items.back()));
    }
  }

  const AttributeValue& pick(RandomValues& random, std::size_t attribute) const {
    return pools[attribute][random.below(pools[attribute].size())];
  }

  TableSchema table;
  IndexSchema index;
  std::vector<std::vector<AttributeValue>> pools;  // the values of each key attribute
  std::vector<Item> items;
  std::vector<std::string> keys;
};

bool meets(SortOperator op, AttributeView value, const KeyCondition& condition) {
  const int order = condition.low ? order_of(value, condition.low) : 0;
  switch (op) {
    case SortOperator::kNone:
      return true;
    case SortOperator::kEqual:
      return order == 0;
    case SortOperator::kLess:
      return order < 0;
    case SortOperator::kLessOrEqual:
      return order <= 0;
    case SortOperator::kGreater:
      return order > 0;
    case SortOperator::kGreaterOrEqual:
      return order >= 0;
    case SortOperator::kBetween:
      return order >= 0 && order_of(value, condition.high) <= 0;
    case SortOperator::kBeginsWith:
      return value.scalar_bytes().starts_with(condition.low.scalar_bytes());
  }
  return false;
}

bool meets(const Fixture& data, ItemView item, const KeyCondition& condition) {
  std::size_t i = 0;
  const auto next = [&] { return item.find("k" + std::to_string(i++)); };
  for (const AttributeView wanted : condition.partition) {
    if (!(next() == wanted)) return false;
  }
  for (const AttributeView wanted : condition.sort_equal) {
    if (!(next() == wanted)) return false;
  }
  if (i == data.pools.size()) return true;
  return meets(condition.sort_operator, next(), condition);
}

void compare_with_filter(RandomValues& random, const Fixture& data, std::size_t& selected) {
  const std::size_t partition_size = data.index.key.partition.size();
  KeyCondition condition;
  std::size_t i = 0;
  for (; i < partition_size; ++i) condition.partition.push_back(data.pick(random, i));
  for (; i < data.pools.size() && random.one_in(2); ++i) {
    condition.sort_equal.push_back(data.pick(random, i));
  }
  if (i < data.pools.size()) {
    const bool number = data.index.key.sort[i - partition_size].type == AttributeType::kNumber;
    condition.sort_operator = static_cast<SortOperator>(random.below(number ? 7 : 8));
    condition.low = data.pick(random, i);
    condition.high = data.pick(random, i);
  }
  AttributeValue prefix;
  if (condition.sort_operator == SortOperator::kBeginsWith) {
    const std::string_view bytes = condition.low.scalar_bytes();
    prefix = AttributeValue::string(bytes.substr(0, random.below(bytes.size() + 1)));
    condition.low = prefix;
  }
  const KeyRange range = key_range(data.table.number, data.index.number, condition);
  ASSERT_LE(range.lower, range.upper);
  for (std::size_t n = 0; n < data.items.size(); ++n) {
    const bool inside = data.keys[n] >= range.lower && data.keys[n] < range.upper;
    ASSERT_EQ(inside, meets(data, data.items[n], condition));
    selected += inside ? 1 : 0;
  }
}

TEST(KeyRangeProperty, SelectsWhatAFilterSelects) {
  RandomValues random(10);
  std::size_t selected = 0;
  for (int round = 0; round < 60; ++round) {
    const bool in_index = random.one_in(2);
    const Fixture data(random, in_index, in_index ? 1 + random.below(4) : 1,
                       random.below(in_index ? 5 : 2));
    for (int n = 0; n < 30; ++n) {
      compare_with_filter(random, data, selected);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(selected, 1'000U);
}

TEST(KeyRangeProperty, EntriesOfAPartitionLieInSortKeyOrder) {
  RandomValues random(11);
  for (int round = 0; round < 30; ++round) {
    const Fixture data(random, true, 1, 3);
    for (std::size_t a = 0; a < data.keys.size(); ++a) {
      for (std::size_t b = 0; b < 20; ++b) {
        if (!(data.items[a].view().find("k0") == data.items[b].view().find("k0"))) continue;
        for (const char* name : {"k1", "k2", "k3"}) {
          const int order =
              order_of(data.items[a].view().find(name), data.items[b].view().find(name));
          if (order == 0) continue;
          ASSERT_EQ(data.keys[a] < data.keys[b], order < 0);
          break;
        }
      }
    }
  }
}

TEST(SegmentRange, SegmentsTileTheTree) {
  for (const std::uint32_t total : {1U, 2U, 3U, 7U, 100U, 4'096U, 5'000U}) {
    std::string next = segment_range(5, 1, 0, total).lower;
    EXPECT_LE(next, tree_prefix(5, 1) + std::string(8, '\0'));
    for (std::uint32_t segment = 0; segment < total; ++segment) {
      const KeyRange range = segment_range(5, 1, segment, total);
      ASSERT_EQ(range.lower, next);
      ASSERT_LE(range.lower, range.upper);
      next = range.upper;
    }
    EXPECT_EQ(next, tree_prefix(5, 2));
  }
}

TEST(SegmentRange, CutsTheFirstTwelveBitsOfTheHash) {
  RandomValues random(12);
  for (int round = 0; round < 2'000; ++round) {
    const AttributeValue partition = random.key_value(kKeyTypes[random.below(3)]);
    const std::uint64_t prefix = partition_hash(partition.view().scalar_bytes()) >> 52;
    const auto total = static_cast<std::uint32_t>(1 + random.below(6'000));
    const std::string key = item_key(5, {partition, {}});
    for (std::uint32_t n = 0; n < 4; ++n) {
      // Near the right one.
      const auto segment = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(prefix * total / 4'096 + n, total + 1));
      if (segment == 0 || segment > total) continue;
      const std::uint64_t s = segment - 1;
      const std::uint64_t first = (4'096 * s + total - 1) / total;
      const std::uint64_t last = (4'096 * (s + 1) + total - 1) / total;
      const KeyRange range = segment_range(5, 0, segment - 1, total);
      ASSERT_EQ(key >= range.lower && key < range.upper, prefix >= first && prefix < last);
    }
  }
}

}  // namespace
}  // namespace magneto::storage
