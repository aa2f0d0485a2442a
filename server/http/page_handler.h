#pragma once

#include <string_view>

#include "server/http/access_rules.h"
#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"

namespace magneto::server::http {

// Answers requests for paths outside the DynamoDB protocol: those of the control interface and of
// the data browser. Thread-safe.
class PageHandler {
 public:
  virtual ~PageHandler() = default;

  // Whether this handler answers requests for `path`, which has no query.
  virtual bool owns(std::string_view path) const = 0;

  // Answers a request for a path of owns(), with any method. Runs on a worker that may wait. May
  // change the request's body. `response` is clear at the start; the handler fills it with views
  // that are valid while the handler lives.
  virtual void answer(std::string_view request_id, const AccessRules& access, HttpRequest& request,
                      HttpResponse& response) const = 0;
};

}  // namespace magneto::server::http
