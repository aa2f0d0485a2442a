#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>

#include "absl/functional/function_ref.h"
#include "storage/background/retrying_thread.h"
#include "storage/background/worker.h"
#include "storage/clock.h"
#include "storage/index/change_log.h"
#include "storage/index/index_delay.h"

namespace magneto::storage {

// Lets the asynchronous indexes follow the change log: has them apply what waits soon, in a thread
// of its own or as a recurring task of a worker, which sleeps while nothing waits. Thread-safe.
class IndexReplicator {
 public:
  // With a delay a change is applied only that long after it was made, by `clock`: held while that
  // is frozen. What was made in a time to come, since the clock was set back, counts as made then.
  // `worker`, unless it is nullptr, does what else a thread of its own does: it runs short tasks, and
  // is stopped before this ends.
  IndexReplicator(ChangeLog& log, const Clock& clock, const IndexDelay& lag, ReportWarning report,
                  Worker* worker = nullptr);

  // Begins to apply in the background.
  void start();
  // Ends it. What is waiting stays in the log.
  void stop();

  // Has one index apply whatever was pushed before the call, delay or not, for a reader: a failure
  // is only reported, since an index may lag. Throws NeedsWorker as IndexApplier::settle does.
  void try_to_settle(IndexApplier& applier);
  // The same of all indexes, for a writer that shall not let the log grow, since its write is made.
  void try_to_settle_all();
  // The same, at the end. Throws EngineError.
  void settle_all();

  // Waits until what was pushed before the call, to one index or to all, is applied: at once
  // without a delay, else when its time has come or `stop` is asked for. Throws EngineError.
  void wait_for(IndexApplier& applier, const std::stop_token& stop);
  void wait_for_all(const std::stop_token& stop);
  // The same of all, but not for what is held, by a frozen clock too.
  void wait_for_all_but_held(const std::stop_token& stop);

  // When what is pushed now is applied; now without a delay.
  Clock::TimePoint applied_by() const { return clock_.now() + lag_.delay().value_or(kNoDelay); }
  // Who fills an index waits for no lag that is held: it might be for ever.
  bool lags() const { return lag_.is_on() && !lag_.is_held(); }

  // The lag was turned: what waits is looked at again.
  void lag_turned();
  // Applies the first changes that wait, in each index at most so many. Throws EngineError.
  void release(std::size_t changes);

 private:
  static constexpr std::chrono::milliseconds kNoDelay{0};

  std::chrono::milliseconds step(const std::stop_token& stop);
  void take_turn();
  void clock_turned(Clock::TimePoint before);
  bool goes_on() const;
  bool is_held(const IndexApplier& applier) const;
  std::optional<Clock::TimePoint> next_due() const;
  void for_each_busy(absl::FunctionRef<void(IndexApplier&)> action);
  bool apply_some_of_each();

  ChangeLog& log_;
  const Clock& clock_;
  const IndexDelay& lag_;
  int idle_steps_;  // of the thread, since it last applied something
  const ReportWarning report_;
  std::optional<RetryingThread> thread_;
  std::optional<Worker::RecurringTask> task_;
  const Clock::Watch watch_;
};

}  // namespace magneto::storage
