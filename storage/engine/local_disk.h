#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "storage/engine/computed_files.h"
#include "storage/engine/engine.h"
#include "storage/engine/saved_stores.h"

namespace magneto::storage {

// The additional contract of an engine whose store is in a directory of this machine. The engine
// owns it. Thread-safe. All functions throw EngineError.
class LocalDisk {
 public:
  explicit LocalDisk(std::string computed_path) : computed_files_(std::move(computed_path)) {}
  virtual ~LocalDisk() = default;
  LocalDisk(const LocalDisk&) = delete;
  LocalDisk& operator=(const LocalDisk&) = delete;

  // Frees the disk space that a cleared tree still takes. May take long.
  virtual void reclaim(Tree& tree) = 0;

  // The files beside the store with data that was computed from it.
  const ComputedFiles& computed_files() const { return computed_files_; }

  // The stores that the directory keeps besides the engine's own.
  virtual std::shared_ptr<SavedStores> saved_stores() = 0;
  // Saves the store under an unused name, with a note of some kilobytes. The saved store has
  // everything that is committed when `prepare` returns, and each later commit in full or not at
  // all. `prepare` runs while no scope is open, and new scopes wait until it returns. The caller
  // must have no scope. May wait for the disk.
  virtual void save(std::string_view name, std::string_view note,
                    const std::function<void()>& prepare) = 0;
  // For an engine that was opened from saved_stores(): makes its store the directory's store from
  // now on, after a restart too. The files of the previous store are deleted with its engine.
  virtual void make_current() = 0;

 private:
  const ComputedFiles computed_files_;
};

// Clears the trees as Engine::clear() does, and frees their space on a local disk. May take long.
void clear_and_reclaim(Engine& engine, std::span<const TreePtr> trees);

}  // namespace magneto::storage
