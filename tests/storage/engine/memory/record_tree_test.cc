#include "storage/engine/memory/record_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"

namespace magneto::storage {
namespace {

using Model = std::map<std::string, std::string>;

class RecordTreeTest : public testing::Test {
 protected:
  void put(const std::string& key, const std::string& value) {
    Record* replaced = tree_.put(Probe(key), Record::create(key, value));
    const auto known = model_.find(key);
    ASSERT_EQ(replaced != nullptr, known != model_.end());
    if (replaced != nullptr) {
      EXPECT_EQ(key_of(replaced, key), key);
      EXPECT_EQ(replaced->value(), known->second);
      replaced->release();
    }
    model_[key] = value;
  }
  void remove(const std::string& key) {
    Record* removed = tree_.remove(Probe(key));
    const auto known = model_.find(key);
    ASSERT_EQ(removed != nullptr, known != model_.end());
    if (removed == nullptr) return;
    EXPECT_EQ(key_of(removed, key), key);
    EXPECT_EQ(removed->value(), known->second);
    removed->release();
    model_.erase(known);
  }
  void expect_found(const std::string& key) {
    const Record* record = tree_.find(Probe(key));
    const auto known = model_.find(key);
    ASSERT_EQ(record != nullptr, known != model_.end()) << key;
    if (record == nullptr) return;
    EXPECT_EQ(record->value(), known->second);
  }
  // The key of a record that is under `key`.
  static std::string key_of(const Record* record, const std::string& key) {
    std::string own;
    record->append_key(Probe(key).head, own);
    return own;
  }
  static std::string key_at(RecordTree::Iterator at) {
    if (!at) return "(end)";
    std::string key;
    at.entry().append_key(key);
    return key;
  }
  // The places around a key agree with the model.
  void expect_neighbours(const std::string& key) {
    const auto key_of = [&](Model::const_iterator at) {
      return at == model_.end() ? "(end)" : at->first;
    };
    const auto lower = model_.lower_bound(key);
    EXPECT_EQ(key_at(tree_.first_above(Probe(key), true)), key_of(lower));
    EXPECT_EQ(key_at(tree_.first_above(Probe(key), false)), key_of(model_.upper_bound(key)));
    EXPECT_EQ(key_at(tree_.last_below(Probe(key))),
              lower == model_.begin() ? "(end)" : std::prev(lower)->first);
  }
  // Puts the key or removes it, and compares. Grows and shrinks in turns.
  void change(std::mt19937& random, int round, const std::string& key, const std::string& value) {
    if (random() % 100 < (round / 5'000 % 2 == 0 ? 70 : 20)) {
      put(key, value);
    } else {
      remove(key);
    }
    expect_found(key);
    expect_neighbours(key);
    if (round % 2'000 == 0) expect_same_walks();
    ASSERT_FALSE(HasFailure());
  }
  void expect_same_walks() {
    auto expected = model_.begin();
    for (auto at = tree_.first(); at; at = RecordTree::next(at), ++expected) {
      ASSERT_NE(expected, model_.end());
      ASSERT_EQ(key_at(at), expected->first);
      ASSERT_EQ(at.head(), Probe(expected->first).head);
      ASSERT_EQ(at.record()->value(), expected->second);
    }
    ASSERT_EQ(expected, model_.end());
    auto backward = model_.rbegin();
    for (auto at = tree_.last(); at; at = RecordTree::previous(at), ++backward) {
      ASSERT_NE(backward, model_.rend());
      ASSERT_EQ(key_at(at), backward->first);
    }
    ASSERT_EQ(backward, model_.rend());
  }

  // Every key is found, and the records are those of the model.
  void expect_all_found() {
    for (const auto& [key, value] : model_) expect_found(key);
    expect_same_walks();
  }
  // The share of the leaves' places that have records.
  double fill() const {
    constexpr std::size_t kPlaces = 30;
    std::size_t leaves = 0;
    for (auto at = tree_.first(); at; at = RecordTree::next(at.ahead(at.left_in_node() - 1))) {
      ++leaves;
    }
    return static_cast<double>(model_.size()) / static_cast<double>(leaves * kPlaces);
  }

  NodePool pool_;
  RecordTree tree_{pool_};
  Model model_;
};

std::string hashed(std::uint32_t number) {
  std::string key;
  append_uint64(key, (number + 1) * 0x9e3779b97f4a7c15ULL);
  return key + std::to_string(number);
}

TEST_F(RecordTreeTest, EmptyTreeHasNothing) {
  expect_found("a");
  expect_neighbours("a");
  expect_same_walks();
  remove("a");
  tree_.clear();
}

TEST_F(RecordTreeTest, ProbesOrderShortKeysByTheirHeads) {
  EXPECT_EQ(Probe("").head, 0U);
  EXPECT_EQ(Probe("\x01").head, 0x0100000000000000U);
  EXPECT_EQ(Probe("abcdefgh").head, Probe("abcdefghi").head);
  EXPECT_LT(Probe("abcdefgh").head, Probe("abcdefgi").head);
}

TEST_F(RecordTreeTest, GrowsAndShrinksOverSeveralLevels) {
  constexpr std::uint32_t kCount = 20'000;
  std::vector<std::uint32_t> order(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (const std::uint32_t number : order) put(hashed(number), std::to_string(number));
  expect_same_walks();
  for (std::uint32_t i = 0; i < kCount; i += 7) {
    expect_found(hashed(i));
    expect_neighbours(hashed(i));
    expect_neighbours(hashed(i) + "x");
  }
  std::shuffle(order.begin(), order.end(), std::mt19937(2));
  for (std::uint32_t i = 0; i < kCount; ++i) {
    remove(hashed(order[i]));
    if (i % 2'000 == 0) expect_same_walks();
  }
  EXPECT_TRUE(model_.empty());
  expect_same_walks();
  put("again", "1");
  expect_same_walks();
}

TEST_F(RecordTreeTest, AscendingAndDescendingKeys) {
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    std::string key = "up";
    append_uint64(key, i);
    put(key, "v");
    key = "down";
    append_uint64(key, 5'000 - i);
    put(key, "v");
  }
  expect_same_walks();
  while (!model_.empty()) {
    remove(model_.begin()->first);
    if (!model_.empty()) remove(model_.rbegin()->first);
  }
  expect_same_walks();
}

// A queue: keys are added at the end and taken from the front.
TEST_F(RecordTreeTest, QueueMovesOn) {
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    std::string key;
    append_uint64(key, i);
    put(key, "v");
    if (i >= 100) remove(model_.begin()->first);
  }
  EXPECT_EQ(model_.size(), 100U);
  expect_same_walks();
}

// All items of one partition key share the head.
TEST_F(RecordTreeTest, ManyKeysWithOneHead) {
  for (std::uint32_t i = 0; i < 5'000; ++i) put("12345678" + hashed(i), "v");
  put("12345678", "shortest");
  put("1234567", "before");
  put("12345679", "after");
  expect_same_walks();
  for (std::uint32_t i = 0; i < 5'000; i += 11) {
    expect_found("12345678" + hashed(i));
    expect_neighbours("12345678" + hashed(i));
  }
  expect_neighbours("12345678");
  expect_neighbours("12345678\xff\xff\xff\xff\xff\xff\xff\xff\xff");
  for (std::uint32_t i = 0; i < 5'000; i += 2) remove("12345678" + hashed(i));
  expect_same_walks();
}

TEST_F(RecordTreeTest, AgreesWithAMapUnderRandomOperations) {
  std::mt19937 random(20'260'502);
  // Short alphabets make prefixes and equal heads.
  for (int round = 0; round < 40'000; ++round) {
    std::string key = random() % 2 == 0 ? "" : "xxxxxxxx";
    for (auto i = random() % 12; i > 0; --i) key.push_back(static_cast<char>(random() % 3));
    ASSERT_NO_FATAL_FAILURE(change(random, round, key, std::to_string(round)));
  }
  tree_.clear();
  model_.clear();
  expect_same_walks();
}

// A random key of an item, whose value has its parts or does not.
std::pair<std::string, std::string> item(std::mt19937& random, int round) {
  const auto part = [&random] {
    std::string bytes;
    for (auto i = random() % 3 + 1; i > 0; --i) bytes.push_back(static_cast<char>(random() % 3));
    return bytes;
  };
  const std::string first = part();
  const std::string second = part();
  std::string key(8, static_cast<char>(random() % 2));
  key += first + std::string("\0\1", random() % 2 + 1);
  if (random() % 4 != 0) key += second + std::string("\0\1", random() % 2 + 1);
  std::string value = std::to_string(round);
  for (const std::string& known : {first, second}) {
    if (random() % 4 != 0) value += static_cast<char>(known.size()) + known;
  }
  return {key, value};
}

TEST_F(RecordTreeTest, AgreesWithAMapIfValuesHaveTheirKeys) {
  std::mt19937 random(20'261'129);
  for (int round = 0; round < 40'000; ++round) {
    const auto [key, value] = item(random, round);
    ASSERT_NO_FATAL_FAILURE(change(random, round, key, value));
  }
}

// A sort key below a partition key.
std::string sorted(std::uint32_t partition, std::uint32_t number) {
  std::string key = hashed(partition) + std::string("\0\1", 2);
  append_uint64(key, number);
  return key;
}

enum class Order : std::uint8_t { kPartitions, kSortKeys, kDescending, kRandom };

std::vector<std::string> keys_in(Order order, std::uint32_t partitions, std::uint32_t each) {
  std::vector<std::string> keys;
  for (std::uint32_t i = 0; i < partitions * each; ++i) {
    keys.push_back(order == Order::kSortKeys     ? sorted(i % partitions, i / partitions)
                   : order == Order::kDescending ? sorted(i / each, each - i % each)
                                                 : sorted(i / each, i % each));
  }
  if (order == Order::kRandom) std::shuffle(keys.begin(), keys.end(), std::mt19937(4));
  return keys;
}

TEST_F(RecordTreeTest, LeavesAreFull) {
  struct Case {
    Order order;
    std::uint32_t partitions;
    std::uint32_t each;
    double least;
  };
  for (const Case& made : {
           Case{Order::kPartitions, 1, 20'000, 0.99},
           Case{Order::kPartitions, 20, 1'000, 0.96},
           Case{Order::kPartitions, 200, 100, 0.91},
           Case{Order::kPartitions, 2'000, 10, 0.79},
           Case{Order::kSortKeys, 20, 1'000, 0.96},
           Case{Order::kSortKeys, 200, 100, 0.81},
           Case{Order::kSortKeys, 2'000, 10, 0.78},
           Case{Order::kDescending, 200, 100, 0.83},
           Case{Order::kRandom, 200, 100, 0.79},
           Case{Order::kRandom, 20'000, 1, 0.79},
       }) {
    for (const std::string& key : keys_in(made.order, made.partitions, made.each)) put(key, "v");
    ASSERT_NO_FATAL_FAILURE(expect_all_found());
    EXPECT_GE(fill(), made.least) << made.partitions << " of " << made.each;
    tree_.clear();
    model_.clear();
  }
}

// Runs of ascending, descending and random sort keys below few partition keys, and removals of
// neighbours, in trees of one leaf up to several levels. Everything is compared after each run.
TEST_F(RecordTreeTest, AgreesWithAMapUnderRuns) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::size_t most = std::size_t{20} << seed % 9;
    for (int run = 0; run < 60; ++run) {
      const auto partition = static_cast<std::uint32_t>(random() % 12);
      const auto start = static_cast<std::uint32_t>(random() % most);
      const auto length = static_cast<std::uint32_t>(random() % 150);
      switch (model_.size() > most ? 3 : random() % 4) {
        case 0:
          for (std::uint32_t i = 0; i < length; ++i) put(sorted(partition, start + i), "up");
          break;
        case 1:
          for (std::uint32_t i = length; i > 0; --i) put(sorted(partition, start + i), "down");
          break;
        case 2:
          for (std::uint32_t i = 0; i < length; ++i) {
            put(sorted(static_cast<std::uint32_t>(random() % 300), start), std::to_string(run));
          }
          break;
        default:
          for (auto i = length * 2; i > 0 && !model_.empty(); --i) {
            const auto at = model_.lower_bound(sorted(partition, start));
            remove(at != model_.end() ? at->first : model_.begin()->first);
          }
      }
      ASSERT_NO_FATAL_FAILURE(expect_all_found()) << seed << " " << run;
      expect_neighbours(sorted(partition, start));
      ASSERT_FALSE(HasFailure()) << seed << " " << run;
    }
    tree_.clear();
    model_.clear();
  }
}

// Records that the tree has removed are freed once; records that a reader holds stay.
TEST_F(RecordTreeTest, ReadersKeepRecordsThatTheTreeLetGo) {
  for (std::uint32_t i = 0; i < 100; ++i) put(hashed(i), std::to_string(i));
  Record* held = tree_.find(Probe(hashed(42)));
  held->pin();
  tree_.clear();
  EXPECT_EQ(held->value(), "42");
  held->release();
}

}  // namespace
}  // namespace magneto::storage
