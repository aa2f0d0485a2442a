#include "server/transfer/copy/call_in_turn.h"

#include <chrono>

namespace magneto::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPause{1};
constexpr std::chrono::hours kLongestWait{1};

bool is_busy(const Outcome& outcome, std::string_view operation) {
  if (outcome.error_type == "LimitExceededException") return true;
  return outcome.error_type == "ResourceInUseException" && operation != "CreateTable";
}

}  // namespace

bool call_in_turn(EndpointCalls& calls, std::string_view operation, const std::string& body,
                  const StopSignal& stop) {
  const auto deadline = Clock::now() + kLongestWait;
  while (!calls.call(operation, body)) {
    if (!is_busy(calls.outcome(), operation) || Clock::now() > deadline) return false;
    stop.sleep_for(kPause);
  }
  return true;
}

}  // namespace magneto::server
