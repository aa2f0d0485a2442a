#include "storage/engine/rocksdb/log_space.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/engine/engine.h"
#include "tests/support/engines.h"
#include "tests/support/full_disk.h"

namespace magneto::storage {
namespace {

// The logs that RocksDB writes one after the other.
class FakeLog final : public GrowingLog {
 public:
  explicit FakeLog(LogSpace& space) : space_(space) {}

  void begin(const std::string& path) {
    const std::uint64_t room = space_.take_spare(path);
    if (room == 0) has_begun_without_spare = true;
    size_ = 0;
    allocated_ = room;
    space_.set_current(*this, room);
  }
  void append(std::uint64_t bytes) {
    size_ += bytes;
    if (size_ > allocated_) has_outgrown_its_room = true;
    space_.note_append(*this, bytes);
  }
  std::uint64_t room() const { return allocated_ - size_; }
  std::uint64_t allocate_ahead(std::uint64_t bytes) override {
    const std::uint64_t end = size_ + bytes;
    if (is_disk_full || end <= allocated_) return 0;
    return end - allocated_.exchange(end);
  }

  std::atomic<bool> is_disk_full = false;
  std::atomic<bool> has_begun_without_spare = false;
  std::atomic<bool> has_outgrown_its_room = false;

 private:
  LogSpace& space_;
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> allocated_ = 0;
};

std::uint64_t allocated(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512 : 0;
}

class LogSpaceTest : public testing::Test {
 protected:
  static constexpr LogSpace::Purpose kAny = LogSpace::Purpose::kAny;
  static constexpr LogSpace::Purpose kFreeSpace = LogSpace::Purpose::kFreeSpace;

  std::string spare(std::size_t number) const { return path_ + std::to_string(number); }
  std::size_t spare_count() const {
    std::size_t count = 0;
    while (allocated(spare(count)) >= LogSpace::kSpare) ++count;
    return count;
  }
  void begin_log() { log_.begin(directory_.file("log")); }
  void fill_disk() {
    full_disk_.emplace(directory_.path());
    log_.is_disk_full = true;
  }
  void free_disk() {
    full_disk_.reset();
    log_.is_disk_full = false;
  }

  TempDirectory directory_;
  const std::string path_ = directory_.file("spare");
  std::optional<FullDisk> full_disk_;
  LogSpace space_{path_};
  FakeLog log_{space_};
};

TEST_F(LogSpaceTest, KeepsSpareFiles) {
  ASSERT_TRUE(space_.is_supported());
  EXPECT_EQ(spare_count(), LogSpace::kFewestSpares);
  EXPECT_EQ(std::filesystem::file_size(spare(0)), 0U);
  for (int i = 0; i < 5; ++i) {
    begin_log();
    EXPECT_GE(allocated(directory_.file("log")), LogSpace::kSpare);
    EXPECT_EQ(spare_count(), LogSpace::kFewestSpares);
  }
}

TEST_F(LogSpaceTest, LeavesNoSparesBehindNorThoseOfAKilledProcess) {
  const TempDirectory other;
  std::ofstream(other.file("data")) << "x";
  for (int i = 0; i < 7; ++i) std::ofstream(other.file("spare" + std::to_string(i)));
  {
    const LogSpace space(other.file("spare"));
    EXPECT_GE(allocated(other.file("spare2")), LogSpace::kSpare);
    EXPECT_FALSE(std::filesystem::exists(other.file("spare3")));
    EXPECT_FALSE(std::filesystem::exists(other.file("spare5")));
  }
  EXPECT_FALSE(std::filesystem::exists(other.file("spare0")));
  EXPECT_TRUE(std::filesystem::exists(other.file("data")));
}

TEST_F(LogSpaceTest, KeepsTheLogAhead) {
  begin_log();
  EXPECT_EQ(log_.room(), LogSpace::kAhead);
  log_.append(LogSpace::kAmple);
  EXPECT_EQ(log_.room(), LogSpace::kAmple);
  log_.append(1);
  EXPECT_EQ(log_.room(), LogSpace::kAhead);
}

TEST_F(LogSpaceTest, AdmitsNoRecordThatTheLogHasNoRoomFor) {
  fill_disk();
  begin_log();
  EXPECT_TRUE(space_.admit(LogSpace::kSpare / 2, kAny));
  log_.append(LogSpace::kSpare / 2);
  EXPECT_TRUE(space_.admit(LogSpace::kSpare / 8, kAny));
  EXPECT_FALSE(space_.admit(LogSpace::kSpare / 2, kAny));
  free_disk();
  EXPECT_TRUE(space_.admit(LogSpace::kSpare / 2, kAny));
}

TEST_F(LogSpaceTest, AdmitsNothingWithoutASpare) {
  begin_log();
  fill_disk();
  begin_log();
  EXPECT_TRUE(space_.admit(1, kAny));
  begin_log();
  EXPECT_FALSE(log_.has_begun_without_spare);
  EXPECT_FALSE(space_.admit(1, kAny));
  EXPECT_FALSE(space_.admit(0, kAny));
  free_disk();
  EXPECT_TRUE(space_.admit(0, kAny));
}

TEST_F(LogSpaceTest, KeepsASpareAndRoomForWritesThatFreeSpace) {
  fill_disk();
  begin_log();
  log_.append(LogSpace::kSpare - LogSpace::kReserve);
  EXPECT_FALSE(space_.admit(1, kAny));
  EXPECT_TRUE(space_.admit(LogSpace::kReserve / 2, kFreeSpace));
  begin_log();
  EXPECT_FALSE(space_.admit(1, kAny));
  EXPECT_TRUE(space_.admit(1, kFreeSpace));
  begin_log();
  EXPECT_FALSE(log_.has_begun_without_spare);
  EXPECT_FALSE(space_.admit(1, kFreeSpace));
  free_disk();
  EXPECT_TRUE(space_.admit(1, kAny));
}

TEST_F(LogSpaceTest, MakesASpareForEachWriteAtATime) {
  begin_log();
  std::vector<LogSpace::Permit> permits;
  for (std::size_t i = 0; i < LogSpace::kMostSpares; ++i) {
    permits.push_back(space_.admit(100, kAny));
    ASSERT_TRUE(permits.back());
    EXPECT_GE(spare_count(), i + 1);
  }
}

TEST_F(LogSpaceTest, ALongRecordIsAdmittedAloneWithRoomInLogAndSpare) {
  constexpr std::uint64_t kLong = 2 * LogSpace::kAhead;
  begin_log();
  std::optional<LogSpace::Permit> first = space_.admit(1, kAny);
  std::atomic<bool> is_admitted = false;
  std::atomic<bool> may_end = false;
  std::thread long_one([&] {
    const LogSpace::Permit permit = space_.admit(kLong, kAny);
    EXPECT_TRUE(permit);
    EXPECT_GE(log_.room(), kLong);
    EXPECT_GE(allocated(spare(spare_count() - 1)), kLong);
    is_admitted = true;
    while (!may_end) std::this_thread::yield();
    is_admitted = false;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(is_admitted);
  first.reset();
  while (!is_admitted) std::this_thread::yield();
  std::thread next([&] {
    EXPECT_TRUE(space_.admit(1, kAny));
    EXPECT_FALSE(is_admitted);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  may_end = true;
  long_one.join();
  next.join();
}

TEST_F(LogSpaceTest, NoAdmittedWriteLacksSpaceWhenTheDiskFillsUp) {
  begin_log();
  std::atomic<bool> stop = false;
  std::atomic<int> admitted = 0;
  std::atomic<int> refused = 0;
  std::mutex writer;  // RocksDB's: one group at a time
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      while (!stop) {
        const std::uint64_t bytes = random() % (random() % 50 == 0 ? 4'000'000 : 200'000);
        const LogSpace::Permit permit = space_.admit(bytes, random() % 8 == 0 ? kFreeSpace : kAny);
        ++(permit ? admitted : refused);
        if (!permit) continue;
        const std::lock_guard lock(writer);
        if (random() % 2 == 0) begin_log();
        log_.append(bytes);
      }
    });
  }
  for (int i = 0; i < 10'000 && (i < 100 || admitted < 200 || refused == 0); ++i) {
    fill_disk();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    free_disk();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(log_.has_begun_without_spare);
  EXPECT_FALSE(log_.has_outgrown_its_room);
  EXPECT_GE(admitted, 200);
  EXPECT_GT(refused, 0);
}

TEST_F(LogSpaceTest, UnusablePathIsAnError) {
  EXPECT_THROW(LogSpace(directory_.file("absent/spare")), EngineError);
}

}  // namespace
}  // namespace magneto::storage
