#pragma once

#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "server/transfer/endpoint/endpoint.h"

namespace magneto::server {

// Calls whose answers are read as JSON, one at a time.
class EndpointCalls {
 public:
  explicit EndpointCalls(Endpoint& endpoint) : endpoint_(endpoint) {}

  // Whether it succeeded; outcome() and answer() tell more until the next call.
  bool call(std::string_view operation, std::string body);
  // The answer of a call that must succeed. Throws std::runtime_error, a sentence.
  api::json::Value need(std::string_view operation, std::string body);
  // That sentence, of the last call.
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

}  // namespace magneto::server
