#include "server/system/times.h"

#include <absl/strings/string_view.h>
#include <absl/time/time.h>

#include <charconv>
#include <limits>

namespace magneto::server::system {
namespace {

// In Debian's build Abseil's string_view is a type of its own.
absl::string_view absl_view(std::string_view text) { return {text.data(), text.size()}; }

bool fits(absl::Duration duration) {
  return duration > absl::Microseconds(std::numeric_limits<std::int64_t>::min()) &&
         duration < absl::Microseconds(std::numeric_limits<std::int64_t>::max());
}

// "7d" at the beginning, which Abseil does not know. nullopt: too many.
std::optional<absl::Duration> take_days(std::string_view& text) {
  const std::size_t end = text.find('d');
  if (end == std::string_view::npos) return absl::ZeroDuration();
  std::int64_t days = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + end, days);
  if (error != std::errc() || stop != text.data() + end || days < 0) return std::nullopt;
  text.remove_prefix(end + 1);
  return days * absl::Hours(24);
}

}  // namespace

std::optional<std::chrono::microseconds> read_duration(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.front() == '-' || text.front() == '+') return std::nullopt;
  const std::optional<absl::Duration> days = take_days(text);
  if (!days) return std::nullopt;
  absl::Duration rest;
  if (!text.empty() && (text.front() == '-' || text.front() == '+' ||
                        !absl::ParseDuration(absl_view(text), &rest))) {
    return std::nullopt;
  }
  const absl::Duration duration = *days + rest;
  if (!fits(duration)) return std::nullopt;
  return absl::ToChronoMicroseconds(is_negative ? -duration : duration);
}

std::string duration_text(std::chrono::microseconds duration) {
  return absl::FormatDuration(absl::FromChrono(duration));
}

std::optional<TimePoint> read_time(std::string_view text) {
  absl::Time time;
  if (text.ends_with(' ')) return std::nullopt;  // which the parser takes
  if (!absl::ParseTime(absl::RFC3339_full, absl_view(text), &time, nullptr)) return std::nullopt;
  const absl::Duration since = time - absl::UnixEpoch();
  if (!fits(since)) return std::nullopt;
  return TimePoint(absl::ToChronoMicroseconds(since));
}

std::string time_text(TimePoint time) {
  const absl::Time at = absl::UnixEpoch() + absl::FromChrono(time.time_since_epoch());
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", at, absl::UTCTimeZone());
}

}  // namespace magneto::server::system
