#pragma once

#include <string_view>

#include "server/http/access_rules.h"
#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"

namespace magneto::server::http {

// Answers requests for some paths beside the protocol: the control interface, the data browser.
// Thread-safe.
class PageHandler {
 public:
  virtual ~PageHandler() = default;

  // Whether requests for that path, which has no query, are answered here.
  virtual bool owns(std::string_view path) const = 0;

  // Answers a request for a path of owns(), whatever its method. On a worker that may wait. May change
  // the request's body. `response` has been cleared; it gets views that are valid as long as this lives.
  virtual void answer(std::string_view request_id, const AccessRules& access, HttpRequest& request,
                      HttpResponse& response) const = 0;
};

}  // namespace magneto::server::http
