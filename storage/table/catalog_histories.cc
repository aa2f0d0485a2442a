#include <memory>

#include "storage/encoding/keyspace.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// Gives a new history its number; true when it has.
bool Catalog::number_history(PointInTimeRecovery& recovery) const {
  if (!recovery.enabled) {
    recovery.history_number = 0;
    return false;
  }
  if (recovery.history_number != 0) return false;
  recovery.history_number = next_number();
  recovery.since = clock_.epoch_seconds();
  return true;
}

HistoryPtr Catalog::build_history(const TableSchema& table, const Table* previous) const {
  const std::uint32_t number = table.point_in_time_recovery.history_number;
  if (number == 0) return nullptr;
  if (previous != nullptr && previous->history != nullptr &&
      previous->history->number() == number) {
    return previous->history;
  }
  if (previous == nullptr && system_ != nullptr) {
    return std::make_shared<TableHistory>(engine_, clock_, history_budget_, number, system_,
                                          stored_history(engine_, system_, number));
  }
  return std::make_shared<TableHistory>(engine_, clock_, history_budget_, number, system_);
}

void Catalog::append_dropped(WriteBatch& batch, const TableHistory& history) const {
  if (system_ == nullptr) return;
  history.stage_removal(batch);
  for (const TableHistory::Segment& segment : history.segments()) {
    append_dropped(batch, history.number(), segment.number);
  }
}

}  // namespace magneto::storage
