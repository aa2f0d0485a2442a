#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "tests/support/engines.h"

// Kills a writing process again and again. Its acknowledged writes are there, and batches are
// whole.
namespace magneto::storage {
namespace {

constexpr int kWriters = 3;
constexpr const char* kDirectoryVariable = "MAGNETO_CRASH_TEST_DIRECTORY";

// Small, so that tables are written and compacted and logs change under way.
std::unique_ptr<Engine> open(const std::string& directory) {
  return open_rocksdb_engine({.directory = directory, .memory_budget = 1});
}

std::string key_of(char prefix, std::uint32_t writer, std::uint32_t number) {
  std::string key(1, prefix);
  append_uint32(key, writer);
  append_uint32(key, number);
  return key;
}

std::string value_of(std::uint32_t number) {
  return std::string(500 + number % 7 * 700, static_cast<char>('a' + number % 26));
}

struct Acknowledgement {
  std::uint32_t writer;
  std::uint32_t number;
};

// Each batch puts one number into items and indexes and moves the writer's mark in the queue.
void write_for_ever(Engine& engine, std::uint32_t writer, int acknowledgements) {
  const TreePtr items = engine.open_tree(ColumnFamily::kItems, "i");
  const TreePtr indexes = engine.open_tree(ColumnFamily::kIndexes, "x");
  const TreePtr queue = engine.open_tree(ColumnFamily::kQueue, "q");
  std::uint32_t next = 0;
  while (engine.get(*items, key_of('i', writer, next))) ++next;
  for (;; ++next) {
    WriteBatch batch;
    batch.put(items, key_of('i', writer, next), value_of(next));
    batch.put(indexes, key_of('x', writer, next), value_of(next));
    batch.put(queue, key_of('q', writer, next), {});
    if (next > 0) batch.remove(queue, key_of('q', writer, next - 1));
    engine.commit(batch);
    const Acknowledgement done = {writer, next};
    if (write(acknowledgements, &done, sizeof done) != sizeof done) return;
  }
}

// The process to kill is this program, started again: a fork does not inherit the background
// threads of RocksDB.
class WriterProcess final : public testing::Environment {
 public:
  void SetUp() override {
    const char* directory = std::getenv(kDirectoryVariable);
    if (directory == nullptr) return;
    const auto engine = open(directory);
    std::vector<std::thread> writers;
    for (std::uint32_t i = 0; i < kWriters; ++i) {
      writers.emplace_back([&, i] { write_for_ever(*engine, i, STDOUT_FILENO); });
    }
    for (std::thread& writer : writers) writer.join();
    _exit(1);
  }
};
const auto* const kWriterProcess = testing::AddGlobalTestEnvironment(new WriterProcess);

class RocksdbCrashTest : public testing::Test {
 protected:
  RocksdbCrashTest() { acknowledged_.fill(-1); }

  // Runs a writer until some time after its first acknowledgement.
  void write_and_kill(std::chrono::microseconds time) {
    std::array<int, 2> ends = {};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      setenv(kDirectoryVariable, path_.c_str(), 1);
      execl(MAGNETO_STORAGE_TESTS, "storage_tests", "--gtest_filter=RocksdbCrashTest.*",
            "--gtest_brief=1", nullptr);
      _exit(127);
    }
    close(ends[1]);
    std::thread killer;
    Acknowledgement done = {};
    while (read(ends[0], &done, sizeof done) == sizeof done) {
      ASSERT_LT(done.writer, static_cast<std::uint32_t>(kWriters));
      acknowledged_[done.writer] = done.number;
      ++total_;
      if (!killer.joinable()) {
        killer = std::thread([=] {
          std::this_thread::sleep_for(time);
          kill(child, SIGKILL);
        });
      }
    }
    close(ends[0]);
    EXPECT_TRUE(killer.joinable()) << "the writer ended by itself";
    if (killer.joinable()) killer.join();
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }

  void check(Engine& engine) {
    const TreePtr items = engine.open_tree(ColumnFamily::kItems, "i");
    const TreePtr indexes = engine.open_tree(ColumnFamily::kIndexes, "x");
    const TreePtr queue = engine.open_tree(ColumnFamily::kQueue, "q");
    for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
      std::uint32_t found = 0;
      for (; const PinnedValue item = engine.get(*items, key_of('i', writer, found)); ++found) {
        ASSERT_EQ(item.bytes(), value_of(found));
        ASSERT_TRUE(engine.get(*indexes, key_of('x', writer, found)));
      }
      ASSERT_GT(static_cast<std::int64_t>(found), acknowledged_[writer]);
      // A batch that was not acknowledged is there completely or not at all.
      ASSERT_FALSE(engine.get(*indexes, key_of('x', writer, found)));
      const auto mark = engine.scan(*queue, key_of('q', writer, 0), key_of('q', writer + 1, 0),
                                    Direction::kForward);
      ASSERT_EQ(mark->next(), found > 0);
      if (found == 0) continue;
      ASSERT_EQ(mark->key(), key_of('q', writer, found - 1));
      ASSERT_FALSE(mark->next());
    }
  }

  TempDirectory directory_;
  const std::string path_ = directory_.file("data");
  std::array<std::int64_t, kWriters> acknowledged_;
  long total_ = 0;
};

TEST_F(RocksdbCrashTest, NothingAcknowledgedIsLost) {
  std::mt19937 random(std::random_device{}());
  for (int round = 0; round < 20 && !HasFailure(); ++round) {
    write_and_kill(std::chrono::microseconds(random() % 30'000));
    // Now and then the next writer meets the traces of several kills at once.
    if (round % 4 == 3) check(*open(path_));
  }
  check(*open(path_));
  EXPECT_GE(total_, 20);
}

}  // namespace
}  // namespace magneto::storage
