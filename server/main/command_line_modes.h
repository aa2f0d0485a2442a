#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "api/isolation.h"
#include "api/profile.h"
#include "server/admin/mcp/access.h"
#include "server/http/auth/auth_mode.h"
#include "server/system/command_line_messages.h"
#include "server/system/log.h"

namespace magneto::server::main {

// The values of flags that choose a mode, in the order of messages.
template <typename Mode>
struct ModeName {
  std::string_view name;
  Mode mode;
};

inline constexpr ModeName<http::AuthMode> kAuthModes[] = {{"off", http::AuthMode::kOff},
                                                          {"shape", http::AuthMode::kShape},
                                                          {"verify", http::AuthMode::kVerify}};
inline constexpr ModeName<api::Profile> kProfiles[] = {
    {"aws", api::Profile::kAws}, {"dynamodb-local", api::Profile::kDynamoDbLocal}};
inline constexpr ModeName<admin::mcp::Access> kAgentAccess[] = {
    {"all", admin::mcp::Access::kAll},
    {"off", admin::mcp::Access::kNone},
    {"read-only", admin::mcp::Access::kReadOnly}};
inline constexpr ModeName<api::Isolation> kIsolations[] = {
    {"credentials", api::Isolation::kCredentials},
    {"none", api::Isolation::kNone},
    {"region", api::Isolation::kRegion}};
inline constexpr ModeName<system::LogLevel> kLogLevels[] = {
    {"debug", system::LogLevel::kDebug},
    {"error", system::LogLevel::kError},
    {"info", system::LogLevel::kInfo},
    {"off", system::LogLevel::kOff},
    {"warning", system::LogLevel::kWarning}};

// Accepts one of the names; `names` must live as long as the check.
template <typename Mode, std::size_t kCount>
CLI::Validator one_of(const ModeName<Mode> (&names)[kCount]) {
  const auto check = [&names](const std::string& text) {
    if (std::ranges::count(names, text, &ModeName<Mode>::name) > 0) return std::string();
    std::string list;
    for (const auto& each : names) list.append(list.empty() ? "" : ", ").append(each.name);
    return system::messages::kNotOneOf(list, text);
  };
  return {check, {}};
}

// The mode of a name that one_of() accepts.
template <typename Mode, std::size_t kCount>
Mode mode_of(const ModeName<Mode> (&names)[kCount], std::string_view name) {
  return std::ranges::find(names, name, &ModeName<Mode>::name)->mode;
}

}  // namespace magneto::server::main
