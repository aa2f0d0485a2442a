#pragma once

#include <cstdint>
#include <string_view>

namespace magneto::server {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError, kOff };

// Lines on stderr. Thread-safe, except that the level is set before threads start.
void set_log_level(LogLevel level);
void log(LogLevel level, std::string_view message);

}  // namespace magneto::server
