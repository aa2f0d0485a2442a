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

// What a namespace beside the main one is made with.
struct NamespacesOptions {
  storage::DatabaseOptions database;       // of one beside the main one: in memory
  storage::DatabaseOptions main_database;  // that the main one was opened with
  ServiceOptions service;                  // but for the dials, of which each has its own
};

struct NewNamespace {
  std::string name;  // empty: one is made up
  NamespaceOrigin origin = {};
  std::optional<std::chrono::milliseconds> expires_after = std::nullopt;
};

// The namespaces of a process: the main one, which is there always, and others, which come and go
// while requests run. Thread-safe.
class Namespaces {
 public:
  static constexpr std::size_t kMost = 10'000;  // beside the main one
  static constexpr std::string_view kMainName = "main";

  // `main`: what the main one is over, going by the clock of `dials`. Throws EngineError.
  Namespaces(std::unique_ptr<storage::Databases> main, std::shared_ptr<Dials> dials,
             NamespacesOptions options);
  // Nobody may hold a namespace any more. Waits until all are destroyed.
  ~Namespaces();
  Namespaces(const Namespaces&) = delete;
  Namespaces& operator=(const Namespaces&) = delete;

  // As it is now.
  std::shared_ptr<Namespace> main() const;
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }  // beside the main
  // Namespaces whose data is gone, and was before a reset.
  std::uint64_t destroyed() const { return removed_.destroyed(); }
  // There is the main one alone, and it is the one of the start. Where that is so, an I/O thread uses
  // it without holding it, while it answers one request. One relaxed load.
  bool is_plain() const { return is_plain_.load(std::memory_order_relaxed); }
  // Waits until each I/O thread has ended what it answers now; false: not soon. Called on a thread
  // that may wait. Set before requests come; nullptr before what it calls ends.
  using WaitForThreads = std::function<bool()>;
  void set_wait_for_threads(WaitForThreads wait);

  // The one of that name as it is now, the main one too, or nullptr. Takes a lock that nobody holds
  // for long. Counts as a use.
  std::shared_ptr<Namespace> find(std::string_view name) const;
  // find(), or throws NamespaceError.
  std::shared_ptr<Namespace> get(std::string_view name) const;
  // The main one first, the others by name.
  std::vector<std::shared_ptr<Namespace>> list() const;
  // The system's clock was set: it is `by` ahead of what it would show. So are the clocks of all
  // namespaces, but for frozen ones, and who waits by them looks again. May wait for the disk.
  void note_system_step(storage::Clock::Duration by);

  // The next ones throw NamespaceError, and may take long: never on an I/O thread.

  std::shared_ptr<Namespace> create(const NewNamespace& wanted);
  // From now on there is none of that name. Its requests go on; with the last one it is destroyed,
  // on another thread.
  void remove(std::string_view name);
  // The same of this one alone, not of another that has its name meanwhile; of none nothing.
  void remove_exactly(const NamespaceDescription& made);
  // Its data is from now on as it began. Its requests go on with what was there. Of the main one
  // nothing happens (namespace_state.h).
  std::shared_ptr<Namespace> renew(std::string_view name);
  // The same with the data of a snapshot, the main one too; by a reset it is what it was at first, all
  // the same. Of a main one on disk it is durable, in one step, when this returns.
  std::shared_ptr<Namespace> restore(std::string_view name, std::string_view snapshot);

  // What a namespace is at this moment, to be read in peace: nobody finds it by its name, its clock
  // stands still, and no dial is turned. It is destroyed when nobody holds it any more. Throws
  // NamespaceError, and may take long.
  std::shared_ptr<Namespace> copy_aside(std::string_view name);

  // Gives what a namespace is now a name. That of a main one on disk is saved there.
  NamedSnapshotPtr take_snapshot(std::string_view name, std::string_view of);
  void remove_snapshot(std::string_view name);
  const Snapshots& snapshots() const { return snapshots_; }

  // Told of each that was removed, by itself too, from any thread. Set before the first is made; to
  // outlive this, or to be taken back.
  using RemovalListener = std::function<void(const NamespaceDescription& removed)>;
  void set_removal_listener(RemovalListener listener);

 private:
  using NamespacePtr = std::shared_ptr<Namespace>;

  NamespacePtr make(NamespaceDescription about, const NamespaceSnapshot& beginning,
                    const NamespaceSnapshot& data, std::shared_ptr<Dials> dials);
  NamespacePtr make(NamespaceDescription about, const NamespaceSnapshot& beginning,
                    std::shared_ptr<Dials> dials, std::unique_ptr<storage::Databases> databases);
  NamespaceSnapshot snapshot_of(const NamespaceOrigin& origin);
  NamespaceSnapshot snapshot_named(std::string_view snapshot);
  NamespacePtr restore_main(std::string_view snapshot);
  std::unique_lock<std::timed_mutex> begin_saving();
  void insert(const NamespacePtr& made);
  void note_change();  // of what mutex_ guards, which it requires
  NamespacePtr replace(const NamespacePtr& former, const NamespaceSnapshot& data);
  void wait_for_ends();
  std::optional<RemovedNamespaces::TimePoint> remove_expired();
  void tell_of(const Namespace& removed);

  const NamespacesOptions options_;
  KeptSnapshots kept_;
  std::atomic<bool> is_plain_{true};
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> last_number_{0};
  std::mutex listener_mutex_;  // guards listener_, and is held while it is told
  RemovalListener listener_;
  Snapshots snapshots_;
  std::timed_mutex saving_;  // held while a snapshot is saved or main restored; guards what follows
  WaitForThreads wait_for_threads_;
  mutable std::shared_mutex mutex_;  // guards what follows
  NamespacePtr main_;
  bool is_main_replaced_ = false;
  NamespacePtr kept_main_;  // the first one, as long as a thread may still use it
  absl::flat_hash_map<std::string, NamespacePtr> others_;
  RemovedNamespaces removed_;  // whose thread looks at all of the above
  NamespaceMemory memory_;
};

}  // namespace magneto::api
