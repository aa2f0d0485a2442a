#include "storage/table/expiry_timer.h"

#include <algorithm>

namespace magneto::storage {
namespace {

// The clock is checked this often, because the system's clock may be set as well.
constexpr std::chrono::milliseconds kClockPoll{200};

}  // namespace

std::int64_t expired_before(Clock::TimePoint now, std::chrono::milliseconds delay) {
  return std::chrono::floor<std::chrono::seconds>(now - delay).time_since_epoch().count();
}

std::optional<Clock::TimePoint> expired_at(std::int64_t expiry, std::chrono::milliseconds delay) {
  constexpr auto kLast = std::chrono::floor<std::chrono::seconds>(Clock::kLast.time_since_epoch());
  if (expiry >= kLast.count() || delay > kLast) return std::nullopt;
  return Clock::TimePoint(std::chrono::seconds(expiry + 1)) + delay;
}

void ExpiryTimer::wake(std::int64_t expiry) {
  {
    const std::lock_guard lock(mutex_);
    earliest_ = std::min(earliest_, expiry);
    if (expiry >= wake_at_.load()) return;
    wake_at_.store(expiry);
  }
  changed_.notify_all();
  if (call_) call_();
}

void ExpiryTimer::look_again() {
  {
    const std::lock_guard lock(mutex_);
    ++turns_;
  }
  changed_.notify_all();
}

void ExpiryTimer::clear() {
  const std::lock_guard lock(mutex_);
  earliest_ = kNever;
  wake_at_.store(kNever);
}

void ExpiryTimer::set(std::int64_t first) {
  {
    const std::lock_guard lock(mutex_);
    wake_at_.store(std::min(first, earliest_));
  }
  changed_.notify_all();
}

void ExpiryTimer::wait(const Clock& clock, Delay delay_of, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const std::int64_t wake_at = wake_at_.load();
    const auto rearmed = [&, turns = turns_] {
      return wake_at_.load() != wake_at || turns_ != turns;
    };
    if (wake_at == kNever) {
      changed_.wait(lock, stop, rearmed);
      continue;
    }
    const Clock::TimePoint now = clock.now();
    const std::chrono::milliseconds delay = delay_of();
    const std::int64_t reached = expired_before(now, delay);
    if (wake_at < reached) return;
    std::chrono::milliseconds pause = kClockPoll;
    if (wake_at == reached) {
      // The expiry is over when the next second begins.
      const auto left = std::chrono::sys_seconds(std::chrono::seconds(wake_at + 1)) - (now - delay);
      pause = std::min(pause, std::chrono::ceil<std::chrono::milliseconds>(left));
    }
    changed_.wait_for(lock, stop, pause, rearmed);
  }
}

}  // namespace magneto::storage
