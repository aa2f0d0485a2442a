#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/client/endpoint/retry_delays.h"
#include "server/client/endpoint/throttle_patience.h"

namespace magneto::server::client {

// The result of a call. An error is a value, not an exception.
struct Outcome {
  int status = 0;          // of HTTP; 0: no answer arrived
  std::string body;        // the JSON of the answer, also of an error
  std::string error_type;  // "ResourceNotFoundException"; empty when the call succeeded
  std::string message;     // about the error, from the endpoint or the connection
  bool retryable = false;  // the same call may succeed later
  bool throttled = false;  // retryable, and only because of too little throughput

  bool succeeded() const { return status == 200; }
  // For messages: "ValidationException (...)", or the failure of the connection, as
  // sanitize_for_log().
  std::string reason() const;
};

// Answers DynamoDB's operations. For one thread at a time.
class Endpoint {
 public:
  Endpoint() : patience_(std::make_shared<ThrottlePatience>()) {}
  explicit Endpoint(std::shared_ptr<ThrottlePatience> patience) : patience_(std::move(patience)) {}
  virtual ~Endpoint() = default;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // Calls an operation such as "PutItem" with a JSON body. Retries retryable errors within the
  // limits of the endpoint; after that the outcome is still retryable. Retries throttled calls for
  // as long as the patience lasts. `body` keeps its contents, but its capacity may grow. Throws
  // only std::bad_alloc.
  virtual Outcome call(std::string_view operation, std::string& body) = 0;

  // The same endpoint for another thread.
  virtual std::unique_ptr<Endpoint> another() const = 0;

  // The name in messages: a URL or a directory.
  virtual const std::string& name() const = 0;

  // Shared with the endpoints that another() returns.
  const std::shared_ptr<ThrottlePatience>& patience() const { return patience_; }

  // From now on a call ends soon after `is_over` returns true. It is called on the call's thread.
  void stop_when(std::function<bool()> is_over) { is_over_ = std::move(is_over); }
  // Waits before the next attempt. Returns false if there must be none: is_over() is true, no delay
  // is left or, after throttling, the patience has ended.
  bool wait_for_retry(RetryDelays& delays, bool throttled) const;

 protected:
  bool is_over() const { return is_over_ && is_over_(); }

 private:
  const std::shared_ptr<ThrottlePatience> patience_;
  std::function<bool()> is_over_;
};

// Parses an answer. The type of an error is in "__type", after '#' if there is one, and its text in
// "message" or "Message". A body that is not JSON, such as a proxy's, becomes the message. With
// status 200 it is an error.
Outcome read_outcome(int status, std::string body);

// Returns the outcome of a call without an answer. `why`: the cause.
Outcome no_answer(std::string_view why, bool retryable);

}  // namespace magneto::server::client
