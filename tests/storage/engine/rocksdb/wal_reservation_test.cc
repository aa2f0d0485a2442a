#include "storage/engine/rocksdb/wal_reservation.h"

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
class FakeLog final : public PreallocatingLog {
 public:
  explicit FakeLog(WalReservation& space) : space_(space) {}

  void begin(const std::string& path) {
    const std::uint64_t room = space_.take_segment(path);
    if (room == 0) has_begun_without_segment = true;
    size_ = 0;
    allocated_ = room;
    space_.set_current(*this, room);
  }
  void append(std::uint64_t bytes) {
    size_ += bytes;
    if (size_ > allocated_) has_outgrown_its_room = true;
    space_.record_append(*this, bytes);
  }
  std::uint64_t room() const { return allocated_ - size_; }
  std::uint64_t allocate_ahead(std::uint64_t bytes) override {
    const std::uint64_t end = size_ + bytes;
    if (is_disk_full || end <= allocated_) return 0;
    return end - allocated_.exchange(end);
  }

  std::atomic<bool> is_disk_full = false;
  std::atomic<bool> has_begun_without_segment = false;
  std::atomic<bool> has_outgrown_its_room = false;

 private:
  WalReservation& space_;
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> allocated_ = 0;
};

std::uint64_t allocated(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512 : 0;
}

class WalReservationTest : public testing::Test {
 protected:
  static constexpr WalReservation::Purpose kAny = WalReservation::Purpose::kAny;
  static constexpr WalReservation::Purpose kFreeSpace = WalReservation::Purpose::kFreeSpace;

  std::string segment(std::size_t number) const { return path_ + std::to_string(number); }
  std::size_t segment_count() const {
    std::size_t count = 0;
    while (allocated(segment(count)) >= WalReservation::kSegment) ++count;
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
  WalReservation space_{path_};
  FakeLog log_{space_};
};

TEST_F(WalReservationTest, KeepsSegments) {
  ASSERT_TRUE(space_.is_supported());
  EXPECT_EQ(segment_count(), WalReservation::kFewestSegments);
  EXPECT_EQ(std::filesystem::file_size(segment(0)), 0U);
  for (int i = 0; i < 5; ++i) {
    begin_log();
    EXPECT_GE(allocated(directory_.file("log")), WalReservation::kSegment);
    EXPECT_EQ(segment_count(), WalReservation::kFewestSegments);
  }
}

TEST_F(WalReservationTest, LeavesNoSegmentsBehindNorThoseOfAKilledProcess) {
  const TempDirectory other;
  std::ofstream(other.file("data")) << "x";
  for (int i = 0; i < 7; ++i) std::ofstream(other.file("spare" + std::to_string(i)));
  {
    const WalReservation space(other.file("spare"));
    EXPECT_GE(allocated(other.file("spare2")), WalReservation::kSegment);
    EXPECT_FALSE(std::filesystem::exists(other.file("spare3")));
    EXPECT_FALSE(std::filesystem::exists(other.file("spare5")));
  }
  EXPECT_FALSE(std::filesystem::exists(other.file("spare0")));
  EXPECT_TRUE(std::filesystem::exists(other.file("data")));
}

TEST_F(WalReservationTest, KeepsTheLogAhead) {
  begin_log();
  EXPECT_EQ(log_.room(), WalReservation::kAhead);
  log_.append(WalReservation::kAmple);
  EXPECT_EQ(log_.room(), WalReservation::kAmple);
  log_.append(1);
  EXPECT_EQ(log_.room(), WalReservation::kAhead);
}

TEST_F(WalReservationTest, AdmitsNoRecordThatTheLogHasNoRoomFor) {
  fill_disk();
  begin_log();
  EXPECT_TRUE(space_.admit(WalReservation::kSegment / 2, kAny));
  log_.append(WalReservation::kSegment / 2);
  EXPECT_TRUE(space_.admit(WalReservation::kSegment / 8, kAny));
  EXPECT_FALSE(space_.admit(WalReservation::kSegment / 2, kAny));
  free_disk();
  EXPECT_TRUE(space_.admit(WalReservation::kSegment / 2, kAny));
}

TEST_F(WalReservationTest, AdmitsNothingWithoutASegment) {
  begin_log();
  fill_disk();
  begin_log();
  EXPECT_TRUE(space_.admit(1, kAny));
  begin_log();
  EXPECT_FALSE(log_.has_begun_without_segment);
  EXPECT_FALSE(space_.admit(1, kAny));
  EXPECT_FALSE(space_.admit(0, kAny));
  free_disk();
  EXPECT_TRUE(space_.admit(0, kAny));
}

TEST_F(WalReservationTest, KeepsASegmentAndRoomForWritesThatFreeSpace) {
  fill_disk();
  begin_log();
  log_.append(WalReservation::kSegment - WalReservation::kReserve);
  EXPECT_FALSE(space_.admit(1, kAny));
  EXPECT_TRUE(space_.admit(WalReservation::kReserve / 2, kFreeSpace));
  begin_log();
  EXPECT_FALSE(space_.admit(1, kAny));
  EXPECT_TRUE(space_.admit(1, kFreeSpace));
  begin_log();
  EXPECT_FALSE(log_.has_begun_without_segment);
  EXPECT_FALSE(space_.admit(1, kFreeSpace));
  free_disk();
  EXPECT_TRUE(space_.admit(1, kAny));
}

TEST_F(WalReservationTest, MakesASegmentForEachWriteAtATime) {
  begin_log();
  std::vector<WalReservation::Permit> permits;
  for (std::size_t i = 0; i < WalReservation::kMostSegments; ++i) {
    permits.push_back(space_.admit(100, kAny));
    ASSERT_TRUE(permits.back());
    EXPECT_GE(segment_count(), i + 1);
  }
}

TEST_F(WalReservationTest, ALongRecordIsAdmittedAloneWithRoomInLogAndSegment) {
  constexpr std::uint64_t kLong = 2 * WalReservation::kAhead;
  begin_log();
  std::optional<WalReservation::Permit> first = space_.admit(1, kAny);
  std::atomic<bool> is_admitted = false;
  std::atomic<bool> may_end = false;
  std::thread long_one([&] {
    const WalReservation::Permit permit = space_.admit(kLong, kAny);
    EXPECT_TRUE(permit);
    EXPECT_GE(log_.room(), kLong);
    EXPECT_GE(allocated(segment(segment_count() - 1)), kLong);
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

TEST_F(WalReservationTest, NoAdmittedWriteLacksSpaceWhenTheDiskFillsUp) {
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
        const WalReservation::Permit permit =
            space_.admit(bytes, random() % 8 == 0 ? kFreeSpace : kAny);
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
  EXPECT_FALSE(log_.has_begun_without_segment);
  EXPECT_FALSE(log_.has_outgrown_its_room);
  EXPECT_GE(admitted, 200);
  EXPECT_GT(refused, 0);
}

TEST_F(WalReservationTest, UnusablePathIsAnError) {
  EXPECT_THROW(WalReservation(directory_.file("absent/spare")), EngineError);
}

}  // namespace
}  // namespace magneto::storage
