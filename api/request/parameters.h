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
  explicit Parameters(json::Value structure) : members_(structure.object()) {}

  json::Value value(std::string_view name) const {
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
  json::Object members_;
};

}  // namespace magneto::api
