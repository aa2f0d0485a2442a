#pragma once

#include <string>

namespace rocksdb {
class DB;
class Status;
}  // namespace rocksdb

namespace magneto::storage {

// What RocksDB says, in one line.
std::string describe(const rocksdb::Status& status);

// The same of an error met while the database is open, or which of its tables is damaged where
// RocksDB names no file: then its tables are read until one fails.
std::string explain(rocksdb::DB& database, const rocksdb::Status& status);

// Throws an EngineError unless `status` is good: "cannot <operation> data directory <directory>:",
// and what explain() says.
void check(const rocksdb::Status& status, rocksdb::DB& database, const char* operation,
           const std::string& directory);

// Why the database could not be opened, in a sentence for the user: with the table that is to blame,
// or else with `last_warning` where the cause names no file of the data directory. `engine_path` is
// the folder of RocksDB's files, and `cause` what RocksDB said.
std::string describe_failed_opening(const std::string& directory, const std::string& engine_path,
                                    const std::string& cause, const std::string& last_warning);

}  // namespace magneto::storage
