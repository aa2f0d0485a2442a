#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rocksdb {
class DB;
}  // namespace rocksdb

namespace magneto::storage {

// Both make a folder of RocksDB's files from one that is in use or not, and have them on disk when
// they return. What never changes once it is written is linked where the file system can, the rest
// is copied. Throw EngineError, with the new folder half made.

// `folder`: made here. Holds every change that was committed before the call, and of each later one
// all or nothing. Writes go on.
void copy_live_files(rocksdb::DB& database, const std::string& folder);
// Of a folder that no database has open.
void copy_closed_files(const std::string& from, const std::string& to);

// Bytes of the files in a folder; throws EngineError.
std::uint64_t size_of_files(const std::string& folder);
// What is in these files has its place on disk; throws EngineError.
void sync_folder(const std::string& folder);
// Replaces a small file in one step, over a loss of power too; throws EngineError.
void replace_file(const std::string& path, const std::string& text);
// As much as there is; throws EngineError, also where it is longer than `most` bytes.
std::string read_small_file(const std::string& path, std::size_t most);

}  // namespace magneto::storage
