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

// The snapshots that a data directory keeps of the main namespace (NamedSnapshot::is_saved). In
// memory there are none. What takes long or waits for the disk is never to be called on an I/O
// thread. Thread-safe; throws NamespaceError.
class KeptSnapshots {
 public:
  // `options`: those that `main` was opened with.
  KeptSnapshots(storage::Databases& main, const storage::DatabaseOptions& options)
      : options_(options), saved_(storage::SavedSnapshots::of(main, options)) {}

  // Whether there is a data directory.
  bool has_directory() const { return saved_ != nullptr; }

  // The next ones want a data directory.

  // What there is, at the start, at most Snapshots::kMost. What cannot be read is left out, with a
  // warning. Throws EngineError.
  std::vector<NamedSnapshotPtr> load() const;
  void save(storage::Databases& main, const NamedSnapshot& snapshot);
  void remove(const NamedSnapshot& snapshot);
  // For forks, which keep it open; so do the last few that were asked for.
  NamespaceSnapshot open(const NamedSnapshot& snapshot);
  // Not yet the store of the data directory (SavedSnapshots::restore).
  std::unique_ptr<storage::Databases> restore(const NamedSnapshot& snapshot,
                                              const storage::Clock& clock);

 private:
  static constexpr std::size_t kMostIdle = 4;   // kept open though no fork may be there
  static constexpr std::size_t kMostOpen = 64;  // each has some 10 MB of memory, and files

  using Open = std::weak_ptr<const storage::StoreSnapshot>;
  const storage::DatabaseOptions options_;
  const std::unique_ptr<storage::SavedSnapshots> saved_;  // nullptr: in memory
  std::mutex mutex_;  // guards what follows, and is held while one is opened
  std::map<std::string, Open, std::less<>> open_;    // by name
  std::deque<storage::StoreSnapshotPtr> last_used_;  // the latest last
};

}  // namespace magneto::api
