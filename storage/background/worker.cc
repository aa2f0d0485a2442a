#include "storage/background/worker.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace magneto::storage {
namespace {

// Real time after which a recurring task checks its clock again: the system may have slept
// meanwhile.
constexpr std::chrono::minutes kLongestWait{10};

}  // namespace

Worker::Worker(std::string name, ReportWarning report, SharedThread* shared)
    : name_(std::move(name)), report_(std::move(report)), shared_(shared) {}

Worker::~Worker() { stop(); }

void Worker::post_after(std::chrono::milliseconds delay, Task task) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  tasks_.emplace(std::chrono::steady_clock::now() + delay, Posted{std::move(task)});
  call_thread();
}

Worker::RecurringTask::RecurringTask(Worker& worker, Task task)
    : worker_(worker), task_(std::move(task)) {
  const std::lock_guard lock(worker_.mutex_);
  worker_.recurring_.push_back(this);
}

Worker::RecurringTask::~RecurringTask() {
  std::unique_lock lock(worker_.mutex_);
  std::erase(worker_.recurring_, this);
  worker_.changed_.wait(lock, [this] { return worker_.running_recurring_ != this; });
  if (failed_) --worker_.failed_;
  worker_.changed_.notify_all();
}

void Worker::RecurringTask::due_after(std::chrono::milliseconds delay) {
  const Time time = std::chrono::steady_clock::now() + delay;
  const std::lock_guard lock(worker_.mutex_);
  // After a failure it pauses, even if it is requested meanwhile.
  if (worker_.stopped_ || failed_ || due_ <= time) return;
  due_ = time;
  worker_.call_thread();
}

void Worker::RecurringTask::due_by(const Clock& clock, Clock::TimePoint time) {
  const auto left = clock.time_until(time);
  if (!left) return;
  due_after(
      std::chrono::ceil<std::chrono::milliseconds>(std::min<Clock::Duration>(*left, kLongestWait)));
}

void Worker::call_thread() {
  if (shared_ == nullptr) {
    if (!thread_.joinable()) {
      thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
    }
    changed_.notify_all();
    return;
  }
  if (!stopping_.stop_possible()) stopping_ = std::stop_source();
  const Time next = next_time();
  if (next >= called_for_) return;
  called_for_ = next;
  shared_->call(*this, next);
}

Worker::RecurringTask* Worker::next_recurring() const {
  const auto next = std::ranges::min_element(recurring_, {}, &RecurringTask::due_);
  return next == recurring_.end() || (*next)->due_ == Time::max() ? nullptr : *next;
}

Worker::Time Worker::next_time() const {
  const RecurringTask* task = next_recurring();
  const Time time = task != nullptr ? task->due_ : Time::max();
  return tasks_.empty() ? time : std::min(time, tasks_.begin()->first);
}

bool Worker::has_due_task() const { return next_time() <= std::chrono::steady_clock::now(); }

void Worker::run(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const Time next = next_time();
    const auto is_sooner = [&] { return next_time() < next; };
    if (next == Time::max()) {
      changed_.wait(lock, stop, is_sooner);
    } else if (next > std::chrono::steady_clock::now()) {
      changed_.wait_until(lock, stop, next, is_sooner);
    } else {
      run_next(stop, lock);
    }
  }
}

void Worker::take_turn() {
  std::unique_lock lock(mutex_);
  called_for_ = Time::max();
  if (!stopped_ && has_due_task()) run_next(stopping_.get_token(), lock);
  if (!stopped_ && next_time() != Time::max()) call_thread();
}

void Worker::run_next(const std::stop_token& stop, std::unique_lock<std::mutex>& lock) {
  RecurringTask* task = next_recurring();
  running_ = true;
  if (task != nullptr && (tasks_.empty() || task->due_ < tasks_.begin()->first)) {
    run_recurring(*task, stop, lock);
  } else {
    run_task(stop, lock);
  }
  running_ = false;
  changed_.notify_all();
}

bool Worker::try_to_run(const Task& task, const std::stop_token& stop) const {
  try {
    task(stop);
    return true;
  } catch (const std::exception& error) {
    report_retry(report_, name_, error);
    return false;
  }
}

void Worker::run_task(const std::stop_token& stop, std::unique_lock<std::mutex>& lock) {
  auto node = tasks_.extract(tasks_.begin());
  Posted& posted = node.mapped();
  if (posted.failed) --failed_;
  lock.unlock();
  const bool succeeded = try_to_run(posted.task, stop);
  if (succeeded) posted.task = nullptr;  // its destructor runs without the lock
  lock.lock();
  if (succeeded || stopped_) return;
  posted.failed = true;
  ++failed_;
  node.key() = std::chrono::steady_clock::now() + kRetryDelay;
  tasks_.insert(std::move(node));
}

void Worker::run_recurring(RecurringTask& task, const std::stop_token& stop,
                           std::unique_lock<std::mutex>& lock) {
  if (std::exchange(task.failed_, false)) --failed_;
  task.due_ = Time::max();
  running_recurring_ = &task;
  lock.unlock();
  const bool succeeded = try_to_run(task.task_, stop);
  lock.lock();
  if (!succeeded && !stopped_) {
    task.failed_ = true;
    ++failed_;
    task.due_ = std::chrono::steady_clock::now() + kRetryDelay;
  }
  running_recurring_ = nullptr;
}

void Worker::drain(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop,
                [this] { return stopped_ || (!running_ && failed_ == 0 && !has_due_task()); });
}

void Worker::stop() {
  std::multimap<Time, Posted> dropped;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    dropped.swap(tasks_);
    for (RecurringTask* task : recurring_) task->due_ = Time::max();
  }
  changed_.notify_all();
  if (shared_ != nullptr) {
    if (!stopping_.stop_possible()) return;
    stopping_.request_stop();
    shared_->leave(*this);
    return;
  }
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

}  // namespace magneto::storage
