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

// The pending changes of asynchronous indexes, in the order of the writes that caused them. In a
// durable engine, a record of ColumnFamily::kQueue keeps them; it is committed with the write
// (change_record.h). In memory, each index has its own queue of them, its IndexApplier.
//
// Each index has a position up to which it has applied the changes. A record is removed when it is
// below all positions, in the batch that advances the last of them. After a crash, each index
// applies the records from its position on again, in order; this changes no entry that exists
// already. Thread-safe.
class ChangeLog {
 public:
  // Pending changes beyond which writers must help to apply them.
  static constexpr std::size_t kMaxChanges = 50'000;
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  explicit ChangeLog(Engine& engine);

  // The applier of each asynchronous index, by the numbers of its table and of the index.
  using Appliers =
      absl::flat_hash_map<std::pair<std::uint32_t, std::uint16_t>, std::shared_ptr<IndexApplier>>;
  // Passes the changes that an earlier process left to their indexes, and drops changes of indexes
  // that no longer exist. Called once, before any write. Throws EngineError.
  void load(const Appliers& appliers);

  bool over_limit() const {
    return waiting_changes_.load(std::memory_order_relaxed) > std::int64_t{kMaxChanges} ||
           waiting_bytes_.load(std::memory_order_relaxed) > std::int64_t{kMaxBytes};
  }

  std::int64_t waiting_changes() const { return waiting_changes_.load(std::memory_order_relaxed); }
  std::int64_t waiting_bytes() const { return waiting_bytes_.load(std::memory_order_relaxed); }

  // The appliers with pending changes.
  std::vector<std::shared_ptr<IndexApplier>> busy() const;
  // Waits until an applier has pending changes.
  void wait_for_change(const std::stop_token& stop);
  // Used instead of waiting. Returns false if an applier has pending changes. Otherwise the
  // callback of on_change() is called once when one has. The writer calls it while it holds locks,
  // so it must take only locks that are held briefly and are last in the lock order.
  bool rest();
  void on_change(std::function<void()> call) { call_ = std::move(call); }  // before any other use

  // Removes records that no index needs and that no batch has removed. Throws EngineError.
  void trim();
  // Called from time to time, when waiting for the disk does no harm. Lets positions be stored as
  // soon as they are useful, which raises the format of the directory. Throws EngineError.
  void allow_positions();

 private:
  friend class ChangeAppends;
  friend class IndexApplier;

  // ---- used by ChangeAppends --------------------------------------------------------------------

  bool is_durable() const { return tree_ != nullptr; }
  // Draws the number of a record. The caller passes it to finish() after it has committed the batch
  // and pushed all changes, or after the commit has failed.
  std::uint64_t draw();
  void append(std::uint64_t sequence, std::string record, WriteBatch& batch) const;
  void finish(std::uint64_t sequence);

  // ---- used by IndexApplier ---------------------------------------------------------------------

  // All changes with smaller numbers have been pushed.
  std::uint64_t visible_end() const;
  void record_pushed(std::size_t bytes);
  void record_applied(std::size_t changes, std::size_t bytes);
  void add_busy(std::shared_ptr<IndexApplier> applier);
  void remove_busy(const IndexApplier& applier);
  // Adds to the batch that advances the position of `applier` the removal of records that no index
  // will need. Returns the number of the first record that is kept. Call finish_trim() after the
  // commit.
  std::uint64_t trim(const IndexApplier& applier, std::uint64_t position, WriteBatch& batch);
  void finish_trim(const void* trimmer, bool is_committed);
  bool keeps_positions() const { return keeps_positions_.load(std::memory_order_relaxed); }

  // Requires mutex_. `applier` is nullptr if no position changes.
  std::uint64_t begin_trim(const void* trimmer, const IndexApplier* applier, std::uint64_t position,
                           WriteBatch& batch);

  Engine& engine_;
  const TreePtr tree_;  // nullptr if the engine is not durable
  std::atomic<std::int64_t> waiting_changes_{0};
  std::atomic<std::int64_t> waiting_bytes_{0};
  std::atomic<bool> wants_positions_{false};
  std::atomic<bool> keeps_positions_{false};

  std::mutex trim_mutex_;     // held by trim(), also while it commits; taken before mutex_
  mutable std::mutex mutex_;  // guards the next members; its holder never waits
  CommitSequence sequence_;
  std::uint64_t trimmed_ = 1;  // records with smaller numbers are removed
  // The owner of the batch that removes the next records, up to trim_end_. The batch is in
  // progress, or has failed and will be retried. There is only one at a time, because the rest must
  // not have gaps: if a record is applied again, the ones after it must be as well.
  const void* trimmer_ = nullptr;
  std::uint64_t trim_end_ = 1;
  std::vector<std::shared_ptr<IndexApplier>> busy_;
  std::condition_variable_any became_busy_;
  bool consumer_sleeps_ = false;
  std::function<void()> call_;
};

// The changes of one commit to asynchronous indexes. Not thread-safe.
class ChangeAppends {
 public:
  explicit ChangeAppends(ChangeLog& log) : log_(log) {}
  ChangeAppends(const ChangeAppends&) = delete;
  ChangeAppends& operator=(const ChangeAppends&) = delete;
  ~ChangeAppends() { finish(); }

  bool empty() const { return changes_.empty(); }
  // The applier must outlive this object. `is_incomplete`: the index may lack entries of items that
  // are older than the index.
  void add(IndexApplier& applier, EntryChange change, bool is_incomplete) {
    changes_.push_back({&applier, {.change = std::move(change), .look_up = is_incomplete}});
  }
  // Called right before the commit, with the keys held.
  void draw(WriteBatch& batch);
  // Called after the commit, with the keys still held.
  void push(Clock::TimePoint made);

 private:
  struct Append {
    IndexApplier* applier;
    PendingChange pending;
  };

  void finish();

  ChangeLog& log_;
  absl::InlinedVector<Append, 1> changes_;
  std::uint64_t sequence_ = 0;  // 0: none is in progress
};

}  // namespace magneto::storage
