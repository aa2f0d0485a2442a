#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/saved_stores.h"

namespace magneto::storage {

// The part of the contract that an engine has besides when its store lies in a directory of this
// machine. The engine owns it. Thread-safe. All functions throw EngineError.
class LocalDisk {
 public:
  LocalDisk() = default;
  virtual ~LocalDisk() = default;
  LocalDisk(const LocalDisk&) = delete;
  LocalDisk& operator=(const LocalDisk&) = delete;

  // Gives back what a cleared tree still takes on disk. May take long.
  virtual void reclaim(Tree& tree) = 0;

  // The stores that the directory keeps besides the engine's own.
  virtual std::shared_ptr<SavedStores> saved_stores() = 0;
  // Keeps there, under a name that it has not, all that is committed when `prepare` has returned,
  // and of each later commit all or nothing; with a note of some kilobytes. `prepare` is called
  // while no scope is open, and scopes wait until it has returned. The caller has no scope. May wait
  // for the disk.
  virtual void save(std::string_view name, std::string_view note,
                    const std::function<void()>& prepare) = 0;
  // Of an engine that was opened from there: its store is that of the directory from now on, after
  // a restart too. The files of the former one go with its engine.
  virtual void make_current() = 0;
};

// Clears the trees as Engine::clear, and gives back what they take on a local disk. May take long.
void clear_and_reclaim(Engine& engine, std::span<const TreePtr> trees);

}  // namespace magneto::storage
