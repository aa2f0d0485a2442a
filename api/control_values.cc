#include "api/control_values.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <cmath>
#include <ctime>

#include "api/messages/control_messages.h"

namespace magneto::api {
namespace {

using std::chrono::nanoseconds;

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
// The largest first.
constexpr Unit kUnits[] = {
    {"d", 86'400'000'000'000},
    {"h", 3'600'000'000'000},
    {"m", 60'000'000'000},
    {"s", 1'000'000'000},
    {"ms", 1'000'000},
    {"us", 1'000},
    {"ns", 1},
};
constexpr double kMostNanoseconds = 3.1536e18;  // a hundred years

// Splits a number and its unit off `text`. NaN when there is none.
double take_duration(std::string_view& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || text.front() == '-') return std::nan("");
  text.remove_prefix(static_cast<std::size_t>(after - text.data()));
  const std::size_t size = std::min(text.find_first_of("0123456789."), text.size());
  const std::string_view unit = text.substr(0, size);
  text.remove_prefix(size);
  const auto* const found = std::ranges::find(kUnits, unit, &Unit::name);
  if (found == std::end(kUnits)) return std::nan("");
  return number * static_cast<double>(found->nanoseconds);
}

}  // namespace

std::optional<nanoseconds> parse_duration(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  if (text.empty() || text.size() > kLongest) return std::nullopt;
  if (text == "0") return nanoseconds(0);
  double sum = 0;
  while (!text.empty()) {
    sum += take_duration(text);
    if (!(sum <= kMostNanoseconds)) return std::nullopt;
  }
  return nanoseconds(std::llround(sum));
}

std::string duration_text(nanoseconds duration) {
  std::string text;
  std::int64_t left = duration.count();
  for (const Unit& unit : kUnits) {
    const std::int64_t count = left / unit.nanoseconds;
    if (count == 0) continue;
    left -= count * unit.nanoseconds;
    text += std::to_string(count);
    text += unit.name;
  }
  return text.empty() ? "0s" : text;
}

std::string time_text(std::chrono::system_clock::time_point time) {
  const std::int64_t milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 40> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S.", &parts);
  std::string written(text.data(), size);
  const std::string fraction = std::to_string(1000 + milliseconds % 1000);
  return written.append(fraction, 1).append("Z");
}

StrictObject::StrictObject(json::Value object, std::string_view where,
                           std::span<const std::string_view> known)
    : StrictObject(object.object(), where, known) {
  if (!object.is_object()) throw ControlError(messages::not_an_object(where));
}

StrictObject::StrictObject(json::Object object, std::string_view where,
                           std::span<const std::string_view> known)
    : members_(object) {
  std::bitset<32> seen;
  for (const json::Member member : members_) {
    const auto found = std::ranges::find(known, member.name);
    if (found == known.end())
      throw ControlError(messages::unknown_member(member.name, where, known));
    const auto place = static_cast<std::size_t>(found - known.begin());
    if (seen.test(place)) throw ControlError(messages::doubled_member(member.name, where));
    seen.set(place);
  }
}

std::optional<std::string_view> StrictObject::string(std::string_view name,
                                                     std::size_t max_bytes) const {
  const json::Value found = value(name);
  if (!found) return std::nullopt;
  const std::string_view text = found.string();
  if (text.empty() || text.size() > max_bytes) {
    throw ControlError(messages::not_a_text(name, max_bytes));
  }
  return text;
}

std::optional<bool> StrictObject::boolean(std::string_view name) const {
  const json::Value found = value(name);
  if (!found) return std::nullopt;
  if (found.type() != json::Type::kBoolean) throw ControlError(messages::not_a_boolean(name));
  return found.boolean();
}

std::optional<double> StrictObject::number(std::string_view name, double least, double most) const {
  const json::Value found = value(name);
  if (!found) return std::nullopt;
  const double number = found.number();
  if (found.type() != json::Type::kNumber || !(number >= least && number <= most)) {
    throw ControlError(messages::not_a_number(name, least, most));
  }
  return number;
}

std::optional<std::int64_t> StrictObject::whole(std::string_view name, std::int64_t least,
                                                std::int64_t most) const {
  const json::Value found = value(name);
  if (!found) return std::nullopt;
  std::optional<std::int64_t> number;
  if (found.type() == json::Type::kNumber) number = found.integer();
  if (!number || *number < least || *number > most) {
    throw ControlError(messages::not_a_whole_number(name, least, most));
  }
  return number;
}

std::optional<nanoseconds> StrictObject::duration(std::string_view name, nanoseconds most) const {
  const json::Value found = value(name);
  if (!found) return std::nullopt;
  return read_duration(found, name, most);
}

nanoseconds read_duration(json::Value value, std::string_view name, nanoseconds most) {
  const std::optional<nanoseconds> duration = parse_duration(value.string());
  if (!duration || *duration > most) {
    throw ControlError(messages::not_a_duration(name, duration_text(most)));
  }
  return *duration;
}

}  // namespace magneto::api
