#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace magneto::server {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError, kOff };

// Lines on stderr. Thread-safe, except that the level is set before threads start.
void set_log_level(LogLevel level);
void log(LogLevel level, std::string_view message);

// For what clients can bring about in any number: at most one line a second, which tells how many
// were left out before it. Thread-safe.
class SparseLog {
 public:
  void write(LogLevel level, std::string_view message);

 private:
  std::atomic<std::int64_t> next_{0};  // steady clock, milliseconds
  std::atomic<std::uint64_t> left_out_{0};
};

}  // namespace magneto::server
