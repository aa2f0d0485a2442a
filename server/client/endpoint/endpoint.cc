#include "server/client/endpoint/endpoint.h"

#include <algorithm>
#include <utility>

#include "api/json/json_reader.h"
#include "server/client/endpoint/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::client {
namespace {

using api::json::Value;

// The most bytes shown of a text that a proxy sends instead of an answer.
constexpr std::size_t kMaxForeignText = 200;
// The most bytes of a sentence about an error. One about a transaction has a hundred reasons.
constexpr std::size_t kMaxReason = 8 << 10;
constexpr int kTooManyRequests = 429;

// Errors of status 400 that may pass without a change (AWS, "Error handling with DynamoDB").
constexpr std::string_view kThrottling[] = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "Throttling",
    "RequestLimitExceeded",
    "ThrottledException",
    "ReplicatedWriteConflictException",
    "TooManyRequestsException",
};

bool is_throttled(int status, std::string_view type) {
  return status == kTooManyRequests ||
         std::ranges::find(kThrottling, type) != std::end(kThrottling);
}

// A page for people, or the beginning of an answer, may also have status 200.
bool looks_like_an_object(std::string_view body) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = body.find_first_not_of(kBlanks);
  const std::size_t last = body.find_last_not_of(kBlanks);
  return first != std::string_view::npos && body[first] == '{' && body[last] == '}';
}

}  // namespace

std::string Outcome::reason() const {
  if (status == 0) return system::sanitize_for_log(message, kMaxReason);
  return messages::kErrorOfACall(system::sanitize_for_log(error_type, kMaxReason),
                                 system::sanitize_for_log(message, kMaxReason));
}

bool Endpoint::wait_for_retry(RetryDelays& delays, bool throttled) const {
  return delays.wait(throttled && patience_->lasts(), [this] { return is_over(); });
}

Outcome read_outcome(int status, std::string body) {
  Outcome outcome{.status = status, .body = std::move(body), .error_type{}, .message{}};
  if (outcome.succeeded()) {
    if (looks_like_an_object(outcome.body)) return outcome;
    return no_answer(messages::kNoJson(outcome.body.substr(0, kMaxForeignText)), false);
  }
  api::json::Document document;
  std::string text = outcome.body;
  const Value answer = document.parse(text).value_or(Value());
  const std::string_view type = answer.object().find("__type").string();
  outcome.error_type = type.substr(type.find('#') + 1);
  const Value message = answer.object().find("message");
  outcome.message = (message ? message : answer.object().find("Message")).string();
  if (outcome.error_type.empty()) {
    outcome.error_type = "HTTP " + std::to_string(status);
    if (outcome.message.empty()) outcome.message = outcome.body.substr(0, kMaxForeignText);
  }
  outcome.throttled = is_throttled(status, outcome.error_type);
  outcome.retryable = outcome.throttled || status >= 500;
  return outcome;
}

Outcome no_answer(std::string_view why, bool retryable) {
  return {.status = 0,
          .body{},
          .error_type = "NoAnswer",
          .message = std::string(why),
          .retryable = retryable};
}

}  // namespace magneto::server::client
