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

// What came of one call of a function.
struct Invocation {
  enum class Kind {
    kDone,    // it returned well
    kFailed,  // it may have run, and did not return well
    kNotNow,  // it did not run: nobody answers, it is throttled, not there yet, or its endpoint failed
    kOver,  // the call was ended, since all is over
  };
  Kind kind = Kind::kNotNow;
  // kDone: those that it says it failed at; nullopt: what it returned is no list of them. Empty unless
  // the mapping asks for them.
  std::optional<std::set<std::string>> failed_items = std::set<std::string>();
  std::string why;             // not kDone: a sentence
  int status = 0;              // of HTTP; 0: there was no answer
  std::string request_id;      // the function's; empty: not told
  std::string version;         // that ran; empty: not told
  std::string function_error;  // "Unhandled"; empty: none
};

// Calls one function, at Lambda's Invoke or what stands in for it: AWS, the runtime interface emulator,
// SAM's and LocalStack's endpoints, serverless-offline. One attempt for each call. Thread-safe.
class FunctionClient {
 public:
  // Of an event, and of an answer (AWS Lambda developer guide, "Lambda quotas").
  static constexpr std::size_t kMostBytes = 6'291'456;

  // `is_over` is asked by many threads; a call ends soon once it says so. Throws std::runtime_error, a
  // sentence, where certificates cannot be had. The pool must outlive it.
  FunctionClient(const EventSourceMapping& mapping, ConnectionPool& pool,
                 client::Environment environment, std::function<bool()> is_over);

  // Signed for that region.
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
