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

#include "storage/background/retrying_thread.h"

namespace magneto::storage {

// One thread, begun with the first task, that runs tasks, each at its time, those due together in
// the order they were posted.
// A task that throws is reported and run again after kRetryDelay, in which others run, so a task
// must be able to run twice; it should return soon once its stop token is asked to. Thread-safe.
class Worker {
 public:
  using Task = std::function<void(std::stop_token)>;

  // `name` appears in reports.
  Worker(std::string name, ReportWarning report);
  ~Worker();  // stop()
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(Task task) { post_after(std::chrono::milliseconds(0), std::move(task)); }
  void post_after(std::chrono::milliseconds delay, Task task);

  // Waits until no task is running, due or to be tried again, or the worker has stopped. Not from a
  // task.
  void drain();

  // Ends the task under way and drops the others. Later posts do nothing.
  void stop();

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Posted {
    Task task;
    bool failed = false;  // in its last run
  };

  void run(std::stop_token stop);
  void run_task(std::stop_token stop, std::unique_lock<std::mutex>& lock);
  bool has_due_task() const;  // requires mutex_

  const std::string name_;
  const ReportWarning report_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::multimap<Time, Posted> tasks_;  // equal times keep their order
  std::size_t failed_ = 0;             // of tasks_
  bool running_ = false;
  bool stopped_ = false;
  std::jthread thread_;  // stays as it is once stopped_
};

}  // namespace magneto::storage
