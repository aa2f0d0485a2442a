#include "storage/engine/rocksdb/rocksdb_writer.h"

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/status.h>
#include <rocksdb/write_batch.h>

#include <cstddef>
#include <thread>

#include "storage/engine/engine.h"
#include "storage/engine/rocksdb/rocksdb_damage.h"
#include "storage/engine/rocksdb/unseen_by_thread_sanitizer.h"
#include "storage/messages/directory_messages.h"
#include "storage/model/effort.h"

namespace magneto::storage {

namespace {

// How long a write waits until RocksDB is resumed.
constexpr std::chrono::seconds kResumePatience(3);

// False if there is no time left.
bool pause_until(std::chrono::steady_clock::time_point end, std::chrono::milliseconds pause) {
  if (std::chrono::steady_clock::now() + pause >= end) return false;
  std::this_thread::sleep_for(pause);
  return true;
}

rocksdb::Status no_space() { return rocksdb::Status::NoSpace(messages::kNoSpace); }

// True for an error of a flush or compaction, which RocksDB remembers until it is resumed.
bool is_background_error(const rocksdb::Status& status) {
  return status.severity() != rocksdb::Status::Severity::kNoError;
}

}  // namespace

void RocksdbWriter::write(rocksdb::WriteBatch& batch, Purpose purpose, bool is_synced) {
  constexpr int kAttempts = 3;  // an error may return after it was repaired
  rocksdb::Status status;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t resumed = resumed_;
    status = write_when_not_stopped(batch, purpose, is_synced);
    if (status.ok() || parts_.background.is_log_broken) break;
    Effort::before_waiting();
    const bool is_worth_it =
        is_background_error(status) ? resume(purpose, resumed) : release_reserve(purpose);
    if (!is_worth_it) break;
  }
  if (purpose == Purpose::kAny &&
      last_was_refused_.load(std::memory_order_relaxed) == status.ok()) {
    last_was_refused_ = !status.ok();
  }
  check(status, parts_.database,
        parts_.background.is_log_broken ? messages::kWriteUntilRestartedTo : messages::kWriteTo,
        parts_.directory);
}

std::string RocksdbWriter::describe_refusal() {
  if (parts_.background.is_log_broken) {
    return messages::kLogBroken;
  }
  // Small writes of the background may succeed while those of clients fail.
  constexpr std::uint64_t kLargeItem = 256 << 10;
  if (!parts_.wal_reservation.admit(kLargeItem, Purpose::kAny)) {
    return messages::kDiskFull;
  }
  if (!last_was_refused_) return {};
  try {
    // Like a client's write, this resumes RocksDB once there is space.
    rocksdb::WriteBatch nothing;
    write(nothing, Purpose::kAny);
    return {};
  } catch (const EngineError&) {
    return messages::kDiskFails;
  }
}

// After a compaction has failed, RocksDB (release 7.8) no longer lets a write wait for a flush or a
// compaction: it returns an incomplete status. This function waits instead.
rocksdb::Status RocksdbWriter::write_when_not_stopped(rocksdb::WriteBatch& batch, Purpose purpose,
                                                      bool is_synced) {
  for (;;) {
    rocksdb::Status status = write_once(batch, purpose, is_synced);
    if (!status.IsIncomplete()) return status;
    Effort::before_waiting();
    if (parts_.background.compactions_fail) return no_space();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

rocksdb::Status RocksdbWriter::write_once(rocksdb::WriteBatch& batch, Purpose purpose,
                                          bool is_synced) {
  // Space that was released for writes that free space is not for other writes.
  if (purpose == Purpose::kAny && !parts_.reserve.hold()) return no_space();
  const WalReservation::Permit permit = parts_.wal_reservation.admit(batch.GetDataSize(), purpose);
  if (!permit) return no_space();
  rocksdb::WriteOptions options;
  options.sync = sync_writes_ || is_synced;
  const UnseenByThreadSanitizer unseen;
  return parts_.database.Write(options, &batch);
}

bool RocksdbWriter::release_reserve(Purpose purpose) {
  if (purpose != Purpose::kFreeSpace) return false;
  parts_.reserve.release();
  return true;
}

// For a write that met a background error; `seen` is resumed_ from before the write. Not called
// without such an error: RocksDB (release 7.8) would then wait here while compactions fail, as they
// do on a full disk. A write that frees space waits until RocksDB may be resumed: after a failed
// flush that takes a second.
bool RocksdbWriter::resume(Purpose purpose, std::uint64_t seen) {
  constexpr std::chrono::milliseconds kLookTime(10);
  const auto end = std::chrono::steady_clock::now() + kResumePatience;
  do {
    const std::unique_lock lock(resume_mutex_, end - std::chrono::steady_clock::now());
    if (!lock) return false;
    if (resumed_ != seen || resume_now(purpose)) return true;
  } while (purpose == Purpose::kFreeSpace && pause_until(end, kLookTime));
  return false;
}

// Requires resume_mutex_. Does nothing while a flush runs or pauses after a failure: resuming might
// drop another requested flush, and this call would wait for that one. Tries only once in a while,
// since each try costs a flush.
bool RocksdbWriter::resume_now(Purpose purpose) {
  constexpr std::chrono::milliseconds kPause(500);
  auto& next = next_resume_[static_cast<std::size_t>(purpose)];
  if (std::chrono::steady_clock::now() < next) return false;
  release_reserve(purpose);
  std::uint64_t flushes = 0;
  parts_.database.GetIntProperty(rocksdb::DB::Properties::kNumRunningFlushes, &flushes);
  if (flushes > 0) return false;
  const WalReservation::Permit permit = parts_.wal_reservation.admit(0, purpose);
  if (!permit) return false;
  if (parts_.database.Resume().ok()) {
    ++resumed_;
    return true;
  }
  next = std::chrono::steady_clock::now() + kPause;
  return false;
}

rocksdb::Status RocksdbWriter::flush(const std::vector<rocksdb::ColumnFamilyHandle*>& families,
                                     Purpose purpose) {
  const WalReservation::Permit permit = parts_.wal_reservation.admit(0, purpose);
  if (!permit) return no_space();
  rocksdb::FlushOptions options;
  // otherwise it waits for compactions, which fail on a full disk
  options.allow_write_stall = true;
  return parts_.database.Flush(options, families);
}

}  // namespace magneto::storage
