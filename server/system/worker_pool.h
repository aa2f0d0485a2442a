#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace magneto::server::system {

// Threads for calls that wait or take long. Starts a thread if a task finds all others busy, up to
// a limit; further tasks queue. Thread-safe.
class WorkerPool {
 public:
  using Executor = boost::asio::io_context::executor_type;

  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
  // `max_tasks`: running and queued tasks. `niceness`: added to the niceness of the threads
  // (setpriority).
  explicit WorkerPool(std::size_t max_threads, std::size_t max_tasks = kNoLimit, int niceness = 0);
  ~WorkerPool();

  // Announces a task. Create the visit before the task is posted to executor(); it ends when the
  // task has run. If it is false, the task must not be posted: there are max_tasks already, or no
  // thread can be started.
  class Visit {
   public:
    explicit Visit(WorkerPool& pool) : pool_(pool), is_welcome_(pool.enter()) {}
    ~Visit() {
      if (is_welcome_) pool_.leave();
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    explicit operator bool() const { return is_welcome_; }

   private:
    WorkerPool& pool_;
    const bool is_welcome_;
  };
  Executor executor() { return context_.get_executor(); }

  // The number of tasks that are announced and have not ended.
  std::size_t task_count() const { return tasks_.load(std::memory_order_relaxed); }
  std::size_t thread_count() const { return thread_count_.load(std::memory_order_relaxed); }

 private:
  bool enter();
  void leave() { tasks_.fetch_sub(1, std::memory_order_relaxed); }
  void run();

  const std::size_t max_threads_;
  const std::size_t max_tasks_;
  const int niceness_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<Executor> work_;
  std::atomic<std::size_t> tasks_{0};         // announced tasks that have not ended
  std::atomic<std::size_t> thread_count_{0};  // threads_.size()
  std::mutex mutex_;                          // guards threads_
  std::vector<std::jthread> threads_;
};

}  // namespace magneto::server::system
