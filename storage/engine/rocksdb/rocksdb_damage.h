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

// Which table in RocksDB's `directory` is to blame that it could not be opened, with its path, and
// why; empty when none is. `cause` is what RocksDB said: it blames the manifest, which names the
// table. A table that no manifest names, left unfinished by a killed process, is no reason.
std::string find_damaged_table(const std::string& directory, const std::string& cause);

}  // namespace magneto::storage
