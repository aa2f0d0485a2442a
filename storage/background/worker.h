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

// Runs tasks one after another, each at its time, and tasks due together in the order they were
// posted. It uses its own thread, which starts with the first task, or is a client of a shared
// thread. A client runs one task in each of its turns; without tasks it costs some hundred bytes
// and no time. A task that throws is reported and run again after kRetryDelay, while others run. So
// a task must be able to run twice; it must return soon after a stop is requested. Thread-safe.
class Worker final : private SharedThread::Client {
 public:
  using Task = std::function<void(std::stop_token)>;

  // `name` appears in reports. `shared`: the thread to be a client of, unless nullptr; must outlive
  // this object.
  Worker(std::string name, ReportWarning report, SharedThread* shared = nullptr);
  ~Worker();  // stop()

  void post(Task task) { post_after(std::chrono::milliseconds(0), std::move(task)); }
  void post_after(std::chrono::milliseconds delay, Task task);

  // A task that runs whenever it is due, and then not until it is due again; it may make itself
  // due. However often it is requested, it runs once, at the earliest requested time; a request
  // allocates nothing. Destroy it before its worker.
  class RecurringTask {
   public:
    RecurringTask(Worker& worker, Task task);
    // Returns when the task is not running; must not be called from the task itself.
    ~RecurringTask();
    RecurringTask(const RecurringTask&) = delete;
    RecurringTask& operator=(const RecurringTask&) = delete;

    void due_now() { due_after(std::chrono::milliseconds(0)); }
    void due_after(std::chrono::milliseconds delay);
    // Makes it due when `clock` reaches `time`, or earlier. The caller must call due_now() when the
    // clock is turned (Clock::Watch), and the task must check the time itself.
    void due_by(const Clock& clock, Clock::TimePoint time);

   private:
    friend class Worker;
    Worker& worker_;
    const Task task_;
    // Guarded by the worker's mutex_.
    std::chrono::steady_clock::time_point due_ = std::chrono::steady_clock::time_point::max();
    bool failed_ = false;  // in its last run
  };

  // Waits until no task is running, due or waiting for a retry, or the worker has stopped, or
  // `stop` is requested. Must not be called from a task.
  void drain(const std::stop_token& stop = {});

  // Ends the current task and drops the others. Later posts do nothing.
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
  RecurringTask* next_recurring() const;  // nullptr: none will be due
  Time next_time() const;                 // max(): never
  bool has_due_task() const;

  const std::string name_;
  const ReportWarning report_;
  SharedThread* const shared_;
  mutable std::mutex mutex_;  // guards the next members
  std::condition_variable_any changed_;
  std::multimap<Time, Posted> tasks_;      // equal times keep their order
  std::vector<RecurringTask*> recurring_;  // few
  std::size_t failed_ = 0;                 // of both
  bool running_ = false;
  const RecurringTask* running_recurring_ = nullptr;
  bool stopped_ = false;
  Time called_for_ = Time::max();                // as a client: the requested turn
  std::stop_source stopping_{std::nostopstate};  // as a client, once there was a task
  std::jthread thread_;                          // unchanged once stopped_
};

}  // namespace magneto::storage
