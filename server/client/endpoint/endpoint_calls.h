#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "server/client/endpoint/endpoint.h"

namespace magneto::server::client {

// A call failed for a reason that may pass, and is not repeated: it failed too often, or the caller
// wants to end.
class CallGivenUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Calls whose answers are read as JSON, one at a time.
class EndpointCalls {
 public:
  explicit EndpointCalls(Endpoint& endpoint) : endpoint_(endpoint) {}

  // Whether it succeeded; outcome() and answer() tell more until the next call.
  bool call(std::string_view operation, std::string body);
  // The answer of a call that must succeed. Throws std::runtime_error, a sentence.
  api::json::Value need(std::string_view operation, std::string body);
  // That sentence, of the last call. CallGivenUp where its outcome is retryable.
  [[noreturn]] void fail(std::string_view operation) const;

  const Outcome& outcome() const { return outcome_; }
  api::json::Value answer() const { return answer_; }
  Endpoint& endpoint() const { return endpoint_; }

 private:
  Endpoint& endpoint_;
  Outcome outcome_;
  api::json::Document document_;
  api::json::Value answer_;
};

}  // namespace magneto::server::client
