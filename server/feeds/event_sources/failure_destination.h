#pragma once

#include <functional>
#include <optional>
#include <string>

#include "server/feeds/event_sources/connection_pool.h"
#include "server/feeds/event_sources/event_source_mapping.h"

namespace magneto::server::feeds {

// Where a mapping tells of records that its function never took: a file, a line of JSON each, which is
// on the disk when it was kept; a URL; or nowhere. Several may write to one file. Thread-safe.
class FailureDestination {
 public:
  // The pool must outlive it.
  FailureDestination(const FailureTarget& target, ConnectionPool& pool,
                     std::function<bool()> is_over);

  bool is_nowhere() const { return target_.file.empty() && !target_.url; }
  // For messages.
  const std::string& name() const { return name_; }
  // nullopt: it is kept. Else why not, a sentence; it may be later.
  std::optional<std::string> keep(const std::string& record);
  // The same of nothing: whether a file can be written.
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
