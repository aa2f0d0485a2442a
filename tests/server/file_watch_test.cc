#include "server/file_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "tests/support/engines.h"

namespace magneto::server {
namespace {

class Changes {
 public:
  void note() {
    const std::lock_guard lock(mutex_);
    ++count_;
    noted_.notify_all();
  }
  // Waits until one more was noted than the last time.
  bool wait() {
    std::unique_lock lock(mutex_);
    ++expected_;
    return noted_.wait_for(lock, std::chrono::seconds(30), [&] { return count_ >= expected_; });
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
  watch.start([&] { changes.note(); });
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

TEST(FileWatch, EndsWithoutHavingStarted) { const FileWatch watch({"/nowhere"}); }

}  // namespace
}  // namespace magneto::server
