#include <mutex>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "storage/model/kinesis_destinations.h"
#include "storage/table/catalog.h"

namespace magneto::storage {
namespace {

FrozenNumbers numbers_of(const Statistics& statistics) {
  return {statistics.item_count.load(), statistics.size_bytes.load()};
}

std::shared_ptr<Statistics> thaw_numbers(const FrozenNumbers& numbers) {
  auto statistics = std::make_shared<Statistics>();
  statistics->add(numbers.items, numbers.bytes);
  return statistics;
}

FrozenTable freeze_table(const TablePtr& table) {
  FrozenTable frozen{table, numbers_of(*table->statistics), {}, {}};
  if (table->history != nullptr) frozen.history = table->history->freeze();
  for (const auto& index : table->indexes) {
    FrozenTable::FrozenIndex& one = frozen.indexes.emplace_back();
    one.numbers = numbers_of(*index->statistics);
    if (index->applier != nullptr) one.changes = index->applier->waiting();
  }
  return frozen;
}

// Nothing of a fork is delivered: what it was made of delivers its records itself.
std::shared_ptr<const KinesisDestinations> thaw_destinations(
    const std::shared_ptr<const KinesisDestinations>& below) {
  if (below == nullptr) return nullptr;
  auto thawed = std::make_shared<KinesisDestinations>(*below);
  thawed->captures = false;
  for (KinesisDestination& destination : thawed->destinations) {
    if (destination.status == DestinationStatus::kEnableFailed) continue;
    destination.status = DestinationStatus::kDisabled;
  }
  return thawed;
}

PartitionMap thaw_partitions(const PartitionMap& below, Catalog::Over over) {
  std::vector<TreePtr> trees;
  trees.reserve(below.size());
  for (const TreePtr& tree : below.trees()) trees.push_back(over(tree));
  return PartitionMap(std::move(trees));
}

}  // namespace

// Locks in this order: of changes of tables, of all indexes that follow, of all keys. Who applies
// changes or holds keys takes none that stands before.
void Catalog::freeze(FrozenCatalog& frozen, absl::FunctionRef<void()> and_then) {
  const std::lock_guard changing(change_mutex_);
  const std::vector<TablePtr> all = tables();
  std::vector<std::unique_lock<std::mutex>> held;
  for (const TablePtr& table : all) {
    for (const auto& index : table->indexes) {
      if (index->applier != nullptr) held.push_back(index->applier->hold());
    }
  }
  frozen.last_table_number = last_number_;
  frozen.tables.reserve(all.size());
  const ScopePausePtr pause = engine_.pause_scopes();
  for (const TablePtr& table : all) frozen.tables.push_back(freeze_table(table));
  frozen.streams = streams_.freeze();
  and_then();
}

void Catalog::thaw(const FrozenCatalog& frozen, Over over) {
  const std::lock_guard changing(change_mutex_);
  last_number_ = frozen.last_table_number;
  streams_.thaw(frozen.streams, over);
  absl::flat_hash_set<const StreamLog*> used;
  for (const FrozenTable& table : frozen.tables) {
    const TablePtr thawed = thaw_table(table, over);
    used.insert(thawed->stream.get());
    publish(thawed, nullptr);
  }
  // What was not wanted any more was still to be closed.
  for (const StreamPtr& stream : streams_.all()) {
    if (!used.contains(stream.get())) stream->close();
  }
}

TablePtr Catalog::thaw_table(const FrozenTable& frozen, Over over) const {
  const Table& below = *frozen.table;
  auto table = std::make_shared<Table>();
  table->schema = below.schema;
  table->schema.kinesis = thaw_destinations(below.schema.kinesis);
  table->partitions = thaw_partitions(below.partitions, over);
  table->statistics = thaw_numbers(frozen.numbers);
  if (below.stream != nullptr) {
    table->stream = streams_.find(below.schema.database, below.stream->arn());
  }
  for (std::size_t i = 0; i < below.indexes.size(); ++i) {
    table->indexes.push_back(thaw_index(table->schema, *below.indexes[i], frozen.indexes[i], over));
  }
  if (below.expiry != nullptr) {
    table->expiry = std::make_shared<ExpiryQueue>(
        ExpiryQueue{below.expiry->attribute, below.expiry->number, over(below.expiry->tree),
                    std::make_shared<std::atomic<bool>>(false)});
  }
  if (below.replication != nullptr) {
    table->replication = thaw_replication(*below.replication, stamp_source_, over);
  }
  if (below.history != nullptr) {
    table->history = std::make_shared<TableHistory>(clock_, history_budget_, frozen.history, over);
  }
  return table;
}

std::shared_ptr<const Index> Catalog::thaw_index(const TableSchema& table, const Index& below,
                                                 const FrozenTable::FrozenIndex& frozen,
                                                 Over over) const {
  auto index = std::make_shared<Index>();
  index->schema = below.schema;
  index->store = open_index_store(engine_, table, index->schema,
                                  thaw_partitions(below.store->partitions(), over));
  index->statistics = thaw_numbers(frozen.numbers);
  index->dropped = std::make_shared<std::atomic<bool>>(false);
  if (!index->schema.is_asynchronous()) return index;
  index->applier = std::make_shared<IndexApplier>(
      IndexApplier::Parts{engine_, changes_, index->store, index->statistics, index->dropped});
  for (PendingChange change : frozen.changes) {
    change.sequence = 0;
    index->applier->push(std::move(change));
  }
  return index;
}

}  // namespace magneto::storage
