#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::api {

// The members of a request, or of a structure in it, whose shape has been checked. A member that
// the shape does not know is absent, even if it was sent (shape_checker). So is a member that is
// null, as in AWS's own deserializer.
class Parameters {
 public:
  explicit Parameters(json::Value structure) : members_(structure.object()) {
    for (const json::Member member : members_) marks_ |= mark_of(member.name);
  }

  json::Value value(std::string_view name) const {
    if ((marks_ & mark_of(name)) == 0) return {};
    const json::Value found = members_.find(name);
    return found && !found.is_null() ? found : json::Value();
  }
  bool has(std::string_view name) const { return static_cast<bool>(value(name)); }

  std::optional<std::string_view> string(std::string_view name) const {
    const json::Value found = value(name);
    if (!found) return std::nullopt;
    return found.string();
  }
  // A string member, or "" if absent. For names and enum values, which are never empty.
  std::string_view string_or_empty(std::string_view name) const { return value(name).string(); }
  bool boolean(std::string_view name, bool otherwise = false) const {
    const json::Value found = value(name);
    return found ? found.boolean() : otherwise;
  }
  std::optional<std::int64_t> integer(std::string_view name) const {
    const json::Value found = value(name);
    if (!found) return std::nullopt;
    return found.truncated();
  }

 private:
  // One of 64 bits for a name. Most names that an operation asks for were not sent, and their bits
  // tell so without a search.
  static std::uint64_t mark_of(std::string_view name) {
    if (name.empty()) return 1;
    const auto last = static_cast<unsigned char>(name.back());
    return std::uint64_t{1} << ((name.size() + 7 * std::size_t{last}) % 64);
  }

  json::Object members_;
  std::uint64_t marks_ = 0;  // of the names sent
};

}  // namespace magneto::api
