#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/namespaces/namespace_state.h"
#include "api/namespaces/namespaces.h"
#include "server/admin/control_options.h"
#include "server/admin/controlled_server.h"
#include "server/admin/default_settings.h"
#include "server/http/access_rules.h"
#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"
#include "server/http/page_handler.h"

namespace magneto::server::admin {

struct ControlRoute;

// A call of a route from within the process.
struct RouteCall {
  http::Method method;
  std::string_view pattern;        // of ControlRoute
  std::vector<std::string> names;  // for each {} of the pattern
  std::string query;               // "?limit=3", or empty
  std::string body;                // JSON; empty: none
  int descriptor = -1;             // of the client's connection
};

// The control interface: JSON over HTTP under /_/ (docs/testing.md). Thread-safe.
class Control final : public http::PageHandler {
 public:
  static constexpr std::size_t kMaxBodyBytes = 1 << 20;

  // `namespaces` and `server` must outlive the object.
  Control(ControlOptions options, api::Namespaces& namespaces, ControlledServer& server)
      : options_(std::move(options)),
        namespaces_(namespaces),
        server_(server),
        state_(std::make_unique<api::NamespaceState>(namespaces,
                                                     [&server] { return server.is_stopping(); })) {}

  bool owns(std::string_view path) const override { return path.starts_with("/_/"); }
  void answer(std::string_view request_id, const http::AccessRules& access,
              http::HttpRequest& request, http::HttpResponse& response) const override;

  // Checks the sender and the token. If it refuses them, fills in `response` and returns false.
  bool admit(const http::AccessRules& access, const http::HttpRequest& request,
             http::HttpResponse& response) const;
  // Calls a route for a client that admit() let in. Sets `body` to the answer, which is that of the
  // same HTTP request, and returns its status.
  int call(RouteCall call, std::string_view request_id, std::string& body) const;
  bool is_stopping() const { return server_.is_stopping(); }

  // Returns the token that the browser's page contains in the answer to this request; empty if the
  // user must enter it. The page never contains a token that a user chose. Under --auth verify it
  // contains none, since only clients with keys are admitted. It also contains none if the host may
  // be the name of a foreign page (DNS rebinding), which could read it.
  std::string_view token_for_page(const http::AccessRules& access,
                                  const http::HttpRequest& request) const;

  // Returns the reason for which any request of this sender is refused; empty if it is accepted.
  // Only pages of this server may send requests: a browser names the origin of any other page.
  std::string_view refuse_sender(const http::AccessRules& access,
                                 const http::HttpRequest& request) const;

 private:
  void check_token(const http::HttpRequest& request) const;
  void run(http::HttpRequest& request, http::HttpResponse& response) const;
  void run_route(const ControlRoute& route, RouteCall& call, http::HttpResponse& response) const;
  template <typename Work>
  void guard(std::string_view path, std::string_view request_id, http::HttpResponse& response,
             const Work& work) const;

  const ControlOptions options_;
  api::Namespaces& namespaces_;
  ControlledServer& server_;
  const std::unique_ptr<api::NamespaceState> state_;
  const std::unique_ptr<DefaultSettings> defaults_ = std::make_unique<DefaultSettings>();
};

}  // namespace magneto::server::admin
