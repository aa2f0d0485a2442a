#include "storage/background/reclaimer.h"

#include <string>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/engine/local_disk.h"

namespace magneto::storage {

void Reclaimer::resume() {
  for (const Catalog::Dropped& dropped : catalog_.dropped()) {
    const std::string prefix = tree_prefix(dropped.table_number, dropped.index_number);
    if (dropped.index_number == 0) {
      reclaim(dropped, {engine_.open_tree(ColumnFamily::kItems, prefix)});
    } else {  // an index, an expiry queue, the data for replicas, a segment of a history
      reclaim(dropped, {engine_.open_tree(ColumnFamily::kIndexes, prefix),
                        engine_.open_tree(ColumnFamily::kExpiry, prefix)});
    }
  }
}

void Reclaimer::follow(const Catalog::Edited& edited) {
  const std::uint32_t number = edited.table->schema.number;
  for (const auto& index : edited.previous->indexes) {
    if (index->dropped->load()) reclaim_index(number, *index);
  }
  const auto& expiry = edited.previous->expiry;
  if (expiry != nullptr && expiry->dropped->load()) {
    reclaim({number, expiry->number}, {expiry->tree});
  }
  reclaim_replication(number, edited.previous->replication.get(), edited.table->replication.get());
  const auto& history = edited.previous->history;
  if (history != nullptr && history != edited.table->history) reclaim_history(*history);
}

void Reclaimer::drop(const Table& table) {
  const std::uint32_t number = table.schema.number;
  reclaim({number, 0}, table.partitions.trees());
  for (const auto& index : table.indexes) reclaim_index(number, *index);
  if (table.expiry != nullptr) reclaim({number, table.expiry->number}, {table.expiry->tree});
  reclaim_replication(number, table.replication.get(), nullptr);
  if (table.history != nullptr) reclaim_history(*table.history);
}

void Reclaimer::reclaim_replication(std::uint32_t table_number, const Replication* previous,
                                    const Replication* now) {
  for (const auto& [number, tree] : dropped_trees(previous, now)) {
    reclaim({table_number, number}, {tree});
  }
}

void Reclaimer::reclaim_segment(std::uint32_t history, const TableHistory::Segment& segment) {
  reclaim({history, segment.number}, {segment.tree});
}

void Reclaimer::reclaim_history(const TableHistory& history) {
  for (const TableHistory::Segment& segment : history.segments()) {
    reclaim_segment(history.number(), segment);
  }
}

void Reclaimer::reclaim_items(const TreePtr& tree) {
  reclaim({read_uint32(tree->prefix()), 0}, {tree});
}

void Reclaimer::reclaim_index(std::uint32_t table_number, const Index& index) {
  reclaim({table_number, index.schema.number}, index.store->partitions().trees(), index.applier);
}

void Reclaimer::reclaim(Catalog::Dropped dropped, std::vector<TreePtr> trees,
                        std::shared_ptr<IndexApplier> applier) {
  jobs_.post([this, dropped, trees = std::move(trees),
              applier = std::move(applier)](const std::stop_token&) {
    engine_.wait_for_open_scopes();
    if (applier != nullptr) applier->wait_for_dropped();
    clear_and_reclaim(engine_, trees);
    catalog_.forget(dropped);
  });
}

}  // namespace magneto::storage
