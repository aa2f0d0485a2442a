#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

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

// The control interface: JSON over HTTP under /_/ (docs/testing.md). Thread-safe.
class Control final : public http::PageHandler {
 public:
  static constexpr std::size_t kMaxBodyBytes = 1 << 20;

  // `namespaces` and `server` outlive it.
  Control(ControlOptions options, api::Namespaces& namespaces, ControlledServer& server)
      : options_(std::move(options)),
        namespaces_(namespaces),
        server_(server),
        state_(std::make_unique<api::NamespaceState>(namespaces,
                                                     [&server] { return server.is_stopping(); })) {}

  bool owns(std::string_view path) const override { return path.starts_with("/_/"); }
  void answer(std::string_view request_id, const http::AccessRules& access,
              http::HttpRequest& request, http::HttpResponse& response) const override;

  // The token that the page of the browser is to carry in answer to this request; empty: the user
  // is to enter it. One that a user has chosen stays with whom they give it to; --auth verify lets
  // nobody in who has no key; and a name that is not certainly this server's may be that of a page
  // of elsewhere (DNS rebinding), which could read it.
  std::string_view token_for_page(const http::AccessRules& access,
                                  const http::HttpRequest& request) const;

  // Why a request is not answered, whatever it asks for; empty: it is. Only pages of this server
  // itself may ask: a browser names the origin of any other.
  std::string_view refuse_sender(const http::AccessRules& access,
                                 const http::HttpRequest& request) const;

 private:
  void check_token(const http::HttpRequest& request) const;
  void run(http::HttpRequest& request, http::HttpResponse& response) const;

  const ControlOptions options_;
  api::Namespaces& namespaces_;
  ControlledServer& server_;
  const std::unique_ptr<api::NamespaceState> state_;
  const std::unique_ptr<DefaultSettings> defaults_ = std::make_unique<DefaultSettings>();
};

}  // namespace magneto::server::admin
