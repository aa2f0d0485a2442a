#include "server/client/endpoint/endpoint_calls.h"

#include <stdexcept>

#include "server/client/endpoint/messages.h"

namespace magneto::server::client {

using api::json::Value;

bool EndpointCalls::call(std::string_view operation, std::string body) {
  outcome_ = endpoint_.call(operation, body);
  answer_ = document_.parse(outcome_.body).value_or(Value());
  return outcome_.succeeded();
}

Value EndpointCalls::need(std::string_view operation, std::string body) {
  if (!call(operation, std::move(body))) fail(operation);
  return answer_;
}

void EndpointCalls::fail(std::string_view operation) const {
  const std::string why = messages::kCallRefused(endpoint_.name(), operation, outcome_.reason());
  if (outcome_.retryable) throw CallGivenUp(why);
  throw std::runtime_error(why);
}

}  // namespace magneto::server::client
