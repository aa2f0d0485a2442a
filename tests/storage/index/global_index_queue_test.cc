#include "storage/index/global_index_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/item_size.h"
#include "storage/table/table.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class GlobalIndexQueueTest : public EngineTest {
 protected:
  static std::shared_ptr<const Index> make_index(std::uint16_t number) {
    auto index = std::make_shared<Index>();
    index->schema.number = number;
    return index;
  }

  EntryChange make_change(std::uint16_t index_number, const std::string& name) const {
    EntryChange change;
    change.old_size = 17;
    change.new_size = static_cast<std::uint32_t>(item_size(item_));
    change.delete_key = tree_prefix(9, index_number) + "old-" + name;
    change.put_key = tree_prefix(9, index_number) + "new-" + name;
    change.value = encode_item(item_);
    return change;
  }

  void enqueue(GlobalIndexQueue& queue, std::vector<GlobalIndexChange> changes) {
    QueuedWrite write;
    for (GlobalIndexChange& change : changes) write.changes.push_back(std::move(change));
    WriteBatch batch;
    queue.append_record(batch, write);
    EXPECT_EQ(batch.empty(), !engine_->is_durable());
    if (!batch.empty()) engine_->commit(batch);
    queue.push(std::move(write));
  }

  const Item item_ = make_item({{"pk", "a"}, {"sk", 1}});
};
INSTANTIATE_TEST_SUITE_P(Engines, GlobalIndexQueueTest, kEngineKinds, engine_kind_name);

using DurableGlobalIndexQueueTest = GlobalIndexQueueTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableGlobalIndexQueueTest,
                         testing::Values(EngineKind::kRocksdb), engine_kind_name);

TEST_P(GlobalIndexQueueTest, GivesBackWhatWasPushedInOrder) {
  GlobalIndexQueue queue(*engine_);
  const auto index = make_index(1);
  enqueue(queue, {{index, make_change(1, "a")}});
  enqueue(queue, {{index, make_change(1, "b")}, {index, make_change(1, "c")}});
  EXPECT_EQ(queue.pushed(), 2U);
  std::vector<QueuedWrite> taken;
  queue.take(taken);
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].changes[0].change.put_key, make_change(1, "a").put_key);
  ASSERT_EQ(taken[1].changes.size(), 2U);
  EXPECT_EQ(taken[1].changes[1].change.put_key, make_change(1, "c").put_key);
  taken.clear();
  queue.take(taken);
  EXPECT_TRUE(taken.empty());
}

TEST_P(GlobalIndexQueueTest, ADurableEngineKeepsWritesUntilTheirRecordsAreRemoved) {
  std::vector<QueuedWrite> taken;
  {
    GlobalIndexQueue queue(*engine_);
    const auto index = make_index(1);
    for (const char* name : {"a", "b", "c"}) enqueue(queue, {{index, make_change(1, name)}});
    enqueue(queue, {{make_index(2), make_change(2, "d")}});
    queue.take(taken);
    WriteBatch batch;
    queue.remove_record(batch, taken[1]);
    if (!batch.empty()) engine_->commit(batch);
    taken.clear();
  }
  reopen();
  GlobalIndexQueue queue(*engine_);
  const auto index = make_index(1);
  queue.load([&](std::uint32_t table, std::uint16_t number) {
    EXPECT_EQ(table, 9U);
    return number == 1 ? index : nullptr;
  });
  queue.take(taken);
  if (!engine_->is_durable()) {
    EXPECT_TRUE(taken.empty());
    return;
  }
  ASSERT_EQ(taken.size(), 3U);
  const EntryChange expected = make_change(1, "c");
  ASSERT_EQ(taken[1].changes.size(), 1U);
  const EntryChange& change = taken[1].changes[0].change;
  EXPECT_EQ(taken[1].changes[0].index, index);
  EXPECT_EQ(change.delete_key, expected.delete_key);
  EXPECT_EQ(change.put_key, expected.put_key);
  EXPECT_EQ(change.value, expected.value);
  EXPECT_EQ(change.old_size, expected.old_size);
  EXPECT_EQ(change.new_size, expected.new_size);
  // Of an index that is gone only the record is left, to be removed.
  EXPECT_TRUE(taken[2].changes.empty());
  EXPECT_GT(taken[2].sequence, taken[1].sequence);
  // New writes come after those loaded.
  const std::uint64_t last = taken[2].sequence;
  taken.clear();
  enqueue(queue, {{index, make_change(1, "e")}});
  queue.take(taken);
  EXPECT_GT(taken[0].sequence, last);
}

TEST_P(DurableGlobalIndexQueueTest, DamagedAndNewerRecordsAreRefused) {
  QueuedWrite write;
  write.changes.push_back({make_index(1), make_change(1, "a")});
  std::string good;
  {
    WriteBatch batch;
    GlobalIndexQueue(*engine_).append_record(batch, write);
    good = batch.operations()[0].value;
  }
  const auto load = [&](const std::string& record) {
    const TreePtr tree = engine_->open_tree(Family::kQueue, "");
    WriteBatch batch;
    batch.put(tree, queue_key(1), record);
    engine_->commit(batch);
    GlobalIndexQueue queue(*engine_);
    queue.load([](std::uint32_t, std::uint16_t) { return make_index(1); });
    return queue.pushed();
  };
  EXPECT_EQ(load(good), 1U);
  for (std::size_t size = 0; size < good.size(); ++size) {
    if (size == 1) continue;  // no changes
    EXPECT_THROW(load(good.substr(0, size)), EngineError) << size;
  }
  std::string no_item = good;
  no_item.back() = static_cast<char>(no_item.back() + 100);
  EXPECT_THROW(load(no_item), EngineError);
  std::string newer = good;
  newer[0] = 2;
  EXPECT_THROW(load(newer), EngineError);
}

TEST_P(GlobalIndexQueueTest, TellsWhenItIsOverItsLimit) {
  GlobalIndexQueue queue(*engine_);
  const auto index = make_index(1);
  const auto push = [&](std::string value) {
    QueuedWrite write;
    EntryChange change;
    change.value = std::move(value);
    write.changes.push_back({index, std::move(change)});
    queue.push(std::move(write));
  };
  for (std::size_t i = 0; i < GlobalIndexQueue::kMaxWrites; ++i) push("");
  EXPECT_FALSE(queue.over_limit());
  push("");
  EXPECT_TRUE(queue.over_limit());
  std::vector<QueuedWrite> taken;
  queue.take(taken);
  EXPECT_FALSE(queue.over_limit());
  for (int i = 0; i < 65; ++i) push(std::string(1 << 20, 'x'));
  EXPECT_TRUE(queue.over_limit());
}

TEST_P(GlobalIndexQueueTest, APushWakesTheWaitingConsumer) {
  GlobalIndexQueue queue(*engine_);
  std::atomic<int> woken{0};
  std::jthread consumer([&](const std::stop_token& stop) {
    queue.wait_for_push(stop);
    ++woken;
    std::vector<QueuedWrite> taken;
    queue.take(taken);
    queue.wait_for_push(stop);  // ends by the stop
    ++woken;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(woken, 0);
  queue.push({});
  while (woken < 1) std::this_thread::yield();
  consumer.request_stop();
  consumer.join();
  EXPECT_EQ(woken, 2);
}

TEST_P(GlobalIndexQueueTest, WakesAConsumerWhomAReaderWasFasterThan) {
  GlobalIndexQueue queue(*engine_);
  const auto index = make_index(1);
  for (int round = 0; round < 30; ++round) {
    std::promise<void> woken;
    std::jthread consumer([&](const std::stop_token& stop) {
      queue.wait_for_push(stop);
      woken.set_value();
    });
    std::future<void> is_woken = woken.get_future();
    std::vector<QueuedWrite> taken;
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // for the consumer to wait
      enqueue(queue, {{index, make_change(1, "a")}});
      queue.take(taken);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    enqueue(queue, {{index, make_change(1, "b")}});
    ASSERT_EQ(is_woken.wait_for(std::chrono::seconds(20)), std::future_status::ready) << round;
    queue.take(taken);
  }
}

}  // namespace
}  // namespace magneto::storage
