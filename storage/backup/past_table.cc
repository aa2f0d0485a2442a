#include "storage/backup/past_table.h"

#include <chrono>
#include <memory>
#include <utility>

namespace magneto::storage {

double seconds_of(Clock::TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

Clock::TimePoint time_of(double seconds) {
  // Before it is converted, which may overflow.
  if (!(seconds > 0)) return Clock::kFirst;
  if (seconds >= seconds_of(Clock::kLast)) return Clock::kLast;
  return Clock::TimePoint(
      std::chrono::round<Clock::Duration>(std::chrono::duration<double>(seconds)));
}

// Those who have drawn a moment up to now have ended by then, so that it is the same at each look.
// Segments are taken away under the lock for changes, and emptied later: the snapshot has all of
// those that there are under it.
PastView see_past(Engine& engine, Catalog& catalog, const Table& table,
                  std::optional<Clock::TimePoint> time) {
  const auto find = [&]() -> PastView {
    TablePtr current = catalog.current(table);
    if (current == nullptr || current->schema.status == ResourceStatus::kDeleting) {
      return {BackupOutcome::kNoTable};
    }
    if (current->history == nullptr) return {BackupOutcome::kNoHistory};
    TableHistory& history = *current->history;
    const std::int32_t days = current->schema.point_in_time_recovery.recovery_days;
    const std::optional<RecoveryWindow> window = history.window(days);
    if (!window) return {BackupOutcome::kNoHistory};
    const Clock::TimePoint shown = time.value_or(window->latest);
    const std::optional<Clock::TimePoint> place = history.place_of(shown, days);
    if (!place) return {BackupOutcome::kOutsideWindow};
    engine.wait_for_open_scopes();
    PastTable past{std::move(current), engine.snapshot(), history.segments_behind(*place), *place};
    return {BackupOutcome::kDone, std::make_shared<const PastTable>(std::move(past)), shown};
  };
  PastView view;
  catalog.change_beside(
      [&](WriteBatch&) {
        view = find();
        return false;
      },
      [] {});
  return view;
}

}  // namespace magneto::storage
