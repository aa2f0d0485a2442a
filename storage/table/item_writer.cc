#include "storage/table/item_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/model/item_size.h"

namespace magneto::storage {

// What a commit will change, gathered while the keys are held.
struct ItemWriter::Pending {
  struct Count {
    Statistics* statistics;
    std::int64_t items;
    std::int64_t bytes;
  };

  void count(Statistics& statistics, std::size_t old_size, std::size_t new_size) {
    counts.push_back({&statistics, (new_size != 0 ? 1 : 0) - (old_size != 0 ? 1 : 0),
                      static_cast<std::int64_t>(new_size) - static_cast<std::int64_t>(old_size)});
  }

  WriteBatch batch;
  QueuedWrite queued;
  absl::InlinedVector<Count, 4> counts;
};

void append_entry_change(WriteBatch& batch, const Index& index, EntryChange change) {
  if (!change.delete_key.empty()) {
    const TreePtr& tree = index.partitions.tree_of(change.delete_key);
    batch.remove(tree, std::move(change.delete_key));
  }
  if (!change.put_key.empty()) {
    const TreePtr& tree = index.partitions.tree_of(change.put_key);
    batch.put(tree, std::move(change.put_key), std::move(change.value));
  }
}

TablePtr ItemWriter::current_version(const ItemWrite& write) const {
  TablePtr table = write.table->superseded.load(std::memory_order_acquire)
                       ? catalog_.current(*write.table)
                       : write.table;
  if (table == nullptr || table->schema.status == ResourceStatus::kDeleting) {
    throw TableGone(write.table->schema.name);
  }
  return table;
}

WriteDecision ItemWriter::decide(const ItemWrite& write, const Table& table,
                                 WriteOutcome& outcome) const {
  outcome.old_item = StoredItem(engine_.get(*table.partitions.tree_of(write.key), write.key));
  outcome.old_size = outcome.old_item.size();
  WriteDecision decision = write.decide(outcome.old_item);
  outcome.rejected = decision.kind == WriteDecision::Kind::kReject;
  return decision;
}

void ItemWriter::stage(const ItemWrite& write, WriteDecision decision, WriteOutcome& outcome,
                       Pending& pending) const {
  const Table& table = *outcome.table;
  const ItemView before = outcome.old_item.view();
  if (decision.kind == WriteDecision::Kind::kPut) {
    outcome.new_item = std::move(decision.item);
    const ItemView after = outcome.new_item.view();
    if (after.bytes() == before.bytes()) {
      outcome.new_size = outcome.old_size;
      return;
    }
    outcome.new_size = item_size(after);
    pending.batch.put(table.partitions.tree_of(write.key), write.key,
                      encode_item(after, outcome.new_size));
  } else if (decision.kind == WriteDecision::Kind::kDelete && outcome.old_item) {
    pending.batch.remove(table.partitions.tree_of(write.key), write.key);
  } else {
    return;
  }
  pending.count(*table.statistics, outcome.old_size, outcome.new_size);
  if (!table.indexes.empty()) {
    const ItemView after = outcome.new_item.view();
    IndexKeyEncoder keys(table.schema, write.key, after.size() != 0 ? after : before);
    stage_indexes(keys, before, after, outcome, pending);
  }
}

void ItemWriter::stage_indexes(IndexKeyEncoder& keys, ItemView before, ItemView after,
                               WriteOutcome& outcome, Pending& pending) const {
  for (const auto& index : outcome.table->indexes) {
    if (index->schema.status == ResourceStatus::kDeleting) continue;
    EntryChange change = entry_change(keys, index->schema, index->projected, before, after);
    if (change.empty()) continue;
    outcome.index_effects.push_back(
        {index.get(), change.old_size, change.new_size, change.moved()});
    if (index->schema.is_global) {
      pending.queued.changes.push_back({index, std::move(change)});
    } else {
      pending.count(*index->statistics, change.old_size, change.new_size);
      append_entry_change(pending.batch, *index, std::move(change));
    }
  }
}

void ItemWriter::commit(Pending& pending) {
  if (pending.batch.empty()) return;
  const bool changes_global_indexes = !pending.queued.changes.empty();
  if (changes_global_indexes) queue_.append_record(pending.batch, pending.queued);
  engine_.commit(pending.batch);
  for (const Pending::Count& count : pending.counts) {
    if (count.items != 0) {
      count.statistics->item_count.fetch_add(count.items, std::memory_order_relaxed);
    }
    if (count.bytes != 0) {
      count.statistics->size_bytes.fetch_add(count.bytes, std::memory_order_relaxed);
    }
  }
  if (changes_global_indexes) {
    if (clock_ != nullptr) pending.queued.made = clock_->now();
    queue_.push(std::move(pending.queued));
  }
}

WriteOutcome ItemWriter::write(const ItemWrite& write) {
  WriteOutcome outcome;
  Pending pending;
  if (claims_.is_claimed(write.key)) throw TransactionConflict();
  const WriteScope scope = engine_.begin(write.key);
  outcome.table = current_version(write);
  WriteDecision decision = decide(write, *outcome.table, outcome);
  if (outcome.rejected) return outcome;
  stage(write, std::move(decision), outcome, pending);
  commit(pending);
  return outcome;
}

std::vector<WriteOutcome> ItemWriter::write_all(std::span<const ItemWrite> writes,
                                                Complete complete) {
  std::vector<WriteOutcome> outcomes(writes.size());
  std::vector<WriteDecision> decisions(writes.size());
  absl::InlinedVector<std::string_view, 32> keys;
  for (const ItemWrite& write : writes) keys.push_back(write.key);
  Pending pending;

  const WriteScope scope = engine_.begin(keys);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    outcomes[i].table = current_version(writes[i]);
    decisions[i] = decide(writes[i], *outcomes[i].table, outcomes[i]);
  }
  if (std::ranges::any_of(outcomes, &WriteOutcome::rejected)) return outcomes;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    stage(writes[i], std::move(decisions[i]), outcomes[i], pending);
  }
  complete(outcomes, pending.batch);
  commit(pending);
  return outcomes;
}

}  // namespace magneto::storage
