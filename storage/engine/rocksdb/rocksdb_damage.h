#pragma once

#include <string>

namespace rocksdb {
class DB;
class Status;
}  // namespace rocksdb

namespace magneto::storage {

// RocksDB's message, in one line.
std::string describe(const rocksdb::Status& status);

// Like describe(), for an error while the database is open. If RocksDB names no file, reads its
// tables until one fails and names the damaged one.
std::string explain(rocksdb::DB& database, const rocksdb::Status& status);

// Throws an EngineError unless `status` is good: "cannot <operation> data directory <directory>:"
// and the result of explain().
void check(const rocksdb::Status& status, rocksdb::DB& database, const char* operation,
           const std::string& directory);

// Why the database could not be opened, in a sentence for the user. It names the damaged table, or
// else contains `last_warning` if the cause names no file of the data directory. `engine_path` is
// the folder of RocksDB's files, and `cause` is RocksDB's message.
std::string describe_failed_opening(const std::string& directory, const std::string& engine_path,
                                    const std::string& cause, const std::string& last_warning);

}  // namespace magneto::storage
