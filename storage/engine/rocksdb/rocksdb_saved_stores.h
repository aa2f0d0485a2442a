#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/rocksdb/data_directory.h"
#include "storage/engine/rocksdb/store_paths.h"
#include "storage/engine/saved_stores.h"

namespace magneto::storage {

// The saved stores in a data directory.
class RocksdbSavedStores final : public SavedStores {
 public:
  // Opens the store at a place in the directory. The engine then owns its files.
  using OpenStore =
      std::function<std::unique_ptr<Engine>(StorePaths place, std::uint64_t memory_budget)>;

  RocksdbSavedStores(std::shared_ptr<DataDirectory> directory, OpenStore open)
      : directory_(std::move(directory)), open_(std::move(open)) {}

  std::vector<Saved> list() const override { return directory_->saved(); }
  void remove(std::string_view name) override { directory_->remove_saved(name); }
  std::unique_ptr<Engine> open(std::string_view name, std::uint64_t memory_budget) override;

 private:
  const std::shared_ptr<DataDirectory> directory_;
  const OpenStore open_;
};

}  // namespace magneto::storage
