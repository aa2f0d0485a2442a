#include "storage/clock.h"

#include <algorithm>
#include <utility>

namespace magneto::storage {

double Clock::epoch_seconds() const {
  const auto since_epoch = now().time_since_epoch();
  return static_cast<double>(
             std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count()) /
         1000.0;
}

std::optional<Clock::Duration> Clock::time_until(TimePoint time) const {
  const std::int64_t setting = setting_.load(std::memory_order_acquire);
  const bool frozen = (setting & kFrozen) != 0;
  const TimePoint now =
      frozen ? TimePoint(Duration(setting >> 1)) : real_() + Duration(setting >> 1);
  if (now >= time) return Duration(0);
  if (frozen) return std::nullopt;
  return time - now;
}

Clock::TimePoint Clock::now_told() const {
  const std::lock_guard lock(turn_mutex_);
  return now();
}

template <typename Setting>
void Clock::turn(Setting setting) {
  const std::lock_guard lock(turn_mutex_);
  const TimePoint before = now();
  setting_.store(setting(before, is_frozen()), std::memory_order_release);
  for (const Watch* watch : watches_) watch->call_(before);
}

std::int64_t Clock::setting_for(TimePoint time, bool frozen) const {
  if (time < kFirst || time > kLast) throw ClockOutOfRange();
  return frozen ? setting_of(time - kFirst, true) : setting_of(time - real_(), false);
}

void Clock::set(TimePoint time, std::optional<bool> frozen) {
  turn([&](TimePoint, bool was) { return setting_for(time, frozen.value_or(was)); });
}

void Clock::move(Duration by) {
  turn([&](TimePoint before, bool frozen) { return setting_for(before + by, frozen); });
}

void Clock::freeze() {
  turn([this](TimePoint before, bool) { return setting_for(before, true); });
}

void Clock::unfreeze() {
  turn([this](TimePoint before, bool) { return setting_for(before, false); });
}

void Clock::reset() {
  turn([](TimePoint, bool) { return setting_of(Duration(0), false); });
}

void Clock::record_step(Duration by) {
  const std::lock_guard lock(turn_mutex_);
  if (is_frozen()) return;
  const TimePoint before = now() - by;
  for (const Watch* watch : watches_) watch->call_(before);
}

Clock::Watch::Watch(const Clock& clock, Call call) : clock_(clock), call_(std::move(call)) {
  const std::lock_guard lock(clock_.turn_mutex_);
  clock_.watches_.push_back(this);
}

Clock::Watch::~Watch() {
  const std::lock_guard lock(clock_.turn_mutex_);
  clock_.watches_.erase(std::ranges::find(clock_.watches_, this));
}

}  // namespace magneto::storage
