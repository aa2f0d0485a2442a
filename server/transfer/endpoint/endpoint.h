#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace magneto::server {

// What came of a call. An error is a value.
struct Outcome {
  int status = 0;          // of HTTP; 0: no answer came
  std::string body;        // the JSON of the answer, of an error too
  std::string error_type;  // "ResourceNotFoundException"; empty when the call succeeded
  std::string message;     // what the endpoint says of the error, or the connection
  bool retryable = false;  // the same call may succeed later

  bool succeeded() const { return status == 200; }
};

// Something that answers DynamoDB's operations. For one thread at a time.
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  // Calls "PutItem" with a JSON body, again where the error is retryable, within the limits of the
  // endpoint; what is retryable even then stays so in the outcome. `body` keeps its contents; its
  // capacity may grow. Throws nothing but std::bad_alloc.
  virtual Outcome call(std::string_view operation, std::string& body) = 0;

  // The same endpoint for another thread.
  virtual std::unique_ptr<Endpoint> another() const = 0;

  // How messages name it: a URL or a directory.
  virtual const std::string& name() const = 0;
};

// What an answer says: an error's type stands in "__type", behind '#' if there is one, and its text
// in "message" or "Message". A body that is no JSON (a proxy's) becomes the message as it is.
Outcome read_outcome(int status, std::string body);

// That of a call that got no answer, for the reason `why`.
Outcome no_answer(std::string_view why, bool retryable);

}  // namespace magneto::server
