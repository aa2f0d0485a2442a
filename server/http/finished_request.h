#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"
#include "server/http/request_router.h"

namespace magneto::server::http {

// An answered request, for the code that counts or logs it. Valid while the request lives.
struct FinishedRequest {
  const Route& route;
  const HttpRequest& request;
  const HttpResponse& response;
  std::string_view id;
  std::size_t bytes_in;               // of the body as received
  std::size_t bytes_out;              // of the answer, head and body
  std::chrono::nanoseconds duration;  // since the request was complete
  int descriptor;                     // of the connection
};

}  // namespace magneto::server::http
