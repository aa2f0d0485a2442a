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

// Makes the asynchronous indexes follow the change log: they apply pending changes soon. It uses
// its own thread or a recurring task of a worker, which sleeps while nothing is pending.
// Thread-safe.
class IndexReplicator {
 public:
  // With a delay, a change is applied that long after it was made, by `clock`: never while that is
  // frozen. A change made in the future, after the clock was set back, counts as made at the time
  // of the turn. If `worker` is not nullptr, it does the work in place of an own thread. It must
  // run only short tasks and be stopped before this object ends.
  IndexReplicator(ChangeLog& log, const Clock& clock, const IndexDelay& lag, ReportWarning report,
                  Worker* worker = nullptr);

  // Starts to apply changes in the background.
  void start();
  // Stops it. Pending changes stay in the log.
  void stop();

  // Makes one index apply all changes pushed before the call, despite a delay, for a reader. A
  // failure is only reported, since an index may lag. Throws NeedsWorker as IndexApplier::settle()
  // does.
  void try_to_settle(IndexApplier& applier);
  // Settles all indexes in the same way, for a writer that must limit the log after its write.
  void try_to_settle_all();
  // Settles all indexes at the end. Throws EngineError.
  void settle_all();

  // Waits until all changes pushed before the call, to one index or to all, are applied. Without a
  // delay they are applied at once, otherwise when their time has come or `stop` is requested.
  // Throws EngineError.
  void wait_for(IndexApplier& applier, const std::stop_token& stop);
  void wait_for_all(const std::stop_token& stop);
  // Like wait_for_all(), but does not wait for held changes, including those held by a frozen
  // clock.
  void wait_for_all_but_held(const std::stop_token& stop);

  // When a change pushed now will be applied; now if there is no delay.
  Clock::TimePoint applied_by() const { return clock_.now() + lag_.delay().value_or(kNoDelay); }
  // Whether a back-fill must wait for the lag. It does not wait for a held lag, which might last
  // for ever.
  bool lags() const { return lag_.is_on() && !lag_.is_held(); }

  // Called when the lag was changed: checks the pending changes again.
  void lag_turned();
  // Applies the first pending changes, in each index at most `changes`. Throws EngineError.
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
