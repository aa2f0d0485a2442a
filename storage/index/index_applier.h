#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"
#include "storage/index/index_store.h"
#include "storage/index/statistics.h"

namespace magneto::storage {

class ChangeLog;

// A pending change of an index's entry.
struct PendingChange {
  EntryChange change;
  std::uint64_t sequence = 0;  // of its record in the change log; 0: it has none
  Clock::TimePoint made = {};  // only set when indexes have a delay
  // The replaced entry may be missing, or the change may have been made already. The effect on the
  // number and size of entries must then be looked up.
  bool look_up = false;

  std::size_t bytes() const {
    return sizeof(*this) + change.delete_key.size() + change.put_key.size() + change.value.size();
  }
};

// Follows the change log for one asynchronous index: keeps its pending changes, applies them in
// order, many in one commit, and counts them in the index's statistics. A reader that must not see
// the index lag applies them in its own thread. All versions of the index share it. Thread-safe.
class IndexApplier : public std::enable_shared_from_this<IndexApplier> {
 public:
  struct Parts {
    Engine& engine;
    ChangeLog& log;
    IndexStorePtr store;
    std::shared_ptr<Statistics> statistics;
    std::shared_ptr<const std::atomic<bool>> dropped;  // changes are dropped once this is true
  };
  explicit IndexApplier(Parts parts);

  // Called after the commit, with the item's key held. Changes of one entry arrive in the order of
  // its commits.
  void push(PendingChange pending);

  // How many changes were ever pushed, and how many of these were applied.
  std::uint64_t pushed() const { return pushed_.load(std::memory_order_acquire); }
  std::uint64_t applied() const { return applied_.load(std::memory_order_acquire); }
  // The smallest log number of the pending changes.
  std::uint64_t oldest() const { return oldest_.load(std::memory_order_acquire); }
  const IndexStore& store() const { return *store_; }
  // How long the oldest change has been pending, at most a chunk too long; zero if none is.
  std::chrono::nanoseconds behind() const;
  bool has_readers() const { return readers_.load(std::memory_order_relaxed) != 0; }

  // Applies all changes that were pushed before the call. Throws EngineError; the changes then stay
  // pending, and nothing is lost. On an I/O thread throws NeedsWorker if it would wait for the disk
  // or has many changes to apply.
  void settle();

  // Applies some pending changes, if a time is given only those made before it. False if there is
  // none. Throws EngineError.
  bool apply_some(std::optional<Clock::TimePoint> made_before, std::size_t most = kChangesOfAChunk);
  // The maximum for one call of apply_some(): about a millisecond of work.
  static constexpr std::size_t kChangesOfAChunk = 512;

  // While the lock is held nothing is applied. Throws EngineError if an earlier failure repeats.
  std::unique_lock<std::mutex> hold();
  // The pending changes, in order; requires hold().
  std::vector<PendingChange> waiting() const;

  // When the first pending change was made, if indexes have a delay; nullopt if none is pending.
  std::optional<Clock::TimePoint> first_made() const;
  // Called when the clock was set back: no pending change counts as made later than `latest`.
  void limit_made(Clock::TimePoint latest);

  // Returns once no change that was taken before the index was marked dropped is being applied or,
  // after a failure, will be applied. Throws EngineError if the change fails again.
  void wait_for_dropped();

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  using Changes = std::vector<PendingChange>;

  bool is_much_waiting(std::uint64_t target) const;
  // The next functions require mutex_.
  bool apply_chunk(std::optional<Clock::TimePoint> made_before,
                   std::size_t most = kChangesOfAChunk);
  void take();
  void stage(Changes::iterator first, Changes::iterator last);
  void count(const EntryChange& change, bool look_up);
  void finish_chunk();

  Engine& engine_;
  ChangeLog& log_;
  const IndexStorePtr store_;
  const std::shared_ptr<Statistics> statistics_;
  const std::shared_ptr<const std::atomic<bool>> dropped_;

  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<std::uint64_t> applied_{0};
  std::atomic<std::uint64_t> pushed_bytes_{0};
  std::atomic<std::uint64_t> applied_bytes_{0};
  std::atomic<std::uint64_t> oldest_{kNone};
  std::atomic<int> readers_{0};  // in settle(); they have priority over the background

  mutable std::mutex queue_mutex_;  // guards the next five; its holder never waits
  Changes waiting_;
  std::uint64_t waiting_oldest_ = kNone;
  bool is_busy_ = false;  // in the log's list
  // When the oldest change in the queue, and the oldest taken one, entered the queue.
  std::chrono::steady_clock::time_point waiting_since_;
  std::chrono::steady_clock::time_point taken_since_;

  // guards the next members; held while applying, taken before queue_mutex_
  mutable std::mutex mutex_;
  Changes taken_;                           // changes taken from the queue
  std::vector<std::uint64_t> oldest_from_;  // the smallest number in taken_ from each index on
  std::uint64_t visible_end_ = 0;           // of the log, before the changes were taken
  std::size_t next_ = 0;                    // the first of taken_ that is not applied
  // The commit in progress, kept if it fails: it holds the bytes of its changes.
  WriteBatch batch_;
  std::size_t staged_ = 0;  // changes in batch_, from next_ on
  std::size_t staged_bytes_ = 0;
  std::int64_t items_ = 0;  // their effect on the statistics
  std::int64_t bytes_ = 0;
  absl::flat_hash_map<std::string, std::uint32_t> counted_sizes_;  // see count()
};

}  // namespace magneto::storage
