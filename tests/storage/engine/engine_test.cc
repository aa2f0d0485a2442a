#include "storage/engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "tests/support/engines.h"

// The promises of every engine.
namespace magneto::storage {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

class EngineContract : public EngineTest {
 protected:
  void put(const TreePtr& tree, std::string key, std::string value) {
    WriteBatch batch;
    batch.put(tree, std::move(key), std::move(value));
    engine_->commit(batch);
  }
  void remove(const TreePtr& tree, std::string key) {
    WriteBatch batch;
    batch.remove(tree, std::move(key));
    engine_->commit(batch);
  }
  std::string get(const TreePtr& tree, std::string_view key) {
    const PinnedValue value = engine_->get(*tree, key);
    return value ? std::string(value.bytes()) : "(none)";
  }
  Entries scan(const TreePtr& tree, std::string_view lower = {}, std::string_view upper = {},
               Direction direction = Direction::kForward) {
    Entries entries;
    const auto cursor = engine_->scan(*tree, lower, upper, direction);
    while (cursor->next()) entries.emplace_back(cursor->key(), cursor->value());
    EXPECT_FALSE(cursor->next());
    return entries;
  }
  std::string keys(const TreePtr& tree, std::string_view lower, std::string_view upper,
                   Direction direction = Direction::kForward) {
    std::string all;
    for (const auto& [key, value] : scan(tree, lower, upper, direction)) {
      all += (all.empty() ? "" : " ") + key;
    }
    return all;
  }
};

TEST_P(EngineContract, GetsWhatWasPut) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  EXPECT_EQ(get(tree, "t1"), "(none)");
  put(tree, "t1", "one");
  put(tree, "t2", "");
  EXPECT_EQ(get(tree, "t1"), "one");
  EXPECT_EQ(get(tree, "t2"), "");
  EXPECT_TRUE(engine_->get(*tree, "t2"));
  put(tree, "t1", "other");
  EXPECT_EQ(get(tree, "t1"), "other");
  remove(tree, "t1");
  EXPECT_EQ(get(tree, "t1"), "(none)");
  remove(tree, "t1");
  remove(tree, "never there");
}

TEST_P(EngineContract, KeepsAnyBytes) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, std::string("\0\1", 2));
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  const std::string key = std::string("\0\1", 2) + bytes;
  std::string large(500'000, 'x');
  large += bytes;
  put(tree, key, large);
  EXPECT_EQ(get(tree, key), large);
  EXPECT_EQ(scan(tree), (Entries{{key, large}}));
}

// The key of an index entry is as long as its parts are, up to an item each, unless the engine has
// a limit; 65,536 and more once lost its upper bits.
TEST_P(EngineContract, KeepsKeysOfAnyLength) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kIndexes, "t");
  Entries expected;
  const std::size_t longest = std::min<std::size_t>(engine_->max_key_bytes(), 3'300'005);
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{65'534}, std::size_t{65'535}, std::size_t{65'536},
        std::size_t{65'537}, std::size_t{131'072}, longest - 5}) {
    if (size + 5 > longest) continue;
    expected.emplace_back("t" + std::string(size, 'k') + "end", std::to_string(size));
    expected.emplace_back("t" + std::string(size, 'k') + "end", std::to_string(size));
    expected.back().first.insert(1, 1, static_cast<char>('a' + size % 7));
  }
  for (const auto& [key, value] : expected) put(tree, key, value);
  std::ranges::sort(expected);
  EXPECT_EQ(scan(tree).size(), expected.size());
  EXPECT_TRUE(scan(tree) == expected);
  Entries backwards(expected.rbegin(), expected.rend());
  EXPECT_TRUE(scan(tree, {}, {}, Direction::kBackward) == backwards);
  for (const auto& [key, value] : expected) EXPECT_EQ(get(tree, key), value) << key.size();
  for (std::size_t i = 0; i < expected.size(); i += 2) remove(tree, expected[i].first);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(get(tree, expected[i].first), i % 2 == 0 ? "(none)" : expected[i].second);
  }
}

// Keys that cannot be compressed: a limit holds for all bytes.
TEST_P(EngineContract, TakesKeysOfTheGreatestLengthAndRefusesLongerOnes) {
  const std::size_t longest = engine_->max_key_bytes();
  if (longest > 1'000'000) return;  // the test before this one holds for it
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  std::mt19937 random(20'261'128);
  std::string key = "t";
  while (key.size() < longest) key.push_back(static_cast<char>(random() % 256));
  put(tree, key, "v");
  EXPECT_EQ(get(tree, key), "v");
  WriteBatch batch;
  batch.put(tree, "t1", "v");
  batch.put(tree, key + "x", "v");
  EXPECT_THROW(engine_->commit(batch), EngineError);
  EXPECT_EQ(get(tree, "t1"), "(none)");
  EXPECT_EQ(get(tree, key + "x"), "(none)");
}

TEST_P(EngineContract, ValueStaysAsReadWhileHeld) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  put(tree, "t1", "before");
  const PinnedValue held = engine_->get(*tree, "t1");
  put(tree, "t1", "after!");
  remove(tree, "t1");
  EXPECT_EQ(held.bytes(), "before");
}

TEST_P(EngineContract, OrdersKeysAsMemcmpDoes) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  const auto t = [](std::string_view rest) { return "t" + std::string(rest); };
  // Shorter and longer than 8 bytes, equal up to there, zeros at the end.
  const std::vector<std::string> ascending = {t({"", 0}),
                                              t({"\0", 1}),
                                              t({"\0\0", 2}),
                                              t({"\0\0\0\0\0\0\0\0", 8}),
                                              t({"\0\0\0\0\0\0\0\0\0", 9}),
                                              t("a"),
                                              t({"a\0", 2}),
                                              t("ab"),
                                              t("abcdefgh"),
                                              t({"abcdefgh\0", 9}),
                                              t("abcdefgha"),
                                              t("abcdefghab"),
                                              t("abcdefghb"),
                                              t("abcdefgi"),
                                              t("b"),
                                              t("\x7f"),
                                              t("\x80"),
                                              t("\xff\xff\xff\xff\xff\xff\xff\xff"),
                                              t("\xff\xff\xff\xff\xff\xff\xff\xff\xff")};
  std::vector<std::string> shuffled = ascending;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(7));
  for (const std::string& key : shuffled) put(tree, key, "v" + key);
  Entries expected;
  for (const std::string& key : ascending) expected.emplace_back(key, "v" + key);
  EXPECT_EQ(scan(tree), expected);
  for (const std::string& key : ascending) EXPECT_EQ(get(tree, key), "v" + key);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(scan(tree, {}, {}, Direction::kBackward), expected);
}

TEST_P(EngineContract, ScansBetweenBoundsInBothDirections) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  for (const char* key : {"ta", "tb", "tc", "td", "te"}) put(tree, key, "v");
  EXPECT_EQ(keys(tree, {}, {}), "ta tb tc td te");
  EXPECT_EQ(keys(tree, "tb", "td"), "tb tc");
  EXPECT_EQ(keys(tree, "tb", "td", Direction::kBackward), "tc tb");
  EXPECT_EQ(keys(tree, "tbb", "tdd"), "tc td");
  EXPECT_EQ(keys(tree, "tbb", "tdd", Direction::kBackward), "td tc");
  EXPECT_EQ(keys(tree, "td", {}), "td te");
  EXPECT_EQ(keys(tree, {}, "tb", Direction::kBackward), "ta");
  EXPECT_EQ(keys(tree, "tc", "tc"), "");
  EXPECT_EQ(keys(tree, "td", "tb"), "");
  EXPECT_EQ(keys(tree, "td", "tb", Direction::kBackward), "");
  EXPECT_EQ(keys(tree, "tf", {}), "");
  EXPECT_EQ(keys(tree, {}, "ta", Direction::kBackward), "");
}

TEST_P(EngineContract, BoundsBeyondTheTreeMeanItsOwn) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  const TreePtr before = engine_->open_tree(ColumnFamily::kItems, "s");
  const TreePtr after = engine_->open_tree(ColumnFamily::kItems, "u");
  for (const char* key : {"ta", "tb"}) put(tree, key, "v");
  put(before, "sa", "v");
  put(after, "ua", "v");
  EXPECT_EQ(keys(tree, {}, {}), "ta tb");
  EXPECT_EQ(keys(tree, "a", "z"), "ta tb");
  EXPECT_EQ(keys(tree, "t", "u"), "ta tb");
  EXPECT_EQ(keys(tree, "a", "z", Direction::kBackward), "tb ta");
  EXPECT_EQ(keys(tree, "u", {}), "");
  EXPECT_EQ(keys(tree, {}, "s"), "");
  EXPECT_EQ(keys(tree, {}, "t"), "");
  EXPECT_EQ(keys(tree, "u", {}, Direction::kBackward), "");
}

TEST_P(EngineContract, TreeWithoutPrefixHoldsAllKeys) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kSystem, "");
  put(tree, "a", "1");
  put(tree, "\xff\xff", "2");
  EXPECT_EQ(keys(tree, {}, {}), "a \xff\xff");
  EXPECT_EQ(keys(tree, {}, {}, Direction::kBackward), "\xff\xff a");
  EXPECT_EQ(keys(tree, "b", {}), "\xff\xff");
}

TEST_P(EngineContract, TreesShareAPrefixWhenTheirBoundsDiffer) {
  const TreePtr low = engine_->open_tree(ColumnFamily::kItems, "t", "t", "tm");
  const TreePtr high = engine_->open_tree(ColumnFamily::kItems, "t", "tm", "u");
  WriteBatch batch;
  batch.put(low, "ta", "1");
  batch.put(high, "tm", "2");
  batch.put(high, "tz", "3");
  engine_->commit(batch);
  EXPECT_EQ(keys(low, {}, {}), "ta");
  EXPECT_EQ(keys(high, {}, {}), "tm tz");
  EXPECT_EQ(keys(low, {}, {}, Direction::kBackward), "ta");
  EXPECT_EQ(keys(high, "ta", "tz", Direction::kBackward), "tm");
  engine_->clear(*high);
  EXPECT_EQ(keys(low, {}, {}), "ta");
  EXPECT_EQ(keys(high, {}, {}), "");
}

TEST_P(EngineContract, OpeningARangeAgainGivesTheSameContents) {
  const TreePtr first = engine_->open_tree(ColumnFamily::kItems, "t", "ta", "tb");
  put(first, "ta1", "v");
  const TreePtr second = engine_->open_tree(ColumnFamily::kItems, "t", "ta", "tb");
  EXPECT_EQ(get(second, "ta1"), "v");
  put(second, "ta1", "w");
  EXPECT_EQ(get(first, "ta1"), "w");
}

TEST_P(EngineContract, FamiliesAreApart) {
  const TreePtr items = engine_->open_tree(ColumnFamily::kItems, "t");
  const TreePtr indexes = engine_->open_tree(ColumnFamily::kIndexes, "t");
  const TreePtr queue = engine_->open_tree(ColumnFamily::kQueue, "t");
  const TreePtr system = engine_->open_tree(ColumnFamily::kSystem, "t");
  const TreePtr expiry = engine_->open_tree(ColumnFamily::kExpiry, "t");
  WriteBatch batch;
  batch.put(items, "t1", "items");
  batch.put(indexes, "t1", "indexes");
  batch.put(queue, "t1", "queue");
  batch.put(system, "t1", "system");
  batch.put(expiry, "t1", "expiry");
  engine_->commit(batch);
  batch.clear();
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(get(items, "t1"), "items");
  EXPECT_EQ(get(indexes, "t1"), "indexes");
  EXPECT_EQ(get(queue, "t1"), "queue");
  EXPECT_EQ(get(system, "t1"), "system");
  EXPECT_EQ(get(expiry, "t1"), "expiry");
  batch.remove(items, "t1");
  batch.put(queue, "t2", "more");
  engine_->commit(batch);
  EXPECT_EQ(get(items, "t1"), "(none)");
  EXPECT_EQ(get(indexes, "t1"), "indexes");
  EXPECT_EQ(keys(queue, {}, {}), "t1 t2");
}

TEST_P(EngineContract, LaterOperationOfABatchWins) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  put(tree, "t3", "old");
  WriteBatch batch;
  batch.put(tree, "t1", "a");
  batch.put(tree, "t1", "b");
  batch.put(tree, "t2", "a");
  batch.remove(tree, "t2");
  batch.remove(tree, "t3");
  batch.put(tree, "t3", "new");
  engine_->commit(batch);
  EXPECT_EQ(scan(tree), (Entries{{"t1", "b"}, {"t3", "new"}}));
}

TEST_P(EngineContract, EmptyBatchCommits) { engine_->commit(WriteBatch()); }

TEST_P(EngineContract, ClearRemovesAllOfTheTreeAndNothingElse) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  const TreePtr other = engine_->open_tree(ColumnFamily::kItems, "u");
  put(other, "u1", "v");
  WriteBatch batch;
  for (int i = 0; i < 5'000; ++i) batch.put(tree, "t" + std::to_string(i), std::string(100, 'v'));
  engine_->commit(batch);
  engine_->clear(*tree);
  EXPECT_EQ(get(tree, "t17"), "(none)");
  EXPECT_TRUE(scan(tree).empty());
  EXPECT_EQ(keys(other, {}, {}), "u1");
  put(tree, "t17", "again");
  EXPECT_EQ(scan(tree), (Entries{{"t17", "again"}}));
  engine_->clear(*tree);
  EXPECT_TRUE(scan(tree).empty());
  engine_->clear(*tree);
}

TEST_P(EngineContract, AgreesWithAMapUnderRandomOperations) {
  std::mt19937 random(20'260'501);
  const auto number = [&](int below) {
    return std::uniform_int_distribution<int>(0, below - 1)(random);
  };
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  std::map<std::string, std::string> model;
  // Short alphabets make keys that are prefixes of one another and share their first 8 bytes.
  const auto random_key = [&] {
    std::string key = number(2) == 0 ? "t" : "tabababab";
    for (int i = number(6); i > 0; --i) key.push_back(static_cast<char>('a' + number(2)));
    if (number(4) == 0) key.push_back('\0');
    return key;
  };
  for (int round = 0; round < 2'000; ++round) {
    WriteBatch batch;
    for (int i = number(4); i >= 0; --i) {
      std::string key = random_key();
      if (number(3) == 0) {
        model.erase(key);
        batch.remove(tree, std::move(key));
      } else {
        std::string value(static_cast<std::size_t>(number(40)),
                          static_cast<char>('a' + number(26)));
        model.insert_or_assign(key, value);
        batch.put(tree, std::move(key), std::move(value));
      }
    }
    engine_->commit(batch);
    const std::string key = random_key();
    EXPECT_EQ(get(tree, key), model.contains(key) ? model[key] : "(none)");
    if (round % 20 != 0) continue;
    std::string lower = random_key();
    std::string upper = random_key();
    if (lower > upper) std::swap(lower, upper);
    Entries expected(model.lower_bound(lower), model.lower_bound(upper));
    ASSERT_EQ(scan(tree, lower, upper), expected);
    std::reverse(expected.begin(), expected.end());
    ASSERT_EQ(scan(tree, lower, upper, Direction::kBackward), expected);
  }
}

TEST_P(EngineContract, ScopesExcludeAndAreWaitedFor) {
  WriteScopePtr scope = engine_->begin("k");
  std::atomic<bool> ended = false;
  std::thread other([&] {
    const std::vector<std::string_view> keys = {"j", "k"};
    const WriteScopePtr both = engine_->begin(keys);
    EXPECT_TRUE(ended);
  });
  std::thread waiter([&] {
    engine_->wait_for_open_scopes();
    EXPECT_TRUE(ended);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ended = true;
  scope.reset();
  other.join();
  waiter.join();
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineContract, kAllEngineKinds, engine_kind_name);

}  // namespace
}  // namespace magneto::storage
