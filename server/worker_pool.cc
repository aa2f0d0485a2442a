#include "server/worker_pool.h"

#include <system_error>

#include "server/log.h"

namespace magneto::server {

WorkerPool::WorkerPool(std::size_t max_threads)
    : max_threads_(max_threads), work_(context_.get_executor()) {}

WorkerPool::~WorkerPool() { work_.reset(); }

void WorkerPool::enter() {
  const std::size_t tasks = tasks_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (tasks <= thread_count_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  if (threads_.size() >= max_threads_ || tasks <= threads_.size()) return;
  try {
    threads_.emplace_back([this] { context_.run(); });
  } catch (const std::system_error& error) {
    // With no thread at all the task would never run.
    if (threads_.empty()) {
      leave();
      throw;
    }
    log(LogLevel::kWarning, std::string("no further worker thread: ") + error.what());
  }
  thread_count_.store(threads_.size(), std::memory_order_relaxed);
}

}  // namespace magneto::server
