#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "api/namespaces/namespace_state.h"
#include "api/namespaces/namespaces.h"
#include "server/access_rules.h"
#include "server/control/control_options.h"
#include "server/control/controlled_server.h"
#include "server/control/default_dials.h"
#include "server/http_request.h"
#include "server/http_response.h"

namespace magneto::server {

// The control interface: JSON over HTTP under /_/ (docs/testing.md). Thread-safe.
class Control {
 public:
  static constexpr std::size_t kMaxBodyBytes = 1 << 20;

  // `namespaces` and `server` outlive it.
  Control(ControlOptions options, api::Namespaces& namespaces, ControlledServer& server)
      : options_(std::move(options)),
        namespaces_(namespaces),
        server_(server),
        state_(std::make_unique<api::NamespaceState>(namespaces,
                                                     [&server] { return server.is_stopping(); })) {}

  // Answers a request whose path begins with /_/. On a worker that may wait. May change the
  // request's body.
  void answer(std::string_view request_id, const AccessRules& access, HttpRequest& request,
              HttpResponse& response) const;

  // The token that the page of the browser is to carry in answer to this request; empty: the user
  // is to enter it. One that a user has chosen stays with whom they give it to; --auth verify lets
  // nobody in who has no key; and a name that is not certainly this server's may be that of a page
  // of elsewhere (DNS rebinding), which could read it.
  std::string_view token_for_page(const AccessRules& access, const HttpRequest& request) const;

  // Why a request is not answered, whatever it asks for; empty: it is. Only pages of this server
  // itself may ask: a browser names the origin of any other.
  std::string_view refuse_sender(const AccessRules& access, const HttpRequest& request) const;

 private:
  void check_token(const HttpRequest& request) const;
  void run(HttpRequest& request, HttpResponse& response) const;

  const ControlOptions options_;
  api::Namespaces& namespaces_;
  ControlledServer& server_;
  const std::unique_ptr<api::NamespaceState> state_;
  const std::unique_ptr<DefaultDials> defaults_ = std::make_unique<DefaultDials>();
};

}  // namespace magneto::server
