#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::system {

// Of the times that control takes and gives: nanoseconds would end in the year 2262.
using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;

// Durations: "250ms", "1h30m", "7d", "1d12h", "-2s".

// nullopt when it is none, or has no place in microseconds of 64 bits; finer parts are cut off.
std::optional<std::chrono::microseconds> read_duration(std::string_view text);
// Without days: "36h".
std::string duration_text(std::chrono::microseconds duration);

// Times of RFC 3339: "2026-11-23T12:00:00Z", with a fraction and another offset if need be.

// nullopt when it is none.
std::optional<TimePoint> read_time(std::string_view text);
// With milliseconds, in UTC.
std::string time_text(TimePoint time);
inline std::string time_text(std::chrono::system_clock::time_point time) {
  return time_text(std::chrono::floor<std::chrono::microseconds>(time));
}

}  // namespace magneto::server::system
