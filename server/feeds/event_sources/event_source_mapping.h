#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/client/endpoint/endpoint_url.h"
#include "server/feeds/event_sources/filter_pattern.h"

namespace magneto::server::feeds {

// The destination of reports on dropped records: a file, a URL, or neither.
struct FailureTarget {
  std::string file;  // a path, to which lines are appended; empty: no file
  std::optional<client::EndpointUrl>
      url;               // POST there; without file and URL, only the log has the report
  std::string url_path;  // "/failures"
};

// The stream, the function and the options of a mapping, named as in Lambda's
// CreateEventSourceMapping (Lambda API reference), with the same defaults and limits.
struct EventSourceMapping {
  static constexpr std::int64_t kUnlimited = -1;
  static constexpr std::int64_t kMaxBatchSize = 10'000;
  static constexpr std::int64_t kMaxWindowSeconds = 300;
  static constexpr std::int64_t kMaxRetries = 10'000;
  static constexpr std::int64_t kMinAgeSeconds = 60;
  static constexpr std::int64_t kMaxAgeSeconds = 604'800;
  static constexpr std::int64_t kMaxLanes = 10;
  static constexpr std::int64_t kMaxTimeoutSeconds = 900;
  static constexpr std::size_t kMaxFilters = 5;

  // One of the two is set.
  std::string table_name;
  std::string stream_arn;

  std::string function_name;  // a name or ARN
  client::EndpointUrl endpoint;
  std::size_t batch_size = 100;
  std::chrono::seconds window{0};
  bool from_latest = false;  // false: from TRIM_HORIZON
  std::vector<FilterPattern> filters;
  bool bisects = false;
  std::int64_t max_retries = kUnlimited;
  std::int64_t max_age_seconds = kUnlimited;
  std::uint32_t lanes = 1;  // ParallelizationFactor
  bool reports_item_failures = false;
  FailureTarget on_failure;
  bool is_enabled = true;
  std::chrono::seconds timeout{60};

  const std::string& source() const { return table_name.empty() ? stream_arn : table_name; }
  // The mapping's id: 16 hexadecimal digits, the same after restarts, and unique in the file.
  std::string id() const;
};

}  // namespace magneto::server::feeds
