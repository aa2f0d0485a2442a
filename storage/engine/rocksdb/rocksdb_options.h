#pragma once

#include <vector>

#include "storage/engine/rocksdb/rocksdb_engine.h"

namespace rocksdb {
struct ColumnFamilyDescriptor;
struct DBOptions;
}  // namespace rocksdb

// How RocksDB is set up: bounded memory, nothing acknowledged lost, a fast start, few threads.
namespace magneto::storage {

// Without environment, listeners and log.
rocksdb::DBOptions database_options(const RocksdbOptions& options);

// One for each ColumnFamily, in its order; one block cache under all of them. `database` gets what
// they share.
std::vector<rocksdb::ColumnFamilyDescriptor> column_families(const RocksdbOptions& options,
                                                             rocksdb::DBOptions& database);

}  // namespace magneto::storage
