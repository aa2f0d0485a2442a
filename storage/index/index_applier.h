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

// A change of an index's entry, still to be made.
struct PendingChange {
  EntryChange change;
  std::uint64_t sequence = 0;  // of its record in the change log; 0: it has none
  Clock::TimePoint made = {};  // only set when indexes have a delay
  // The entry that it replaces may be missing, or the change made already: what it does to the
  // number and size of entries has to be looked up.
  bool look_up = false;

  std::size_t bytes() const {
    return sizeof(*this) + change.delete_key.size() + change.put_key.size() + change.value.size();
  }
};

// Follows the change log for one asynchronous index: keeps the changes of its entries that wait,
// applies them in order, many in one commit, and counts them in the index's statistics. A reader
// that must not see the index lag behind does that in its own thread. Shared by all versions of the
// index. Thread-safe.
class IndexApplier : public std::enable_shared_from_this<IndexApplier> {
 public:
  struct Parts {
    Engine& engine;
    ChangeLog& log;
    IndexStorePtr store;
    std::shared_ptr<Statistics> statistics;
    std::shared_ptr<const std::atomic<bool>> dropped;  // then changes are dropped
  };
  explicit IndexApplier(Parts parts);

  // With the item's key held, after the commit. Changes of one entry come in the order of its
  // commits.
  void push(PendingChange pending);

  // How many changes were ever pushed, and how many of these applied.
  std::uint64_t pushed() const { return pushed_.load(std::memory_order_acquire); }
  std::uint64_t applied() const { return applied_.load(std::memory_order_acquire); }
  // The smallest number in the log among the changes that wait.
  std::uint64_t oldest() const { return oldest_.load(std::memory_order_acquire); }
  const IndexStore& store() const { return *store_; }
  // How long the oldest change has waited, up to a chunk too long; zero when none waits.
  std::chrono::nanoseconds behind() const;
  bool has_readers() const { return readers_.load(std::memory_order_relaxed) != 0; }

  // Applies whatever was pushed before the call. Throws EngineError; the changes then wait on, and
  // nothing is lost. On an I/O thread throws NeedsWorker where that waits for the disk or is much.
  void settle();

  // Applies some of what waits, of what was made before a time when that is given; false when there
  // is nothing. Throws EngineError.
  bool apply_some(std::optional<Clock::TimePoint> made_before, std::size_t most = kChangesOfAChunk);
  // What apply_some() applies at most: about a millisecond of work.
  static constexpr std::size_t kChangesOfAChunk = 512;

  // While it is held nothing is applied. Throws EngineError when what failed before fails again.
  std::unique_lock<std::mutex> hold();
  // What waits, in order; only with hold().
  std::vector<PendingChange> waiting() const;

  // When the first change that waits was made, where indexes have a delay; nullopt when none waits.
  std::optional<Clock::TimePoint> first_made() const;
  // The clock was set back: no change that waits counts as made later than that.
  void limit_made(Clock::TimePoint latest);

  // Returns once no change that was taken up before the index was marked dropped is being applied
  // or, after a failure, still to be applied. Throws EngineError when that fails again.
  void wait_for_dropped();

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  using Changes = std::vector<PendingChange>;

  bool is_much_waiting(std::uint64_t target) const;
  // The rest require mutex_.
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
  std::atomic<int> readers_{0};  // in settle(); they come before the background

  mutable std::mutex queue_mutex_;  // guards the next five; nobody waits who holds it
  Changes waiting_;
  std::uint64_t waiting_oldest_ = kNone;
  bool is_busy_ = false;  // in the log's list
  // Since when the oldest change has been in the queue, and among those taken.
  std::chrono::steady_clock::time_point waiting_since_;
  std::chrono::steady_clock::time_point taken_since_;

  mutable std::mutex mutex_;  // guards what follows; held while applying, taken before queue_mutex_
  Changes taken_;             // out of the queue
  std::vector<std::uint64_t> oldest_from_;  // the smallest number in taken_ from each place on
  std::uint64_t visible_end_ = 0;           // of the log, before they were taken
  std::size_t next_ = 0;                    // the first of taken_ that is not applied
  // The commit being made, kept when it fails: it holds the bytes of the changes it is made of.
  WriteBatch batch_;
  std::size_t staged_ = 0;  // changes in batch_, from next_ on
  std::size_t staged_bytes_ = 0;
  std::int64_t items_ = 0;  // what they do to the statistics
  std::int64_t bytes_ = 0;
  absl::flat_hash_map<std::string, std::uint32_t> counted_sizes_;  // see count()
};

}  // namespace magneto::storage
