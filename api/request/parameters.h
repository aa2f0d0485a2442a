#pragma once

#include <array>
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
    for (auto it = members_.begin(), end = members_.end(); it != end; ++it) {
      const std::size_t mark = mark_of((*it).name);
      const std::uint64_t bit = std::uint64_t{1} << mark;
      shared_ |= marks_ & bit;
      marks_ |= bit;
      places_[mark] = members_.place_of(it);
    }
  }

  json::Value value(std::string_view name) const {
    const json::Value found = find(name);
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
  static constexpr std::size_t kMarks = 64;

  // A number for a name. Most names that an operation asks for were not sent, and no member has
  // their mark.
  static std::size_t mark_of(std::string_view name) {
    if (name.empty()) return 0;
    const auto last = static_cast<unsigned char>(name.back());
    return (name.size() + 7 * std::size_t{last}) % kMarks;
  }

  json::Value find(std::string_view name) const {
    const std::size_t mark = mark_of(name);
    if ((marks_ >> mark & 1) == 0) return {};
    if ((shared_ >> mark & 1) != 0) return members_.find(name);
    const json::Member member = members_.at(places_[mark]);
    return member.name == name ? member.value : json::Value();
  }

  json::Object members_;
  std::uint64_t marks_ = 0;                   // of the members
  std::uint64_t shared_ = 0;                  // marks that several members have
  std::array<std::uint32_t, kMarks> places_;  // of the members by their marks
};

}  // namespace magneto::api
