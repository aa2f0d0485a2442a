#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "storage/clock.h"
#include "storage/engine/commit_sequence.h"
#include "storage/engine/engine.h"
#include "storage/index/index_applier.h"

namespace magneto::storage {

// The changes that asynchronous indexes are still to make, in the order of the writes that caused
// them. In a durable engine a record of ColumnFamily::kQueue, committed with the write, keeps them
// (change_record.h); in memory each index has its own queue of them, its IndexApplier. Each index
// has a position: what it has applied. A record goes when it is below all positions, in the batch
// that moves the last of them. After a crash what is not below an index's position is applied to it
// again, in order, which changes nothing that is there. Thread-safe.
class ChangeLog {
 public:
  // Waiting changes beyond which writers are to help applying.
  static constexpr std::size_t kMaxChanges = 50'000;
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  explicit ChangeLog(Engine& engine);

  // The applier of each asynchronous index by the numbers of its table and of itself.
  using Appliers =
      absl::flat_hash_map<std::pair<std::uint32_t, std::uint16_t>, std::shared_ptr<IndexApplier>>;
  // Gives the indexes what an earlier process left for them; changes of one that is gone are
  // dropped. Once, before anything is written. Throws EngineError.
  void load(const Appliers& appliers);

  bool over_limit() const {
    return waiting_changes_.load(std::memory_order_relaxed) > std::int64_t{kMaxChanges} ||
           waiting_bytes_.load(std::memory_order_relaxed) > std::int64_t{kMaxBytes};
  }

  std::int64_t waiting_changes() const { return waiting_changes_.load(std::memory_order_relaxed); }
  std::int64_t waiting_bytes() const { return waiting_bytes_.load(std::memory_order_relaxed); }

  // Those that have changes to apply.
  std::vector<std::shared_ptr<IndexApplier>> busy() const;
  // Waits until some has, unless one has.
  void wait_for_change(const std::stop_token& stop);
  // Instead of waiting: false when some has; else `call` of on_change() comes once when one has,
  // from the writer, which holds locks: it takes only such as are held shortly and last.
  bool rest();
  void on_change(std::function<void()> call) { call_ = std::move(call); }  // before any other use

  // Removes records that no index needs and that no batch took away. Throws EngineError.
  void trim();
  // To be called now and then, where waiting for the disk does no harm: lets positions be kept as
  // soon as they are of use, which raises the format of the directory. Throws EngineError.
  void allow_positions();

 private:
  friend class ChangeAppends;
  friend class IndexApplier;

  // ---- of ChangeAppends ------------------------------------------------------------------------

  bool is_durable() const { return tree_ != nullptr; }
  // The number of a record, which finish() takes once its batch has been committed, and all changes
  // pushed, or has failed.
  std::uint64_t draw();
  void append(std::uint64_t sequence, std::string record, WriteBatch& batch) const;
  void finish(std::uint64_t sequence);

  // ---- of IndexApplier -------------------------------------------------------------------------

  // All changes with smaller numbers have been pushed.
  std::uint64_t visible_end() const;
  void note_pushed(std::size_t bytes);
  void note_applied(std::size_t changes, std::size_t bytes);
  void add_busy(std::shared_ptr<IndexApplier> applier);
  void remove_busy(const IndexApplier& applier);
  // Adds to the batch that moves the position of `applier` the removal of what no index needs then.
  // Returns the number from which on records are kept. finish_trim() follows once it is committed.
  std::uint64_t trim(const IndexApplier& applier, std::uint64_t position, WriteBatch& batch);
  void finish_trim(const void* trimmer, bool is_committed);
  bool keeps_positions() const { return keeps_positions_.load(std::memory_order_relaxed); }

  // Requires mutex_. `applier` is nullptr where nobody's position moves.
  std::uint64_t begin_trim(const void* trimmer, const IndexApplier* applier, std::uint64_t position,
                           WriteBatch& batch);

  Engine& engine_;
  const TreePtr tree_;  // nullptr when the engine is not durable
  std::atomic<std::int64_t> waiting_changes_{0};
  std::atomic<std::int64_t> waiting_bytes_{0};
  std::atomic<bool> wants_positions_{false};
  std::atomic<bool> keeps_positions_{false};

  std::mutex trim_mutex_;     // of trim(), also while it commits; taken before mutex_
  mutable std::mutex mutex_;  // guards what follows; nobody waits who holds it
  CommitSequence sequence_;
  std::uint64_t trimmed_ = 1;  // records with smaller numbers are gone
  // Whose batch, under way or failed and to be made again, removes the next ones, up to trim_end_.
  // One at a time: what is left must not have gaps, since a record that is applied again must be
  // followed by those after it.
  const void* trimmer_ = nullptr;
  std::uint64_t trim_end_ = 1;
  std::vector<std::shared_ptr<IndexApplier>> busy_;
  std::condition_variable_any became_busy_;
  bool consumer_sleeps_ = false;
  std::function<void()> call_;
};

// The changes that one commit makes to asynchronous indexes. Not thread-safe.
class ChangeAppends {
 public:
  explicit ChangeAppends(ChangeLog& log) : log_(log) {}
  ChangeAppends(const ChangeAppends&) = delete;
  ChangeAppends& operator=(const ChangeAppends&) = delete;
  ~ChangeAppends() { finish(); }

  bool empty() const { return changes_.empty(); }
  // The applier must outlive this. `is_incomplete`: entries of items that were there before the
  // index may be missing in it.
  void add(IndexApplier& applier, EntryChange change, bool is_incomplete) {
    changes_.push_back({&applier, {.change = std::move(change), .look_up = is_incomplete}});
  }
  // Right before the commit, with the keys held.
  void draw(WriteBatch& batch);
  // After the commit, with the keys still held.
  void push(Clock::TimePoint made);

 private:
  struct Append {
    IndexApplier* applier;
    PendingChange pending;
  };

  void finish();

  ChangeLog& log_;
  absl::InlinedVector<Append, 1> changes_;
  std::uint64_t sequence_ = 0;  // 0: none is under way
};

}  // namespace magneto::storage
