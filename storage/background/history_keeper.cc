#include "storage/background/history_keeper.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/messages/background_messages.h"

namespace magneto::storage {
namespace {

// Segments in a recovery period. A segment is removed whole, so it must be a small part.
constexpr int kSegmentsOfAPeriod = 48;
// When a segment that a restore still reads is checked again.
constexpr std::chrono::seconds kNextLook{1};

Clock::Duration period_of(const Table& table) {
  return std::chrono::days(table.schema.point_in_time_recovery.recovery_days);
}

bool has_history(const TablePtr& table) { return table->history != nullptr; }

}  // namespace

HistoryKeeper::HistoryKeeper(const Parts& parts, ReportWarning report)
    : parts_(parts),
      report_(std::move(report)),
      system_(parts.engine.is_durable() ? parts.engine.open_tree(ColumnFamily::kSystem, "")
                                        : nullptr),
      task_(parts.timers,
            [this](const std::stop_token&) {
              tend();
              await_next();
            }),
      watch_(parts.clock, [this](Clock::TimePoint before) { clock_turned(before); }) {
  parts_.catalog.history_budget().on_due([this] { task_.due_now(); });
}

// Stored before the turn is answered, so that earlier changes stay earlier even after a kill.
void HistoryKeeper::clock_turned(Clock::TimePoint before) {
  std::vector<HistoryPtr> histories;
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (!has_history(table)) continue;
    table->history->record_turn(before);
    histories.push_back(table->history);
  }
  if (histories.empty()) return;
  try {
    store_eras(histories);
  } catch (const EngineError&) {
    // The recurring task retries it, and so does each write.
  }
  task_.due_now();
}

void HistoryKeeper::store_eras(const std::vector<HistoryPtr>& histories) {
  WriteBatch batch;
  std::vector<std::uint64_t> versions;
  versions.reserve(histories.size());
  for (const HistoryPtr& history : histories) versions.push_back(history->stage_eras(batch));
  if (!batch.empty()) parts_.engine.commit(batch);
  for (std::size_t i = 0; i < histories.size(); ++i) histories[i]->record_stored(versions[i]);
}

void HistoryKeeper::open() {
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (has_history(table)) table->history->open();
  }
}

void HistoryKeeper::resume() {
  bool has_any = false;
  for (const TablePtr& table : parts_.catalog.tables()) {
    const PointInTimeRecovery& recovery = table->schema.point_in_time_recovery;
    if (!recovery.enabled) continue;
    has_any = true;
    // It was enabled by a version without histories.
    if (recovery.history_number == 0) {
      parts_.catalog.edit(table->schema.full_name(), [](const TableSchema&) { return true; });
    }
    const TablePtr current = parts_.catalog.current(*table);
    if (current != nullptr && has_history(current)) current->history->begin();
  }
  store_all(false);
  if (!has_any) return;
  task_.due_now();
}

// Waits for writers with the version without history before the history begins.
void HistoryKeeper::follow(const Catalog::Edited& edited) {
  const HistoryPtr& history = edited.table->history;
  if (history == nullptr) return;
  if (history != edited.previous->history) {
    parts_.engine.wait_for_open_scopes();
    history->begin();
    const auto nothing = [](Records::Change&) {};
    change(
        *edited.table, [](HistoryState&) {}, nothing, [] {});
  }
  task_.due_now();
}

void HistoryKeeper::store_all(bool is_exact) {
  if (system_ == nullptr) return;
  std::vector<std::string> keys;
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (has_history(table)) keys.push_back(history_record_key(table->history->number()));
  }
  parts_.catalog.change_beside(
      std::move(keys),
      [&](Records::Change& records) {
        WriteBatch& batch = records.batch();
        for (const TablePtr& table : parts_.catalog.tables()) {
          if (!has_history(table)) continue;
          HistoryState state = table->history->state();
          state.is_exact = is_exact;
          table->history->stage_record(state, batch);
        }
        // No writer is left: the records have all eras, and remaining entries belong to removed
        // histories.
        const std::string prefix(kHistoryErasPrefix);
        const auto cursor =
            parts_.engine.scan(*system_, prefix, prefix_successor(prefix), Direction::kForward);
        while (cursor->next()) batch.remove(system_, std::string(cursor->key()));
        return !batch.empty();
      },
      [] {});
}

void HistoryKeeper::close() { store_all(true); }

// Stores the state that `stage` makes from the state of the table's history, and the changes of
// `more`, then calls `done`. False if the history no longer exists.
bool HistoryKeeper::change(const Table& table, absl::FunctionRef<void(HistoryState&)> stage,
                           absl::FunctionRef<void(Records::Change&)> more,
                           absl::FunctionRef<void()> done) {
  bool is_there = false;
  HistoryState stored;
  parts_.catalog.change_beside(
      {history_record_key(table.history->number())},
      [&](Records::Change& records) {
        const TablePtr current = parts_.catalog.current(table);
        is_there = current != nullptr && current->history == table.history;
        if (!is_there) return false;
        HistoryState state = table.history->state();
        stage(state);
        stored = state;
        table.history->stage_record(state, records.batch());
        more(records);
        return true;
      },
      [&] {
        table.history->record_stored(stored.eras_version);
        done();
      });
  return is_there;
}

void HistoryKeeper::rotate(const Table& table) {
  TableHistory& history = *table.history;
  TableHistory::Segment next{};
  const auto stage = [&](HistoryState& state) {
    next.number = state.free_number();
    state.segments.push_back({.number = next.number});
    next.tree =
        parts_.engine.open_tree(ColumnFamily::kExpiry, tree_prefix(history.number(), next.number));
  };
  change(
      table, stage, [](Records::Change&) {}, [&] { history.add_segment(next); });
}

// Returns the number of bytes freed.
std::int64_t HistoryKeeper::drop_first(const Table& table) {
  TableHistory& history = *table.history;
  TableHistory::Segment first{};
  std::int64_t freed = 0;
  const auto stage = [&](HistoryState& state) {
    state.forget_until(state.segments.front().last);
    state.segments.erase(state.segments.begin());
    first = history.segments().front();
  };
  const auto more = [&](Records::Change& records) {
    records.put(dropped_record_key(history.number(), first.number), "");
    records.batch().set_frees_space();
  };
  const bool is_done = change(table, stage, more, [&] { freed = history.drop_first(); });
  if (is_done) parts_.reclaimer.reclaim_segment(history.number(), first);
  return freed;
}

// The oldest moment of a history that a restore still reads; the end of time if there is none.
Clock::TimePoint HistoryKeeper::read_from(std::uint32_t history) const {
  std::int64_t oldest = RestoreOrigin::kFilled;
  for (const TablePtr& table : parts_.catalog.tables()) {
    const std::optional<RestoreOrigin>& origin = table->schema.restored;
    if (!origin || !origin->in_progress || origin->history != history) continue;
    oldest = std::min(oldest, origin->moment);
  }
  return Clock::TimePoint(Clock::Duration(oldest));
}

void HistoryKeeper::keep_period(const Table& table) {
  TableHistory& history = *table.history;
  const std::int32_t days = table.schema.point_in_time_recovery.recovery_days;
  const Clock::TimePoint horizon = history.horizon(days);
  HistoryState state = history.state();
  const HistorySegment& open = state.segments.back();
  const std::int64_t limit = parts_.catalog.history_budget().segment_limit();
  const bool is_full = open.bytes >= limit || open.begun + period_of(table) / kSegmentsOfAPeriod <=
                                                  horizon + period_of(table);
  if (!open.is_empty() && is_full) {
    rotate(table);
  } else {
    store_eras({table.history});
  }
  if (history.take_forgotten_eras() && !std::exchange(has_warned_of_turns_, true)) {
    report_(messages::history_of_many_turns(table.schema.name, HistoryState::kMaxEras));
  }
  for (state = history.state(); state.segments.size() > 1; state = history.state()) {
    const Clock::TimePoint last = state.segments.front().last;
    if (last >= horizon || last >= read_from(history.number())) break;
    drop_first(table);
  }
}

TablePtr HistoryKeeper::table_of_oldest() const {
  TablePtr found;
  Clock::TimePoint oldest = Clock::TimePoint::max();
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (!has_history(table)) continue;
    const HistoryState state = table->history->state();
    const HistorySegment& first = state.segments.front();
    if (first.is_empty()) continue;
    const Clock::TimePoint begun = state.shown_at(first.begun);
    if (begun >= oldest) continue;
    oldest = begun;
    found = table;
  }
  return found;
}

void HistoryKeeper::keep_bound() {
  HistoryBudget& budget = parts_.catalog.history_budget();
  while (budget.is_over() || budget.owed() > 0) {
    const TablePtr table = table_of_oldest();
    if (table == nullptr) {  // nothing is left to remove
      budget.pay(budget.owed());
      break;
    }
    if (table->history->segments().size() == 1) rotate(*table);
    const std::int64_t freed = drop_first(*table);
    // Bytes freed to pay a debt count in full: an excess is paid in advance, with owed() below 0.
    // Bytes freed for another reason do not count.
    if (budget.owed() > 0) budget.pay(freed);
    if (!std::exchange(has_warned_, true)) report_(messages::history_shortened(table->schema.name));
  }
}

void HistoryKeeper::tend() {
  const std::lock_guard lock(mutex_);
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (has_history(table)) keep_period(*table);
  }
  keep_bound();
}

void HistoryKeeper::await_next() {
  Clock::TimePoint next = Clock::TimePoint::max();
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (!has_history(table)) continue;
    const std::int32_t days = table->schema.point_in_time_recovery.recovery_days;
    // Times of the history, converted to the clock's time.
    const Clock::TimePoint now = parts_.clock.now();
    const Clock::TimePoint horizon = table->history->horizon(days);
    const auto expect = [&](Clock::TimePoint at_horizon) {
      next = std::min(next, now + (at_horizon - horizon) + std::chrono::milliseconds(1));
    };
    const HistoryState state = table->history->state();
    const HistorySegment& open = state.segments.back();
    if (!open.is_empty()) {
      expect(open.begun + period_of(*table) / kSegmentsOfAPeriod - period_of(*table));
    }
    if (state.segments.size() > 1) {
      // A segment that is due but still exists is being read by a restore.
      const Clock::TimePoint last = state.segments.front().last;
      expect(last < horizon ? horizon + kNextLook : last);
    }
  }
  if (next != Clock::TimePoint::max()) task_.due_by(parts_.clock, next);
}

}  // namespace magneto::storage
