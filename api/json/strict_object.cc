#include "api/json/strict_object.h"

#include <algorithm>
#include <bitset>

#include "api/control_error.h"
#include "api/messages/control_messages.h"
#include "api/times.h"

namespace magneto::api::json {

using std::chrono::nanoseconds;

StrictObject::StrictObject(Value object, std::string_view where,
                           std::span<const std::string_view> known)
    : StrictObject(object.object(), where, known) {
  if (!object.is_object()) throw ControlError(messages::not_an_object(where));
}

StrictObject::StrictObject(Object object, std::string_view where,
                           std::span<const std::string_view> known)
    : members_(object) {
  std::bitset<32> seen;
  for (const Member member : members_) {
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
  const Value found = value(name);
  if (!found) return std::nullopt;
  const std::string_view text = found.string();
  if (text.empty() || text.size() > max_bytes) {
    throw ControlError(messages::not_a_text(name, max_bytes));
  }
  return text;
}

std::optional<bool> StrictObject::boolean(std::string_view name) const {
  const Value found = value(name);
  if (!found) return std::nullopt;
  if (found.type() != Type::kBoolean) throw ControlError(messages::not_a_boolean(name));
  return found.boolean();
}

std::optional<double> StrictObject::number(std::string_view name, double least, double most) const {
  const Value found = value(name);
  if (!found) return std::nullopt;
  const double number = found.number();
  if (found.type() != Type::kNumber || !(number >= least && number <= most)) {
    throw ControlError(messages::not_a_number(name, least, most));
  }
  return number;
}

std::optional<std::int64_t> StrictObject::whole(std::string_view name, std::int64_t least,
                                                std::int64_t most) const {
  const Value found = value(name);
  if (!found) return std::nullopt;
  std::optional<std::int64_t> number;
  if (found.type() == Type::kNumber) number = found.integer();
  if (!number || *number < least || *number > most) {
    throw ControlError(messages::not_a_whole_number(name, least, most));
  }
  return number;
}

std::optional<nanoseconds> StrictObject::duration(std::string_view name, nanoseconds most) const {
  const Value found = value(name);
  if (!found) return std::nullopt;
  const std::optional<nanoseconds> duration = read_duration(found.string());
  if (!duration || *duration > most) throw ControlError(messages::not_a_duration(name, most));
  return duration;
}

}  // namespace magneto::api::json
