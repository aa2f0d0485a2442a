#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

// Durations and times as text, read and written.
namespace magneto::api {

// Microseconds cover the years 1 to 9999; nanoseconds would end in the year 2262.
using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;

// A duration is a sum of numbers with the units ns, us, ms, s, m, h and d: "250ms", "1h30m",
// "1.5s".

// Returns nullopt for any other text, and for more than a hundred years.
std::optional<std::chrono::nanoseconds> read_duration(std::string_view text);
// Accepts a sign too: "-2s". Days must be whole and come first: "1d12h". Parts below a microsecond
// are cut off. Returns nullopt for any other text, and if microseconds of 64 bits cannot hold the
// sum.
std::optional<std::chrono::microseconds> read_signed_duration(std::string_view text);
// The largest unit is the hour: "36h".
std::string duration_text(std::chrono::microseconds duration);

// A time has the form of RFC 3339: "2026-11-23T12:00:00Z". A fraction and another offset are
// optional.

// Returns nullopt for any other text.
std::optional<TimePoint> read_time(std::string_view text);
// With milliseconds, in UTC.
std::string time_text(TimePoint time);
inline std::string time_text(std::chrono::system_clock::time_point time) {
  return time_text(std::chrono::floor<std::chrono::microseconds>(time));
}
// With whole seconds, in UTC, as in AWS's messages. `seconds` counts since 1970; a time outside the
// years 1 to 9999 becomes the nearest second of these years.
std::string seconds_text(double seconds);

}  // namespace magneto::api
