#include "storage/table/data_growth.h"

#include <algorithm>

namespace magneto::storage {
namespace {

// The number of logs that keep a record of each change.
std::int64_t logs_of(const Table& table) {
  return (table.stream != nullptr ? 1 : 0) + (table.deliveries != nullptr ? 1 : 0);
}

// The number of replicas that receive each change.
std::int64_t queues_of(const Table& table) {
  if (table.replication == nullptr) return 0;
  return static_cast<std::int64_t>(table.replication->queues.size());
}

}  // namespace

std::int64_t collection_growth(const WriteOutcome& outcome) {
  if (outcome.kept) return 0;
  std::int64_t bytes = size_difference(outcome.old_size, outcome.new_size);
  for (const IndexEffect& effect : outcome.index_effects) {
    if (!effect.index->schema.is_in_item_collection()) continue;
    bytes += size_difference(effect.old_size, effect.new_size);
  }
  return bytes;
}

std::int64_t data_growth(const WriteOutcome& outcome, bool indexes_lag) {
  if (outcome.new_size == 0) return 0;
  std::int64_t bytes = size_difference(outcome.old_size, outcome.new_size);
  std::int64_t copies = 0;
  for (const IndexEffect& effect : outcome.index_effects) {
    bytes += size_difference(effect.old_size, effect.new_size);
    if (indexes_lag && effect.index->applier != nullptr) {
      copies += static_cast<std::int64_t>(effect.new_size);
    }
  }
  const bool is_change =
      bytes != 0 || outcome.old_item.view().bytes() != outcome.new_item.view().bytes();
  const std::int64_t records = logs_of(*outcome.table) + queues_of(*outcome.table);
  if (is_change) copies += records * static_cast<std::int64_t>(outcome.new_size);
  return copies == 0 ? bytes : std::max<std::int64_t>(bytes, 0) + copies;
}

std::int64_t fork_growth(const WriteOutcome& outcome) {
  // A removed key takes a little memory, which the fork's meter measures.
  const auto logs = static_cast<std::size_t>(logs_of(*outcome.table));
  const bool is_replicated = outcome.table->replication != nullptr;
  if (outcome.new_size == 0 && logs == 0 && !is_replicated) return 0;
  constexpr std::size_t kRecord = 64;  // of a key and its place in a tree
  std::size_t bytes = outcome.new_size + kRecord;
  for (const IndexEffect& effect : outcome.index_effects) bytes += effect.new_size + kRecord;
  bytes += logs * (outcome.old_size + outcome.new_size + kRecord);
  if (is_replicated) {
    bytes += static_cast<std::size_t>(queues_of(*outcome.table)) * (outcome.new_size + kRecord) +
             kRecord;
  }
  return static_cast<std::int64_t>(bytes);
}

}  // namespace magneto::storage
