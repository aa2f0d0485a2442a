// An I/O thread leaves to workers all calls that may wait for the disk or take long, before they
// change anything. Those calls do not delay the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <thread>

#include "storage/encoding/keyspace.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

constexpr std::uint64_t kAmple = 1'000'000;

// Holds up the commits that a test chooses.
class Gate {
 public:
  using Predicate = std::function<bool(const WriteBatch& batch)>;

  void hold(Predicate predicate) {
    const std::lock_guard lock(mutex_);
    holds_ = std::move(predicate);
  }
  // Waits until one is held up.
  void await_one() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return held_ > 0; });
  }
  void release() {
    {
      const std::lock_guard lock(mutex_);
      holds_ = nullptr;
    }
    changed_.notify_all();
  }
  void pass(const WriteBatch& batch) {
    std::unique_lock lock(mutex_);
    if (!holds_ || !holds_(batch)) return;
    ++held_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !holds_; });
    --held_;
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Predicate holds_;
  int held_ = 0;
};

bool concerns(const WriteBatch& batch, ColumnFamily family) {
  return std::ranges::any_of(batch.operations(), [family](const WriteBatch::Operation& operation) {
    return operation.tree->family() == family;
  });
}

class DatabaseWaitingTest : public DatabaseTest {
 protected:
  DatabaseWaitingTest() {
    faults_->fails = [this](const WriteBatch& batch) {
      gate_.pass(batch);
      return false;
    };
    open_with(faults_);
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("gsi", IndexKind::kGlobal, {string_key("g")}, {})};
    schema.stream.enabled = true;
    table_ = database_->create_table(schema);
    other_ = database_->create_table(table_schema("other"));
    put(*database_, other_, item_);
  }

  // As an I/O thread does it. False when a worker is needed.
  bool succeeds_on_io_thread(const std::function<void()>& call) {
    const Effort effort(kAmple);
    try {
      call();
      return true;
    } catch (const NeedsWorker&) {
      EXPECT_FALSE(effort.is_exhausted());
      return false;
    }
  }
  bool index_can_be_walked() {
    return succeeds_on_io_thread(
        [&] { contents(*database_, *table_, table_->indexes.front().get()); });
  }
  bool can_put(const Item& item) {
    return succeeds_on_io_thread([&] { put(*database_, table_, item); });
  }
  std::vector<StoredItem> get_together() {
    const std::string key = item_key(table_->schema, item_);
    const std::pair<const Table*, std::string_view> keys[] = {{table_.get(), key}};
    return database_->get_all(keys);
  }

  ~DatabaseWaitingTest() override { database_.reset(); }

  Gate gate_;
  const std::shared_ptr<FaultyEngine::Faults> faults_ = std::make_shared<FaultyEngine::Faults>();
  const Item item_ = make_item({{"pk", "a"}, {"sk", 1}, {"g", "x"}});
  TablePtr table_;
  TablePtr other_;
};
INSTANTIATE_TEST_SUITE_P(Engines, DatabaseWaitingTest, kLocalEngineKinds, engine_kind_name);

TEST_P(DatabaseWaitingTest, WritesThatWaitAreLeftToWorkers) {
  EXPECT_FALSE(database_->commit_waits());
  EXPECT_TRUE(can_put(item_));
  faults_->commits_wait = true;
  EXPECT_TRUE(database_->commit_waits());
  const Item next = make_item({{"pk", "a"}, {"sk", 2}, {"g", "x"}});
  EXPECT_FALSE(can_put(next));
  const std::string key = item_key(table_->schema, next);
  const ItemWrite writes[] = {{table_, key, [&](const StoredItem&) {
                                 ADD_FAILURE();
                                 return WriteDecision::keep();
                               }}};
  EXPECT_FALSE(succeeds_on_io_thread([&] { database_->write_all(writes); }));
  EXPECT_FALSE(succeeds_on_io_thread([&] { database_->transact({.writes = writes}); }));
  EXPECT_FALSE(get(*database_, table_, next));
  put(*database_, table_, next);
  EXPECT_TRUE(get(*database_, table_, next));
}

TEST_P(DatabaseWaitingTest, ChangesOfTablesAreLeftToWorkers) {
  EXPECT_FALSE(succeeds_on_io_thread([&] { database_->create_table(table_schema("new")); }));
  EXPECT_EQ(database_->find_table("new"), nullptr);
  EXPECT_FALSE(succeeds_on_io_thread(
      [&] { database_->update_table("t", [](TableSchema&) { ADD_FAILURE(); }); }));
  EXPECT_FALSE(succeeds_on_io_thread([&] { database_->delete_table("t"); }));
  EXPECT_NE(database_->find_table("t"), nullptr);
}

TEST_P(DatabaseWaitingTest, AGlobalIndexIsSettledOnAWorkerWhereThatWaits) {
  put(*database_, table_, item_);
  EXPECT_TRUE(index_can_be_walked());
  gate_.hold([](const WriteBatch& batch) { return concerns(batch, ColumnFamily::kIndexes); });
  put(*database_, table_, make_item({{"pk", "b"}, {"sk", 1}, {"g", "x"}}));
  gate_.await_one();
  EXPECT_FALSE(index_can_be_walked()) << "somebody applies it, and is held up";
  EXPECT_TRUE(succeeds_on_io_thread([&] { contents(*database_, *table_, nullptr); }));
  gate_.release();
  database_->settle();
  faults_->commits_wait = true;
  EXPECT_TRUE(index_can_be_walked()) << "nothing is pending";
  EXPECT_EQ(contents(*database_, *table_, table_->indexes.front().get()).size(), 2U);
}

TEST_P(DatabaseWaitingTest, HeldKeysAreLeftToWorkersAndOthersAreNotHeldUp) {
  put(*database_, table_, item_);
  std::latch holds(1);
  std::promise<void> release;
  std::thread worker([&] {
    const std::string key = item_key(table_->schema, item_);
    database_->write({table_, key, [&](const StoredItem&) {
                        holds.count_down();
                        release.get_future().wait();
                        return WriteDecision::keep();
                      }});
  });
  holds.wait();
  EXPECT_FALSE(can_put(item_));
  EXPECT_FALSE(succeeds_on_io_thread([&] { get_together(); }));
  EXPECT_TRUE(can_put(make_item({{"pk", "b"}, {"sk", 1}})));
  EXPECT_TRUE(succeeds_on_io_thread([&] { get(*database_, table_, item_); }));
  const std::string key = item_key(table_->schema, item_);
  const std::string_view keys[] = {key};
  EXPECT_TRUE(succeeds_on_io_thread([&] { database_->get_each(*table_, keys); }));
  release.set_value();
  worker.join();
  EXPECT_TRUE(can_put(item_));
  EXPECT_TRUE(succeeds_on_io_thread([&] { EXPECT_TRUE(get_together().front()); }));
}

TEST_P(DatabaseWaitingTest, ReadersAreNotHeldUpByAChangeOfTablesThatWaits) {
  if (!is_durable()) return;  // in memory no change of a table is committed
  gate_.hold([](const WriteBatch& batch) {
    return std::ranges::any_of(batch.operations(), [](const WriteBatch::Operation& operation) {
      return operation.key == table_record_key(0, "t");
    });
  });
  std::thread worker([&] { database_->delete_table("t"); });
  gate_.await_one();
  EXPECT_EQ(database_->list_tables("", 10), (std::vector<std::string>{"other", "t"}));
  EXPECT_EQ(database_->table_count(), 2U);
  const auto streams = database_->list_streams("", "", 10);
  ASSERT_EQ(streams.size(), 1U);
  EXPECT_TRUE(get(*database_, other_, item_));
  gate_.release();
  worker.join();
  EXPECT_EQ(database_->list_tables("", 10), std::vector<std::string>{"other"});
}

TEST_P(DatabaseWaitingTest, AStreamIsReadWhileItsShardsAreChanged) {
  if (!is_durable()) return;
  put(*database_, table_, item_);
  const std::string record = stream_key(0, table_->stream->description().number);
  gate_.hold([record](const WriteBatch& batch) {
    return std::ranges::any_of(batch.operations(), [&](const WriteBatch::Operation& operation) {
      return operation.key == record;
    });
  });
  std::thread worker([&] {
    database_->update_table("t", [](TableSchema& schema) { schema.stream.enabled = false; });
  });
  gate_.await_one();
  const auto streams = database_->list_streams("", "", 10);
  ASSERT_EQ(streams.size(), 1U);
  const StreamLog& stream = *streams.front();
  EXPECT_FALSE(stream.is_closed());
  std::optional<StreamCursor> cursor;
  int records = 0;
  for (const StreamShard& shard : stream.schema().shards) {
    ASSERT_EQ(stream.read(shard.number, stream.horizon(), cursor), StreamLog::Access::kGiven);
    while (cursor->next()) ++records;
  }
  EXPECT_EQ(records, 1);
  gate_.release();
  worker.join();
  EXPECT_TRUE(stream.is_closed());
}

TEST_P(DatabaseWaitingTest, ACallThatHasWrittenStaysWhereItIs) {
  Effort effort(10);
  put(*database_, table_, item_);
  effort.spend(kAmple);  // throws nothing: the call could not be made again
  EXPECT_FALSE(effort.may_wait());
}

}  // namespace
}  // namespace magneto::storage
