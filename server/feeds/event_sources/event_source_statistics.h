#pragma once

#include <cstdint>
#include <string>

namespace magneto::server::feeds {

// Counters of an event source mapping since the start.
struct EventSourceStatistics {
  std::string function;
  std::string source;             // the name of a table, or the ARN of a stream
  std::uint64_t invocations = 0;  // calls that may have run the function
  std::uint64_t failures = 0;     // failed calls among these
  std::uint64_t delivered = 0;    // records
  std::uint64_t filtered = 0;     // records that match no pattern
  std::uint64_t dropped = 0;      // dropped after retries or for their age, or lost
  double age_seconds = 0;         // of the oldest record that was read and waits
};

}  // namespace magneto::server::feeds
