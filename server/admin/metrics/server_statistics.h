#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/feeds/event_sources/event_source_statistics.h"
#include "server/http/access_log.h"

namespace magneto::server::admin {

// The state of server/, without requests. Counts are since the start, sizes in bytes.
struct ServerStatistics {
  struct Workers {
    std::size_t requests = 0;  // queued or running
    std::size_t threads = 0;
  };

  std::chrono::system_clock::time_point started;
  std::size_t connections_at_acceptor = 0;
  std::size_t connections_of_io_threads = 0;
  std::size_t connection_limit = 0;
  std::uint64_t connections_accepted = 0;
  std::uint64_t connections_refused = 0;   // beyond the limit, without an idle one to close
  std::uint64_t connections_replaced = 0;  // closed for others beyond the limit
  std::uint64_t connections_evicted = 0;   // slow clients, for lack of memory
  std::size_t io_threads = 0;
  Workers waiting;
  Workers computing;
  std::uint64_t memory_limit = 0;  // of the process
  std::size_t held_bytes = 0;      // for clients: ConnectionMemoryBudget
  std::size_t held_limit = 0;
  std::size_t work_bytes = 0;  // running requests with long bodies: WorkMemory
  std::size_t work_limit = 0;
  http::AccessLog::Counts access_log;
  std::vector<feeds::EventSourceStatistics> event_sources;
};

}  // namespace magneto::server::admin
