#include "storage/background/worker.h"

#include <exception>
#include <utility>

namespace magneto::storage {

Worker::Worker(std::string name, ReportWarning report)
    : name_(std::move(name)), report_(std::move(report)) {}

Worker::~Worker() { stop(); }

void Worker::post_after(std::chrono::milliseconds delay, Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    if (!thread_.joinable()) {
      thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
    }
    tasks_.emplace(std::chrono::steady_clock::now() + delay, Posted{std::move(task)});
  }
  changed_.notify_all();
}

bool Worker::has_due_task() const {
  return !tasks_.empty() && tasks_.begin()->first <= std::chrono::steady_clock::now();
}

void Worker::run(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (tasks_.empty()) {
      changed_.wait(lock, stop, [this] { return !tasks_.empty(); });
      continue;
    }
    if (const Time due = tasks_.begin()->first; !has_due_task()) {
      changed_.wait_until(lock, stop, due,
                          [&] { return tasks_.empty() || tasks_.begin()->first < due; });
      continue;
    }
    run_task(stop, lock);
  }
}

void Worker::run_task(std::stop_token stop, std::unique_lock<std::mutex>& lock) {
  auto node = tasks_.extract(tasks_.begin());
  Posted& posted = node.mapped();
  if (posted.failed) --failed_;
  running_ = true;
  lock.unlock();
  bool failed = false;
  try {
    posted.task(std::move(stop));
    posted.task = nullptr;  // its destructor runs without the lock
  } catch (const std::exception& error) {
    failed = true;
    report_retry(report_, name_, error);
  }
  lock.lock();
  running_ = false;
  if (failed && !stopped_) {
    posted.failed = true;
    ++failed_;
    node.key() = std::chrono::steady_clock::now() + kRetryDelay;
    tasks_.insert(std::move(node));
  }
  changed_.notify_all();
}

void Worker::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [this] { return stopped_ || (!running_ && failed_ == 0 && !has_due_task()); });
}

void Worker::stop() {
  std::multimap<Time, Posted> dropped;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    dropped.swap(tasks_);
  }
  thread_.request_stop();
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace magneto::storage
