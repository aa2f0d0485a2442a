#include "storage/background/vector_sizes.h"

#include "storage/model/charged_sizes.h"
#include "storage/table/item_cursor.h"

namespace magneto::storage {

void VectorSizes::resume() {
  for (const TablePtr& table : catalog_.tables()) {
    if (table->statistics->sized_for != ChargedSizes(table->schema).fingerprint()) {
      count_later(*table);
    }
  }
}

void VectorSizes::follow(const Catalog::Edited& edited) {
  const std::uint64_t before = ChargedSizes(edited.previous->schema).fingerprint();
  if (before == ChargedSizes(edited.table->schema).fingerprint()) return;
  edited.table->statistics->sized_for = Statistics::kUnsized;
  count_later(*edited.table);
}

void VectorSizes::count_later(const Table& table) {
  jobs_.post([this, name = table.schema.full_name(), number = table.schema.number](
                 const std::stop_token& stop) { count(name, number, stop); });
}

// Writers that begin after the pause know this version of the table, or a later one, whose follow()
// posts a count of its own. Their changes are in vector_bytes beyond what it was at the pause.
void VectorSizes::count(const TableName& name, std::uint32_t number, const std::stop_token& stop) {
  const TablePtr table = catalog_.find(name.database, name.name);
  if (table == nullptr || table->schema.number != number) return;
  Statistics& statistics = *table->statistics;
  std::int64_t at_pause = 0;
  SnapshotPtr snapshot;
  {
    const ScopePausePtr pause = engine_.pause_scopes();
    at_pause = statistics.vector_bytes;
    snapshot = engine_.snapshot();
  }
  const ChargedSizes sizes(table->schema);
  std::int64_t counted = 0;
  if (sizes.fingerprint() != 0) {
    ItemCursor cursor(*snapshot, table->partitions, {}, Direction::kForward,
                      {.entries = 0, .bytes = 0, .is_single_pass = true});
    while (cursor.next()) {
      pauses_.wait(stop);
      if (stop.stop_requested()) return;  // the next opening counts
      counted += sizes.difference(cursor.item());
    }
  }
  statistics.vector_bytes += counted - at_pause;
  statistics.sized_for = sizes.fingerprint();
}

}  // namespace magneto::storage
