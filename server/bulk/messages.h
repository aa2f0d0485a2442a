#pragma once

#include <string>
#include <string_view>

// Why reading or writing a table ends. `why`: what the system or the service says.
namespace magneto::server::bulk::messages {

std::string operation_failed(std::string_view operation, std::string_view why);
std::string no_threads(std::string_view why);
inline constexpr std::string_view kNoMemory = "there is no memory for them";

}  // namespace magneto::server::bulk::messages
