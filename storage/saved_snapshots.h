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

// What a data directory keeps of its store under names: all of it as it was at one moment, which
// stays over the end of the process. All may wait for the disk, and throw EngineError. Thread-safe.
class SavedSnapshots {
 public:
  using Saved = SavedStores::Saved;

  // nullptr: `store` is in memory. `options`: those it was opened with.
  static std::unique_ptr<SavedSnapshots> of(Databases& store, const DatabaseOptions& options);

  // In no order.
  std::vector<Saved> list() const { return stores_->list(); }
  // As `store` is now, with every write that has returned. The name is one that a file may have, and
  // nothing has it yet. `note`: some kilobytes.
  static void save(Databases& store, std::string_view name, std::string_view note);
  void remove(std::string_view name) { stores_->remove(name); }

  // For forks, which stay when it is removed. Takes a link for each file, and opening them: some tens
  // of milliseconds. No clock has a say: forks go on from how it was saved by their own.
  StoreSnapshotPtr open(std::string_view name) const;
  // A store that begins as that was saved, and goes with its files when its Databases end, unless
  // Databases::make_current() makes it what the data directory is for. Items are counted anew in the
  // background.
  std::unique_ptr<Databases> restore(std::string_view name, const Clock& clock) const;

 private:
  SavedSnapshots(std::shared_ptr<SavedStores> stores, const DatabaseOptions& options)
      : stores_(std::move(stores)), options_(options) {}

  const std::shared_ptr<SavedStores> stores_;
  const DatabaseOptions options_;
};

}  // namespace magneto::storage
