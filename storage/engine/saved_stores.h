#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/engine.h"

namespace magneto::storage {

// The saved stores of a directory: each is the engine's store as it was at LocalDisk::save(), under
// a name. A saved store stays when the engine ends, and later writes do not change it. Thread-safe.
// All functions throw EngineError.
class SavedStores {
 public:
  struct Saved {
    std::string name;
    std::string note;  // as passed to LocalDisk::save(); empty if it cannot be read
  };

  SavedStores() = default;
  virtual ~SavedStores() = default;
  SavedStores(const SavedStores&) = delete;
  SavedStores& operator=(const SavedStores&) = delete;

  // In no particular order.
  virtual std::vector<Saved> list() const = 0;
  // Does nothing if there is no store of that name.
  virtual void remove(std::string_view name) = 0;
  // Opens a saved store in an engine of its own. Changes there do not affect the saved store, and
  // their files are deleted with the engine unless make_current() is called. Links each file, so
  // the cost does not depend on the number of keys. `memory_budget`: bytes (RocksdbOptions).
  virtual std::unique_ptr<Engine> open(std::string_view name, std::uint64_t memory_budget) = 0;
};

}  // namespace magneto::storage
