#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/isolation.h"
#include "api/profile.h"
#include "server/admin/mcp/access.h"
#include "server/http/session_options.h"
#include "server/system/log.h"

namespace magneto::server::main {

// The settings that a user can choose by flag or environment variable. Read-only once the server
// runs.
struct Config {
  // The folder of DynamoDB Local's files, if its own command line was used. Empty if it was not
  // used or if everything is in memory.
  std::string dynamodb_local_folder;
  std::string host = "localhost";  // 127.0.0.1 and ::1, see ListenSocket
  std::uint16_t port = 8000;       // 0: any free port
  api::Profile profile = api::Profile::kAws;
  bool delays_whole_tables = true;  // see storage/database_options.h
  bool sync_writes = false;
  bool ends_with_stdin = false;     // stops at the end of standard input
  std::string port_file;            // empty: none
  std::string data_directory;       // empty: none
  std::string store;                // the URL of a PostgreSQL database; empty: none
  std::string store_password_file;  // empty: libpq finds a password, or none is needed
  std::uint32_t store_connections = 16;
  bool shares_store = false;  // several servers use it at the same time
  std::chrono::milliseconds lease{3000};
  bool relays = false;            // while waiting for the store, passes connections on
  std::string advertise_address;  // "host" or "host:port", for other servers; empty: as listened on
  std::string objects_folder;     // for buckets, for exports and imports; empty: none
  std::string s3_endpoint;        // a URL, instead of objects_folder; empty: none
  std::string kinesis_endpoint;   // a URL, where table changes are sent; empty: nowhere
  std::string event_sources_file;  // for event source mappings; empty: none
  // Tables to create at the start: files and folders, and values for their parameters.
  std::vector<std::string> schema_files;
  std::map<std::string, std::string> schema_parameters;
  std::uint32_t threads = 0;     // I/O threads; 0: one for each processor
  std::uint32_t partitions = 0;  // of each new table; 0: like DynamoDB
  std::chrono::milliseconds control_plane_delay{0};
  std::optional<std::chrono::milliseconds> global_index_delay;
  std::optional<std::chrono::milliseconds> replication_delay;
  std::chrono::milliseconds time_to_live_delay{10'000};  // how long expired items stay
  // If absent, they follow from the memory limit: see server/main/memory_limits.
  std::optional<std::uint32_t> memory_limit_megabytes;   // of the process
  std::optional<std::uint32_t> memory_budget_megabytes;  // for caches and write buffers on disk
  std::optional<std::uint32_t>
      held_memory_megabytes;                       // for slow clients, see ConnectionMemoryBudget
  std::optional<std::uint32_t> history_megabytes;  // absent: 1,024 on disk, 256 in memory
  std::uint32_t item_collection_limit_megabytes = 10 * 1024;
  bool enforce_throughput = false;
  bool tls_self_signed = false;
  // PEM files. For a self-signed certificate, the file to write. Empty: none.
  std::string tls_certificate;
  std::string tls_key;
  http::SessionOptions sessions;
  std::string credentials_file;  // empty unless AuthMode::kVerify
  std::string iam_file;          // identity policies; empty: none
  api::Isolation isolation = api::Isolation::kNone;
  system::LogLevel log_level = system::LogLevel::kWarning;
  std::string access_log;        // a path, or "-" for standard output; empty: none
  bool has_metrics_page = true;  // GET /metrics
  bool has_control = true;       // /_/
  bool has_browser = true;       // GET /_/
  admin::mcp::Access agent_access = admin::mcp::Access::kAll;
  std::string control_token;   // empty: a random one
  std::string browser_folder;  // the page's sources; empty: use the compiled page
  // AccessOptions::origins and hosts, in canonical form.
  std::vector<std::string> cors_origins;
  std::optional<std::vector<std::string>> allowed_hosts;

  // The maximum number of long requests, queued or running, at computing workers. More are refused.
  std::uint32_t max_long_requests = 1'024;
  std::uint32_t max_connections = 0;  // 0: the descriptor limit, at most 10,000

  bool is_in_memory() const { return data_directory.empty() && store.empty(); }
  bool speaks_tls() const { return tls_self_signed || !tls_certificate.empty(); }
};

}  // namespace magneto::server::main
