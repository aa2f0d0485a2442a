#include "storage/background/index_backfill.h"

#include <chrono>
#include <string>
#include <utility>

#include "storage/table/item_cursor.h"
#include "storage/table/item_write.h"

namespace magneto::storage {
namespace {

constexpr std::chrono::milliseconds kPollInterval{2};

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
