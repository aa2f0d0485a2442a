#include "storage/background/index_backfill.h"

#include <string>
#include <utility>

#include "storage/table/item_cursor.h"

namespace magneto::storage {

bool IndexBackfill::fill(const Table& table, const std::shared_ptr<const Index>& index,
                         const std::stop_token& stop) {
  // Writers that do not know of the index yet end first; all others push their own changes.
  engine_.wait_for_open_scopes();
  ItemCursor cursor(engine_, table.partitions, {}, Direction::kForward);
  while (cursor.next()) {
    if (stop.stop_requested() || index->dropped->load()) return false;
    // An item without an entry here gets one only by a write, which pushes it.
    IndexKeyValues values;
    if (collect_index_key(index->schema, cursor.item(), values)) {
      push_entry(table, *index, cursor.key());
    }
    if (changes_.over_limit()) replicator_.wait_for_all(stop);
  }
  replicator_.wait_for(*index->applier, stop);
  return !stop.stop_requested() && !index->dropped->load();
}

void IndexBackfill::push_entry(const Table& table, const Index& index, std::string_view key) {
  const WriteScopePtr scope = engine_.begin(key);
  const PinnedValue item = scope->get(*table.partitions.tree_of(key), key);
  if (!item) return;
  const ItemView view = decode_item(item.bytes());
  IndexKeyEncoder keys(table.schema, key, view);
  EntryChange change = index.store->change(keys, {}, view);
  if (change.empty()) return;
  if (room_.is_full()) throw MemoryFull(0);
  room_.note(static_cast<std::int64_t>(change.new_size));
  index.applier->push({.change = std::move(change), .made = clock_.now(), .look_up = true});
}

}  // namespace magneto::storage
