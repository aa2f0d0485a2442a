#include "tests/storage/seeded_scheduler.h"

#include <algorithm>
#include <thread>

namespace magneto::storage {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};
thread_local std::size_t own_number = kNone;

}  // namespace

void SeededScheduler::choose() {
  turn_ = ready_.empty() ? kNobody : ready_[random_() % ready_.size()];
  changed_.notify_all();
}

void SeededScheduler::leave(std::size_t thread) {
  std::erase(ready_, thread);
  choose();
}

void SeededScheduler::run(const std::vector<std::function<void()>>& calls) {
  for (std::size_t i = 0; i < calls.size(); ++i) ready_.push_back(i);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    threads.emplace_back([this, i, &calls] {
      own_number = i;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turn_ == i; });
      }
      calls[i]();
      const std::lock_guard lock(mutex_);
      leave(i);
    });
  }
  {
    const std::lock_guard lock(mutex_);
    choose();
  }
  for (std::thread& thread : threads) thread.join();
}

void SeededScheduler::step(SharedStore::Step step) {
  if (own_number == kNone) return;
  std::unique_lock lock(mutex_);
  switch (step) {
    case SharedStore::Step::kAnnouncement:
      return leave(own_number);
    case SharedStore::Step::kAnnounced:
      ready_.insert(std::ranges::lower_bound(ready_, own_number), own_number);
      if (turn_ == kNobody) choose();
      break;
    case SharedStore::Step::kAccess:
      choose();
      break;
  }
  changed_.wait(lock, [&] { return turn_ == own_number; });
}

}  // namespace magneto::storage
