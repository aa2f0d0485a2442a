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

// A place for what was left out, unless `url` is the destination of nothing.
struct FailureTarget {
  std::string file;  // a path, to which lines are appended; empty:
  std::optional<client::EndpointUrl>
      url;               // POST there; neither: what is left out is only told in the log
  std::string url_path;  // "/failures"
};

// From which stream to which function, and how: in the words of Lambda's CreateEventSourceMapping
// (Lambda API reference), whose defaults and limits these are.
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

  // One of both.
  std::string table_name;
  std::string stream_arn;

  std::string function_name;  // a name or ARN
  client::EndpointUrl endpoint;
  std::size_t batch_size = 100;
  std::chrono::seconds window{0};
  bool from_latest = false;  // else from TRIM_HORIZON
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
  // The same over restarts, and that of no other of the file: 16 hexadecimal digits.
  std::string id() const;
};

}  // namespace magneto::server::feeds
