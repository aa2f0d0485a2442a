#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "storage/engine/rocksdb_engine.h"
#include "tests/support/engines.h"

// A disk that is full for one directory. The C library's functions are replaced in this program:
// where no space is allocated yet they fail as on a full disk.
namespace {

std::atomic<const std::string*> full_directory = nullptr;

bool lies_in_full_directory(int descriptor) {
  const std::string* directory = full_directory;
  if (directory == nullptr) return false;
  std::array<char, 4'096> path;
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  return size > 0 && std::string_view(path.data(), static_cast<std::size_t>(size))
                         .starts_with(*directory + "/");
}

// Whether bytes up to `end` have their place on the disk.
bool is_allocated(int descriptor, off_t end) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && end <= status.st_blocks * 512;
}

}  // namespace

extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
  if (lies_in_full_directory(descriptor) &&
      !is_allocated(descriptor, ::lseek(descriptor, 0, SEEK_CUR) + static_cast<off_t>(size))) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_write, descriptor, data, size);
}

extern "C" int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  if ((mode & FALLOC_FL_PUNCH_HOLE) == 0 && lies_in_full_directory(descriptor) &&
      !is_allocated(descriptor, offset + size)) {
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fallocate, descriptor, mode, offset, size));
}

namespace magneto::storage {
namespace {

class RocksdbFullDiskTest : public testing::Test {
 protected:
  ~RocksdbFullDiskTest() override { full_directory = nullptr; }

  void open() {
    engine_ = open_rocksdb_engine(options_);
    items_ = engine_->open_tree(Family::kItems, "t");
  }
  void close() {
    items_.reset();
    engine_.reset();
  }
  void fill_disk() { full_directory = &directory_.path(); }
  void free_disk() { full_directory = nullptr; }

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
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
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

  TempDirectory directory_;
  // The smallest buffers: tables fail to be written as well as logs.
  RocksdbOptions options_{.directory = directory_.file("data"), .memory_budget = 1};
  std::unique_ptr<Engine> engine_;
  TreePtr items_;
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

TEST_F(RocksdbFullDiskTest, StillOpensOnceThereIsSpace) {
  open();
  put_until_full();
  close();
  EXPECT_THROW(open(), EngineError);
  free_disk();
  open();
  expect_exactly_what_was_acknowledged();
  expect_recovery();
}

TEST_F(RocksdbFullDiskTest, ManyWritersFailAndRecoverTogether) {
  open();
  constexpr int kThreads = 4;
  std::atomic<bool> stop = false;
  std::array<std::atomic<int>, kThreads> done = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      while (!stop) {
        if (put(t * 1'000'000 + done[t]).empty()) {
          ++done[t];
        } else {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  fill_disk();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  free_disk();
  const int before = done[0];
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (done[0] <= before + 5 && std::chrono::steady_clock::now() < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(done[0], before + 5);
  close();
  open();
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < done[t]; ++i) {
      const int number = t * 1'000'000 + i;
      ASSERT_EQ(engine_->get(*items_, key(number)).bytes(), value(number));
    }
  }
}

}  // namespace
}  // namespace magneto::storage
