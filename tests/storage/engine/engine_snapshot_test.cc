#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"
#include "tests/support/engines.h"

// The promises of every engine about snapshots, and about scopes that read many keys.
namespace magneto::storage {
namespace {

using Contents = std::map<std::string, std::string>;

class EngineSnapshot : public EngineTest {
 protected:
  void commit(const TreePtr& tree, const std::string& key,
              const std::optional<std::string>& value) {
    WriteBatch batch;
    if (value) {
      batch.put(tree, key, *value);
    } else {
      batch.remove(tree, key);
    }
    engine_->commit(batch);
  }
  static Contents contents(Cursor& cursor) {
    Contents all;
    while (cursor.next()) all.emplace(cursor.key(), cursor.value());
    return all;
  }
  static Contents forward(const Snapshot& snapshot, const TreePtr& tree,
                          std::string_view lower = {}, std::string_view upper = {}) {
    return contents(*snapshot.scan(*tree, lower, upper, Direction::kForward));
  }
  static Contents backward(const Snapshot& snapshot, const TreePtr& tree,
                           std::string_view lower = {}, std::string_view upper = {}) {
    return contents(*snapshot.scan(*tree, lower, upper, Direction::kBackward));
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, EngineSnapshot, kAllEngineKinds, engine_kind_name);

TEST_P(EngineSnapshot, SeesWhatWasThere) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  commit(tree, "t1", "one");
  commit(tree, "t2", "two");
  SnapshotPtr snapshot = engine_->snapshot();
  commit(tree, "t1", "changed");
  commit(tree, "t2", std::nullopt);
  commit(tree, "t3", "new");
  const TreePtr later = engine_->open_tree(ColumnFamily::kItems, "u");
  commit(later, "u1", "later");
  EXPECT_EQ(forward(*snapshot, tree), (Contents{{"t1", "one"}, {"t2", "two"}}));
  EXPECT_EQ(backward(*snapshot, tree), (Contents{{"t1", "one"}, {"t2", "two"}}));
  EXPECT_EQ(snapshot->get(*tree, "t1").bytes(), "one");
  EXPECT_EQ(snapshot->get(*tree, "t2").bytes(), "two");
  EXPECT_FALSE(snapshot->get(*tree, "t3"));
  EXPECT_TRUE(forward(*snapshot, later).empty());
  snapshot.reset();
  snapshot = engine_->snapshot();
  EXPECT_EQ(forward(*snapshot, tree), (Contents{{"t1", "changed"}, {"t3", "new"}}));
}

TEST_P(EngineSnapshot, SeesATreeThatIsClearedAndFilledAgain) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  Contents before;
  for (int i = 0; i < 300; ++i) {
    const std::string key = "t" + std::to_string(1'000 + i);
    commit(tree, key, "old");
    before.emplace(key, "old");
  }
  const SnapshotPtr first = engine_->snapshot();
  commit(tree, "t1005", "changed");
  commit(tree, "t1006", std::nullopt);
  engine_->clear(*tree);
  commit(tree, "t1007", "again");
  const SnapshotPtr second = engine_->snapshot();
  commit(tree, "t1008", "again");
  engine_->clear(*tree);
  EXPECT_EQ(forward(*first, tree), before);
  EXPECT_EQ(backward(*first, tree), before);
  EXPECT_EQ(first->get(*tree, "t1006").bytes(), "old");
  EXPECT_EQ(forward(*second, tree), (Contents{{"t1007", "again"}}));
  EXPECT_TRUE(forward(*engine_->snapshot(), tree).empty());
}

// Against copies of a map, with several snapshots that come and go.
TEST_P(EngineSnapshot, AgreesWithAModel) {
  struct Held {
    SnapshotPtr snapshot;
    Contents contents;
  };
  std::mt19937 random(20'261'122);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  Contents now;
  std::vector<Held> held;
  for (int step = 0; step < 6'000; ++step) {
    const int action = below(100);
    std::string key = "t";
    append_uint16(key, static_cast<std::uint16_t>(below(200)));
    if (action < 60) {
      now[key] = std::to_string(step);
      commit(tree, key, now[key]);
    } else if (action < 85) {
      now.erase(key);
      commit(tree, key, std::nullopt);
    } else if (action < 86 && below(20) == 0) {
      engine_->clear(*tree);
      now.clear();
    } else if (action < 90) {
      if (held.size() < 5) held.push_back({engine_->snapshot(), now});
    } else if (!held.empty()) {
      const auto one = held.begin() + below(static_cast<unsigned>(held.size()));
      std::string from = "t";
      append_uint16(from, static_cast<std::uint16_t>(below(200)));
      std::string to = "t";
      append_uint16(to, static_cast<std::uint16_t>(below(230)));
      Contents expected;
      if (from < to) {
        expected = Contents(one->contents.lower_bound(from), one->contents.lower_bound(to));
      }
      ASSERT_EQ(forward(*one->snapshot, tree, from, to), expected) << step;
      ASSERT_EQ(backward(*one->snapshot, tree, from, to), expected) << step;
      ASSERT_EQ(forward(*one->snapshot, tree), one->contents) << step;
      const PinnedValue value = one->snapshot->get(*tree, key);
      const auto known = one->contents.find(key);
      ASSERT_EQ(static_cast<bool>(value), known != one->contents.end()) << step;
      if (value) {
        ASSERT_EQ(value.bytes(), known->second) << step;
      }
      if (below(3) == 0) held.erase(one);
    }
  }
}

// Accounts in eight trees. Money is moved between a hundred of them at once.
class Bank {
 public:
  static constexpr std::uint64_t kAllMoney = 8 * 40 * 1'000;

  explicit Bank(Engine& engine) : engine_(engine) {
    WriteBatch all;
    for (int tree = 0; tree < kTrees; ++tree) {
      trees_.push_back(
          engine.open_tree(ColumnFamily::kItems, std::string(1, static_cast<char>('a' + tree))));
      for (int i = 0; i < kAccounts; ++i) all.put(trees_.back(), account(tree, i), amount(1'000));
    }
    engine.commit(all);
  }

  void transfer(std::mt19937& random) {
    const auto first = static_cast<int>(random() % (kTrees * kAccounts));
    std::vector<std::string> keys;
    std::vector<TreePtr> trees;
    for (int i = 0; i < kMoved; ++i) {
      const int number = (first + i * 3 + i / 107) % (kTrees * kAccounts);
      trees.push_back(trees_[static_cast<std::size_t>(number % kTrees)]);
      keys.push_back(account(number % kTrees, number / kTrees));
    }
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    std::vector<KeyRead> reads;
    for (std::size_t i = 0; i < kMoved; ++i) reads.push_back({trees[i].get(), views[i]});
    const WriteScopePtr scope = engine_.begin(views);
    std::vector<PinnedValue> values(kMoved);
    scope->get(reads, values);
    WriteBatch batch;
    std::uint64_t carried = 0;
    for (std::size_t i = 0; i < kMoved; ++i) {
      const std::uint64_t money = read_uint64(values[i].bytes());
      const bool is_last = i + 1 == kMoved;
      const std::uint64_t taken = is_last ? 0 : random() % (money + 1);
      batch.put(trees[i], keys[i], amount(money - taken + (is_last ? carried : 0)));
      carried += taken;
    }
    EXPECT_EQ(scope->commit(batch), CommitResult::kCommitted);
  }

  std::uint64_t count(const Snapshot& snapshot, Direction direction) const {
    std::uint64_t money = 0;
    for (const TreePtr& tree : trees_) {
      const auto cursor = snapshot.scan(*tree, {}, {}, direction);
      while (cursor->next()) money += read_uint64(cursor->value());
    }
    return money;
  }

 private:
  static constexpr int kTrees = 8;
  static constexpr int kAccounts = 40;  // in each
  static constexpr int kMoved = 100;    // accounts in one transfer

  static std::string account(int tree, int number) {
    std::string key(1, static_cast<char>('a' + tree));
    append_uint16(key, static_cast<std::uint16_t>(number));
    return key;
  }
  static std::string amount(std::uint64_t money) {
    std::string value;
    append_uint64(value, money);
    return value;
  }

  Engine& engine_;
  std::vector<TreePtr> trees_;
};

// A reader of one moment finds all of it.
TEST_P(EngineSnapshot, FindsAllMoneyOfABank) {
  Bank bank(*engine_);
  std::atomic<bool> done{false};
  std::atomic<int> transfers{0};
  std::vector<std::jthread> bankers;
  const absl::Cleanup end = [&] { done = true; };  // also where a snapshot fails
  for (unsigned seed = 1; seed <= 3; ++seed) {
    bankers.emplace_back([&, seed] {
      for (std::mt19937 random(seed); !done; ++transfers) bank.transfer(random);
    });
  }
  while (transfers < 10) std::this_thread::yield();
  for (int look = 0; look < 150; ++look) {
    const SnapshotPtr snapshot = engine_->snapshot();
    const SnapshotPtr other = look % 3 == 0 ? engine_->snapshot() : nullptr;
    const int before = transfers;
    while (transfers < before + 2) std::this_thread::yield();  // changes that must not be seen
    const auto direction = look % 2 == 0 ? Direction::kForward : Direction::kBackward;
    EXPECT_EQ(bank.count(*snapshot, direction), Bank::kAllMoney) << look;
  }
  done = true;
  bankers.clear();
  EXPECT_GE(transfers, 300);
}

TEST_P(EngineSnapshot, ManyKeysAreReadAtOnceThereAndNot) {
  const TreePtr a = engine_->open_tree(ColumnFamily::kItems, "a");
  const TreePtr b = engine_->open_tree(ColumnFamily::kIndexes, "b");
  const std::string large(100'000, 'x');
  commit(a, "a1", "one");
  commit(a, "a3", large);
  commit(b, "b2", "");
  const std::vector<KeyRead> reads{{b.get(), "b2"}, {a.get(), "a1"}, {a.get(), "a2"},
                                   {a.get(), "a3"}, {b.get(), "b1"}, {a.get(), "a1"}};
  for (int round = 0; round < 2; ++round) {
    std::vector<PinnedValue> values(reads.size());
    engine_->get(reads, values);
    EXPECT_TRUE(values[0]);
    EXPECT_EQ(values[0].bytes(), "");
    EXPECT_EQ(values[1].bytes(), "one");
    EXPECT_FALSE(values[2]);
    EXPECT_EQ(values[3].bytes(), large);
    EXPECT_FALSE(values[4]);
    EXPECT_EQ(values[5].bytes(), "one");
    engine_->get(reads, values);  // over what is there
    EXPECT_FALSE(values[2]);
    EXPECT_EQ(values[3].bytes(), large);
  }
  std::vector<PinnedValue> none;
  engine_->get({}, none);
}

// More than an engine may take in one step, in no order, absent and equal ones among them.
TEST_P(EngineSnapshot, AHundredKeysAreReadAtOnce) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  for (int i = 0; i < 100; i += 2) commit(tree, "t" + std::to_string(i), std::to_string(i));
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back("t" + std::to_string(i * 37 % 100));
  keys.push_back(keys.front());
  keys.push_back(keys[1]);
  std::vector<KeyRead> reads;
  reads.reserve(keys.size());
  for (const std::string& key : keys) reads.push_back({tree.get(), key});
  for (const std::size_t count : {reads.size(), std::size_t{15}, std::size_t{16}, std::size_t{17},
                                  std::size_t{32}, std::size_t{33}}) {
    std::vector<PinnedValue> values(count);
    engine_->get(std::span<const KeyRead>(reads).first(count), values);
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_there = std::stoi(keys[i].substr(1)) % 2 == 0;
      ASSERT_EQ(static_cast<bool>(values[i]), is_there) << keys[i];
      EXPECT_EQ(values[i].bytes(), is_there ? keys[i].substr(1) : "");
    }
  }
}

TEST_P(EngineSnapshot, AHintBoundsNothing) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  for (int i = 0; i < 200; ++i) commit(tree, "t" + std::to_string(1'000 + i), "x");
  for (const std::size_t entries : {0U, 1U, 7U, 64U, 1'000'000U}) {
    const auto cursor = engine_->scan(*tree, {}, {}, Direction::kForward, {.entries = entries});
    EXPECT_EQ(contents(*cursor).size(), 200U) << entries;
  }
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100'000}, ~std::size_t{0}}) {
    for (const auto direction : {Direction::kForward, Direction::kBackward}) {
      const auto cursor = engine_->scan(*tree, {}, {}, direction, {.bytes = bytes});
      EXPECT_EQ(contents(*cursor).size(), 200U) << bytes;
    }
  }
}

}  // namespace
}  // namespace magneto::storage
