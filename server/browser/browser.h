#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/browser/page_files.h"
#include "server/http_request.h"
#include "server/http_response.h"

namespace magneto::server {

// The data browser: the page at /_/ and its files under /_/assets/. All of it is public, as it
// says nothing of the data; but the page may carry the token of the dials, so that its answers are
// not for pages of other origins, whichever those of --cors are. Thread-safe.
class Browser {
 public:
  // `folder`: the sources of the page, which each request reads anew, for work on the page. Empty: the
  // files that are compiled in.
  explicit Browser(std::string folder = {});

  // Whether requests for that path, which has no query, are to be answered here.
  static bool owns(std::string_view path);

  // Answers a request for a path of owns(), whatever its method. The page carries `token`; empty: it
  // asks its reader for one. `response` has been cleared; it gets views that are valid as long as
  // this lives.
  void answer(const HttpRequest& request, std::string_view token, HttpResponse& response) const;

 private:
  struct Asset {
    const PageFile* file;
    std::string fields;  // HttpResponse::fields
  };

  void answer_page(std::string_view token, HttpResponse& response) const;
  void answer_asset(const HttpRequest& request, const Asset& asset, HttpResponse& response) const;
  const Asset* find_asset(std::string_view path) const;
  void answer_from_folder(std::string_view path, std::string_view token,
                          HttpResponse& response) const;

  const std::string folder_;
  std::string page_;  // HTML, without a token
  std::string page_fields_;
  std::vector<Asset> assets_;  // in the order of their paths
};

// `html` with `token` in its meta element magneto-token, whose content is empty.
std::string put_token_into_page(std::string html, std::string_view token);

}  // namespace magneto::server
