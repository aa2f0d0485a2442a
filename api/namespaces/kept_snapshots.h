#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "api/namespaces/namespace.h"
#include "api/namespaces/snapshots.h"
#include "storage/database_options.h"
#include "storage/databases.h"
#include "storage/saved_snapshots.h"

namespace magneto::api {

// The snapshots of the main namespace that a data directory stores (NamedSnapshot::is_saved); a
// server in memory has none. Never call the functions that take long or wait for the disk on an I/O
// thread. Thread-safe; throws NamespaceError.
class KeptSnapshots {
 public:
  // `options`: the options with which `main` was opened.
  KeptSnapshots(storage::Databases& main, const storage::DatabaseOptions& options)
      : options_(options), saved_(storage::SavedSnapshots::of(main, options)) {}

  // Whether there is a data directory.
  bool has_directory() const { return saved_ != nullptr; }

  // The functions below require a data directory.

  // The stored snapshots, at most Snapshots::kMost. Called at the start. Skips snapshots that
  // cannot be read, with a warning. Throws EngineError.
  std::vector<NamedSnapshotPtr> load() const;
  void save(storage::Databases& main, const NamedSnapshot& snapshot);
  void remove(const NamedSnapshot& snapshot);
  // Opens a snapshot for forks, which keep it open. The last few opened snapshots also stay open.
  NamespaceSnapshot open(const NamedSnapshot& snapshot);
  // Returns the restored store, which is not yet the store of the data directory
  // (SavedSnapshots::restore).
  std::unique_ptr<storage::Databases> restore(const NamedSnapshot& snapshot,
                                              const storage::Clock& clock);

 private:
  static constexpr std::size_t kMostIdle = 4;   // kept open even without a fork
  static constexpr std::size_t kMostOpen = 64;  // each takes about 10 MB of memory, and files

  using Open = std::weak_ptr<const storage::StoreSnapshot>;
  const storage::DatabaseOptions options_;
  const std::unique_ptr<storage::SavedSnapshots> saved_;  // nullptr: in memory
  std::mutex mutex_;  // guards the members below; held while a snapshot is opened
  std::map<std::string, Open, std::less<>> open_;    // by name
  std::deque<storage::StoreSnapshotPtr> last_used_;  // the latest last
};

}  // namespace magneto::api
