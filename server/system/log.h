#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::system {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError, kOff };

// Lines on stderr. Thread-safe, except that the level is set before threads start. For what is told
// once: what can repeat goes by log_sparsely().
void set_log_level(LogLevel level);
void log(LogLevel level, std::string_view message);

// A line a second, and `burst` at once after a pause. A line beyond that is held until the next,
// which tells how many were left out before it, or until write_held(). Thread-safe.
class SparseLog {
 public:
  explicit SparseLog(std::int64_t burst = 1) : burst_(burst) {}

  void write(LogLevel level, std::string_view message);
  // Writes the line that is held, if any, once the rate allows it; at_end: now.
  void write_held(bool at_end);

 private:
  struct Held {
    LogLevel level;
    std::string message;
  };

  bool pay();
  void leave_out_held();

  const std::int64_t burst_;
  std::mutex mutex_;             // guards what follows
  std::int64_t paid_until_ = 0;  // steady clock, milliseconds
  std::uint64_t left_out_ = 0;   // since the last line; what is held is not among them
  std::optional<Held> held_;
};

// What can repeat itself, each with a rate of its own: what clients or a full disk may bring about
// in any number. Faults do not go this way: each is told, with the id of its request.
enum class LogSource : std::uint8_t {
  kStorage,      // the store and its background
  kCallers,      // what callers probably did not mean
  kConnections,  // that cannot be accepted, or are ended
  kThreads,      // that cannot be started
  kMemory,
  kAccessLog,
  kJobs,
  kDeliveries,
  kEventSources,
  kLeftOut,      // records that functions do not get
  kUndelivered,  // changes that Kinesis streams do not get
};
void log_sparsely(LogSource source, LogLevel level, std::string_view message);
// What log_sparsely() holds, so that the last line of its kind is told though no other follows:
// called again and again, and at the end.
void write_held_lines(bool at_end);
// Lines that log_sparsely() left out since the start.
std::uint64_t lines_left_out();

}  // namespace magneto::server::system
