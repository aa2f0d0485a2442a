#pragma once

#include <memory>

namespace rocksdb {
class FileSystem;
}  // namespace rocksdb

namespace magneto::storage {

class RecoveryManifest;
class WalReservation;

// RocksDB's default file system, except that logs take their space from `space`, and
// `recovery_manifest` records logs and manifests. Both must outlive it.
std::shared_ptr<rocksdb::FileSystem> make_file_system(WalReservation& space,
                                                      RecoveryManifest& recovery_manifest);

}  // namespace magneto::storage
