#pragma once

#include <vector>

#include "storage/engine/rocksdb/rocksdb_engine.h"

namespace rocksdb {
struct ColumnFamilyDescriptor;
struct DBOptions;
}  // namespace rocksdb

// RocksDB's configuration: bounded memory, no loss of acknowledged writes, a fast start, few
// threads.
namespace magneto::storage {

// Without environment, listeners and log.
rocksdb::DBOptions database_options(const RocksdbOptions& options);

// One for each ColumnFamily, in its order, with a common block cache. Sets shared objects in
// `database`.
std::vector<rocksdb::ColumnFamilyDescriptor> column_families(const RocksdbOptions& options,
                                                             rocksdb::DBOptions& database);

}  // namespace magneto::storage
