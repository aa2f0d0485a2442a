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

// What holds the entries of one index, of whatever kind; shared by all versions of its table.
// Thread-safe, but apply() only as its caller orders the changes of an entry.
class IndexStore {
 public:
  virtual ~IndexStore() = default;

  // What a change of an item from `before` to `after`, both of which `keys` speaks for, does to its
  // entry; an item without attributes is one that does not exist. Pure.
  virtual EntryChange change(IndexKeyEncoder& keys, ItemView before, ItemView after) const = 0;

  // Makes a change of an entry part of a batch, which this must outlive.
  virtual void apply(EntryChange change, WriteBatch& batch) = 0;
  // After the commit of the batch that changes were made part of, by who called apply(); or when it
  // will never be committed.
  virtual void committed() noexcept {}
  virtual void discarded() noexcept {}
  // Whether committed() may wait for longer than an instant for those who read.
  virtual bool may_wait() const { return false; }
  // What it takes in memory beside its trees, bytes.
  virtual std::size_t memory() const { return 0; }
  // The size of the entry under a key, as EntryChange has it; 0: there is none. Throws EngineError.
  virtual std::uint32_t entry_size(std::string_view key) const = 0;

  // Of an index that follows the change log: changes whose sequence numbers are smaller are in it
  // and need not be applied again after a restart. What follows may be in it too, and is applied
  // again then, in its order, which must be harmless.
  virtual std::uint64_t applied_through() const = 0;
  // Makes that part of the batch that applies them.
  virtual void set_applied_through(std::uint64_t sequence, WriteBatch& batch) = 0;

  // The trees of its entries, to walk, count and reclaim; in key order where it can be queried.
  virtual const PartitionMap& partitions() const = 0;
};
using IndexStorePtr = std::shared_ptr<IndexStore>;

// The store of an index of any kind: the list of kinds. `partitions` is the number of an index that
// is cut as tables are. The engine must outlive it. Throws EngineError.
IndexStorePtr open_index_store(Engine& engine, const TableSchema& table, const IndexSchema& index,
                               std::uint32_t partitions);
// The same over trees that are there.
IndexStorePtr open_index_store(Engine& engine, const TableSchema& table, const IndexSchema& index,
                               PartitionMap partitions);

}  // namespace magneto::storage
