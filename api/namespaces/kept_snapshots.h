#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/namespaces/namespace.h"
#include "api/namespaces/snapshots.h"
#include "storage/database_options.h"
#include "storage/databases.h"
#include "storage/saved_snapshots.h"

namespace magneto::api {

// The snapshots that a data directory keeps of the main namespace (NamedSnapshot::is_saved). In
// memory there are none. What takes long or waits for the disk is never to be called on an I/O
// thread. Thread-safe; throws NamespaceError.
class KeptSnapshots {
 public:
  // `options`: those that `main` was opened with.
  KeptSnapshots(storage::Databases& main, const storage::DatabaseOptions& options)
      : saved_(storage::SavedSnapshots::of(main, options)) {}

  // Whether there is a data directory.
  bool has_directory() const { return saved_ != nullptr; }

  // The next ones want a data directory.

  // What there is, at the start. Throws EngineError.
  std::vector<NamedSnapshotPtr> load() const;
  void save(storage::Databases& main, const NamedSnapshot& snapshot);
  void remove(const NamedSnapshot& snapshot);
  // For forks: of the last few that were asked for, the store is kept open.
  FrozenNamespace open(const NamedSnapshot& snapshot, const storage::Clock& clock);
  // The store of the main namespace from now on (SavedSnapshots::restore).
  std::unique_ptr<storage::Databases> restore(const NamedSnapshot& snapshot,
                                              const storage::Clock& clock);

 private:
  static constexpr std::size_t kMostOpen = 8;

  const std::unique_ptr<storage::SavedSnapshots> saved_;  // nullptr: in memory
  std::mutex mutex_;  // guards what follows, and is held while one is opened
  std::deque<std::pair<std::string, storage::FrozenStorePtr>> open_;  // by name, the last used last
};

}  // namespace magneto::api
