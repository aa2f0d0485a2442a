#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "server/feeds/event_sources/call_memory.h"
#include "server/feeds/event_sources/connection_pool.h"
#include "server/feeds/event_sources/event_source_mapping.h"
#include "server/feeds/event_sources/failure_destination.h"
#include "server/feeds/event_sources/function_client.h"

namespace magneto::server::feeds {

// Counters of a mapping since the start.
struct MappingCounts {
  std::atomic<std::uint64_t> invocations{0};  // calls that may have run the function
  std::atomic<std::uint64_t> failures{0};     // failed calls among these
  std::atomic<std::uint64_t> delivered{0};    // records
  std::atomic<std::uint64_t> filtered{0};     // records that match no pattern
  std::atomic<std::uint64_t> dropped{0};      // dropped after retries or for their age, or lost
  std::atomic<double> age_seconds{0};         // of the oldest record that was read and waits
};

// One mapping, and the state that its lanes share. Thread-safe.
struct MappingWork {
  using Warn = std::function<void(std::string_view what)>;

  // Two functions for the log: the second receives the warnings about dropped records.
  struct Log {
    Warn warn;
    Warn warn_left_out;
  };

  // The resources that all mappings share; they must outlive the mappings.
  struct Shared {
    ConnectionPool& pool;
    CallMemory& memory;
  };

  MappingWork(EventSourceMapping given, const Shared& shared, std::function<bool()> is_over_now,
              Log log)
      : mapping(std::move(given)),
        is_over(std::move(is_over_now)),
        warn(std::move(log.warn)),
        warn_left_out(std::move(log.warn_left_out)),
        memory(shared.memory),
        client(mapping, shared.pool, client::process_environment(), is_over),
        failures(mapping.on_failure, shared.pool, is_over) {}

  const EventSourceMapping mapping;
  const std::function<bool()> is_over;
  const Warn warn;
  const Warn warn_left_out;
  CallMemory& memory;
  CallMemory::Share memory_share;
  FunctionClient client;
  FailureDestination failures;
  MappingCounts counts;
};

}  // namespace magneto::server::feeds
