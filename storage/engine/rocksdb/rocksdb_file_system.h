#pragma once

#include <memory>

namespace rocksdb {
class FileSystem;
}  // namespace rocksdb

namespace magneto::storage {

class FileLedger;
class LogSpace;

// RocksDB's default, but logs take their space from `space`, and logs and manifests are noted in
// `ledger`. Both must outlive it.
std::shared_ptr<rocksdb::FileSystem> make_file_system(LogSpace& space, FileLedger& ledger);

}  // namespace magneto::storage
