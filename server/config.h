#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "server/log.h"

namespace magneto::server {

enum class AuthMode : std::uint8_t {
  kShape,  // credentials must be present and well formed; any are accepted
  kOff,
};

// What a user can set, by flag or environment variable. Read-only once the server runs.
struct Config {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;   // 0: any free port
  std::string port_file;       // empty: none
  std::string data_directory;  // empty: in memory
  bool sync_writes = false;
  std::uint32_t threads = 0;     // I/O threads; 0: one for each processor
  std::uint32_t partitions = 0;  // of every new table; 0: as DynamoDB does
  std::chrono::milliseconds control_plane_delay{0};
  std::optional<std::chrono::milliseconds> global_index_delay;
  std::chrono::milliseconds time_to_live_delay{0};  // how long items stay after their expiry
  bool enforce_throughput = false;
  std::uint32_t memory_budget_megabytes = 512;
  std::uint32_t item_collection_limit_megabytes = 10 * 1024;
  AuthMode auth = AuthMode::kShape;
  LogLevel log_level = LogLevel::kWarning;

  std::uint32_t max_connections = 0;  // 0: as many as the descriptor limit allows, at most 10,000
  std::uint32_t held_memory_megabytes = 512;        // of slow requests and answers, see HeldMemory
  std::chrono::milliseconds idle_timeout{120'000};  // between requests
  std::chrono::milliseconds request_timeout{60'000};  // for a request, and for taking a response
  std::chrono::milliseconds header_timeout{20'000};   // for the head of a request
  std::chrono::milliseconds drain_timeout{10'000};    // for open requests at the end
};

}  // namespace magneto::server
