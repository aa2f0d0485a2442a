#include "server/admin/control_members.h"

#include <algorithm>
#include <string>

#include "api/control_error.h"
#include "api/times.h"
#include "server/admin/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::admin {
namespace {

using api::json::Type;
using api::json::Value;

[[noreturn]] void fail(std::string_view sentence) { throw api::ControlError(sentence); }

constexpr std::size_t kLongestShownName = 100;

}  // namespace

std::optional<std::string_view> string_member(api::json::Object object, std::string_view name) {
  const Value value = object.find(name);
  if (!value) return std::nullopt;
  if (!value.is_string()) fail(messages::kWrongKind(name, messages::kAString));
  return value.string();
}

std::optional<bool> boolean_member(api::json::Object object, std::string_view name) {
  const Value value = object.find(name);
  if (!value) return std::nullopt;
  if (value.type() != Type::kBoolean) fail(messages::kWrongKind(name, messages::kABoolean));
  return value.boolean();
}

std::optional<std::int64_t> integer_member(api::json::Object object, std::string_view name,
                                           std::int64_t lowest, std::int64_t highest) {
  const Value value = object.find(name);
  if (!value) return std::nullopt;
  if (value.type() != Type::kNumber || !value.is_whole()) {
    fail(messages::kWrongKind(name, messages::kAWholeNumber));
  }
  const std::optional<std::int64_t> number = value.integer();
  if (!number || *number < lowest || *number > highest) {
    fail(messages::kNotInRange(name, std::to_string(lowest), std::to_string(highest)));
  }
  return number;
}

std::optional<std::chrono::microseconds> duration_member(api::json::Object object,
                                                         std::string_view name,
                                                         std::chrono::microseconds lowest,
                                                         std::chrono::microseconds highest) {
  const Value value = object.find(name);
  if (!value) return std::nullopt;
  const auto duration =
      value.is_string() ? api::read_signed_duration(value.string()) : std::nullopt;
  if (!duration) fail(messages::kNotADuration(name));
  if (*duration < lowest || *duration > highest) {
    fail(messages::kNotInRange(name, api::duration_text(lowest), api::duration_text(highest)));
  }
  return duration;
}

std::optional<api::TimePoint> time_member(api::json::Object object, std::string_view name) {
  const Value value = object.find(name);
  if (!value) return std::nullopt;
  const auto time = value.is_string() ? api::read_time(value.string()) : std::nullopt;
  if (!time) fail(messages::kNotATime(name));
  return time;
}

std::optional<api::json::Object> object_member(api::json::Object object, std::string_view name) {
  const Value value = object.find(name);
  if (!value) return std::nullopt;
  if (!value.is_object()) fail(messages::kWrongKind(name, messages::kAnObject));
  return value.object();
}

std::optional<std::vector<std::string_view>> strings_member(api::json::Object object,
                                                            std::string_view name,
                                                            std::size_t most) {
  const Value value = object.find(name);
  if (!value) return std::nullopt;
  if (!value.is_array()) fail(messages::kWrongKind(name, messages::kStrings));
  if (value.array().size() > most) fail(messages::kTooManyElements(name, most));
  std::vector<std::string_view> strings;
  for (const Value element : value.array()) {
    if (!element.is_string()) fail(messages::kWrongKind(name, messages::kStrings));
    strings.push_back(element.string());
  }
  return strings;
}

void check_members(api::json::Object object, std::span<const std::string_view> known) {
  std::vector<std::string_view> seen;
  for (const api::json::Member member : object) {
    if (std::ranges::find(known, member.name) == known.end()) {
      std::string names;
      for (const std::string_view name : known) {
        names.append(names.empty() ? "" : ", ").append(name);
      }
      fail(messages::unknown_member(system::first_characters(member.name, kLongestShownName),
                                    names));
    }
    if (std::ranges::find(seen, member.name) != seen.end()) {
      fail(messages::kRepeatedMember(member.name));
    }
    seen.push_back(member.name);
  }
}

}  // namespace magneto::server::admin
