#include "storage/engine/rocksdb/rocksdb_saved_stores.h"

#include "storage/engine/rocksdb/store_files.h"

namespace magneto::storage {

std::unique_ptr<Engine> RocksdbSavedStores::open(std::string_view name,
                                                 std::uint64_t memory_budget) {
  StorePaths place = directory_->make_place();
  try {
    copy_closed_files(directory_->saved_engine_path(name), place.engine_path());
  } catch (...) {
    directory_->clean_up(place);
    throw;
  }
  return open_(std::move(place), memory_budget);
}

}  // namespace magneto::storage
