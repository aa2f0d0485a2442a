#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "server/event_sources/event_source_mapping.h"
#include "server/event_sources/failure_destination.h"
#include "server/event_sources/function_client.h"

namespace magneto::server {

// What came of a mapping since the start.
struct MappingCounts {
  std::atomic<std::uint64_t> invocations{0};  // that may have run
  std::atomic<std::uint64_t> failures{0};     // of those
  std::atomic<std::uint64_t> delivered{0};    // records
  std::atomic<std::uint64_t> filtered{0};     // that no pattern matches
  std::atomic<std::uint64_t> dropped{0};      // left out after retries, or for their age
  std::atomic<double> age_seconds{0};         // of the oldest record that was read and waits
};

// One mapping, and what its lanes share. Thread-safe.
struct MappingWork {
  using Warn = std::function<void(std::string_view what)>;

  MappingWork(EventSourceMapping given, std::function<bool()> is_over_now, Warn warns)
      : mapping(std::move(given)),
        is_over(std::move(is_over_now)),
        warn(std::move(warns)),
        client(mapping, process_environment(), is_over),
        failures(mapping.on_failure, is_over) {}

  const EventSourceMapping mapping;
  const std::function<bool()> is_over;
  const Warn warn;
  FunctionClient client;
  FailureDestination failures;
  MappingCounts counts;
};

}  // namespace magneto::server
