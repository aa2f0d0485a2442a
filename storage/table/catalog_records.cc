#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/table/catalog.h"

// Records beside those of tables: histories, those of other rooms, and the dropped trees to reclaim.
namespace magneto::storage {

HistoryPtr Catalog::build_history(const TableSchema& table, const Table* previous) const {
  const std::uint32_t number = table.point_in_time_recovery.history_number;
  if (number == 0) return nullptr;
  if (previous != nullptr && previous->history != nullptr &&
      previous->history->number() == number) {
    return previous->history;
  }
  const TreePtr& system = records_.tree();
  if (previous == nullptr && system != nullptr) {
    return std::make_shared<TableHistory>(engine_, clock_, history_budget_, number, system,
                                          stored_history(engine_, system, number));
  }
  return std::make_shared<TableHistory>(engine_, clock_, history_budget_, number, system);
}

void Catalog::change_beside(std::vector<std::string> keys, Records::Decide stage,
                            absl::FunctionRef<void()> done) {
  const std::lock_guard changing(change_mutex_);
  if (!records_.change(std::move(keys), stage)) return;
  ++change_count_;
  done();
}

void Catalog::add_beside(DecideWithNumber stage, absl::FunctionRef<void()> done) {
  const std::lock_guard changing(change_mutex_);
  std::uint32_t number = 0;
  std::string counter = counter_key(kTableCounter);
  const bool is_added = records_.change({counter}, [&](Records::Change& records) {
    number = records.next_number(counter, last_number_);
    return stage(number, records);
  });
  if (!is_added) return;
  last_number_ = number;
  ++change_count_;
  done();
}

void Catalog::look_beside(absl::FunctionRef<void()> look) {
  const std::lock_guard changing(change_mutex_);
  look();
}

std::vector<Catalog::Dropped> Catalog::dropped() const {
  std::vector<Dropped> dropped;
  if (!records_.are_stored()) return dropped;
  std::string first = dropped_record_key(0, 0);
  const std::size_t numbers = first.size() - sizeof(std::uint32_t) - sizeof(std::uint16_t);
  first.resize(numbers);
  const auto cursor =
      engine_.scan(*records_.tree(), first, prefix_successor(first), Direction::kForward);
  while (cursor->next()) {
    const std::string_view key = cursor->key().substr(numbers);
    dropped.push_back({read_uint32(key), read_uint16(key.substr(sizeof(std::uint32_t)))});
  }
  return dropped;
}

void Catalog::forget(Dropped dropped) {
  if (!records_.are_stored()) return;
  const TreePtr& system = records_.tree();
  WriteBatch batch;
  batch.remove(system, dropped_record_key(dropped.table_number, dropped.index_number));
  batch.remove(system, statistics_key(dropped.table_number, dropped.index_number));
  if (dropped.index_number == 0) {
    batch.remove(system, vector_statistics_key(dropped.table_number));
  }
  batch.remove(system, position_key(dropped.table_number, dropped.index_number));
  engine_.commit(batch);
  engine_.forget_counted(statistics_key(dropped.table_number, dropped.index_number));
}

}  // namespace magneto::storage
