#include <memory>
#include <mutex>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/model/effort.h"
#include "storage/model/narrow.h"
#include "storage/table/catalog.h"

// The catalog's records: tables, the last number, histories, and the dropped trees to reclaim.
namespace magneto::storage {

void Catalog::append_record(WriteBatch& batch, const TableSchema& schema) const {
  if (system_ == nullptr) return;
  batch.put(system_, table_record_key(schema.database, schema.name), encode_schema(schema));
}

void Catalog::append_last_number(WriteBatch& batch, std::uint32_t number) const {
  if (system_ == nullptr) return;
  std::string record;
  append_uint32(record, number);
  batch.put(system_, counter_key("table"), std::move(record));
}

std::uint32_t Catalog::next_number() const {
  return narrow<std::uint32_t>(std::uint64_t{last_number_} + 1);
}

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

void Catalog::append_dropped(WriteBatch& batch, std::uint32_t table, std::uint16_t index) const {
  if (system_ != nullptr) batch.put(system_, dropped_record_key(table, index), "");
}

void Catalog::append_dropped(WriteBatch& batch, const TableHistory& history) const {
  if (system_ == nullptr) return;
  history.stage_removal(batch);
  for (const TableHistory::Segment& segment : history.segments()) {
    append_dropped(batch, history.number(), segment.number);
  }
}

void Catalog::commit(const WriteBatch& batch) {
  if (batch.empty()) return;
  engine_.commit(batch);
  Effort::record_change();
}

void Catalog::change_beside(absl::FunctionRef<bool(WriteBatch&)> stage,
                            absl::FunctionRef<void()> done) {
  const std::lock_guard changing(change_mutex_);
  WriteBatch batch;
  if (!stage(batch)) return;
  commit(batch);
  ++change_count_;
  done();
}

void Catalog::add_beside(absl::FunctionRef<bool(std::uint32_t, WriteBatch&)> stage,
                         absl::FunctionRef<void()> done) {
  const std::lock_guard changing(change_mutex_);
  const std::uint32_t number = next_number();
  WriteBatch batch;
  if (!stage(number, batch)) return;
  append_last_number(batch, number);
  commit(batch);
  last_number_ = number;
  ++change_count_;
  done();
}

std::vector<Catalog::Dropped> Catalog::dropped() const {
  std::vector<Dropped> dropped;
  if (system_ == nullptr) return dropped;
  std::string first = dropped_record_key(0, 0);
  const std::size_t numbers = first.size() - sizeof(std::uint32_t) - sizeof(std::uint16_t);
  first.resize(numbers);
  const auto cursor = engine_.scan(*system_, first, prefix_successor(first), Direction::kForward);
  while (cursor->next()) {
    const std::string_view key = cursor->key().substr(numbers);
    dropped.push_back({read_uint32(key), read_uint16(key.substr(sizeof(std::uint32_t)))});
  }
  return dropped;
}

void Catalog::forget(Dropped dropped) {
  if (system_ == nullptr) return;
  WriteBatch batch;
  batch.remove(system_, dropped_record_key(dropped.table_number, dropped.index_number));
  batch.remove(system_, statistics_key(dropped.table_number, dropped.index_number));
  batch.remove(system_, position_key(dropped.table_number, dropped.index_number));
  engine_.commit(batch);
}

}  // namespace magneto::storage
