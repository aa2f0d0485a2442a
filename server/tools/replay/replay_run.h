#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "server/client/endpoint/endpoint.h"

namespace magneto::server::tools {

struct ReplayOptions {
  std::string journal;     // a file of JSON Lines, also gzip; "-" is standard input
  double speed = 0;        // relative to the journal's; 0: as fast as possible
  bool exact = false;      // also compare values that are new in each answer
  std::size_t shown = 20;  // the most differences that are shown
};

struct ReplayTotals {
  std::uint64_t sent = 0;
  std::uint64_t different = 0;  // of the sent requests
  std::uint64_t without_body = 0;
  std::uint64_t kept_from_running = 0;
};

// Sends the requests of a journal one after the other and reports each difference in one line.
// Throws std::runtime_error with a sentence if the journal cannot be read.
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
