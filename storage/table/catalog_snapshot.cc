#include <mutex>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "storage/model/kinesis_destinations.h"
#include "storage/table/catalog.h"

namespace magneto::storage {
namespace {

CountsSnapshot numbers_of(const Statistics& statistics) {
  return {statistics.item_count.load(), statistics.size_bytes.load(),
          statistics.vector_bytes.load(), statistics.sized_for.load()};
}

std::shared_ptr<Statistics> fork_counts(const CountsSnapshot& numbers) {
  auto statistics = std::make_shared<Statistics>();
  statistics->add(numbers.items, numbers.bytes, numbers.vector_bytes);
  statistics->sized_for = numbers.sized_for;
  return statistics;
}

TableSnapshot snapshot_table(const TablePtr& table) {
  TableSnapshot snapshot{table, numbers_of(*table->statistics), {}, {}};
  if (table->history != nullptr) snapshot.history = table->history->snapshot();
  for (const auto& index : table->indexes) {
    TableSnapshot::IndexSnapshot& one = snapshot.indexes.emplace_back();
    one.numbers = numbers_of(*index->statistics);
    if (index->applier != nullptr) one.changes = index->applier->waiting();
  }
  return snapshot;
}

// A fork delivers nothing: the store below it delivers its records itself.
std::shared_ptr<const KinesisDestinations> fork_destinations(
    const std::shared_ptr<const KinesisDestinations>& below) {
  if (below == nullptr) return nullptr;
  auto forked = std::make_shared<KinesisDestinations>(*below);
  forked->captures = false;
  for (KinesisDestination& destination : forked->destinations) {
    if (destination.status == DestinationStatus::kEnableFailed) continue;
    destination.status = DestinationStatus::kDisabled;
  }
  return forked;
}

PartitionMap fork_partitions(const PartitionMap& below, Catalog::OverlayOf overlay_of) {
  std::vector<TreePtr> trees;
  trees.reserve(below.size());
  for (const TreePtr& tree : below.trees()) trees.push_back(overlay_of(tree));
  return PartitionMap(std::move(trees));
}

}  // namespace

// Locks in this order: of changes of tables, of all indexes that follow, of all keys. Who applies
// changes or holds keys takes none that stands before.
void Catalog::snapshot(CatalogSnapshot& snapshot, absl::FunctionRef<void()> and_then) {
  const std::lock_guard changing(change_mutex_);
  const std::vector<TablePtr> all = tables();
  std::vector<std::unique_lock<std::mutex>> held;
  for (const TablePtr& table : all) {
    for (const auto& index : table->indexes) {
      if (index->applier != nullptr) held.push_back(index->applier->hold());
    }
  }
  snapshot.last_table_number = last_number_;
  snapshot.tables.reserve(all.size());
  const ScopePausePtr pause = engine_.pause_scopes();
  for (const TablePtr& table : all) snapshot.tables.push_back(snapshot_table(table));
  snapshot.streams = streams_.snapshot();
  and_then();
}

void Catalog::fork_from(const CatalogSnapshot& snapshot, OverlayOf overlay_of) {
  const std::lock_guard changing(change_mutex_);
  last_number_ = snapshot.last_table_number;
  streams_.fork_from(snapshot.streams, overlay_of);
  absl::flat_hash_set<const StreamLog*> used;
  for (const TableSnapshot& table : snapshot.tables) {
    const TablePtr forked = fork_table(table, overlay_of);
    used.insert(forked->stream.get());
    publish(forked, nullptr);
  }
  // The other streams were about to be closed.
  for (const StreamPtr& stream : streams_.all()) {
    if (!used.contains(stream.get())) stream->close();
  }
}

TablePtr Catalog::fork_table(const TableSnapshot& snapshot, OverlayOf overlay_of) const {
  const Table& below = *snapshot.table;
  auto table = std::make_shared<Table>();
  table->schema = below.schema;
  table->schema.kinesis = fork_destinations(below.schema.kinesis);
  table->partitions = fork_partitions(below.partitions, overlay_of);
  table->statistics = fork_counts(snapshot.numbers);
  if (below.stream != nullptr) {
    table->stream = streams_.find(below.schema.database, below.stream->arn());
  }
  for (std::size_t i = 0; i < below.indexes.size(); ++i) {
    table->indexes.push_back(
        fork_index(table->schema, *below.indexes[i], snapshot.indexes[i], overlay_of));
  }
  if (below.expiry != nullptr) {
    table->expiry = std::make_shared<ExpiryQueue>(
        ExpiryQueue{below.expiry->attribute, below.expiry->number, overlay_of(below.expiry->tree),
                    std::make_shared<std::atomic<bool>>(false)});
  }
  if (below.replication != nullptr) {
    table->replication = fork_replication(*below.replication, stamp_source_, overlay_of);
  }
  if (below.history != nullptr) {
    table->history =
        std::make_shared<TableHistory>(clock_, history_budget_, snapshot.history, overlay_of);
  }
  return table;
}

std::shared_ptr<const Index> Catalog::fork_index(const TableSchema& table, const Index& below,
                                                 const TableSnapshot::IndexSnapshot& snapshot,
                                                 OverlayOf overlay_of) const {
  auto index = std::make_shared<Index>();
  index->schema = below.schema;
  index->store = open_index_store(engine_, table, index->schema,
                                  fork_partitions(below.store->partitions(), overlay_of));
  index->statistics = fork_counts(snapshot.numbers);
  index->dropped = std::make_shared<std::atomic<bool>>(false);
  if (below.applier == nullptr) return index;
  index->applier = std::make_shared<IndexApplier>(
      IndexApplier::Parts{engine_, changes_, index->store, index->statistics, index->dropped});
  for (PendingChange change : snapshot.changes) {
    change.sequence = 0;
    index->applier->push(std::move(change));
  }
  return index;
}

}  // namespace magneto::storage
