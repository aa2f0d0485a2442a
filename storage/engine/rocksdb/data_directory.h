#pragma once

#include <mutex>
#include <string>

namespace magneto::storage {

// Whether other users than its owner may do anything in the directory. Group 0 is root's own, and
// in containers that of any user who is but a number.
bool is_open_to_others(const std::string& directory);

// The directory of a durable engine, locked against other processes for as long as this lives.
//
//   MAGNETO    "magneto data directory\nformat 3\n"   written first, and anew, in one step
//   files      which of RocksDB's files there must be, and how long (recovery_manifest.h)
//   spare0...  preallocated segments, the next logs (wal_reservation.h)
//   reserve    disk space for what frees space (disk_reserve.h)
//   rocksdb/   the engine's files
//
// The lock is flock() on the directory itself, so nothing is changed before it is known that the
// directory is ours.
class DataDirectory {
 public:
  // Of the directory's layout and of every key and value in it. Format 1 had no streams and no
  // expiry queues, format 2 other records of client tokens (IdempotencyTokens::load); such a
  // directory becomes one of this format.
  static constexpr int kFormat = 3;
  // Format 4 has databases beside the main one (storage/databases.h). A directory without them
  // stays as it is, and older versions can read it.
  static constexpr int kFormatOfDatabases = 4;
  // Format 5 has positions of indexes in the change log (index/change_log.h), which are written once
  // two indexes follow it at the same time.
  static constexpr int kFormatOfPositions = 5;
  static constexpr int kNewestFormat = kFormatOfPositions;

  // Creates the directory when absent, for its owner alone, and the marker when it is empty. Throws
  // EngineError with a sentence for the user: not a directory, not accessible, not writable, in
  // use, other files in it, a newer format, a damaged marker. What is not ours stays as it is.
  explicit DataDirectory(std::string path);
  ~DataDirectory();
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  // Raises the format, where it is lower, so that versions which do not know it refuse the
  // directory. Thread-safe. Throws EngineError.
  void require_format(int format);

  const std::string& path() const { return path_; }
  std::string recovery_manifest_path() const { return path_ + "/files"; }
  std::string segment_path() const { return path_ + "/spare"; }  // with a number after it
  std::string reserve_path() const { return path_ + "/reserve"; }
  std::string engine_path() const { return path_ + "/rocksdb"; }

 private:
  void create_if_absent() const;
  void lock();
  int read_marker() const;  // the format; 0: there is no marker
  void check_nothing_foreign() const;
  void check_writable() const;
  void write_marker(int format) const;

  const std::string path_;
  int descriptor_ = -1;
  std::mutex format_mutex_;  // guards format_ and the marker
  int format_ = 0;
};

}  // namespace magneto::storage
