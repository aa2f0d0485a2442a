#pragma once

#include <string>
#include <string_view>

#include "api/error.h"
#include "api/operation.h"
#include "storage/database.h"

namespace magneto::api {

// The protocol without HTTP: a request body in, a response body and status out. Thread-safe: one
// Service serves all threads.
class Service {
 public:
  explicit Service(storage::Database& database) : database_(database) {}

  // Answers one request. `body` is the JSON text (its capacity may grow). Replaces `response` with the
  // response body and returns the HTTP status. Never throws: faults become InternalServerError and are
  // logged with `request_id`. `operation` as found by find_operation; nullptr answers
  // UnknownOperationException.
  int call(const Operation* operation, const Caller& caller, std::string_view request_id,
           std::string& body, std::string& response);

  // The body of an error that arises before or outside an operation (authorization, body size).
  static int write_error(ErrorType type, std::string_view message, std::string& response);

 private:
  storage::Database& database_;
};

}  // namespace magneto::api
