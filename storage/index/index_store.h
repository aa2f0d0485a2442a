#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/partition_map.h"
#include "storage/index/index_entry.h"
#include "storage/model/table_schema.h"

namespace magneto::storage {

// The entries of one index of any kind; all versions of its table share it. Thread-safe, except
// that the caller of apply() must order the changes of an entry.
class IndexStore {
 public:
  virtual ~IndexStore() = default;

  // The effect of an item's change from `before` to `after`, whose keys `keys` encodes, on its
  // entry. An item without attributes does not exist. Pure.
  virtual EntryChange change(IndexKeyEncoder& keys, ItemView before, ItemView after) const = 0;

  // Adds a change of an entry to a batch, which this store must outlive.
  virtual void apply(EntryChange change, WriteBatch& batch) = 0;
  // The caller of apply() calls one of these: committed() after the commit of the batch,
  // discarded() if it will never be committed.
  virtual void committed() noexcept {}
  virtual void discarded() noexcept {}
  // Whether committed() may wait noticeably for readers.
  virtual bool may_wait() const { return false; }
  // Bytes of memory that it takes besides its trees.
  virtual std::size_t memory() const { return 0; }
  // The size of the entry under a key, as in EntryChange; 0: there is none. Throws EngineError.
  virtual std::uint32_t entry_size(std::string_view key) const = 0;

  // For an index that follows the change log: it contains all changes with smaller sequence
  // numbers, which need not be applied again after a restart. Later changes may be in it too and
  // are then applied again in order, which must be harmless.
  virtual std::uint64_t applied_through() const = 0;
  // Adds the position to the batch that applies the changes.
  virtual void set_applied_through(std::uint64_t sequence, WriteBatch& batch) = 0;

  // The trees of its entries, to walk, count and reclaim; in key order if the index can be queried.
  virtual const PartitionMap& partitions() const = 0;
};
using IndexStorePtr = std::shared_ptr<IndexStore>;

// Opens the store of an index; this is the list of all kinds. `partitions` is the number of
// partitions of an index that is partitioned like tables. The engine must outlive it. Throws
// EngineError.
IndexStorePtr open_index_store(Engine& engine, const TableSchema& table, const IndexSchema& index,
                               std::uint32_t partitions);
// The same over existing trees.
IndexStorePtr open_index_store(Engine& engine, const TableSchema& table, const IndexSchema& index,
                               PartitionMap partitions);

}  // namespace magneto::storage
