#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "server/client/endpoint/endpoint.h"

namespace magneto::server::tools {

struct ReplayOptions {
  std::string journal;     // a file of JSON Lines, gzip too; "-" is standard input
  double speed = 0;        // of the journal's own; 0: as fast as it goes
  bool exact = false;      // compare also what differs each time
  std::size_t shown = 20;  // differences that are told, at most
};

struct ReplayTotals {
  std::uint64_t sent = 0;
  std::uint64_t different = 0;  // of those
  std::uint64_t without_body = 0;
  std::uint64_t kept_from_running = 0;
};

// Sends the requests of a journal one after the other and tells each difference in a line. Throws
// std::runtime_error, a sentence: a journal that cannot be read.
class ReplayRun {
 public:
  using Tell = std::function<void(std::string_view line)>;

  ReplayRun(const ReplayOptions& options, client::Endpoint& endpoint, Tell tell)
      : options_(options), endpoint_(endpoint), tell_(std::move(tell)) {}

  ReplayTotals run();

 private:
  const ReplayOptions& options_;
  client::Endpoint& endpoint_;
  const Tell tell_;
};

}  // namespace magneto::server::tools
