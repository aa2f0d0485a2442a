#pragma once

#include <span>
#include <vector>

#include "storage/clock.h"
#include "storage/index/global_index_queue.h"
#include "storage/table/catalog.h"
#include "storage/table/item_claims.h"
#include "storage/table/item_write.h"

namespace magneto::storage {

// Makes changes of an index's entry part of a batch. The index must outlive the batch.
void append_entry_change(WriteBatch& batch, const Index& index, EntryChange change);

// Reads, decides and commits, with the keys held. Thread-safe.
class ItemWriter {
 public:
  // `clock` is nullptr when global indexes have no delay: changes need no time then.
  ItemWriter(Engine& engine, const Catalog& catalog, GlobalIndexQueue& queue,
             const ItemClaims& claims, const Clock* clock)
      : engine_(engine), catalog_(catalog), queue_(queue), claims_(claims), clock_(clock) {}

  // Throws EngineError, TableGone, TransactionConflict when a transaction holds the item, and what
  // `decide` throws; nothing is written then.
  WriteOutcome write(const ItemWrite& write);

  // All keys must be distinct. Every `decide` runs, also after one has rejected; when any rejects,
  // nothing is written and no outcome tells of a change. Waits for items that transactions hold.
  // Throws as write() does. `complete` may add to the batch before it is committed.
  using Complete = absl::FunctionRef<void(std::span<const WriteOutcome>, WriteBatch& batch)>;
  std::vector<WriteOutcome> write_all(std::span<const ItemWrite> writes, Complete complete);
  std::vector<WriteOutcome> write_all(std::span<const ItemWrite> writes) {
    return write_all(writes, [](std::span<const WriteOutcome>, WriteBatch&) {});
  }

 private:
  struct Pending;

  TablePtr current_version(const ItemWrite& write) const;
  WriteDecision decide(const ItemWrite& write, const Table& table, WriteOutcome& outcome) const;
  void stage(const ItemWrite& write, WriteDecision decision, WriteOutcome& outcome,
             Pending& pending) const;
  void stage_indexes(IndexKeyEncoder& keys, ItemView before, ItemView after, WriteOutcome& outcome,
                     Pending& pending) const;
  void commit(Pending& pending);

  Engine& engine_;
  const Catalog& catalog_;
  GlobalIndexQueue& queue_;
  const ItemClaims& claims_;
  const Clock* const clock_;
};

}  // namespace magneto::storage
