#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "storage/background/retrying_thread.h"
#include "storage/background/shared_thread.h"
#include "storage/clock.h"

namespace magneto::storage {

// Runs tasks one after the other, each at its time, those due together in the order they were
// posted: in a thread of its own, begun with the first task, or as a client of one that others use
// too. A client runs one task in each of its turns; as long as it has none, it costs some hundred
// bytes and no time.
// A task that throws is reported and run again after kRetryDelay, in which others run, so a task
// must be able to run twice; it should return soon once its stop token is asked to. Thread-safe.
class Worker final : private SharedThread::Client {
 public:
  using Task = std::function<void(std::stop_token)>;

  // `name` appears in reports. `shared`, unless it is nullptr, is whose client it is, and outlives it.
  Worker(std::string name, ReportWarning report, SharedThread* shared = nullptr);
  ~Worker();  // stop()

  void post(Task task) { post_after(std::chrono::milliseconds(0), std::move(task)); }
  void post_after(std::chrono::milliseconds delay, Task task);

  // A task that is run again and again, whenever it is due, and then not until it is due once more,
  // which it may see to itself. However often it is asked for, it is due once, at the earliest of
  // these times; that allocates nothing. To be destroyed before its worker.
  class RecurringTask {
   public:
    RecurringTask(Worker& worker, Task task);
    // Returns when it is not being run: not from its own task.
    ~RecurringTask();
    RecurringTask(const RecurringTask&) = delete;
    RecurringTask& operator=(const RecurringTask&) = delete;

    void due_now() { due_after(std::chrono::milliseconds(0)); }
    void due_after(std::chrono::milliseconds delay);
    // When `clock` has come to `time`, or earlier. Who calls this calls due_now() when the clock is
    // turned (Clock::Watch), and the task looks at the time itself.
    void due_by(const Clock& clock, Clock::TimePoint time);

   private:
    friend class Worker;
    Worker& worker_;
    const Task task_;
    // Guarded by the worker's mutex_.
    std::chrono::steady_clock::time_point due_ = std::chrono::steady_clock::time_point::max();
    bool failed_ = false;  // in its last run
  };

  // Waits until no task is running, due or to be tried again, or the worker has stopped, or `stop` is
  // asked to. Not from a task.
  void drain(const std::stop_token& stop = {});

  // Ends the task under way and drops the others. Later posts do nothing.
  void stop();

  bool shares_thread() const { return shared_ != nullptr; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Posted {
    Task task;
    bool failed = false;  // in its last run
  };

  void take_turn() override;
  void run(std::stop_token stop);
  // All below require mutex_.
  void run_next(const std::stop_token& stop, std::unique_lock<std::mutex>& lock);
  void run_task(const std::stop_token& stop, std::unique_lock<std::mutex>& lock);
  void run_recurring(RecurringTask& task, const std::stop_token& stop,
                     std::unique_lock<std::mutex>& lock);
  bool try_to_run(const Task& task, const std::stop_token& stop) const;  // without mutex_
  void call_thread();
  RecurringTask* next_recurring() const;  // nullptr: none is due at any time
  Time next_time() const;                 // max(): never
  bool has_due_task() const;

  const std::string name_;
  const ReportWarning report_;
  SharedThread* const shared_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::multimap<Time, Posted> tasks_;      // equal times keep their order
  std::vector<RecurringTask*> recurring_;  // few
  std::size_t failed_ = 0;                 // of both
  bool running_ = false;
  const RecurringTask* running_recurring_ = nullptr;
  bool stopped_ = false;
  Time called_for_ = Time::max();                // as a client: the turn that is to come
  std::stop_source stopping_{std::nostopstate};  // as a client, once there was a task
  std::jthread thread_;                          // stays as it is once stopped_
};

}  // namespace magneto::storage
