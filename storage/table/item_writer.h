#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/clock.h"
#include "storage/index/change_log.h"
#include "storage/index/index_delay.h"
#include "storage/model/limits.h"
#include "storage/table/catalog.h"
#include "storage/table/collection_sizes.h"
#include "storage/table/expiry_timer.h"
#include "storage/table/item_claims.h"
#include "storage/table/item_write.h"
#include "storage/table/memory_budget.h"
#include "storage/table/region_claims.h"

namespace magneto::storage {

class StrongWrites;

// Reads, decides and commits in a scope of the keys, and repeats all of it after a conflict. A
// write to a strongly consistent table is also made in the tables of its other regions, in the same
// commit. Thread-safe.
class ItemWriter {
 public:
  // While global indexes have no lag, their changes need no time from `clock`.
  ItemWriter(Engine& engine, const Catalog& catalog, ChangeLog& changes, const ItemClaims& claims,
             ExpiryTimer& expiry_timer, const IndexDelay& lag, const Clock& clock,
             std::int64_t collection_limit = kMaxItemCollectionSize)
      : engine_(engine),
        catalog_(catalog),
        changes_(changes),
        claims_(claims),
        expiry_timer_(expiry_timer),
        lag_(lag),
        clock_(clock),
        collection_limit_(collection_limit),
        collections_(engine) {}

  // Throws EngineError, TableGone, CollectionFull, MemoryFull, TransactionConflict if a transaction
  // holds the item, ReplicatedWriteConflict if another region is writing it, and exceptions of
  // `decide`; nothing is written then.
  WriteOutcome write(const ItemWrite& write);

  // All keys must be distinct. Every `decide` runs, also after one has rejected; if any rejects,
  // nothing is written and no outcome reports a change. Waits for items that transactions hold.
  // Throws as write() does. `complete` may add to the batch before the commit; like `decide` it may
  // be called again after a conflict. `committed` is called after the commit, while the keys are
  // still held.
  using Complete = absl::FunctionRef<void(std::span<const WriteOutcome>, WriteBatch& batch)>;
  using Committed = absl::FunctionRef<void()>;
  // A record that is read with the items and stays unchanged until the commit. If `allows` returns
  // false, nothing is decided or written, and write_all() returns no outcomes.
  struct Guard {
    TreePtr tree;
    std::string key;
    absl::FunctionRef<bool(const PinnedValue& record)> allows;
  };
  std::vector<WriteOutcome> write_all(std::span<const ItemWrite> writes, Complete complete,
                                      Committed committed, const Guard* guard = nullptr);
  std::vector<WriteOutcome> write_all(std::span<const ItemWrite> writes, Complete complete) {
    return write_all(writes, complete, [] {});
  }
  std::vector<WriteOutcome> write_all(std::span<const ItemWrite> writes) {
    return write_all(writes, [](std::span<const WriteOutcome>, WriteBatch&) {});
  }

  // Like write_all(), but waits for another region's writes instead of being refused.
  std::vector<WriteOutcome> write_all_in_turn(std::span<const ItemWrite> writes);
  // Writes items of a strongly consistent table, with their current values, to the tables of its
  // other regions, one of which is new. Waits for writers of the items in any region. Throws as
  // write() does.
  void repeat_elsewhere(const TablePtr& table, std::span<const std::string> keys);

  // Sets a callback for each commit that queued changes for replicas. It is called while the keys
  // are held; it must take only locks that are held briefly and are last in the lock order. Set it
  // before there are several threads.
  void on_queued(std::function<void()> call) { on_queued_ = std::move(call); }

  CollectionSizes& collections() { return collections_; }
  MemoryBudget& room() { return room_; }

 private:
  struct Pending;

  TablePtr current_version(const ItemWrite& write) const;
  bool try_to_write(const ItemWrite& write, WriteOutcome& outcome);
  // `strong`: the StrongWrites whose all() is `writes`; nullptr if no write is for all regions.
  enum class Attempt : std::uint8_t { kDone, kNotAllowed, kAgain };
  Attempt try_to_write_all(std::span<const ItemWrite> writes, const StrongWrites* strong,
                           Complete complete, Committed committed, const Guard* guard,
                           std::span<WriteOutcome> outcomes);
  // `claims`: other regions' writes of the same items are refused meanwhile, and can refuse this
  // write.
  std::vector<WriteOutcome> write_everywhere(std::span<const ItemWrite> writes, bool claims,
                                             Complete complete, Committed committed,
                                             const Guard* guard);
  // Throws KeyTooLong.
  void check_key(std::size_t bytes) const;
  void stage(WriteScope& scope, const ItemWrite& write, WriteDecision decision,
             WriteOutcome& outcome, Pending& pending) const;
  void stage_indexes(IndexKeyEncoder& keys, ItemView before, ItemView after, WriteOutcome& outcome,
                     Pending& pending) const;
  static void count_entry(const Index& index, std::uint32_t table_number, const EntryChange& change,
                          Pending& pending);
  void stage_expiry(const ExpiryQueue& expiry, std::string_view key, ItemView before,
                    ItemView after, Pending& pending) const;
  void check_collections(std::span<const WriteOutcome> outcomes);
  std::int64_t take_room(std::span<const WriteOutcome> outcomes);
  bool commit(WriteScope& scope, Pending& pending, std::span<const WriteOutcome> outcomes);

  Engine& engine_;
  const bool has_group_ = engine_.group() != nullptr;
  const std::size_t max_key_bytes_ = max_item_key_bytes(engine_);
  const Catalog& catalog_;
  ChangeLog& changes_;
  const ItemClaims& claims_;
  ExpiryTimer& expiry_timer_;
  const IndexDelay& lag_;
  const Clock& clock_;
  const std::int64_t collection_limit_;  // bytes
  CollectionSizes collections_;
  RegionClaims regions_;
  MemoryBudget room_;
  std::function<void()> on_queued_;
};

}  // namespace magneto::storage
