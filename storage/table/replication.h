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

// What is to be sent to one replica, in the order of the writes: an entry for each change that was
// made here, by its time, with the item as it is then; without a value where it was deleted. It is
// written in the batch of the item, and goes in the batch that makes the change there.
struct ReplicationQueue {
  std::string region;
  std::uint32_t database;
  std::uint16_t number;
  TreePtr tree;
};

// What a version of a table that has replicas keeps beside its items: their stamps, and by their
// times those of deleted items, which are kept for a
// day.
struct Replication {
  std::string region;  // its own
  std::uint16_t stamps_number;
  std::uint16_t deleted_number;
  TreePtr stamps;
  TreePtr deleted;
  std::vector<ReplicationQueue> queues;
  StampSourcePtr source;  // of the store
  // Time to live deletes items in one region, whose deletions the others are sent.
  bool expires_here;

  std::vector<std::pair<std::uint16_t, TreePtr>> trees() const;  // with their numbers
};
using ReplicationPtr = std::shared_ptr<const Replication>;

// As the schema says, with the trees of the version before; nullptr without replicas.
// What waits in trees that are opened is met.
ReplicationPtr open_replication(Engine& engine, const TableSchema& schema,
                                const StampSourcePtr& source, const Replication* previous);
// The same with trees that `over` makes of those of another table, which may be another store's.
ReplicationPtr fork_replication(const Replication& below, const StampSourcePtr& source,
                                absl::FunctionRef<TreePtr(const TreePtr& below)> overlay_of);
// Those of `previous` that `now` has no more. Both may be nullptr.
std::vector<std::pair<std::uint16_t, TreePtr>> dropped_trees(const Replication* previous,
                                                             const Replication* now);

// The stamp of an item, or of its deletion. Of one that was there before the table had replicas: the
// smallest of all, of its region.
struct ItemStamp {
  Stamp stamp;
  bool is_deleted = false;
};
// `scope` holds the key of the item.
ItemStamp read_stamp(WriteScope& scope, const Replication& replication, std::string_view key,
                     bool exists);

// In a scope of the item's key: what the change of an item adds to its batch. `after` has no
// attributes when it is deleted. One that was made here gets a stamp and goes into the queues.
void stage_own_change(WriteScope& scope, const Replication& replication, Clock::TimePoint now,
                      std::string_view key, bool existed, ItemView after, std::size_t size,
                      WriteBatch& batch);
void stage_stamp(const Replication& replication, std::string_view key, const Stamp& stamp,
                 bool is_deleted, WriteBatch& batch);
// The item is as one that never was.
void forget_stamp(const Replication& replication, std::string_view key, WriteBatch& batch);

}  // namespace magneto::storage
