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

// Folders are made of RocksDB's files in another one, and are on disk when that returns. What never
// changes once it is written is linked where the file system can, the rest is copied. All throw
// EngineError, with the new folder half made.

// Of a database that is open. While one lives, no file of it is deleted.
class LiveFiles {
 public:
  // `database` outlives it.
  explicit LiveFiles(rocksdb::DB& database);
  ~LiveFiles();
  LiveFiles(const LiveFiles&) = delete;
  LiveFiles& operator=(const LiveFiles&) = delete;

  // What a copy is to hold: every change that was committed before this is called, and of each later
  // one all or nothing. Once.
  void note();
  // Makes the folder. The database may be written to.
  void copy_to(const std::string& folder) const;

 private:
  rocksdb::DB& database_;
  std::vector<rocksdb::LiveFileStorageInfo> files_;
};

// Of a folder that no database has open, and that has all a database begins with.
void copy_closed_files(const std::string& from, const std::string& to);

// What is in these files has its place on disk; throws EngineError.
void sync_folder(const std::string& folder);
// Replaces a small file in one step, over a loss of power too; throws EngineError.
void replace_file(const std::string& path, const std::string& text);
// As much as there is; throws EngineError, also where it is longer than `most` bytes.
std::string read_small_file(const std::string& path, std::size_t most);

}  // namespace magneto::storage
