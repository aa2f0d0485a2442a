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

  // Announces a task that will be posted to executor() next; leave() follows when it has run.
  void enter();
  void leave() { tasks_.fetch_sub(1, std::memory_order_relaxed); }
  Executor executor() { return context_.get_executor(); }

 private:
  const std::size_t max_threads_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<Executor> work_;
  std::atomic<std::size_t> tasks_{0};         // announced and not yet left
  std::atomic<std::size_t> thread_count_{0};  // threads_.size()
  std::mutex mutex_;                          // guards threads_
  std::vector<std::jthread> threads_;
};

}  // namespace magneto::server
