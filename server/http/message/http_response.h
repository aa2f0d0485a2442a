#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "api/call_report.h"
#include "server/http/message/http_request.h"

namespace magneto::server::http {

// The answer to one request. Reusable.
struct HttpResponse {
  int status = 200;
  std::string_view content_type;  // a constant; empty: none
  std::string body;
  // The value of Access-Control-Allow-Origin, valid while the request lives. If empty, no page may
  // read the answer.
  std::string_view allowed_origin;
  std::string_view content_encoding;  // of the body, a constant; empty: not encoded
  std::string_view fields;            // further header fields, each with CRLF; outlive the response
  bool preflight = false;             // the answer to a CORS pre-flight
  bool close = false;                 // the connection ends after this response
  bool retry = false;                 // the client may retry after a second
  // Asks an AWS SDK to wait so long before it tries again.
  std::optional<std::chrono::milliseconds> sdk_retry_after;
  api::CallReport report;  // about the call that was made, if any

  void clear();
};

// 52 characters of [0-9A-V], as in x-amzn-RequestId (captured facts, error wire format).
using RequestId = std::array<char, 52>;

class RequestIdSource {
 public:
  RequestIdSource();
  RequestId next();

 private:
  std::uint64_t next_random();

  std::array<std::uint64_t, 4> state_;
};

// The value of the Date header, formatted once a second. Each thread has one.
class DateHeader {
 public:
  std::string_view now();

 private:
  std::time_t second_ = -1;
  std::array<char, 32> text_{};
};

// Replaces `head` with the status line and the header fields of `response` to `request`, including
// the final empty line. x-amz-crc32 covers the bytes of the body as sent, compressed or not.
void format_head(const HttpRequest& request, const HttpResponse& response,
                 std::string_view request_id, std::string_view date, std::string& head);

}  // namespace magneto::server::http
