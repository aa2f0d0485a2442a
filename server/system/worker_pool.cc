#include "server/system/worker_pool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <system_error>

#include "server/system/log.h"
#include "server/system/log_messages.h"

namespace magneto::server::system {

WorkerPool::WorkerPool(std::size_t max_threads, std::size_t max_tasks, int niceness)
    : max_threads_(max_threads),
      max_tasks_(max_tasks),
      niceness_(niceness),
      work_(context_.get_executor()) {}

WorkerPool::~WorkerPool() { work_.reset(); }

bool WorkerPool::enter() {
  const std::size_t tasks = tasks_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (tasks > max_tasks_) {
    leave();
    return false;
  }
  if (tasks <= thread_count_.load(std::memory_order_relaxed)) return true;
  const std::lock_guard lock(mutex_);
  if (threads_.size() >= max_threads_ || tasks <= threads_.size()) return true;
  try {
    threads_.emplace_back([this] { run(); });
  } catch (const std::system_error& error) {
    log_sparsely(LogSource::kThreads, LogLevel::kWarning, messages::kNoWorkerThread(error.what()));
    // Without any thread the task would never run.
    if (threads_.empty()) {
      leave();
      return false;
    }
  }
  thread_count_.store(threads_.size(), std::memory_order_relaxed);
  return true;
}

void WorkerPool::run() {
  if (niceness_ != 0) {
    // On Linux each thread has its own niceness (sched(7)). If it cannot be changed, the thread
    // keeps that of the others.
    const auto thread = static_cast<id_t>(::gettid());
    const int now = ::getpriority(PRIO_PROCESS, thread);
    if (::setpriority(PRIO_PROCESS, thread, now + niceness_) != 0) {
      log(LogLevel::kDebug, messages::kPriorityStays);
    }
  }
  context_.run();
}

}  // namespace magneto::server::system
