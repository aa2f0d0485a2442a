#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/clock.h"
#include "storage/database_options.h"
#include "storage/databases.h"
#include "storage/engine/saved_stores.h"
#include "storage/store_snapshot.h"

namespace magneto::storage {

// The named snapshots in a data directory: each is the whole store at one moment and survives the
// end of the process. All functions may wait for the disk and throw EngineError. Thread-safe.
class SavedSnapshots {
 public:
  using Saved = SavedStores::Saved;

  // nullptr if `store` is in memory. `options`: those that the store was opened with.
  static std::unique_ptr<SavedSnapshots> of(Databases& store, const DatabaseOptions& options);

  // In no particular order.
  std::vector<Saved> list() const { return stores_->list(); }
  // Saves `store` as it is now, with every write that has returned. The name must be valid as a
  // file name and not yet in use. `note`: some kilobytes.
  static void save(Databases& store, std::string_view name, std::string_view note);
  void remove(std::string_view name) { stores_->remove(name); }

  // A snapshot to fork; forks stay when the saved snapshot is removed. Links and opens each file:
  // some tens of milliseconds. No clock affects it: forks continue from the saved state by their
  // own clocks.
  StoreSnapshotPtr open(std::string_view name) const;
  // A store that begins with the saved state. Its files are deleted when its Databases end, unless
  // Databases::replace() makes it the store of the data directory. The background counts the
  // items again.
  std::unique_ptr<Databases> restore(std::string_view name, const Clock& clock) const;

 private:
  SavedSnapshots(std::shared_ptr<SavedStores> stores, const DatabaseOptions& options)
      : stores_(std::move(stores)), options_(options) {}

  const std::shared_ptr<SavedStores> stores_;
  const DatabaseOptions options_;
};

}  // namespace magneto::storage
