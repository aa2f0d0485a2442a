#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace magneto::server {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError, kOff };

// Lines on stderr. Thread-safe, except that the level is set before threads start. For what is told
// once: what can repeat goes by log_sparsely().
void set_log_level(LogLevel level);
void log(LogLevel level, std::string_view message);

// A line a second, and `burst` at once after a pause; the next line tells how many were left out
// before it. Thread-safe.
class SparseLog {
 public:
  explicit SparseLog(std::int64_t burst = 1) : burst_(burst) {}

  void write(LogLevel level, std::string_view message);

 private:
  const std::int64_t burst_;
  std::atomic<std::int64_t> paid_until_{0};  // steady clock, milliseconds
  std::atomic<std::uint64_t> left_out_{0};
};

// What can repeat itself, each with a rate of its own: what clients, a full disk or a bug may bring
// about in any number.
enum class LogSource : std::uint8_t {
  kFaults,       // of requests and connections
  kStorage,      // the store and its background
  kCallers,      // what callers probably did not mean
  kConnections,  // that cannot be accepted, or are ended
  kThreads,      // that cannot be started
  kMemory,
  kAccessLog,
};
void log_sparsely(LogSource source, LogLevel level, std::string_view message);
// Lines that log_sparsely() left out since the start.
std::uint64_t lines_left_out();

}  // namespace magneto::server
