#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

#include "absl/functional/function_ref.h"
#include "storage/background/retrying_thread.h"
#include "storage/clock.h"
#include "storage/index/change_log.h"

namespace magneto::storage {

// Lets the asynchronous indexes follow the change log: has them apply what waits soon, in a thread
// of its own. Thread-safe.
class IndexReplicator {
 public:
  // With a delay a change is applied only that long after it was made, by `clock`.
  IndexReplicator(ChangeLog& log, const Clock& clock,
                  std::optional<std::chrono::milliseconds> delay, ReportWarning report);

  // Begins to apply in the background.
  void start() { thread_.start(); }
  // Ends it. What is waiting stays in the log.
  void stop() { thread_.stop(); }

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

 private:
  std::chrono::milliseconds step(const std::stop_token& stop);
  void for_each_busy(absl::FunctionRef<void(IndexApplier&)> action);
  bool apply_some_of_each();

  ChangeLog& log_;
  const Clock& clock_;
  const std::optional<std::chrono::milliseconds> delay_;
  int idle_steps_;  // of the thread, since it last applied something
  RetryingThread thread_;
};

}  // namespace magneto::storage
