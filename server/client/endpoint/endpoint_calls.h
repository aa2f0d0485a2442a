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

// Makes calls one at a time, and parses their answers as JSON.
class EndpointCalls {
 public:
  explicit EndpointCalls(Endpoint& endpoint) : endpoint_(endpoint) {}

  // Returns whether the call succeeded. outcome() and answer() are valid until the next call.
  bool call(std::string_view operation, std::string body);
  // Returns the answer of a call that must succeed. Throws std::runtime_error with a sentence.
  api::json::Value need(std::string_view operation, std::string body);
  // Throws that sentence for the last call; CallGivenUp if its outcome is retryable.
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
