#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::api::json {

// The members of a JSON object of the control interface, read strictly: a member without effect
// would mislead the person or the test that sends it. Every function throws ControlError with a
// sentence that names the member. An absent member gives nullopt; null is no value of any kind. At
// most 32 members are known.
class StrictObject {
 public:
  // Refuses a value that is no object, unknown members, and repeated ones. `where`: "the rule".
  StrictObject(Value object, std::string_view where, std::span<const std::string_view> known);
  StrictObject(Object object, std::string_view where, std::span<const std::string_view> known);

  Value value(std::string_view name) const { return members_.find(name); }
  bool has(std::string_view name) const { return static_cast<bool>(value(name)); }
  // The string must not be empty, and must have at most `max_bytes`.
  std::optional<std::string_view> string(std::string_view name, std::size_t max_bytes) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::optional<double> number(std::string_view name, double least, double most) const;
  std::optional<std::int64_t> whole(std::string_view name, std::int64_t least,
                                    std::int64_t most) const;
  std::optional<std::chrono::nanoseconds> duration(std::string_view name,
                                                   std::chrono::nanoseconds most) const;

 private:
  Object members_;
};

}  // namespace magneto::api::json
