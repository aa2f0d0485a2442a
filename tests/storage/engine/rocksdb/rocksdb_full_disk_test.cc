#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "storage/engine/rocksdb/wal_reservation.h"
#include "tests/support/engines.h"
#include "tests/support/full_disk.h"

namespace magneto::storage {
namespace {

class RocksdbFullDiskTest : public testing::Test {
 protected:
  void open() {
    engine_ = open_rocksdb_engine(options_);
    items_ = engine_->open_tree(ColumnFamily::kItems, "t");
  }
  void close() {
    items_.reset();
    engine_.reset();
  }
  void fill_disk() { full_disk_.emplace(directory_.path()); }
  void free_disk() { full_disk_.reset(); }

  static std::string key(int number) { return "t" + std::to_string(number); }
  static std::string value(int number) {
    return std::string(20'000, static_cast<char>('a' + number % 26));
  }

  // The reason why it failed; empty when it did not.
  std::string put(int number) {
    WriteBatch batch;
    batch.put(items_, key(number), value(number));
    try {
      engine_->commit(batch);
      return "";
    } catch (const EngineError& error) {
      return error.what();
    }
  }
  // Puts until a put fails.
  void put_until_full() {
    fill_disk();
    std::string reason;
    for (int i = 0; i < 2'000 && reason.empty(); ++i) {
      reason = put(acknowledged_);
      if (reason.empty()) ++acknowledged_;
    }
    EXPECT_NE(reason.find("No space left on device"), std::string::npos) << reason;
    EXPECT_NE(reason.find(options_.directory), std::string::npos) << reason;
  }
  void expect_recovery() {
    free_disk();
    const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    std::string reason = put(acknowledged_);
    while (!reason.empty() && std::chrono::steady_clock::now() < patience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      reason = put(acknowledged_);
    }
    ASSERT_EQ(reason, "");
    ++acknowledged_;
  }
  void expect_exactly_what_was_acknowledged() {
    for (int i = 0; i < acknowledged_; ++i) {
      ASSERT_EQ(engine_->get(*items_, key(i)).bytes(), value(i)) << i;
    }
    EXPECT_FALSE(engine_->get(*items_, key(acknowledged_)));
    const auto cursor = engine_->scan(*items_, {}, {}, Direction::kForward);
    int entries = 0;
    while (cursor->next()) ++entries;
    EXPECT_EQ(entries, acknowledged_);
  }

  void delete_on_a_full_disk() {
    open();
    put_until_full();
    for (int i = std::min(acknowledged_, 50); i > 0; --i) {
      ASSERT_NE(put(acknowledged_), "");
      WriteBatch batch;
      batch.remove(items_, key(--acknowledged_));
      ASSERT_NO_THROW(engine_->commit(batch)) << i;
    }
    WriteBatch dropping;
    dropping.put(items_, key(acknowledged_), value(acknowledged_));
    dropping.set_frees_space();
    ASSERT_NO_THROW(engine_->commit(dropping));
    ++acknowledged_;
    expect_exactly_what_was_acknowledged();
    expect_recovery();
    close();
    open();
    expect_exactly_what_was_acknowledged();
  }

  TempDirectory directory_;
  // The smallest buffers: tables fail to be written as well as logs.
  RocksdbOptions options_{.directory = directory_.file("data"), .memory_budget = 1};
  std::unique_ptr<Engine> engine_;
  TreePtr items_;
  std::optional<FullDisk> full_disk_;
  int acknowledged_ = 0;
};

TEST_F(RocksdbFullDiskTest, FailsCommitsWhileItLastsAndOnlyThose) {
  open();
  for (int round = 0; round < 3; ++round) {
    put_until_full();
    for (int i = 0; i < 3; ++i) EXPECT_NE(put(acknowledged_), "");
    expect_exactly_what_was_acknowledged();
    expect_recovery();
    expect_exactly_what_was_acknowledged();
  }
  close();
  open();
  expect_exactly_what_was_acknowledged();
}

TEST_F(RocksdbFullDiskTest, DeletesWhileTheLogHasNoRoom) {
  options_.memory_budget = 32 << 20;
  delete_on_a_full_disk();
}

TEST_F(RocksdbFullDiskTest, DeletesWhileNoTableCanBeWritten) { delete_on_a_full_disk(); }

// RocksDB pauses for a second after a flush that failed, before it may be resumed.
TEST_F(RocksdbFullDiskTest, DeletesRightAfterAFlushFailed) {
  open();
  for (int round = 0; round < 3; ++round) {
    put_until_full();
    for (int i = 0; i < 10 && acknowledged_ > 0; ++i) {
      WriteBatch batch;
      batch.remove(items_, key(--acknowledged_));
      ASSERT_NO_THROW(engine_->commit(batch)) << round << ", " << i;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    expect_recovery();
    expect_exactly_what_was_acknowledged();
  }
}

TEST_F(RocksdbFullDiskTest, StillOpensOnceThereIsSpace) {
  open();
  put_until_full();
  close();
  free_disk();
  fill_disk();  // the space that close() gave back, too
  EXPECT_THROW(open(), EngineError);
  free_disk();
  open();
  expect_exactly_what_was_acknowledged();
  expect_recovery();
}

TEST_F(RocksdbFullDiskTest, ARecordLongerThanTheSpaceInHandIsRefusedWhole) {
  const std::string longer(3 * WalReservation::kAhead, 'v');
  open();
  WriteBatch batch;
  batch.put(items_, key(0), longer);
  EXPECT_EQ(put(2), "");
  fill_disk();
  EXPECT_THROW(engine_->commit(batch), EngineError);
  EXPECT_EQ(put(1), "");
  free_disk();
  engine_->commit(batch);
  close();
  open();
  EXPECT_EQ(engine_->get(*items_, key(0)).bytes(), longer);
  EXPECT_EQ(engine_->get(*items_, key(1)).bytes(), value(1));
}

// Writers that put their own numbers, with records of all sizes, until they are stopped.
class Writers {
 public:
  static constexpr int kThreads = 16;

  Writers(Engine& engine, TreePtr items) : engine_(engine), items_(std::move(items)) {
    for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this, i] { write(i); });
  }
  ~Writers() { stop(); }
  Writers(const Writers&) = delete;
  Writers& operator=(const Writers&) = delete;
  void stop() {
    stop_ = true;
    threads_.clear();
  }
  // Whether all writers have put something since the call.
  bool all_write(std::chrono::steady_clock::duration patience) {
    std::array<int, kThreads> before;
    for (int i = 0; i < kThreads; ++i) before[i] = done_[i];
    const auto end = std::chrono::steady_clock::now() + patience;
    for (int i = 0; i < kThreads; ++i) {
      while (done_[i] == before[i]) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    return true;
  }
  // Everything acknowledged is in the engine, and at most the one that was not.
  void expect_kept(Engine& engine, const TreePtr& items) const {
    for (int i = 0; i < kThreads; ++i) {
      for (int number = 0; number < done_[i]; ++number) {
        ASSERT_EQ(engine.get(*items, key(i, number)).bytes(), value(i, number));
      }
      EXPECT_FALSE(engine.get(*items, key(i, done_[i] + 1)));
    }
  }
  int refused() const { return refused_; }
  std::string reason() const { return reason_; }

 private:
  static std::string key(int writer, int number) {
    return "t" + std::to_string(writer) + "/" + std::to_string(number);
  }
  static std::string value(int writer, int number) {
    std::mt19937 random(static_cast<unsigned>(writer * 1'000'003 + number));
    const std::size_t most = number % 10 == 9 ? 3'000'000 : 400'000;
    return std::string(random() % most, static_cast<char>('a' + number % 26));
  }
  void write(int writer) {
    while (!stop_) {
      WriteBatch batch;
      batch.put(items_, key(writer, done_[writer]), value(writer, done_[writer]));
      try {
        engine_.commit(batch);
        ++done_[writer];
      } catch (const EngineError& error) {
        if (++refused_ % 16 == 1) note_reason(error.what());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }
  // Keeps a reason that is not a full disk.
  void note_reason(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (reason_.find("No space left on device") == std::string::npos && !reason_.empty()) return;
    reason_ = reason;
  }

  Engine& engine_;
  const TreePtr items_;
  std::atomic<bool> stop_ = false;
  std::atomic<int> refused_ = 0;
  std::array<std::atomic<int>, kThreads> done_ = {};
  std::mutex mutex_;  // guards reason_
  std::string reason_;
  std::vector<std::jthread> threads_;
};

TEST_F(RocksdbFullDiskTest, ManyWritersFailAndRecoverTogether) {
  options_.memory_budget = 8 << 20;
  open();
  Writers writers(*engine_, items_);
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * round));
    const int refused = writers.refused();
    fill_disk();
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (writers.refused() == refused) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (std::chrono::steady_clock::now() < patience) continue;
      free_disk();
      FAIL() << "writes wait on a full disk";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    free_disk();
    if (round % 5 != 4) continue;
    ASSERT_TRUE(writers.all_write(std::chrono::seconds(120))) << writers.reason();
  }
  writers.stop();
  EXPECT_NE(writers.reason().find("No space left on device"), std::string::npos)
      << writers.reason();
  close();
  open();
  writers.expect_kept(*engine_, items_);
}

}  // namespace
}  // namespace magneto::storage
