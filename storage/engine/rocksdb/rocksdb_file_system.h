#pragma once

#include <memory>

namespace rocksdb {
class FileSystem;
}  // namespace rocksdb

namespace magneto::storage {

class RecoveryManifest;
class WalReservation;

// RocksDB's default, but logs take their space from `space`, and logs and manifests are recorded
// in `recovery_manifest`. Both must outlive it.
std::shared_ptr<rocksdb::FileSystem> make_file_system(WalReservation& space,
                                                      RecoveryManifest& recovery_manifest);

}  // namespace magneto::storage
