#include "storage/index/change_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/item_size.h"
#include "storage/table/table.h"
#include "tests/storage/database_fixture.h"
#include "tests/support/faulty_engine.h"

namespace magneto::storage {
namespace {

constexpr std::uint32_t kTable = 9;

// Two asynchronous indexes of one table, without the items.
class ChangeLogTest : public EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    open();
  }
  void open() {
    log_ = std::make_unique<ChangeLog>(*engine_);
    for (std::uint16_t number = 1; number <= 2; ++number) {
      Index& index = indexes_[number];
      index.schema = index_schema("g", IndexKind::kGlobal, {string_key("g")}, {});
      index.schema.number = number;
      TableSchema table = table_schema("t");
      table.number = kTable;
      index.store = open_index_store(*engine_, table, index.schema, 1);
      index.statistics = std::make_shared<Statistics>();
      index.dropped = std::make_shared<std::atomic<bool>>(false);
      index.applier = std::make_shared<IndexApplier>(
          IndexApplier::Parts{*engine_, *log_, index.store, index.statistics, index.dropped});
    }
  }
  void load() {
    log_->load({{{kTable, 1}, indexes_[1].applier}, {{kTable, 2}, indexes_[2].applier}});
  }
  // Opens the state after a crash.
  void crash() {
    for (Index& index : indexes_) index = {};
    log_.reset();
    reopen();
    open();
    load();
  }

  // A change of one entry whose key has this name, with nothing to delete.
  EntryChange put(std::uint16_t index, const std::string& name) const {
    EntryChange change;
    change.new_size = static_cast<std::uint32_t>(item_size(item_));
    change.put_key = key(index, name);
    change.value = encode_item(item_);
    return change;
  }
  EntryChange move(std::uint16_t index, const std::string& from, const std::string& to) const {
    EntryChange change = put(index, to);
    change.old_size = change.new_size;
    change.delete_key = key(index, from);
    return change;
  }
  static std::string key(std::uint16_t index, const std::string& name) {
    return tree_prefix(kTable, index) + std::string(8, '\0') + name;
  }

  void commit(ChangeAppends& appends) {
    WriteBatch batch;
    appends.draw(batch);
    EXPECT_EQ(batch.empty(), !engine_->is_durable());
    if (!batch.empty()) engine_->commit(batch);
  }
  void write(std::vector<std::pair<std::uint16_t, EntryChange>> changes) {
    ChangeAppends appends(*log_);
    for (auto& [index, change] : changes) {
      appends.add(*indexes_[index].applier, std::move(change), false);
    }
    commit(appends);
    appends.push({});
  }

  std::string entries(std::uint16_t index) {
    std::string names;
    const TreePtr& tree = indexes_[index].store->partitions().tree(0);
    const auto cursor = engine_->scan(*tree, {}, {}, Direction::kForward);
    while (cursor->next()) names += std::string(cursor->key().substr(kTreePrefixSize + 8)) + " ";
    return names;
  }
  std::int64_t count(std::uint16_t index) { return indexes_[index].statistics->item_count; }
  std::size_t records() {
    std::size_t count = 0;
    const TreePtr tree = engine_->open_tree(ColumnFamily::kQueue, "");
    const auto cursor = engine_->scan(*tree, {}, {}, Direction::kForward);
    while (cursor->next()) ++count;
    return count;
  }
  bool has_position(std::uint16_t index) {
    const TreePtr tree = engine_->open_tree(ColumnFamily::kSystem, "");
    return static_cast<bool>(engine_->get(*tree, position_key(kTable, index)));
  }

  const Item item_ = make_item({{"pk", "a"}, {"sk", 1}});
  std::unique_ptr<ChangeLog> log_;
  Index indexes_[3];
};
INSTANTIATE_TEST_SUITE_P(Engines, ChangeLogTest, kEngineKinds, engine_kind_name);

using DurableChangeLogTest = ChangeLogTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableChangeLogTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(ChangeLogTest, AnIndexIsSettledAlone) {
  write({{1, put(1, "a")}, {2, put(2, "a")}});
  write({{1, put(1, "b")}});
  EXPECT_EQ(log_->busy().size(), 2U);
  indexes_[1].applier->settle();
  EXPECT_EQ(entries(1), "a b ");
  EXPECT_EQ(entries(2), "");
  EXPECT_EQ(count(1), 2);
  EXPECT_EQ(count(2), 0);
  EXPECT_EQ(log_->busy().size(), 1U);
  EXPECT_EQ(indexes_[2].applier->pushed(), 1U);
  indexes_[2].applier->settle();
  EXPECT_EQ(entries(2), "a ");
  EXPECT_TRUE(log_->busy().empty());
  EXPECT_EQ(records(), 0U);
}

TEST_P(DurableChangeLogTest, ARecordStaysUntilEveryIndexHasAppliedIt) {
  write({{1, put(1, "a")}});
  write({{1, put(1, "b")}, {2, put(2, "b")}});
  write({{1, put(1, "c")}});
  EXPECT_EQ(records(), 3U);
  indexes_[1].applier->settle();
  EXPECT_EQ(records(), 2U);  // that of "b", and the next one
  EXPECT_FALSE(has_position(1)) << "not before the format allows it";
  crash();
  EXPECT_EQ(indexes_[1].applier->pushed(), 2U);
  EXPECT_EQ(indexes_[2].applier->pushed(), 1U);
  indexes_[1].applier->settle();
  EXPECT_EQ(entries(1), "a b c ");
  EXPECT_EQ(count(1), 0) << "of what was there already nothing counts again";
  indexes_[2].applier->settle();
  EXPECT_EQ(entries(2), "b ");
  EXPECT_EQ(count(2), 1);
  EXPECT_EQ(records(), 0U);
}

TEST_P(DurableChangeLogTest, AnIndexGoesOnFromItsPosition) {
  write({{1, put(1, "a")}, {2, put(2, "a")}});
  log_->allow_positions();
  indexes_[1].applier->settle();
  EXPECT_TRUE(has_position(1));
  write({{1, put(1, "b")}});
  EXPECT_EQ(records(), 2U);
  crash();
  EXPECT_EQ(indexes_[1].applier->pushed(), 1U);
  EXPECT_EQ(indexes_[2].applier->pushed(), 1U);
  for (const auto& applier : log_->busy()) applier->settle();
  EXPECT_EQ(entries(1), "a b ");
  EXPECT_EQ(entries(2), "a ");
  EXPECT_EQ(records(), 0U);
  // Numbers below a position never come again, though no record is left.
  crash();
  write({{1, put(1, "c")}});
  crash();
  EXPECT_EQ(indexes_[1].applier->pushed(), 1U);
}

TEST_P(DurableChangeLogTest, WhatIsAppliedTwiceAfterACrashIsAsOnce) {
  write({{1, put(1, "a")}, {2, put(2, "a")}});
  write({{1, move(1, "a", "b")}});
  write({{1, move(1, "b", "c")}});
  indexes_[1].applier->settle();
  crash();
  EXPECT_EQ(indexes_[1].applier->pushed(), 3U);
  indexes_[1].applier->settle();
  EXPECT_EQ(entries(1), "c ");
  EXPECT_EQ(count(1), 0);
}

// The second write is committed and seen before the first.
TEST_P(DurableChangeLogTest, ACommitUnderWayKeepsItsRecordAndLaterOnes) {
  ChangeAppends first(*log_);
  first.add(*indexes_[1].applier, put(1, "a"), false);
  commit(first);
  write({{1, put(1, "b")}});
  indexes_[1].applier->settle();
  EXPECT_EQ(entries(1), "b ");
  log_->trim();
  EXPECT_EQ(records(), 2U);
  first.push({});
  indexes_[1].applier->settle();
  EXPECT_EQ(entries(1), "a b ");
  EXPECT_EQ(records(), 0U);
}

// While one commit removes records, no other may remove any. Otherwise a crash between the two
// would leave a gap: later records would be missing after the repeated ones.
TEST_P(DurableChangeLogTest, RecordsGoInTheirOrder) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  for (Index& index : indexes_) index = {};
  log_.reset();
  engine_ = std::make_unique<FaultyEngine>(std::move(engine_), faults);
  open();
  log_->allow_positions();
  write({{1, put(1, "a")}});
  faults->commits = true;
  EXPECT_THROW(indexes_[1].applier->settle(), EngineError);  // its batch would remove the record
  faults->commits = false;
  write({{2, put(2, "b")}});
  indexes_[2].applier->settle();
  log_->trim();
  EXPECT_EQ(records(), 2U);
  indexes_[1].applier->settle();
  EXPECT_EQ(entries(1), "a ");
  log_->trim();
  EXPECT_EQ(records(), 0U);
}

TEST_P(DurableChangeLogTest, AFailedCommitLeavesAGapThatHoldsNobodyUp) {
  {
    ChangeAppends failed(*log_);
    failed.add(*indexes_[1].applier, put(1, "a"), false);
    WriteBatch batch;
    failed.draw(batch);
  }
  EXPECT_EQ(indexes_[1].applier->pushed(), 0U);
  write({{1, put(1, "b")}});
  indexes_[1].applier->settle();
  EXPECT_EQ(entries(1), "b ");
  EXPECT_EQ(records(), 0U);
}

TEST_P(ChangeLogTest, ChangesOfADroppedIndexAreLetGo) {
  write({{1, put(1, "a")}, {2, put(2, "a")}});
  *indexes_[1].dropped = true;
  for (const auto& applier : log_->busy()) applier->settle();
  EXPECT_EQ(entries(1), "");
  EXPECT_EQ(entries(2), "a ");
  EXPECT_EQ(records(), 0U);
}

TEST_P(DurableChangeLogTest, RecordsOfIndexesThatAreGoneAreRemoved) {
  write({{1, put(1, "a")}});
  for (Index& index : indexes_) index = {};
  log_ = std::make_unique<ChangeLog>(*engine_);
  log_->load({});
  EXPECT_EQ(records(), 1U);
  log_->trim();
  EXPECT_EQ(records(), 0U);
}

TEST_P(DurableChangeLogTest, ADamagedPositionIsToldOf) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kSystem, "");
  WriteBatch batch;
  batch.put(tree, position_key(kTable, 1), "1234567");
  engine_->commit(batch);
  EXPECT_THROW(indexes_[1].store->applied_through(), EngineError);
}

TEST_P(ChangeLogTest, TellsWhenItIsOverItsLimit) {
  const auto push = [&](std::string value) {
    PendingChange pending;
    pending.change.value = std::move(value);
    indexes_[1].applier->push(std::move(pending));
  };
  *indexes_[1].dropped = true;
  for (std::size_t i = 0; i < ChangeLog::kMaxChanges; ++i) push("");
  EXPECT_FALSE(log_->over_limit());
  push("");
  EXPECT_TRUE(log_->over_limit());
  indexes_[1].applier->settle();
  EXPECT_FALSE(log_->over_limit());
  for (int i = 0; i < 65; ++i) push(std::string(1 << 20, 'x'));
  EXPECT_TRUE(log_->over_limit());
}

TEST_P(ChangeLogTest, WakesAConsumerWhomAReaderWasFasterThan) {
  for (int round = 0; round < 30; ++round) {
    std::promise<void> woken;
    std::jthread consumer([&](const std::stop_token& stop) {
      log_->wait_for_change(stop);
      woken.set_value();
    });
    std::future<void> is_woken = woken.get_future();
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // for the consumer to wait
      write({{1, put(1, "a")}});
      indexes_[1].applier->settle();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    write({{1, put(1, "b")}});
    ASSERT_EQ(is_woken.wait_for(std::chrono::minutes(2)), std::future_status::ready) << round;
    indexes_[1].applier->settle();
  }
}

TEST_P(ChangeLogTest, AWaitingConsumerCanBeStopped) {
  std::jthread consumer([&](const std::stop_token& stop) { log_->wait_for_change(stop); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  consumer.request_stop();
  consumer.join();
}

// Writers, readers and the background at once, with crashes in between: nothing is lost.
TEST_P(ChangeLogTest, ManyAtOnceLoseNothing) {
  constexpr int kWriters = 3;
  constexpr int kWrites = 300;
  for (int round = 0; round < 3; ++round) {
    std::atomic<bool> done{false};
    {
      std::jthread background([&] {
        while (!done) {
          for (const auto& applier : log_->busy()) applier->apply_some(std::nullopt);
          log_->allow_positions();
          log_->trim();
        }
      });
      std::vector<std::jthread> writers;
      for (int writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([&, writer] {
          for (int i = 0; i < kWrites; ++i) {
            const std::string name = std::to_string(round * 10 + writer) + "-" + std::to_string(i);
            if (i % 3 == 0) {
              write({{1, put(1, name)}, {2, put(2, name)}});
            } else {
              const auto index = static_cast<std::uint16_t>(1 + i % 2);
              write({{index, put(index, name)}});
            }
            if (i % 50 == 49) indexes_[1].applier->settle();
          }
        });
      }
      writers.clear();
      done = true;
    }
    if (engine_->is_durable() && round == 1) crash();
    for (const auto& applier : log_->busy()) applier->settle();
    log_->trim();
    EXPECT_EQ(records(), 0U);
    const std::string both = entries(1) + entries(2);
    const auto entries_of_both = std::ranges::count(both, ' ');
    EXPECT_EQ(entries_of_both, (round + 1) * kWriters * kWrites * 4 / 3);
  }
}

}  // namespace
}  // namespace magneto::storage
