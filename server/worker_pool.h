#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace magneto::server {

// Threads for calls that wait for the disk. Starts a thread when a task finds all others busy, up
// to a limit; tasks beyond it queue. Thread-safe.
class WorkerPool {
 public:
  using Executor = boost::asio::io_context::executor_type;

  explicit WorkerPool(std::size_t max_threads);
  ~WorkerPool();

  // Announces a task: made before the task is posted to executor(), ends when it has run. Throws
  // std::system_error when the first thread cannot be started.
  class Visit {
   public:
    explicit Visit(WorkerPool& pool) : pool_(pool) { pool_.enter(); }
    ~Visit() { pool_.leave(); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    WorkerPool& pool_;
  };
  Executor executor() { return context_.get_executor(); }

  std::size_t thread_count() const { return thread_count_.load(std::memory_order_relaxed); }

 private:
  void enter();
  void leave() { tasks_.fetch_sub(1, std::memory_order_relaxed); }

  const std::size_t max_threads_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<Executor> work_;
  std::atomic<std::size_t> tasks_{0};         // announced and not yet left
  std::atomic<std::size_t> thread_count_{0};  // threads_.size()
  std::mutex mutex_;                          // guards threads_
  std::vector<std::jthread> threads_;
};

}  // namespace magneto::server
