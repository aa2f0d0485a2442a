#include "server/tools/copy/call_in_turn.h"

#include <chrono>

#include "server/tools/copy/messages.h"

namespace magneto::server::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPause{1};
constexpr std::chrono::hours kLongestWait{1};

bool is_busy(const client::Outcome& outcome, std::string_view operation) {
  if (outcome.error_type == "LimitExceededException") return true;
  return outcome.error_type == "ResourceInUseException" && operation != "CreateTable";
}

}  // namespace

bool call_in_turn(client::EndpointCalls& calls, std::string_view operation, const std::string& body,
                  const StopSignal& stop, const TellOfWait& tell) {
  const auto deadline = Clock::now() + kLongestWait;
  bool is_told = false;
  while (!calls.call(operation, body)) {
    if (!is_busy(calls.outcome(), operation) || Clock::now() > deadline) return false;
    if (tell && !is_told) {
      tell(messages::kWaitsFor(calls.endpoint().name(), calls.outcome().reason()));
    }
    is_told = true;
    stop.sleep_for(kPause);
  }
  return true;
}

}  // namespace magneto::server::tools
