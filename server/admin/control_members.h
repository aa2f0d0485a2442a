#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "api/times.h"

namespace magneto::server::admin {

// Reading the members of a request of control. What is of another kind, or out of its bounds, is
// refused with an api::ControlError that names the member; nullopt is one that is not there.

std::optional<std::string_view> string_member(api::json::Object object, std::string_view name);
std::optional<bool> boolean_member(api::json::Object object, std::string_view name);
std::optional<std::int64_t> integer_member(api::json::Object object, std::string_view name,
                                           std::int64_t lowest, std::int64_t highest);
std::optional<std::chrono::microseconds> duration_member(api::json::Object object,
                                                         std::string_view name,
                                                         std::chrono::microseconds lowest,
                                                         std::chrono::microseconds highest);
std::optional<api::TimePoint> time_member(api::json::Object object, std::string_view name);
std::optional<api::json::Object> object_member(api::json::Object object, std::string_view name);
std::optional<std::vector<std::string_view>> strings_member(api::json::Object object,
                                                            std::string_view name,
                                                            std::size_t most);

// Refuses members that are not known, or are there twice.
void check_members(api::json::Object object, std::span<const std::string_view> known);

}  // namespace magneto::server::admin
