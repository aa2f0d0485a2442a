#include "storage/table/replication.h"

#include <algorithm>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/messages/record_messages.h"
#include "storage/model/global_table.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kStampHead = sizeof(std::uint64_t) + 1;

std::string stamp_key(const Replication& replication, std::string_view item_key) {
  return std::string(replication.stamps->prefix()).append(item_key.substr(kTreePrefixSize));
}

// time:8 deleted:1 region
std::string encode_stamp(const Stamp& stamp, bool is_deleted) {
  std::string record;
  append_uint64(record, stamp.time);
  record.push_back(is_deleted ? 1 : 0);
  return record.append(stamp.region);
}

ItemStamp decode_stamp(std::string_view record) {
  if (record.size() < kStampHead) throw EngineError(messages::kDamagedStamp);
  return {.stamp = {.time = read_uint64(record), .region = std::string(record.substr(kStampHead))},
          .is_deleted = record[kStampHead - 1] != 0};
}

// The last entry is the newest, because entries are ordered by time.
void meet_newest(const Reader& reader, const Tree& queue, StampSource& source) {
  const auto cursor = reader.scan(queue, {}, {}, Direction::kBackward);
  if (cursor->next()) source.meet(static_cast<std::uint64_t>(expiry_in(cursor->key())));
}

TreePtr reopen(Engine& engine, ColumnFamily family, const TableSchema& schema, std::uint16_t number,
               const std::vector<std::pair<std::uint16_t, TreePtr>>& known) {
  const auto found = std::ranges::find(known, number, [](const auto& tree) { return tree.first; });
  if (found != known.end()) return found->second;
  return engine.open_tree(family, tree_prefix(schema.number, number));
}

}  // namespace

std::vector<std::pair<std::uint16_t, TreePtr>> Replication::trees() const {
  std::vector<std::pair<std::uint16_t, TreePtr>> all = {{stamps_number, stamps},
                                                        {deleted_number, deleted}};
  for (const ReplicationQueue& queue : queues) all.emplace_back(queue.number, queue.tree);
  return all;
}

ReplicationPtr open_replication(Engine& engine, const TableSchema& schema,
                                const StampSourcePtr& source, const Replication* previous) {
  if (schema.global_table == nullptr || schema.global_table->stamps_number == 0) return nullptr;
  const GlobalTable& global = *schema.global_table;
  const auto known =
      previous == nullptr ? std::vector<std::pair<std::uint16_t, TreePtr>>() : previous->trees();
  auto replication = std::make_shared<Replication>();
  replication->region = schema.region;
  replication->source = source;
  replication->stamps_number = global.stamps_number;
  replication->deleted_number = global.deleted_number;
  replication->stamps = reopen(engine, ColumnFamily::kIndexes, schema, global.stamps_number, known);
  replication->deleted =
      reopen(engine, ColumnFamily::kExpiry, schema, global.deleted_number, known);
  replication->expires_here = true;
  for (const Replica& replica : global.replicas) {
    if (replica.queue_number != 0) {
      replication->queues.push_back(
          {replica.region, replica.database, replica.queue_number,
           reopen(engine, ColumnFamily::kExpiry, schema, replica.queue_number, known)});
    }
    const bool is_whole = replica.status == ReplicaStatus::kActive;
    if (is_whole && replica.region < schema.region) replication->expires_here = false;
  }
  if (previous == nullptr) {
    for (const ReplicationQueue& queue : replication->queues) {
      meet_newest(engine, *queue.tree, *source);
    }
    meet_newest(engine, *replication->deleted, *source);
  }
  return replication;
}

ReplicationPtr fork_replication(const Replication& below, const StampSourcePtr& source,
                                absl::FunctionRef<TreePtr(const TreePtr& below)> overlay_of) {
  auto replication = std::make_shared<Replication>(below);
  replication->source = source;
  source->meet(below.source->last());
  replication->stamps = overlay_of(below.stamps);
  replication->deleted = overlay_of(below.deleted);
  for (ReplicationQueue& queue : replication->queues) queue.tree = overlay_of(queue.tree);
  return replication;
}

std::vector<std::pair<std::uint16_t, TreePtr>> dropped_trees(const Replication* previous,
                                                             const Replication* now) {
  if (previous == nullptr || previous == now) return {};
  auto dropped = previous->trees();
  if (now == nullptr) return dropped;
  const auto kept = now->trees();
  std::erase_if(dropped, [&](const auto& tree) {
    return std::ranges::any_of(kept, [&](const auto& one) { return one.first == tree.first; });
  });
  return dropped;
}

ItemStamp read_stamp(WriteScope& scope, const Replication& replication, std::string_view key,
                     bool exists) {
  const PinnedValue record = scope.get(*replication.stamps, stamp_key(replication, key));
  if (record) return decode_stamp(record.bytes());
  if (!exists) return {};
  return {.stamp = {.time = 1, .region = replication.region}};
}

void stage_own_change(WriteScope& scope, const Replication& replication, Clock::TimePoint now,
                      std::string_view key, bool existed, ItemView after, std::size_t size,
                      WriteBatch& batch) {
  const ItemStamp before = read_stamp(scope, replication, key, existed);
  const Stamp stamp{.time = replication.source->next(now, before.stamp.time),
                    .region = replication.region};
  stage_stamp(replication, key, stamp, after.size() == 0, batch);
  const std::string value = after.size() == 0 ? std::string() : encode_item(after, size);
  for (const ReplicationQueue& queue : replication.queues) {
    batch.put(queue.tree,
              expiry_key(queue.tree->prefix(), static_cast<std::int64_t>(stamp.time), key), value);
  }
}

void stage_stamp(const Replication& replication, std::string_view key, const Stamp& stamp,
                 bool is_deleted, WriteBatch& batch) {
  batch.put(replication.stamps, stamp_key(replication, key), encode_stamp(stamp, is_deleted));
  if (!is_deleted) return;
  batch.put(replication.deleted,
            expiry_key(replication.deleted->prefix(), static_cast<std::int64_t>(stamp.time), key),
            {});
}

void forget_stamp(const Replication& replication, std::string_view key, WriteBatch& batch) {
  batch.remove(replication.stamps, stamp_key(replication, key));
}

}  // namespace magneto::storage
