#include "storage/database_statistics.h"

#include <algorithm>
#include <utility>

#include "storage/database_store.h"

namespace magneto::storage {
namespace {

IndexStatistics measure(const Index& index) {
  IndexStatistics found{.name = index.schema.name,
                        .items = index.statistics->item_count.load(std::memory_order_relaxed),
                        .bytes = index.statistics->size_bytes.load(std::memory_order_relaxed),
                        .lag = {}};
  if (index.applier != nullptr) {
    const std::uint64_t applied = index.applier->applied();
    found.lag =
        IndexLag{.changes = index.applier->pushed() - applied, .time = index.applier->behind()};
  }
  return found;
}

TableStatistics measure(const Table& table) {
  TableStatistics found{.name = table.schema.name,
                        .items = table.statistics->item_count.load(std::memory_order_relaxed),
                        .bytes = table.statistics->charged_bytes(),
                        .indexes = {},
                        .stream_lag = {}};
  for (const auto& index : table.indexes) found.indexes.push_back(measure(*index));
  if (table.stream != nullptr) found.stream_lag = table.stream->reader_lag();
  return found;
}

void add(const IndexStatistics& index, IndexStatistics& sum) {
  sum.items += index.items;
  sum.bytes += index.bytes;
  if (!index.lag) return;
  if (!sum.lag) sum.lag.emplace();
  sum.lag->changes += index.lag->changes;
  sum.lag->time = std::max(sum.lag->time, index.lag->time);
}

void add(const TableStatistics& table, TableStatistics& sum) {
  sum.items += table.items;
  sum.bytes += table.bytes;
  for (const IndexStatistics& index : table.indexes) {
    if (sum.indexes.empty()) sum.indexes.emplace_back();
    add(index, sum.indexes.front());
  }
  if (table.stream_lag) {
    sum.stream_lag = std::max(sum.stream_lag.value_or(*table.stream_lag), *table.stream_lag);
  }
}

}  // namespace

StoreStatistics measure(const DatabaseStore& store, std::size_t max_tables) {
  StoreStatistics found;
  const std::vector<TablePtr> tables = store.catalog.tables();
  found.table_count = tables.size();
  for (const TablePtr& table : tables) {
    if (found.tables.size() < max_tables) {
      found.tables.push_back(measure(*table));
    } else {
      if (!found.other_tables) found.other_tables.emplace();
      add(measure(*table), *found.other_tables);
    }
  }
  found.transaction_conflicts = store.claims.conflict_count();
  found.engine = store.engine->statistics();
  return found;
}

}  // namespace magneto::storage
