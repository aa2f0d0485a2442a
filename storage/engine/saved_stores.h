#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/engine.h"

namespace magneto::storage {

// What a directory keeps besides the store of its engine: that store as it was when
// LocalDisk::save() was called, under a name each. It stays when the engine ends, and goes on as it
// was whatever is written meanwhile. Thread-safe. All throw EngineError.
class SavedStores {
 public:
  struct Saved {
    std::string name;
    std::string note;  // as given to LocalDisk::save(); empty where it cannot be read
  };

  SavedStores() = default;
  virtual ~SavedStores() = default;
  SavedStores(const SavedStores&) = delete;
  SavedStores& operator=(const SavedStores&) = delete;

  // In no order.
  virtual std::vector<Saved> list() const = 0;
  // Nothing where there is none of that name.
  virtual void remove(std::string_view name) = 0;
  // What was saved under that name, in an engine of its own: what changes there changes nothing that
  // was saved, and goes with the engine unless that is made the current one. Takes a link for each
  // file, not time for each key. `memory_budget`: bytes (RocksdbOptions).
  virtual std::unique_ptr<Engine> open(std::string_view name, std::uint64_t memory_budget) = 0;
};

}  // namespace magneto::storage
