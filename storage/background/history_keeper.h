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

// Keeps the histories of tables with point-in-time recovery: begins them, lets their segments follow
// each other, and forgets what is older than their recovery period or than what the store may keep
// of them together (HistoryBudget), the oldest segment of any table first. Their records in a
// durable engine are written by this alone. Thread-safe.
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

  // Opens the histories that are stored. Before anything looks at them. A store that is opened to be
  // frozen goes without: what its forks' clocks do counts there.
  void open();
  // Begins the histories of a directory that has none yet.
  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& /*table*/) override {}  // reclaimed as its trees are

  // Does what is due by now. Throws EngineError; the rest is done next time.
  void tend();
  // At the end, when nobody writes any more: so that nothing has to be measured at the next start.
  void close();

 private:
  void clock_turned(Clock::TimePoint before);
  void store_eras(const std::vector<HistoryPtr>& histories);
  void store_all(bool is_exact);
  bool change(const Table& table, absl::FunctionRef<void(HistoryState& state)> stage,
              absl::FunctionRef<void(WriteBatch& batch)> more, absl::FunctionRef<void()> done);
  void rotate(const Table& table);
  std::int64_t drop_first(const Table& table);
  Clock::TimePoint read_from(std::uint32_t history) const;
  void keep_period(const Table& table);
  void keep_bound();
  TablePtr table_of_oldest() const;
  void await_next();

  const Parts parts_;
  const ReportWarning report_;
  const TreePtr system_;  // nullptr when the engine is not durable
  std::mutex mutex_;      // held while tending; guards what follows
  bool has_warned_ = false;
  bool has_warned_of_turns_ = false;
  Worker::RecurringTask task_;
  const Clock::Watch watch_;
};

}  // namespace magneto::storage
