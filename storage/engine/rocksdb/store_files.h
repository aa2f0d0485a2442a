#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rocksdb {
class DB;
struct LiveFileStorageInfo;
}  // namespace rocksdb

namespace magneto::storage {

// Functions that copy RocksDB's files to a new folder, which is on disk when they return. Files
// that never change are linked if the file system can do it, others are copied. All throw
// EngineError, and the new folder may then be incomplete.

// The files of an open database. No file of it is deleted while one of these exists.
class LiveFiles {
 public:
  // `database` must outlive it.
  explicit LiveFiles(rocksdb::DB& database);
  ~LiveFiles();
  LiveFiles(const LiveFiles&) = delete;
  LiveFiles& operator=(const LiveFiles&) = delete;

  // Fixes the contents of the copy: every change that was committed before the call, and each later
  // one in full or not at all. Call it once.
  void note();
  // Makes the folder. The database may be written to meanwhile.
  void copy_to(const std::string& folder) const;

 private:
  rocksdb::DB& database_;
  std::vector<rocksdb::LiveFileStorageInfo> files_;
};

// Copies the files of a complete database that is not open.
void copy_closed_files(const std::string& from, const std::string& to);

// Syncs the files of the folder to disk; throws EngineError.
void sync_folder(const std::string& folder);
// Replaces a small file in one step, also across a loss of power; throws EngineError.
void replace_file(const std::string& path, const std::string& text);
// Reads the whole file; throws EngineError, also if it is longer than `most` bytes.
std::string read_small_file(const std::string& path, std::size_t most);

}  // namespace magneto::storage
