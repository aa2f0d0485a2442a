#include "server/system/file_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "tests/support/engines.h"

namespace magneto::server::system {
namespace {

class Changes {
 public:
  // How many there are with this one.
  int note() {
    const std::lock_guard lock(mutex_);
    noted_.notify_all();
    return ++count_;
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  // Waits until one more was noted than the last time.
  bool wait() {
    std::unique_lock lock(mutex_);
    ++expected_;
    return noted_.wait_for(lock, std::chrono::seconds(120), [&] { return count_ >= expected_; });
  }

 private:
  std::mutex mutex_;  // guards the rest
  std::condition_variable noted_;
  int count_ = 0;
  int expected_ = 0;
};

TEST(FileWatch, SeesFilesThatAreMadeWrittenReplacedAndRemoved) {
  const storage::TempDirectory directory;
  std::filesystem::create_directories(directory.path());
  const std::string file = directory.file("a");
  const std::string link = directory.file("b");
  std::ofstream(directory.file("c")) << "c";
  std::filesystem::create_symlink("c", link);
  Changes changes;
  FileWatch watch({file, link});
  std::ofstream(file) << "1";  // between construction and start
  watch.start([&] {
    changes.note();
    return true;
  });
  EXPECT_TRUE(changes.wait());
  std::ofstream(file, std::ios::app) << "2";
  EXPECT_TRUE(changes.wait());
  std::ofstream(directory.file("new")) << "12";
  std::filesystem::rename(directory.file("new"), file);
  EXPECT_TRUE(changes.wait());
  std::ofstream(directory.file("d")) << "d";
  std::filesystem::create_symlink("d", directory.file("other"));
  std::filesystem::rename(directory.file("other"), link);
  EXPECT_TRUE(changes.wait());
  std::filesystem::remove(file);
  EXPECT_TRUE(changes.wait());
}

TEST(FileWatch, WaitsUntilAFileIsNoLongerWritten) {
  using Clock = std::chrono::steady_clock;
  const storage::TempDirectory directory;
  std::filesystem::create_directories(directory.path());
  const std::string file = directory.file("a");
  std::ofstream(file) << "0";
  Changes changes;
  FileWatch watch({file});
  watch.start([&] {
    changes.note();
    return true;
  });
  const Clock::time_point start = Clock::now();
  Clock::time_point last = start;
  Clock::duration longest_gap{};
  while (last < start + std::chrono::milliseconds(3500)) {
    std::ofstream(file, std::ios::app) << "1";
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    longest_gap = std::max(longest_gap, Clock::now() - last);
    last = Clock::now();
  }
  // Two looks are at least a second apart.
  if (longest_gap < std::chrono::milliseconds(900)) {
    EXPECT_EQ(changes.count(), 0);
  }
  EXPECT_TRUE(changes.wait());
}

TEST(FileWatch, AsksAgainUntilAChangeWasDealtWith) {
  const storage::TempDirectory directory;
  std::filesystem::create_directories(directory.path());
  const std::string file = directory.file("a");
  Changes changes;
  FileWatch watch({file});
  watch.start([&] { return changes.note() == 3; });
  std::ofstream(file) << "1";
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(changes.wait());
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  EXPECT_EQ(changes.count(), 3);
}

TEST(FileWatch, EndsWithoutHavingStarted) { const FileWatch watch({"/nowhere"}); }

}  // namespace
}  // namespace magneto::server::system
