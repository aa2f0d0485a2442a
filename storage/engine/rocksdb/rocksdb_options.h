#pragma once

#include <cstdint>
#include <vector>

#include "storage/engine/rocksdb/rocksdb_engine.h"

namespace rocksdb {
struct ColumnFamilyDescriptor;
struct DBOptions;
}  // namespace rocksdb

// RocksDB's configuration: bounded memory, no loss of acknowledged writes, a fast start, few
// threads.
namespace magneto::storage {

// The bytes of one column family that a flush may find no room for: its full write buffers, and the
// one that is filled meanwhile.
std::uint64_t most_unflushed(const RocksdbOptions& options);

// Without environment, listeners and log.
rocksdb::DBOptions database_options(const RocksdbOptions& options);

// One for each ColumnFamily, in its order, with a common block cache. Sets shared objects in
// `database`.
std::vector<rocksdb::ColumnFamilyDescriptor> column_families(const RocksdbOptions& options,
                                                             rocksdb::DBOptions& database);

}  // namespace magneto::storage
