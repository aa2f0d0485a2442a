#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"
#include "storage/model/attribute_value.h"
#include "storage/model/stamp.h"
#include "storage/model/table_schema.h"
#include "storage/table/stamp_source.h"

namespace magneto::storage {

// The changes to send to one replica, in the order of the writes. Each change made here has an
// entry under its time, with the item as it is then, or without a value if it was deleted. An entry
// is written in the batch of the item, and removed in the batch that makes the change at the
// replica.
struct ReplicationQueue {
  std::string region;
  std::uint32_t database;
  std::uint16_t number;
  TreePtr tree;
};

// The data that a version of a table with replicas keeps besides its items: their stamps, and the
// stamps of deleted items by time. The latter are kept for a day.
struct Replication {
  std::string region;  // its own
  std::uint16_t stamps_number;
  std::uint16_t deleted_number;
  TreePtr stamps;
  TreePtr deleted;
  std::vector<ReplicationQueue> queues;
  StampSourcePtr source;  // the store's source
  // Time to live deletes items in one region only, which sends the deletions to the others.
  bool expires_here;

  std::vector<std::pair<std::uint16_t, TreePtr>> trees() const;  // with their numbers
};
using ReplicationPtr = std::shared_ptr<const Replication>;

// The replication of a schema, with the trees of the previous version; nullptr without replicas.
// Without `previous`, `source` meets the newest stamps in the queues and of deleted items.
ReplicationPtr open_replication(Engine& engine, const TableSchema& schema,
                                const StampSourcePtr& source, const Replication* previous);
// Like open_replication(), with trees that `overlay_of` makes from those of another table, which
// may be in another store.
ReplicationPtr fork_replication(const Replication& below, const StampSourcePtr& source,
                                absl::FunctionRef<TreePtr(const TreePtr& below)> overlay_of);
// The trees of `previous` that `now` no longer has. Both may be nullptr.
std::vector<std::pair<std::uint16_t, TreePtr>> dropped_trees(const Replication* previous,
                                                             const Replication* now);

// The stamp of an item, or of its deletion. An item that is older than the table's replicas has the
// smallest stamp of all, with its own region.
struct ItemStamp {
  Stamp stamp;
  bool is_deleted = false;
};
// `scope` holds the key of the item.
ItemStamp read_stamp(WriteScope& scope, const Replication& replication, std::string_view key,
                     bool exists);

// Adds the replication records of an item's change to its batch, in a scope of the item's key.
// `after` has no attributes if the item is deleted. The change gets a new stamp and goes into the
// queues.
void stage_own_change(WriteScope& scope, const Replication& replication, Clock::TimePoint now,
                      std::string_view key, bool existed, ItemView after, std::size_t size,
                      WriteBatch& batch);
void stage_stamp(const Replication& replication, std::string_view key, const Stamp& stamp,
                 bool is_deleted, WriteBatch& batch);
// Makes the item look as if it had never existed.
void forget_stamp(const Replication& replication, std::string_view key, WriteBatch& batch);

}  // namespace magneto::storage
