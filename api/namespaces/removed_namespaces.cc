#include "api/namespaces/removed_namespaces.h"

#include <utility>

namespace magneto::api {

RemovedNamespaces::~RemovedNamespaces() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  woken_.notify_all();
  if (thread_.joinable()) thread_.join();
  // A destroyed namespace may have held another one.
  while (first_ != nullptr) destroy(std::exchange(first_, nullptr));
}

void RemovedNamespaces::start() {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

void RemovedNamespaces::take(Namespace* removed) noexcept {
  {
    const std::lock_guard lock(mutex_);
    ++count_;
    removed->next_removed_ = std::exchange(first_, removed);
  }
  woken_.notify_all();
}

void RemovedNamespaces::look() {
  {
    const std::lock_guard lock(mutex_);
    looks_ = true;
  }
  woken_.notify_all();
}

bool RemovedNamespaces::wait_for_few(std::size_t most, std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  if (count_ <= most) return true;
  if (waiting_ >= kMostWaiting) return false;
  ++waiting_;
  const bool are_few = fewer_.wait_for(lock, time, [&] { return count_ <= most; });
  --waiting_;
  return are_few;
}

void RemovedNamespaces::run() {
  std::optional<TimePoint> next;
  const auto is_woken = [this] { return stopped_ || looks_ || first_ != nullptr; };
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (next) {
      woken_.wait_until(lock, *next, is_woken);
    } else {
      woken_.wait(lock, is_woken);
    }
    // Also runs if the thread is woken again and again.
    const bool looks = std::exchange(looks_, false);
    const bool is_due = looks || (next && Namespace::SteadyClock::now() >= *next);
    Namespace* const removed = std::exchange(first_, nullptr);
    lock.unlock();
    if (is_due) next = remove_expired_();
    destroy(removed);
    lock.lock();
  }
}

void RemovedNamespaces::destroy(Namespace* first) {
  while (first != nullptr) {
    Namespace* const next = first->next_removed_;
    delete first;
    destroyed_.fetch_add(1, std::memory_order_relaxed);
    first = next;
    {
      const std::lock_guard lock(mutex_);
      --count_;
    }
    fewer_.notify_all();
  }
}

}  // namespace magneto::api
