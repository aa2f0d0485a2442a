#include "storage/background/index_backfill.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/table/item_cursor.h"
#include "storage/table/item_write.h"

namespace magneto::storage {
namespace {

constexpr std::chrono::milliseconds kPollInterval{2};
constexpr std::size_t kItemsOfAScope = 64;

}  // namespace

bool IndexBackfill::fill(const Table& table, const std::shared_ptr<const Index>& index,
                         const std::stop_token& stop) {
  Progress progress;
  State state = fill_some(table, index, progress, stop);
  // This happens only if indexes lag. The lag may be changed, and the index dropped, meanwhile.
  Pause pause;
  for (; state == State::kWaits; state = fill_some(table, index, progress, stop)) {
    pause.rest(kPollInterval, stop);
  }
  return state == State::kFilled;
}

IndexBackfill::State IndexBackfill::fill_some(const Table& table,
                                              const std::shared_ptr<const Index>& index,
                                              Progress& progress, const std::stop_token& stop) {
  const auto is_over = [&] { return stop.stop_requested() || index->dropped->load(); };
  // Waits for writers that do not know the index yet; all others push their own changes.
  if (!std::exchange(progress.is_begun, true)) engine_.wait_for_open_scopes();
  if (is_over()) return State::kEnded;
  if (index->applier == nullptr) {
    return fill_entries(table, *index, stop) ? State::kFilled : State::kEnded;
  }
  if (!progress.is_pushed) {
    if (replicator_.lags() && changes_.over_limit()) return State::kWaits;
    if (!push_entries(table, *index, progress, stop)) {
      return is_over() ? State::kEnded : State::kWaits;
    }
    progress.is_pushed = true;
    progress.target = index->applier->pushed();
    progress.due = replicator_.applied_by();
  }
  if (!replicator_.lags()) index->applier->settle();
  if (is_over()) return State::kEnded;
  return index->applier->applied() < progress.target ? State::kWaits : State::kFilled;
}

// False if it must end.
bool IndexBackfill::fill_entries(const Table& table, const Index& index,
                                 const std::stop_token& stop) {
  std::vector<std::string> keys;
  ItemCursor cursor(engine_, table.partitions, {}, Direction::kForward);
  while (cursor.next()) {
    if (stop.stop_requested() || index.dropped->load()) return false;
    IndexKeyValues values;
    if (!collect_index_key(index.schema, cursor.item(), values)) continue;
    keys.emplace_back(cursor.key());
    if (keys.size() < kItemsOfAScope) continue;
    enter(table, index, keys);
    keys.clear();
  }
  if (!keys.empty()) enter(table, index, keys);
  return true;
}

// An entry that is there already is not counted again. It changes only with its item, which the scope
// has read before.
void IndexBackfill::enter(const Table& table, const Index& index,
                          std::span<const std::string> keys) {
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  std::vector<KeyRead> reads;
  reads.reserve(views.size());
  for (const std::string_view key : views) {
    reads.push_back({table.partitions.tree_of(key).get(), key});
  }
  const bool is_shared = engine_.group() != nullptr;
  for (bool is_committed = false; !is_committed;) {
    const WriteScopePtr scope = engine_.begin(views);
    if (index.dropped->load()) return;
    std::vector<PinnedValue> items(reads.size());
    scope->get(reads, items);
    WriteBatch batch;
    Engine::Counted added;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!items[i]) continue;
      const ItemView item = decode_item(items[i].bytes());
      IndexKeyEncoder encoder(table.schema, views[i], item);
      EntryChange change = index.store->change(encoder, {}, item);
      if (change.empty() || change.put_key.size() > max_item_key_bytes(engine_)) continue;
      const std::uint32_t before = index.store->entry_size(change.put_key);
      added.items += before == 0 ? 1 : 0;
      added.bytes += std::int64_t{change.new_size} - std::int64_t{before};
      // A writer on another server that has found no entry must decide again: it would count it too.
      if (is_shared)
        batch.put(table.partitions.tree_of(keys[i]), keys[i], std::string(items[i].bytes()));
      index.store->apply(std::move(change), batch);
    }
    batch.count(statistics_key(table.schema.number, index.schema.number), added.items, added.bytes);
    is_committed = scope->commit(batch) == CommitResult::kCommitted;
    if (is_committed) index.statistics->add(added.items, added.bytes);
  }
}

// False if it must end, or wait for the indexes.
bool IndexBackfill::push_entries(const Table& table, const Index& index, Progress& progress,
                                 const std::stop_token& stop) {
  ItemCursor cursor(engine_, table.partitions, {.lower = progress.next, .upper = {}},
                    Direction::kForward);
  while (cursor.next()) {
    if (stop.stop_requested() || index.dropped->load()) return false;
    // An item without an entry here gets one only by a write, which pushes it.
    IndexKeyValues values;
    if (collect_index_key(index.schema, cursor.item(), values))
      push_entry(table, index, cursor.key());
    if (!changes_.over_limit()) continue;
    if (replicator_.lags()) {
      progress.next = std::string(cursor.key()).append(1, '\0');
      progress.due = replicator_.applied_by();
      return false;
    }
    replicator_.settle_all();
  }
  return true;
}

// As on AWS, an item that cannot have an entry is left out of a new index.
void IndexBackfill::push_entry(const Table& table, const Index& index, std::string_view key) {
  const WriteScopePtr scope = engine_.begin(key);
  const PinnedValue item = scope->get(*table.partitions.tree_of(key), key);
  if (!item) return;
  const ItemView view = decode_item(item.bytes());
  IndexKeyEncoder keys(table.schema, key, view);
  EntryChange change = index.store->change(keys, {}, view);
  if (change.empty() || change.put_key.size() > max_item_key_bytes(engine_)) return;
  if (room_.is_full()) throw MemoryFull(0, room_.refusal());
  room_.note(static_cast<std::int64_t>(change.new_size));
  index.applier->push({.change = std::move(change), .made = clock_.now(), .look_up = true});
}

}  // namespace magneto::storage
