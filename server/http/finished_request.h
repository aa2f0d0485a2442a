#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"
#include "server/http/request_router.h"

namespace magneto::server::http {

// A request that was answered, for whoever counts or logs it; as long as the request lives.
struct FinishedRequest {
  const Route& route;
  const HttpRequest& request;
  const HttpResponse& response;
  std::string_view id;
  std::size_t bytes_in;               // of the body as it came
  std::size_t bytes_out;              // of the answer, head and body
  std::chrono::nanoseconds duration;  // since the request was whole
  int descriptor;                     // of the connection
};

}  // namespace magneto::server::http
