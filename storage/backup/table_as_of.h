#pragma once

#include <cstdint>
#include <optional>

#include "storage/backup/backup.h"
#include "storage/clock.h"
#include "storage/table/catalog.h"
#include "storage/table/items_as_of.h"
#include "storage/table/period_changes.h"

namespace magneto::storage {

// Times in records of tables are seconds since the epoch; microseconds survive the conversion.
double seconds_of(Clock::TimePoint time);
Clock::TimePoint time_of(double seconds);

struct AsOfView {
  BackupOutcome outcome = BackupOutcome::kDone;  // or kNoTable, kNoHistory, kOutsideWindow
  TableAsOfPtr past = nullptr;
  Clock::TimePoint time = {};  // by the clock
};

// The table at the last moment when the clock showed `time`; nullopt: now, with every write that
// has returned. Includes every write that was answered before that time and none that began after
// it, and each commit in full or not at all. The caller must have no scope. Waits for writers in
// progress.
AsOfView read_as_of(Engine& engine, Catalog& catalog, const Table& table,
                    std::optional<Clock::TimePoint> time);

// The table at a moment of that history, by the history's time; kNoHistory if the table has another
// history.
AsOfView see_moment(Engine& engine, Catalog& catalog, const Table& table, std::uint32_t history,
                    Clock::TimePoint moment);

struct PeriodView {
  BackupOutcome outcome = BackupOutcome::kDone;  // as AsOfView
  PastPeriod period = {};
};

// The changes from the moment when the clock showed `from` to the moment when it showed `to`, which
// is excluded; nullopt: until now, with every write that has returned. Both times as in
// read_as_of().
PeriodView see_period(Engine& engine, Catalog& catalog, const Table& table, Clock::TimePoint from,
                      std::optional<Clock::TimePoint> to);

}  // namespace magneto::storage
