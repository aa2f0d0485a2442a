#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/namespaces/kept_snapshots.h"
#include "api/namespaces/namespace.h"
#include "api/namespaces/namespace_error.h"
#include "api/namespaces/namespace_memory.h"
#include "api/namespaces/namespace_name.h"
#include "api/namespaces/removed_namespaces.h"
#include "api/namespaces/snapshots.h"

namespace magneto::api {

// The options for making namespaces.
struct NamespacesOptions {
  storage::DatabaseOptions database;       // of other namespaces: in memory
  storage::DatabaseOptions main_database;  // the options with which main was opened
  ServiceOptions service;  // without the control settings: each namespace has its own
};

struct NewNamespace {
  std::string name;  // empty: a name is generated
  NamespaceOrigin origin = {};
  std::optional<std::chrono::milliseconds> expires_after = std::nullopt;
};

// The namespaces of a process: main, which always exists, and others, which come and go while
// requests run. Thread-safe.
class Namespaces {
 public:
  static constexpr std::size_t kMost = 10'000;  // not counting main
  static constexpr std::string_view kMainName = "main";

  // `main`: the databases of the main namespace, which run by the clock of `settings`. Throws
  // EngineError.
  Namespaces(std::unique_ptr<storage::Databases> main, std::shared_ptr<ControlSettings> settings,
             NamespacesOptions options);
  // No namespace may be held any more. Waits until all are destroyed.
  ~Namespaces();
  Namespaces(const Namespaces&) = delete;
  Namespaces& operator=(const Namespaces&) = delete;

  // The current main namespace.
  std::shared_ptr<Namespace> main() const;
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }  // not counting main
  // The number of namespaces whose data has been destroyed, including former data after a reset.
  std::uint64_t destroyed() const { return removed_.destroyed(); }
  // True if main is the only namespace and has not been replaced since the start. Then an I/O
  // thread uses it without holding it, while it answers one request. Costs one relaxed load.
  bool is_plain() const { return is_plain_.load(std::memory_order_relaxed); }
  // Waits until each I/O thread has finished its current answer; false if that takes too long.
  // Called on a thread that may wait. Set it before requests arrive; set it to nullptr before the
  // objects that it uses are destroyed.
  using WaitForThreads = std::function<bool()>;
  void set_wait_for_threads(WaitForThreads wait);

  // The current namespace of that name, including main; nullptr if there is none. Takes a lock that
  // is never held for long. Counts as a use.
  std::shared_ptr<Namespace> find(std::string_view name) const;
  // Like find(), but throws NamespaceError if there is none.
  std::shared_ptr<Namespace> get(std::string_view name) const;
  // Main first, the others ordered by name.
  std::vector<std::shared_ptr<Namespace>> list() const;
  // The system's clock was set: it is `by` ahead of the time that it would have shown. The clocks
  // of all namespaces have moved with it, except frozen ones. Wakes everything that waits for these
  // clocks. May wait for the disk.
  void record_system_step(storage::Clock::Duration by);

  // The functions below throw NamespaceError and may take long: never call them on an I/O thread.

  std::shared_ptr<Namespace> create(const NewNamespace& wanted);
  // Removes the name at once. Running requests continue; after the last one, the namespace is
  // destroyed on another thread.
  void remove(std::string_view name);
  // Removes exactly this namespace, not a later one of the same name; does nothing if it is gone.
  void remove_exactly(const NamespaceDescription& made);
  // Returns its data to the beginning. Running requests continue with the former data. Does nothing
  // for main (namespace_state.h).
  std::shared_ptr<Namespace> renew(std::string_view name);
  // Replaces its data by that of a snapshot, also for main. A later reset still returns to the
  // namespace's original beginning. If main is on disk, the change is atomic and durable when this
  // returns.
  std::shared_ptr<Namespace> restore(std::string_view name, std::string_view snapshot);

  // A copy of a namespace at this moment, for undisturbed reading. It cannot be found by name, its
  // clock is frozen, and its control settings are not set. It is destroyed when the last holder
  // releases it. Throws NamespaceError, and may take long.
  std::shared_ptr<Namespace> copy_aside(std::string_view name);

  // Stores the current state of a namespace under a name. If main is on disk, its snapshots are
  // saved there.
  NamedSnapshotPtr take_snapshot(std::string_view name, std::string_view of);
  void remove_snapshot(std::string_view name);
  const Snapshots& snapshots() const { return snapshots_; }

  // Called with each removed namespace, also after an expiry, from any thread. Set it before the
  // first namespace is made. It must outlive this object, or be reset.
  using RemovalListener = std::function<void(const NamespaceDescription& removed)>;
  void set_removal_listener(RemovalListener listener);

 private:
  using NamespacePtr = std::shared_ptr<Namespace>;

  NamespacePtr make(NamespaceDescription about, const NamespaceSnapshot& beginning,
                    const NamespaceSnapshot& data, std::shared_ptr<ControlSettings> settings);
  NamespacePtr make(NamespaceDescription about, const NamespaceSnapshot& beginning,
                    std::shared_ptr<ControlSettings> settings,
                    std::unique_ptr<storage::Databases> databases);
  NamespaceSnapshot snapshot_of(const NamespaceOrigin& origin);
  NamespaceSnapshot snapshot_named(std::string_view snapshot);
  NamespacePtr restore_main(std::string_view snapshot);
  std::unique_lock<std::timed_mutex> begin_saving();
  void insert(const NamespacePtr& made);
  void record_change();  // after changes to members that mutex_ guards; requires mutex_
  NamespacePtr replace(const NamespacePtr& former, const NamespaceSnapshot& data);
  void wait_for_ends();
  std::optional<RemovedNamespaces::TimePoint> remove_expired();
  void tell_of(const Namespace& removed);

  const NamespacesOptions options_;
  KeptSnapshots kept_;
  std::atomic<bool> is_plain_{true};
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> last_number_{0};
  std::mutex listener_mutex_;  // guards listener_; held while it is called
  RemovalListener listener_;
  Snapshots snapshots_;
  std::timed_mutex saving_;  // held while a snapshot is saved or main restored; guards the next
  WaitForThreads wait_for_threads_;
  mutable std::shared_mutex mutex_;  // guards the members below
  NamespacePtr main_;
  bool is_main_replaced_ = false;
  NamespacePtr kept_main_;  // the first main, while a thread may still use it
  absl::flat_hash_map<std::string, NamespacePtr> others_;
  RemovedNamespaces removed_;  // its thread reads all members above
  NamespaceMemory memory_;
};

}  // namespace magneto::api
