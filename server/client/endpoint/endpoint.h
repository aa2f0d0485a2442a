#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/client/endpoint/retry_delays.h"
#include "server/client/endpoint/throttle_patience.h"

namespace magneto::server::client {

// What came of a call. An error is a value.
struct Outcome {
  int status = 0;          // of HTTP; 0: no answer came
  std::string body;        // the JSON of the answer, of an error too
  std::string error_type;  // "ResourceNotFoundException"; empty when the call succeeded
  std::string message;     // what the endpoint says of the error, or the connection
  bool retryable = false;  // the same call may succeed later
  bool throttled = false;  // retryable, and for want of throughput alone

  bool succeeded() const { return status == 200; }
  // For messages: "ValidationException (...)", or what became of the connection, as sanitize_for_log().
  std::string reason() const;
};

// Something that answers DynamoDB's operations. For one thread at a time.
class Endpoint {
 public:
  Endpoint() : patience_(std::make_shared<ThrottlePatience>()) {}
  explicit Endpoint(std::shared_ptr<ThrottlePatience> patience) : patience_(std::move(patience)) {}
  virtual ~Endpoint() = default;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // Calls "PutItem" with a JSON body, again where the error is retryable, within the limits of the
  // endpoint; what is retryable even then stays so in the outcome. Throttled calls are made again
  // for as long as the patience lasts. `body` keeps its contents; its capacity may grow. Throws
  // nothing but std::bad_alloc.
  virtual Outcome call(std::string_view operation, std::string& body) = 0;

  // The same endpoint for another thread.
  virtual std::unique_ptr<Endpoint> another() const = 0;

  // How messages name it: a URL or a directory.
  virtual const std::string& name() const = 0;

  // Shared with those that another() makes.
  const std::shared_ptr<ThrottlePatience>& patience() const { return patience_; }

  // From now on a call ends soon once `is_over` says so, which is asked in the call's thread.
  void stop_when(std::function<bool()> is_over) { is_over_ = std::move(is_over); }
  // Waits before the next attempt. False when there is none: it is over, no delay is left, or, after
  // throttling, the patience has ended.
  bool wait_for_retry(RetryDelays& delays, bool throttled) const;

 protected:
  bool is_over() const { return is_over_ && is_over_(); }

 private:
  const std::shared_ptr<ThrottlePatience> patience_;
  std::function<bool()> is_over_;
};

// What an answer says: an error's type stands in "__type", behind '#' if there is one, and its text
// in "message" or "Message". A body that is no JSON (a proxy's) becomes the message as it is; with
// status 200 it is no answer.
Outcome read_outcome(int status, std::string body);

// That of a call that got no answer, for the reason `why`.
Outcome no_answer(std::string_view why, bool retryable);

}  // namespace magneto::server::client
