#include "storage/backup/table_as_of.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"

namespace magneto::storage {

double seconds_of(Clock::TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

Clock::TimePoint time_of(double seconds) {
  // Checked before the conversion, which may overflow.
  if (!(seconds > 0)) return Clock::kFirst;
  if (seconds >= seconds_of(Clock::kLast)) return Clock::kLast;
  return Clock::TimePoint(
      std::chrono::round<Clock::Duration>(std::chrono::duration<double>(seconds)));
}

namespace {

// Chooses the moment to read from those in the window; nullopt: it is outside.
using Choose = absl::FunctionRef<std::optional<Clock::TimePoint>(
    TableHistory& history, const RecoveryWindow& window, std::int32_t days)>;

// Waits until all writers that have drawn a moment up to now have ended, so that every look sees
// the same. Segments are removed under the lock for changes and cleared later, so a snapshot taken
// under that lock has all of them.
AsOfView see(Engine& engine, Catalog& catalog, const Table& table, Choose choose) {
  const auto find = [&]() -> AsOfView {
    TablePtr current = catalog.current(table);
    if (current == nullptr || current->schema.status == ResourceStatus::kDeleting) {
      return {BackupOutcome::kNoTable};
    }
    if (current->history == nullptr) return {BackupOutcome::kNoHistory};
    TableHistory& history = *current->history;
    const std::int32_t days = current->schema.point_in_time_recovery.recovery_days;
    const std::optional<RecoveryWindow> window = history.window(days);
    if (!window) return {BackupOutcome::kNoHistory};
    const std::optional<Clock::TimePoint> place = choose(history, *window, days);
    if (!place) return {BackupOutcome::kOutsideWindow};
    engine.wait_for_open_scopes();
    TableAsOf past{std::move(current), engine.snapshot(), history.segments_behind(*place), *place};
    return {BackupOutcome::kDone, std::make_shared<const TableAsOf>(std::move(past))};
  };
  AsOfView view;
  catalog.look_beside([&] { view = find(); });
  return view;
}

}  // namespace

AsOfView read_as_of(Engine& engine, Catalog& catalog, const Table& table,
                    std::optional<Clock::TimePoint> time) {
  Clock::TimePoint shown;
  const auto choose = [&](TableHistory& history, const RecoveryWindow& window, std::int32_t days) {
    shown = time.value_or(window.latest);
    return time ? history.place_of(*time, days) : history.present();
  };
  AsOfView view = see(engine, catalog, table, choose);
  if (view.past != nullptr) view.time = shown;
  return view;
}

AsOfView see_moment(Engine& engine, Catalog& catalog, const Table& table, std::uint32_t history,
                    Clock::TimePoint moment) {
  bool is_same = true;
  const auto choose = [&](TableHistory& found, const RecoveryWindow& /*window*/,
                          std::int32_t /*days*/) -> std::optional<Clock::TimePoint> {
    is_same = found.number() == history;
    return is_same && found.knows(moment) ? std::optional(moment) : std::nullopt;
  };
  AsOfView view = see(engine, catalog, table, choose);
  if (!is_same) view.outcome = BackupOutcome::kNoHistory;
  return view;
}

PeriodView see_period(Engine& engine, Catalog& catalog, const Table& table, Clock::TimePoint from,
                      std::optional<Clock::TimePoint> to) {
  constexpr Clock::Duration kLeast(1);
  constexpr std::uint16_t kFirstSegment = 1;
  Clock::TimePoint end;
  const auto choose = [&](TableHistory& history, const RecoveryWindow& window,
                          std::int32_t days) -> std::optional<Clock::TimePoint> {
    if (from < window.earliest) return std::nullopt;
    const auto last = to ? history.place_of(*to - kLeast, days) : history.present();
    if (!last) return std::nullopt;
    end = *last;
    if (const auto before = history.place_of(from - kLeast, days)) return before;
    // At the beginning of the history, all changes of that moment are known if no segment was
    // removed.
    const auto first = history.place_of(from, days);
    const bool is_whole = history.state().segments.front().number == kFirstSegment;
    return first && is_whole ? std::optional(*first - kLeast) : first;
  };
  const AsOfView view = see(engine, catalog, table, choose);
  return {view.outcome, {view.past, end}};
}

}  // namespace magneto::storage
