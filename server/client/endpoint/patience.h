#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace magneto::server::client {

// The limit of the time that a call of an endpoint may wait. It ends at a fixed time, or a tenth of
// a second after the caller wants to end. For one thread.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State : std::uint8_t { kGoesOn, kTimedOut, kIsOver };

  // `is_over` must outlive the object. It is called ten times a second.
  Patience(Clock::duration time, const std::function<bool()>& is_over)
      : end_(Clock::now() + time), next_look_(Clock::now() + kLookTime), is_over_(is_over) {}

  State look() {
    const Clock::time_point now = Clock::now();
    if (now >= end_) return State::kTimedOut;
    if (now < next_look_) return State::kGoesOn;
    next_look_ = now + kLookTime;
    return is_over_() ? State::kIsOver : State::kGoesOn;
  }
  // The time until look() must be called again: at most a tenth of a second.
  using Pause = std::chrono::duration<int, std::milli>;
  Pause pause() const {
    const Clock::time_point next = std::min(end_, next_look_);
    return std::max(std::chrono::ceil<Pause>(next - Clock::now()), Pause(0));
  }

 private:
  static constexpr std::chrono::milliseconds kLookTime{100};

  const Clock::time_point end_;
  Clock::time_point next_look_;
  const std::function<bool()>& is_over_;
};

}  // namespace magneto::server::client
