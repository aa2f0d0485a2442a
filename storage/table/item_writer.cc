#include "storage/table/item_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/charged_sizes.h"
#include "storage/model/effort.h"
#include "storage/model/expiry.h"
#include "storage/model/global_table.h"
#include "storage/model/item_size.h"
#include "storage/table/data_growth.h"
#include "storage/table/index_stages.h"
#include "storage/table/strong_writes.h"

namespace magneto::storage {

namespace {

// If there is no room for both, old history is removed in favour of this write. Half of the history
// is left for writes that add data, which are refused when nothing is left.
void shorten_history(HistoryBudget& budget, const HistoryAppends& written) {
  const std::int64_t bytes = written.bytes();
  if (budget.owed() + bytes <= budget.used() / 2) budget.lend(bytes);
}

// Whether this is a change from another region whose table is being deleted. Such a change frees as
// much there as it takes here, and refusing it in a full memory would keep that table.
bool comes_of_leaving(const Catalog& catalog, const ItemWrite& write) {
  if (write.stamp == nullptr || write.table->replication == nullptr) return false;
  const auto& others = write.table->replication->queues;
  const auto sender = std::ranges::find(others, write.stamp->region, &ReplicationQueue::region);
  if (sender == others.end()) return false;
  const TablePtr table = catalog.find(sender->database, write.table->schema.name);
  return table != nullptr && table->schema.status == ResourceStatus::kDeleting;
}

// Whether a change from another region is too old. A table that no longer has replicas accepts
// none.
bool comes_too_late(WriteScope& scope, const ItemWrite& write, const WriteOutcome& outcome) {
  const Replication* const replication = outcome.table->replication.get();
  if (replication == nullptr) return true;
  const ItemStamp present =
      read_stamp(scope, *replication, write.key, static_cast<bool>(outcome.old_item));
  return *write.stamp <= present.stamp;
}

WriteDecision decide_in(WriteScope& scope, const ItemWrite& write, PinnedValue current,
                        WriteOutcome& outcome) {
  outcome.old_item = StoredItem(std::move(current));
  outcome.old_size = outcome.old_item.size();
  if (write.stamp != nullptr && comes_too_late(scope, write, outcome)) {
    outcome.kept = true;
    return WriteDecision::keep();
  }
  WriteDecision decision = write.decide(outcome.old_item);
  outcome.rejected = decision.kind == WriteDecision::Kind::kReject;
  outcome.kept = decision.kind == WriteDecision::Kind::kKeep;
  return decision;
}

WriteDecision leave(const StoredItem& current) {
  return current ? WriteDecision::put(Item(current.view())) : WriteDecision::keep();
}

void add_nothing(std::span<const WriteOutcome> /*outcomes*/, WriteBatch& /*batch*/) {}

AttributeView partition_of(const WriteOutcome& outcome) {
  const ItemView after = outcome.new_item.view();
  const ItemView item = after.size() != 0 ? after : outcome.old_item.view();
  return item.find(outcome.table->schema.key.partition.front().name);
}

}  // namespace

// The changes of a commit, collected while the keys are held.
struct ItemWriter::Pending {
  explicit Pending(ChangeLog& log) : changes(log) {}

  struct Count {
    Statistics* statistics;
    std::uint32_t table_number;
    std::uint16_t index_number;
    std::int64_t items;
    std::int64_t bytes;
    std::int64_t vector_bytes = 0;
  };

  void count(Statistics& statistics, std::uint32_t table_number, std::uint16_t index_number,
             std::size_t old_size, std::size_t new_size) {
    counts.push_back({&statistics, table_number, index_number,
                      (new_size != 0 ? 1 : 0) - (old_size != 0 ? 1 : 0),
                      size_difference(old_size, new_size)});
  }

  WriteBatch batch;
  ChangeAppends changes;               // for asynchronous indexes
  std::int64_t first_expiry = kNever;  // of the entries added to expiry queues
  absl::InlinedVector<Count, 4> counts;
  StreamAppends streamed;
  bool is_queued = false;  // for replicas
  bool needs_room = true;
  HistoryAppends history;
};

TablePtr ItemWriter::current_version(const ItemWrite& write) const {
  TablePtr table = write.table->superseded.load(std::memory_order_acquire)
                       ? catalog_.current(*write.table)
                       : write.table;
  if (table == nullptr || table->schema.status == ResourceStatus::kDeleting) {
    throw TableGone();
  }
  return table;
}

void ItemWriter::check_key(std::size_t bytes) const {
  if (bytes > max_key_bytes_) throw KeyTooLong(bytes, max_key_bytes_);
}

void ItemWriter::stage(WriteScope& scope, const ItemWrite& write, WriteDecision decision,
                       WriteOutcome& outcome, Pending& pending) const {
  const Table& table = *outcome.table;
  const ItemView before = outcome.old_item.view();
  if (write.stamp != nullptr && decision.kind != WriteDecision::Kind::kKeep) {
    stage_stamp(*table.replication, write.key, *write.stamp,
                decision.kind == WriteDecision::Kind::kDelete, pending.batch);
  }
  // Also for a write that changes nothing here: it is later than changes that other regions may
  // send.
  const auto tell_replicas = [&](ItemView after) {
    if (table.replication == nullptr || write.stamp != nullptr) [[likely]]
      return;
    stage_own_change(scope, *table.replication, clock_.now(), write.key, before.size() != 0, after,
                     outcome.new_size, pending.batch);
    pending.is_queued = true;
  };
  if (decision.kind == WriteDecision::Kind::kPut) {
    outcome.new_item = std::move(decision.item);
    const ItemView after = outcome.new_item.view();
    if (after.bytes() == before.bytes()) {
      outcome.new_size = outcome.old_size;
      tell_replicas(after);
      return;
    }
    outcome.new_size = item_size(after);
    check_key(write.key.size());
    pending.batch.put(table.partitions.tree_of(write.key), write.key,
                      encode_item(after, outcome.new_size));
  } else if (decision.kind == WriteDecision::Kind::kDelete && outcome.old_item) {
    pending.batch.remove(table.partitions.tree_of(write.key), write.key);
  } else {
    if (decision.kind == WriteDecision::Kind::kDelete) tell_replicas({});
    return;
  }
  pending.count(*table.statistics, table.schema.number, 0, outcome.old_size, outcome.new_size);
  if (table.history != nullptr) {
    pending.history.add(*table.history, write.key, outcome.old_item.stored());
  }
  const ItemView after = outcome.new_item.view();
  if (table.stream != nullptr) {
    pending.streamed.add(*table.stream, write.key,
                         table.stream->encode(before, after, write.by_time_to_live));
  }
  if (table.deliveries != nullptr) [[unlikely]] {
    pending.streamed.add(*table.deliveries, write.key,
                         table.deliveries->encode(before, after, write.by_time_to_live));
  }
  if (!table.indexes.empty()) {
    const ChargedSizes sizes(table.schema);
    pending.counts.back().vector_bytes = sizes.difference(after) - sizes.difference(before);
    IndexKeyEncoder keys(table.schema, write.key, after.size() != 0 ? after : before);
    stage_indexes(keys, before, after, outcome, pending);
  }
  if (table.expiry != nullptr) {
    stage_expiry(*table.expiry, write.key, before, outcome.new_item.view(), pending);
  }
  tell_replicas(after);
}

void ItemWriter::stage_expiry(const ExpiryQueue& expiry, std::string_view key, ItemView before,
                              ItemView after, Pending& pending) const {
  const std::optional<std::int64_t> old_expiry = expiry_of(before, expiry.attribute);
  const std::optional<std::int64_t> new_expiry = expiry_of(after, expiry.attribute);
  if (old_expiry == new_expiry) return;
  if (old_expiry) {
    pending.batch.remove(expiry.tree, expiry_key(expiry.tree->prefix(), *old_expiry, key));
  }
  if (new_expiry) {
    pending.batch.put(expiry.tree, expiry_key(expiry.tree->prefix(), *new_expiry, key), {});
    pending.first_expiry = std::min(pending.first_expiry, *new_expiry);
  }
}

void ItemWriter::stage_indexes(IndexKeyEncoder& keys, ItemView before, ItemView after,
                               WriteOutcome& outcome, Pending& pending) const {
  for (const auto& index : outcome.table->indexes) {
    if (index->schema.status == ResourceStatus::kDeleting) continue;
    EntryChange change = index->store->change(keys, before, after);
    if (is_only_removed_from(*outcome.table, *index)) [[unlikely]]
      change = removal_of(std::move(change));
    if (change.empty()) continue;
    check_key(change.put_key.size());
    outcome.index_effects.push_back(
        {index.get(), change.old_size, change.new_size, change.moved()});
    if (index->applier != nullptr) {
      pending.changes.add(*index->applier, std::move(change), is_incomplete(index->schema));
    } else {
      count_entry(*index, outcome.table->schema.number, change, pending);
      index->store->apply(std::move(change), pending.batch);
    }
  }
}

// An index that is being filled may lack the replaced entry, or have the new one already. Entries
// change with their item, which the scope has read before.
void ItemWriter::count_entry(const Index& index, std::uint32_t table_number,
                             const EntryChange& change, Pending& pending) {
  std::uint32_t old_size = change.old_size;
  if (is_incomplete(index.schema)) {
    old_size = 0;
    for (const std::string* const key : {&change.delete_key, &change.put_key}) {
      if (!key->empty()) old_size += index.store->entry_size(*key);
    }
  }
  pending.count(*index.statistics, table_number, index.schema.number, old_size, change.new_size);
}

// Few tables hold as much as the limit of one collection; only in those is a collection's size
// read.
void ItemWriter::check_collections(std::span<const WriteOutcome> outcomes) {
  std::int64_t added = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Table& table = *outcomes[i].table;
    if (!has_item_collections(table)) continue;
    const std::int64_t growth = collection_growth(outcomes[i]);
    added += std::max<std::int64_t>(growth, 0);
    if (growth <= 0 || collected_bytes(table) + added <= collection_limit_) continue;
    const AttributeView partition = partition_of(outcomes[i]);
    std::int64_t bytes = collections_.size(table, partition);
    for (const WriteOutcome& earlier : outcomes.first(i + 1)) {
      const bool is_same =
          earlier.table->schema.number == table.schema.number && partition_of(earlier) == partition;
      if (is_same) bytes += collection_growth(earlier);
    }
    if (bytes > collection_limit_) throw CollectionFull(i);
  }
}

// Returns the number of bytes that it took.
std::int64_t ItemWriter::take_room(std::span<const WriteOutcome> outcomes) {
  std::int64_t taken = 0;
  if (room_.is_plenty()) return taken;
  const bool keeps_replaced = room_.is_of_fork() || engine_.keeps_replaced();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].rejected || outcomes[i].kept) continue;
    const bool is_deletion = outcomes[i].new_size == 0;
    const bool frees_nothing = is_deletion ? room_.is_of_fork() : keeps_replaced;
    const std::int64_t growth =
        frees_nothing ? fork_growth(outcomes[i]) : data_growth(outcomes[i], lag_.holds_back());
    if (growth <= 0) continue;
    if (is_deletion ? room_.take_for_deletion(growth) : room_.take(growth)) {
      taken += growth;
    } else if (!catalog_.history_budget().lend(growth)) {
      throw MemoryFull(i, room_.refusal());
    }
  }
  return taken;
}

bool ItemWriter::commit(WriteScope& scope, Pending& pending,
                        std::span<const WriteOutcome> outcomes) {
  const std::int64_t room = pending.needs_room ? take_room(outcomes) : 0;
  pending.changes.draw(pending.batch);
  pending.streamed.draw(scope, pending.batch);
  if (!pending.history.empty()) pending.history.draw(pending.batch);
  const auto deletes = [](const WriteOutcome& outcome) {
    return outcome.new_size == 0 && outcome.old_size != 0;
  };
  if (std::ranges::all_of(outcomes, deletes)) pending.batch.set_frees_space();
  if (has_group_) {
    for (const Pending::Count& count : pending.counts) {
      pending.batch.count(statistics_key(count.table_number, count.index_number), count.items,
                          count.bytes);
    }
  }
  if (scope.commit(pending.batch) == CommitResult::kConflict) {
    room_.give_back(room);
    return false;
  }
  if (pending.batch.empty()) return true;
  Effort::record_change();
  if (!pending.changes.empty()) {
    pending.changes.push(lag_.is_on() ? clock_.now() : Clock::TimePoint());
  }
  pending.streamed.finish();
  if (pending.is_queued && on_queued_) on_queued_();
  if (!pending.history.empty()) {
    pending.history.committed();
    room_.note(pending.history.bytes());
    if (!room_.is_plenty() && room_.is_full())
      shorten_history(catalog_.history_budget(), pending.history);
  }
  if (pending.first_expiry != kNever) expiry_timer_.note(pending.first_expiry);
  for (const Pending::Count& count : pending.counts) {
    count.statistics->add(count.items, count.bytes, count.vector_bytes);
  }
  for (const WriteOutcome& outcome : outcomes) {
    if (!has_item_collections(*outcome.table)) continue;
    const std::int64_t growth = collection_growth(outcome);
    if (growth != 0) collections_.add(*outcome.table, partition_of(outcome), growth);
  }
  return true;
}

WriteOutcome ItemWriter::write(const ItemWrite& write) {
  WriteOutcome outcome;
  while (!is_for_all_regions(catalog_, write)) {
    if (try_to_write(write, outcome)) return outcome;
    outcome = {};
  }
  return std::move(write_everywhere(
                       {&write, 1}, true, add_nothing, [] {}, nullptr)
                       .front());
}

// False after a conflict: nothing is written, and the caller must start again.
bool ItemWriter::try_to_write(const ItemWrite& write, WriteOutcome& outcome) {
  Pending pending(changes_);
  if (claims_.is_claimed(write.key)) throw TransactionConflict();
  const WriteScopePtr scope = engine_.begin(write.key);
  outcome.table = current_version(write);
  if (is_strong(outcome.table->schema)) return false;  // it became so after the check
  const Tree& tree = *outcome.table->partitions.tree_of(write.key);
  WriteDecision decision = decide_in(*scope, write, scope->get(tree, write.key), outcome);
  if (!outcome.rejected) {
    stage(*scope, write, std::move(decision), outcome, pending);
    check_collections({&outcome, 1});
  }
  return commit(*scope, pending, {&outcome, 1});
}

std::vector<WriteOutcome> ItemWriter::write_all(std::span<const ItemWrite> writes,
                                                Complete complete, Committed committed,
                                                const Guard* guard) {
  const auto is_for_all = [this](const ItemWrite& write) {
    return is_for_all_regions(catalog_, write);
  };
  while (std::ranges::none_of(writes, is_for_all)) {
    std::vector<WriteOutcome> outcomes(writes.size());
    switch (try_to_write_all(writes, nullptr, complete, committed, guard, outcomes)) {
      case Attempt::kDone:
        return outcomes;
      case Attempt::kNotAllowed:
        return {};
      case Attempt::kAgain:
        break;
    }
  }
  return write_everywhere(writes, true, complete, committed, guard);
}

std::vector<WriteOutcome> ItemWriter::write_all_in_turn(std::span<const ItemWrite> writes) {
  return write_everywhere(
      writes, false, add_nothing, [] {}, nullptr);
}

void ItemWriter::repeat_elsewhere(const TablePtr& table, std::span<const std::string> keys) {
  std::vector<ItemWrite> writes;
  for (const std::string& key : keys)
    writes.push_back({.table = table, .key = key, .decide = leave});
  write_all_in_turn(writes);
}

std::vector<WriteOutcome> ItemWriter::write_everywhere(std::span<const ItemWrite> writes,
                                                       bool claims, Complete complete,
                                                       Committed committed, const Guard* guard) {
  const auto complete_given = [&](std::span<const WriteOutcome> outcomes, WriteBatch& batch) {
    complete(outcomes.first(writes.size()), batch);
  };
  while (true) {
    const StrongWrites strong(catalog_, writes);
    const RegionClaims::Claim claim =
        regions_.claim(claims ? strong.items() : std::vector<RegionClaims::Wanted>());
    std::vector<WriteOutcome> outcomes(strong.all().size());
    try {
      const Attempt attempt =
          try_to_write_all(strong.all(), &strong, complete_given, committed, guard, outcomes);
      if (attempt == Attempt::kAgain) continue;
      if (attempt == Attempt::kNotAllowed) return {};
    } catch (const MemoryFull& full) {
      throw MemoryFull(strong.origin(full.write()), full.what());
    }
    outcomes.resize(writes.size());
    return outcomes;
  }
}

ItemWriter::Attempt ItemWriter::try_to_write_all(std::span<const ItemWrite> writes,
                                                 const StrongWrites* strong, Complete complete,
                                                 Committed committed, const Guard* guard,
                                                 std::span<WriteOutcome> outcomes) {
  absl::InlinedVector<std::string_view, 32> keys;
  for (const ItemWrite& write : writes) keys.push_back(write.key);
  if (guard != nullptr) keys.push_back(guard->key);
  Pending pending(changes_);

  const WriteScopePtr scope = engine_.begin(keys);
  if (strong != nullptr && !strong->is_whole()) return Attempt::kAgain;
  std::vector<KeyRead> reads;
  reads.reserve(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    outcomes[i].table = strong != nullptr ? writes[i].table : current_version(writes[i]);
    if (strong == nullptr && is_strong(outcomes[i].table->schema)) return Attempt::kAgain;
    reads.push_back({outcomes[i].table->partitions.tree_of(keys[i]).get(), keys[i]});
  }
  if (guard != nullptr) reads.push_back({guard->tree.get(), guard->key});
  std::vector<PinnedValue> current(reads.size());
  scope->get(reads, current);
  if (guard != nullptr && !guard->allows(current.back())) return Attempt::kNotAllowed;
  std::vector<WriteDecision> decisions(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    decisions[i] = decide_in(*scope, writes[i], std::move(current[i]), outcomes[i]);
  }
  const bool is_written = std::ranges::none_of(outcomes, &WriteOutcome::rejected);
  if (is_written) {
    for (std::size_t i = 0; i < writes.size(); ++i) {
      stage(*scope, writes[i], std::move(decisions[i]), outcomes[i], pending);
    }
    // A change that another region accepted is accepted here too.
    if (writes.empty() || writes.front().stamp == nullptr) check_collections(outcomes);
    if (!room_.is_plenty()) {
      pending.needs_room = !std::ranges::all_of(
          writes, [&](const ItemWrite& write) { return comes_of_leaving(catalog_, write); });
    }
    complete(outcomes, pending.batch);
  }
  if (!commit(*scope, pending, outcomes)) return Attempt::kAgain;
  if (is_written) committed();
  return Attempt::kDone;
}

}  // namespace magneto::storage
