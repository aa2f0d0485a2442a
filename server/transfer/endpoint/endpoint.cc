#include "server/transfer/endpoint/endpoint.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/json/json_reader.h"

namespace magneto::server {
namespace {

using api::json::Value;

// Of what a proxy sends instead of an answer.
constexpr std::size_t kMaxForeignText = 200;
constexpr int kTooManyRequests = 429;

// Those of status 400 that pass by themselves (AWS, "Error handling with DynamoDB").
constexpr std::string_view kPassing[] = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "Throttling",
    "RequestLimitExceeded",
    "ThrottledException",
    "TooManyRequestsException",
};

bool passes(int status, std::string_view type) {
  if (status >= 500 || status == kTooManyRequests) return true;
  return std::ranges::find(kPassing, type) != std::end(kPassing);
}

}  // namespace

Outcome read_outcome(int status, std::string body) {
  Outcome outcome{.status = status, .body = std::move(body), .error_type{}, .message{}};
  if (outcome.succeeded()) return outcome;
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
  outcome.retryable = passes(status, outcome.error_type);
  return outcome;
}

Outcome no_answer(std::string_view why, bool retryable) {
  return {.status = 0,
          .body{},
          .error_type = "NoAnswer",
          .message = std::string(why),
          .retryable = retryable};
}

}  // namespace magneto::server
