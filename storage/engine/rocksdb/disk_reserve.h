#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace magneto::storage {

// Disk space in a file of its own, released when the disk is full, so that what frees space can
// still be written: RocksDB takes no write at all while it has no room for a table. Thread-safe.
class DiskReserve {
 public:
  // Of the file at this path; removes what a killed process left there. Nothing is held at first.
  DiskReserve(std::string path, std::uint64_t bytes);
  ~DiskReserve();
  DiskReserve(const DiskReserve&) = delete;
  DiskReserve& operator=(const DiskReserve&) = delete;

  // Whether the space is held, or is now; false when the disk has no room for it. Where the
  // filesystem cannot allocate space to files it counts as held.
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
