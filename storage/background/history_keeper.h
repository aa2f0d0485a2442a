#pragma once

#include <mutex>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/background/reclaimer.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/clock.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// Maintains the histories of tables with point-in-time recovery: begins them, and starts new
// segments. It removes segments that are older than the recovery period, and the oldest segment of
// any table if all histories exceed the store's limit (HistoryBudget). Only this class writes their
// records in a durable engine. Thread-safe.
class HistoryKeeper final : public TableFollowUp {
 public:
  struct Parts {
    Engine& engine;
    Catalog& catalog;
    const Clock& clock;
    Reclaimer& reclaimer;
    Worker& timers;
  };
  HistoryKeeper(const Parts& parts, ReportWarning report);

  // Opens the stored histories, before anything reads them. A store that is opened only for a
  // snapshot does not call it: the clocks of its forks count there.
  void open();
  // Begins the histories of a directory that has none yet.
  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& /*table*/) override {}  // reclaimed with its trees

  // Does the work that is due. Throws EngineError; the rest is done next time.
  void tend();
  // Called at the end, after all writers, so that the next start need not measure anything.
  void close();

 private:
  void clock_turned(Clock::TimePoint before);
  void store_eras(const std::vector<HistoryPtr>& histories);
  void store_all(bool is_exact);
  bool change(const Table& table, absl::FunctionRef<void(HistoryState& state)> stage,
              absl::FunctionRef<void(Records::Change& records)> more,
              absl::FunctionRef<void()> done);
  void rotate(const Table& table);
  std::int64_t drop_first(const Table& table);
  Clock::TimePoint read_from(std::uint32_t history) const;
  void keep_period(const Table& table);
  void keep_bound();
  TablePtr table_of_oldest() const;
  void await_next();

  const Parts parts_;
  const ReportWarning report_;
  const TreePtr system_;  // nullptr if the engine is not durable
  std::mutex mutex_;      // held while tending; guards the next members
  bool has_warned_ = false;
  bool has_warned_of_turns_ = false;
  Worker::RecurringTask task_;
  const Clock::Watch watch_;
};

}  // namespace magneto::storage
