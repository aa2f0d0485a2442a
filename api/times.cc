#include "api/times.h"

#include <absl/strings/string_view.h>
#include <absl/time/time.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace magneto::api {
namespace {

constexpr std::string_view kDigitsAndPoint = "0123456789.";

// In Debian's build Abseil's string_view is a type of its own.
absl::string_view absl_view(std::string_view text) { return {text.data(), text.size()}; }

bool fits(absl::Duration duration) {
  return duration > absl::Microseconds(std::numeric_limits<std::int64_t>::min()) &&
         duration < absl::Microseconds(std::numeric_limits<std::int64_t>::max());
}

// A sum without signs. Abseil knows no days: each is read as an hour.
std::optional<absl::Duration> read_sum(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text == "0") return absl::ZeroDuration();
  absl::Duration sum;
  while (!text.empty()) {
    const std::size_t unit = std::min(text.find_first_not_of(kDigitsAndPoint), text.size());
    const std::size_t end = std::min(text.find_first_of(kDigitsAndPoint, unit), text.size());
    std::string part(text.substr(0, end));
    const bool is_days = text.substr(unit, end - unit) == "d";
    if (is_days) part.back() = 'h';
    absl::Duration duration;
    if (unit == 0 || unit == end || !absl::ParseDuration(part, &duration)) return std::nullopt;
    sum += is_days ? 24 * duration : duration;
    text.remove_prefix(end);
  }
  return sum;
}

}  // namespace

std::optional<std::chrono::nanoseconds> read_duration(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  constexpr absl::Duration kMost = absl::Hours(24 * 365 * 100);
  if (text.size() > kLongest) return std::nullopt;
  const std::optional<absl::Duration> duration = read_sum(text);
  if (!duration || *duration > kMost) return std::nullopt;
  return std::chrono::nanoseconds(std::llround(absl::ToDoubleNanoseconds(*duration)));
}

std::optional<std::chrono::microseconds> read_signed_duration(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t days = text.rfind('d');
  if (days != text.npos && text.find_first_not_of("0123456789") != days) return std::nullopt;
  const std::optional<absl::Duration> duration = read_sum(text);
  if (!duration || !fits(*duration)) return std::nullopt;
  return absl::ToChronoMicroseconds(is_negative ? -*duration : *duration);
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

std::string seconds_text(double seconds) {
  constexpr double kFirst = -62'135'596'800;
  constexpr double kLast = 253'402'300'799;
  const auto whole = static_cast<std::int64_t>(std::floor(std::clamp(seconds, kFirst, kLast)));
  return absl::FormatTime("%E4Y-%m-%dT%H:%M:%SZ", absl::FromUnixSeconds(whole),
                          absl::UTCTimeZone());
}

}  // namespace magneto::api
