#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::system {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError, kOff };

// Writes lines to stderr. Thread-safe, but the level must be set before threads start. For events
// that happen once; use log_sparsely() for events that can repeat.
void set_log_level(LogLevel level);
void log(LogLevel level, std::string_view message);

// Limits lines to one a second, and to `burst` at once after a pause. A line beyond that is held
// until the next line or until write_held(). The next line reports how many lines were dropped
// before it. Thread-safe.
class SparseLog {
 public:
  explicit SparseLog(std::int64_t burst = 1) : burst_(burst) {}

  void write(LogLevel level, std::string_view message);
  // Writes the held line, if any, once the rate allows it; with at_end, writes it now.
  void write_held(bool at_end);

 private:
  struct Held {
    LogLevel level;
    std::string message;
  };

  bool pay();
  void leave_out_held();

  const std::int64_t burst_;
  std::mutex mutex_;             // guards the members below
  std::int64_t paid_until_ = 0;  // steady clock, milliseconds
  std::uint64_t left_out_ = 0;   // since the last line, without the held one
  std::optional<Held> held_;
};

// Kinds of repeatable events, each with its own rate: clients or a full disk may cause any number
// of them. Faults are not limited: each is logged, with the id of its request.
enum class LogSource : std::uint8_t {
  kStorage,      // the store and its background work
  kCallers,      // calls that probably have a mistake
  kConnections,  // connections that cannot be accepted or are ended
  kThreads,      // threads that cannot be started
  kMemory,
  kAccessLog,
  kJobs,
  kDeliveries,
  kEventSources,
  kLeftOut,      // records that functions do not receive
  kUndelivered,  // changes that Kinesis streams do not receive
};
void log_sparsely(LogSource source, LogLevel level, std::string_view message);
// Writes the held lines of log_sparsely(), so that the last line of each kind appears even if no
// other follows. Call it regularly, and with at_end at the end.
void write_held_lines(bool at_end);
// The number of lines that log_sparsely() has dropped since the start.
std::uint64_t lines_left_out();

}  // namespace magneto::server::system
