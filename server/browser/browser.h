#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/browser/page_files.h"
#include "server/http/access_rules.h"
#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"
#include "server/http/page_handler.h"

namespace magneto::server::browser {

// Serves the data browser: the page at /_/ and its files under /_/assets/. All of it is public,
// since it contains no data. But the page may contain the token of the control interface, so no
// page of another origin may read the answers, even if --cors allows it. Thread-safe.
class Browser final : public http::PageHandler {
 public:
  // Returns the token that the page contains in the answer to this request. If it is empty, the
  // page asks its user for one.
  using FindToken =
      std::function<std::string_view(const http::AccessRules&, const http::HttpRequest&)>;

  // `folder`: the folder with the page's sources, which each request reads again; for development
  // of the page. Empty: the compiled files.
  explicit Browser(FindToken find_token, std::string folder = {});

  bool owns(std::string_view path) const override;
  void answer(std::string_view request_id, const http::AccessRules& access,
              http::HttpRequest& request, http::HttpResponse& response) const override;

 private:
  void answer_page(std::string_view token, http::HttpResponse& response) const;
  void answer_asset(const http::HttpRequest& request, const PageFile& asset,
                    http::HttpResponse& response) const;
  void answer_from_folder(std::string_view path, std::string_view token,
                          http::HttpResponse& response) const;

  const FindToken find_token_;
  const std::string folder_;
};

// Puts `token` into the meta element magneto-token of `html`, whose content is empty.
std::string put_token_into_page(std::string html, std::string_view token);

}  // namespace magneto::server::browser
