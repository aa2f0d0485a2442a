#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "server/client/endpoint/aws_profile.h"
#include "server/client/endpoint/http_connection.h"
#include "server/feeds/event_sources/connection_pool.h"
#include "server/feeds/event_sources/event_source_mapping.h"
#include "server/feeds/event_sources/function_answer.h"

namespace magneto::server::feeds {

// The result of one call of a function.
struct Invocation {
  enum class Kind {
    kDone,    // it returned successfully
    kFailed,  // it may have run, but did not return successfully
    kNotNow,  // it did not run: no answer, throttled, missing, or a failed endpoint
    kOver,    // the server ended the call
  };
  Kind kind = Kind::kNotNow;
  // kDone: the items that the function reports as failed; nullopt if it returned something else.
  // Empty unless the mapping asks for them.
  std::optional<std::set<std::string>> failed_items = std::set<std::string>();
  std::string why;             // a sentence, unless kDone
  int status = 0;              // of HTTP; 0: no answer
  std::string request_id;      // of the function; empty if not known
  std::string version;         // the version that ran; empty if not known
  std::string function_error;  // "Unhandled"; empty if none
};

// Calls one function through Lambda's Invoke or a replacement: AWS, the runtime interface emulator,
// the endpoints of SAM and LocalStack, serverless-offline. Each call makes one attempt.
// Thread-safe.
class FunctionClient {
 public:
  // The limit of an event, and of an answer (AWS Lambda developer guide, "Lambda quotas").
  static constexpr std::size_t kMostBytes = 6'291'456;

  // Many threads call `is_over`; a call of the function ends soon after it returns true. Throws
  // std::runtime_error with a sentence if certificates cannot be loaded. The pool must outlive the
  // client.
  FunctionClient(const EventSourceMapping& mapping, ConnectionPool& pool,
                 client::Environment environment, std::function<bool()> is_over);

  // The request is signed for that region.
  Invocation invoke(std::string_view region, const std::string& event);

 private:
  client::HttpAnswer post(std::string_view region, const std::string& event,
                          FunctionAnswerReader& reader);

  const ConnectionPool::Purpose purpose_;
  ConnectionPool& pool_;
  const std::string path_;
  const std::size_t most_items_;
  const client::Environment environment_;
  const std::function<bool()> is_over_;
};

}  // namespace magneto::server::feeds
