#pragma once

#include <string>
#include <utility>

namespace magneto::storage {

// Where the files of a store are: in a data directory, or in a folder of it.
//
//   files      which of RocksDB's files there must be, and how long (recovery_manifest.h)
//   spare0...  preallocated segments, the next logs (wal_reservation.h)
//   reserve    disk space for what frees space (disk_reserve.h)
//   rocksdb/   the engine's files
class StorePaths {
 public:
  explicit StorePaths(std::string root) : root_(std::move(root)) {}

  const std::string& root() const { return root_; }
  std::string recovery_manifest_path() const { return root_ + "/files"; }
  std::string segment_path() const { return root_ + "/spare"; }  // with a number after it
  std::string reserve_path() const { return root_ + "/reserve"; }
  std::string engine_path() const { return root_ + "/rocksdb"; }

 private:
  std::string root_;
};

}  // namespace magneto::storage
