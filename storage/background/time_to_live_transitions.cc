#include "storage/background/time_to_live_transitions.h"

#include "storage/background/table_statuses.h"

namespace magneto::storage {

void TimeToLiveTransitions::resume() {
  for (const TablePtr& table : catalog_.tables()) {
    const TableSchema& schema = table->schema;
    if (schema.status == ResourceStatus::kDeleting) continue;
    const TimeToLive& time_to_live = schema.time_to_live;
    if (is_passing(time_to_live)) finish(schema.full_name(), schema.number, time_to_live.status);
    if (time_to_live.backfilling) fill_later(schema);
  }
}

void TimeToLiveTransitions::follow(const Catalog::Edited& edited) {
  const TableSchema& schema = edited.table->schema;
  const TimeToLive& now = schema.time_to_live;
  const TimeToLive& before = edited.previous->schema.time_to_live;
  if (now.backfilling && now.queue_number != before.queue_number) fill_later(schema);
  if (!is_passing(now) || now.status == before.status) return;
  delay_.run_at_end([this, name = schema.full_name(), number = schema.number, passing = now.status](
                        const std::stop_token&) { finish(name, number, passing); });
}

void TimeToLiveTransitions::finish(const TableName& name, std::uint32_t table_number,
                                   TimeToLiveStatus passing) {
  catalog_.edit(name, [&](TableSchema& schema) {
    if (schema.number != table_number || schema.time_to_live.status != passing) return false;
    finish_passing(schema.time_to_live);
    return true;
  });
  // Deletes the items that expired meanwhile.
  if (passing == TimeToLiveStatus::kEnabling) timer_.note(0);
}

void TimeToLiveTransitions::fill_later(const TableSchema& schema) {
  jobs_.post([this, name = schema.full_name(), number = schema.number,
              queue_number = schema.time_to_live.queue_number](const std::stop_token& stop) {
    fill(name, number, queue_number, stop);
  });
}

void TimeToLiveTransitions::fill(const TableName& name, std::uint32_t table_number,
                                 std::uint16_t queue_number, const std::stop_token& stop) {
  const auto is_backfilling = [&](const TableSchema& schema) {
    return schema.number == table_number && schema.time_to_live.queue_number == queue_number &&
           schema.time_to_live.backfilling;
  };
  const TablePtr table = catalog_.find(name.database, name.name);
  if (table == nullptr || !is_backfilling(table->schema)) return;
  if (!backfill_.fill(*table, stop)) return;
  catalog_.edit(name, [&](TableSchema& schema) {
    if (!is_backfilling(schema)) return false;
    schema.time_to_live.backfilling = false;
    return true;
  });
}

}  // namespace magneto::storage
