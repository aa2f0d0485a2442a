#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "storage/engine/rocksdb/rocksdb_tree.h"

namespace rocksdb {
class DB;
struct ReadOptions;
}  // namespace rocksdb

namespace magneto::storage {

// How everything is read.
rocksdb::ReadOptions read_options();

// As Engine::scan. `database` and `directory`, its path for errors, outlive the cursor.
std::unique_ptr<Cursor> make_rocksdb_cursor(rocksdb::DB& database, const std::string& directory,
                                            const RocksdbTree& tree, std::string_view lower,
                                            std::string_view upper, Direction direction);

}  // namespace magneto::storage
