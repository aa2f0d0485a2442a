#pragma once

#include <string>
#include <utility>

namespace magneto::storage {

// The paths of a store's files, in a data directory or in one of its folders.
//
//   files      the expected files of RocksDB and their lengths (recovery_manifest.h)
//   spare0...  preallocated segments, the next logs (wal_reservation.h)
//   reserve    disk space for writes that free space (disk_reserve.h)
//   computed/  data that was computed from the store (../computed_files.h)
//   rocksdb/   the engine's files
class StorePaths {
 public:
  explicit StorePaths(std::string root) : root_(std::move(root)) {}

  const std::string& root() const { return root_; }
  std::string recovery_manifest_path() const { return root_ + "/files"; }
  std::string segment_path() const { return root_ + "/spare"; }  // followed by a number
  std::string reserve_path() const { return root_ + "/reserve"; }
  std::string computed_path() const { return root_ + "/computed"; }
  std::string engine_path() const { return root_ + "/rocksdb"; }

 private:
  std::string root_;
};

}  // namespace magneto::storage
