#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/service.h"
#include "server/auth/authenticator.h"
#include "server/config.h"
#include "server/http_request.h"
#include "server/http_response.h"

namespace magneto::server {

// What one request asks for, found from its head alone.
struct Route {
  enum class Kind : std::uint8_t {
    kOperation,  // a call of the service; `operation` is nullptr for an unknown one
    kHealth,     // GET / and GET /healthcheck
    kPreflight,  // OPTIONS with Origin
    kNotFound,   // any other method, path or content type
  };
  Kind kind = Kind::kNotFound;
  const api::Operation* operation = nullptr;
  std::string_view content_type;  // of the answer
  // The call can wait for the disk, so it must run on a worker and not on an I/O thread.
  bool may_wait = false;
};

// Turns HTTP requests into calls of the service and their outcome into HTTP responses. Thread-safe;
// knows nothing of sockets.
class RequestRouter {
 public:
  RequestRouter(api::Service& service, AuthMode auth, bool sync_writes)
      : service_(service), auth_(auth), sync_writes_(sync_writes) {}

  Route find_route(const HttpRequest& request) const;

  // Answers a whole request. May change the request's body. `response` has been cleared. False when
  // the request is too much for an I/O thread, where it was tried: it is to be answered on a
  // worker.
  bool answer(const Route& route, std::string_view request_id, HttpRequest& request,
              HttpResponse& response, storage::Effort& effort) const;

 private:
  bool call_service(const Route& route, std::string_view request_id, HttpRequest& request,
                    HttpResponse& response, storage::Effort& effort) const;

  api::Service& service_;
  const AuthMode auth_;
  const bool sync_writes_;
};

}  // namespace magneto::server
