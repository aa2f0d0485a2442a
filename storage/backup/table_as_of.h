#pragma once

#include <cstdint>
#include <optional>

#include "storage/backup/backup.h"
#include "storage/clock.h"
#include "storage/table/catalog.h"
#include "storage/table/items_as_of.h"
#include "storage/table/period_changes.h"

namespace magneto::storage {

// Times in records of tables are seconds since the epoch; microseconds come through unchanged.
double seconds_of(Clock::TimePoint time);
Clock::TimePoint time_of(double seconds);

struct AsOfView {
  BackupOutcome outcome = BackupOutcome::kDone;  // or kNoTable, kNoHistory, kOutsideWindow
  TableAsOfPtr past = nullptr;
  Clock::TimePoint time = {};  // as the clock showed it
};

// The table as it was when the clock showed `time` for the last time; nullopt: now, with every write
// that has returned. It has every write that was answered before that time and none that began
// after it, and of each commit all or nothing. The caller has no scope. Waits for writers of this
// moment.
AsOfView read_as_of(Engine& engine, Catalog& catalog, const Table& table,
                    std::optional<Clock::TimePoint> time);

// The table as it was at a moment of that history, by the history's time; kNoHistory where the table
// has another one.
AsOfView see_moment(Engine& engine, Catalog& catalog, const Table& table, std::uint32_t history,
                    Clock::TimePoint moment);

struct PeriodView {
  BackupOutcome outcome = BackupOutcome::kDone;  // as AsOfView
  PastPeriod period = {};
};

// What changed from the moment when the clock showed `from`, up to the one when it showed `to`, which
// is no part of it; nullopt: up to now, with every write that has returned. Both times as in
// read_as_of().
PeriodView see_period(Engine& engine, Catalog& catalog, const Table& table, Clock::TimePoint from,
                      std::optional<Clock::TimePoint> to);

}  // namespace magneto::storage
