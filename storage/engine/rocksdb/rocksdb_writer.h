#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "storage/engine/rocksdb/disk_reserve.h"
#include "storage/engine/rocksdb/rocksdb_background.h"
#include "storage/engine/rocksdb/wal_reservation.h"
#include "storage/engine/write_batch.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Status;
class WriteBatch;
}  // namespace rocksdb

namespace magneto::storage {

// The dependencies of a RocksdbWriter. All of them must outlive it.
struct RocksdbWriterParts {
  rocksdb::DB& database;
  const std::string& directory;  // the data directory, for errors
  const BackgroundState& background;
  WalReservation& wal_reservation;
  DiskReserve& reserve;
};

// Writes to RocksDB and flushes it, as far as the disk has space. After an error, RocksDB's
// background refuses writes until it is resumed, for example if a full disk had no room for a
// table. This class resumes it. Thread-safe.
class RocksdbWriter {
 public:
  using Purpose = WalReservation::Purpose;

  static Purpose purpose_of(const WriteBatch& batch) {
    return batch.frees_space() ? Purpose::kFreeSpace : Purpose::kAny;
  }

  RocksdbWriter(const RocksdbWriterParts& parts, bool sync_writes)
      : parts_(parts), sync_writes_(sync_writes) {}
  RocksdbWriter(const RocksdbWriter&) = delete;
  RocksdbWriter& operator=(const RocksdbWriter&) = delete;

  // `is_synced`: WriteBatch::is_synced. Throws EngineError, or NeedsWorker if it would wait
  // (Engine::commit).
  void write(rocksdb::WriteBatch& batch, Purpose purpose, bool is_synced = false);

  // Writes the log's contents into tables, which frees the log. May take long.
  rocksdb::Status flush(const std::vector<rocksdb::ColumnFamilyHandle*>& families, Purpose purpose);

  // Like Engine::describe_refusal(). Writes an empty batch if the last write failed, and otherwise
  // nothing.
  std::string describe_refusal();

  bool has_resumed() const { return resumed_ != 0; }

 private:
  rocksdb::Status write_when_not_stopped(rocksdb::WriteBatch& batch, Purpose purpose,
                                         bool is_synced);
  rocksdb::Status write_once(rocksdb::WriteBatch& batch, Purpose purpose, bool is_synced);
  bool release_reserve(Purpose purpose);
  bool resume(Purpose purpose, std::uint64_t seen);
  bool resume_now(Purpose purpose);

  const RocksdbWriterParts parts_;
  const bool sync_writes_;
  std::atomic<std::uint64_t> resumed_ = 0;      // how often; changed with resume_mutex_ held
  std::atomic<bool> last_was_refused_ = false;  // concerns writes that may add data
  std::timed_mutex resume_mutex_;               // guards next_resume_; held while RocksDB resumes
  std::array<std::chrono::steady_clock::time_point, 2> next_resume_;  // by Purpose
};

}  // namespace magneto::storage
