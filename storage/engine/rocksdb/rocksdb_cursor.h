#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "storage/engine/rocksdb/rocksdb_tree.h"

namespace rocksdb {
class DB;
class Snapshot;
struct ReadOptions;
}  // namespace rocksdb

namespace magneto::storage {

// The options of every read.
rocksdb::ReadOptions read_options();

// Like Reader::scan(), of the state at a snapshot unless that is nullptr. `database` and
// `directory` (its path, for errors) must outlive the cursor.
std::unique_ptr<Cursor> make_rocksdb_cursor(rocksdb::DB& database, const std::string& directory,
                                            const RocksdbTree& tree, std::string_view lower,
                                            std::string_view upper, Direction direction,
                                            ScanHint hint,
                                            const rocksdb::Snapshot* snapshot = nullptr);

}  // namespace magneto::storage
