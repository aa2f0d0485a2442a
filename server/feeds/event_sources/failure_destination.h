#pragma once

#include <functional>
#include <optional>
#include <string>

#include "server/feeds/event_sources/connection_pool.h"
#include "server/feeds/event_sources/event_source_mapping.h"

namespace magneto::server::feeds {

// Receives a mapping's reports on records that its function never took. It is a file, a URL, or
// nothing. A file gets one line of JSON per report, which is on the disk when keep() returns.
// Several destinations may write to one file. Thread-safe.
class FailureDestination {
 public:
  // `pool` must outlive the destination.
  FailureDestination(const FailureTarget& target, ConnectionPool& pool,
                     std::function<bool()> is_over);

  bool is_nowhere() const { return target_.file.empty() && !target_.url; }
  // The name for messages.
  const std::string& name() const { return name_; }
  // Returns nullopt if the report was stored, otherwise a sentence with the reason; a later attempt
  // may succeed.
  std::optional<std::string> keep(const std::string& record);
  // Like keep() without a report: checks that the file can be written.
  std::optional<std::string> try_file();

 private:
  std::optional<std::string> append(std::string line);
  std::optional<std::string> post(const std::string& record);

  const FailureTarget target_;
  ConnectionPool& pool_;
  const std::function<bool()> is_over_;
  const std::string name_;
};

}  // namespace magneto::server::feeds
