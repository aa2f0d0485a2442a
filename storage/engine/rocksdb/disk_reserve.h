#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace magneto::storage {

// Reserves disk space in a file of its own. It is released when the disk is full, so that writes
// that free space still succeed: RocksDB accepts no write at all while it has no room for a table.
// Thread-safe.
class DiskReserve {
 public:
  // `path` is the file; removes a file that a killed process left there. Holds nothing at first.
  DiskReserve(std::string path, std::uint64_t bytes);
  ~DiskReserve();
  DiskReserve(const DiskReserve&) = delete;
  DiskReserve& operator=(const DiskReserve&) = delete;

  // Whether the space is held, or could be allocated now; false if the disk has no room. If the
  // filesystem cannot allocate space to files, the space counts as held.
  bool hold() { return is_held_.load(std::memory_order_relaxed) || allocate(); }
  void release();

 private:
  bool allocate();

  const std::string path_;
  const std::uint64_t bytes_;
  std::atomic<bool> is_held_ = false;
  std::mutex mutex_;  // guards the file, and changes of is_held_
};

}  // namespace magneto::storage
