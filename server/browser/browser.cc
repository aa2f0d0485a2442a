#include "server/browser/browser.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "server/formats/body_encoding.h"
#include "server/http/answer_messages.h"

namespace magneto::server::browser {
namespace {

constexpr std::string_view kPagePath = "/_/";
constexpr std::string_view kAssetsPath = "/_/assets/";
constexpr std::string_view kPageFile = "index.html";
constexpr std::string_view kTokenMeta = "<meta name=\"magneto-token\" content=\"";
constexpr std::size_t kMaxFileBytes = 1024 * 1024;

// The page may only run and load files of this server, and only connect to it. It runs no code from
// strings, and no other page can frame it.
constexpr std::string_view kGuards[] = {
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
    "Referrer-Policy: no-referrer",
    "Cross-Origin-Opener-Policy: same-origin",
    "Cross-Origin-Resource-Policy: same-origin",
    "Vary: Accept-Encoding",
};
// The page contains a token, so it is never stored. A file is reused only while its tag is the
// same.
constexpr std::string_view kPageCaching = "Cache-Control: no-store";
constexpr std::string_view kAssetCaching = "Cache-Control: no-cache";
constexpr std::string_view kAllowed = "Allow: GET, HEAD\r\n";

std::string make_fields(std::string_view caching, std::string_view tag) {
  std::string fields;
  for (const std::string_view guard : kGuards) fields.append(guard).append("\r\n");
  fields.append(caching).append("\r\n");
  // A weak tag: it is the same for either coding.
  if (!tag.empty()) fields.append("ETag: W/\"").append(tag).append("\"\r\n");
  return fields;
}

const std::string& page_fields() {
  static const std::string fields = make_fields(kPageCaching, {});
  return fields;
}

// `file`: one of page_files().
const std::string& asset_fields(const PageFile& file) {
  static const std::vector<std::string> fields = [] {
    std::vector<std::string> made;
    for (const PageFile& each : page_files()) made.push_back(make_fields(kAssetCaching, each.tag));
    return made;
  }();
  return fields[static_cast<std::size_t>(&file - page_files().data())];
}

std::string unpack(const PageFile& file) {
  std::string plain;
  formats::inflate_body(formats::Coding::kGzip, file.gzip, kMaxFileBytes, plain);
  return plain;
}

std::string_view content_type_of(std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".html", "text/html; charset=utf-8"},
  };
  for (const auto& [suffix, type] : kTypes) {
    if (path.ends_with(suffix)) return type;
  }
  return "application/octet-stream";
}

const PageFile* find_file(std::string_view name) {
  const auto found = std::ranges::lower_bound(page_files(), name, {}, &PageFile::path);
  return found != page_files().end() && found->path == name ? &*found : nullptr;
}

const PageFile* find_asset(std::string_view name) {
  return name == kPageFile || name.ends_with(".md") ? nullptr : find_file(name);
}

// RFC 9110, 13.1.2: a list of tags, or "*".
bool has_already(const http::HttpRequest& request, std::string_view tag) {
  if (!request.has(http::Field::kIfNoneMatch)) return false;
  const std::string_view known = request.get(http::Field::kIfNoneMatch);
  if (known == "*") return true;
  const std::string quoted = '"' + std::string(tag) + '"';
  return known.find(quoted) != std::string_view::npos;
}

bool takes_gzip(const http::HttpRequest& request) {
  return request.has(http::Field::kAcceptEncoding) &&
         formats::choose_coding(request.get(http::Field::kAcceptEncoding)) ==
             formats::Coding::kGzip;
}

// Reads a file below the folder; nullopt if it does not exist or its name leads out of the folder.
std::optional<std::string> read_page_file(const std::string& folder, std::string_view name) {
  if (name.find("..") != std::string_view::npos || name.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  std::ifstream file(folder + '/' + std::string(name), std::ios::binary);
  std::string text(kMaxFileBytes, '\0');
  if (!file || !file.read(text.data(), static_cast<std::streamsize>(text.size())).eof()) {
    return std::nullopt;
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string_view path_of(const http::HttpRequest& request) {
  const std::string_view uri = request.get(http::Field::kUri);
  return uri.substr(0, uri.find('?'));
}

void answer_plainly(int status, std::string_view text, http::HttpResponse& response) {
  response.status = status;
  response.content_type = "text/plain";
  response.body = text;
}

}  // namespace

Browser::Browser(FindToken find_token, std::string folder)
    : find_token_(std::move(find_token)), folder_(std::move(folder)) {}

bool Browser::owns(std::string_view path) const {
  return path == kPagePath || path.starts_with(kAssetsPath);
}

void Browser::answer(std::string_view /*request_id*/, const http::AccessRules& access,
                     http::HttpRequest& request, http::HttpResponse& response) const {
  const std::string_view path = path_of(request);
  const bool is_read =
      request.method == http::Method::kGet || request.method == http::Method::kHead;
  if (!folder_.empty() && is_read) {
    answer_from_folder(path, find_token_(access, request), response);
    return;
  }
  const PageFile* const asset =
      path == kPagePath ? nullptr : find_asset(path.substr(kAssetsPath.size()));
  if (path != kPagePath && asset == nullptr) {
    answer_plainly(404, http::messages::kNoPageFile, response);
  } else if (!is_read) {
    answer_plainly(405, http::messages::kPageIsReadOnly, response);
    response.fields = kAllowed;
  } else if (asset == nullptr) {
    answer_page(find_token_(access, request), response);
  } else {
    answer_asset(request, *asset, response);
  }
}

void Browser::answer_page(std::string_view token, http::HttpResponse& response) const {
  response.fields = page_fields();
  response.content_type = content_type_of(kPageFile);
  response.body = put_token_into_page(unpack(*find_file(kPageFile)), token);
}

void Browser::answer_asset(const http::HttpRequest& request, const PageFile& asset,
                           http::HttpResponse& response) const {
  response.fields = asset_fields(asset);
  if (has_already(request, asset.tag)) {
    response.status = 304;
    return;
  }
  response.content_type = content_type_of(asset.path);
  if (takes_gzip(request)) {
    response.body = asset.gzip;
    response.content_encoding = formats::name_of(formats::Coding::kGzip);
  } else {
    response.body = unpack(asset);
  }
}

void Browser::answer_from_folder(std::string_view path, std::string_view token,
                                 http::HttpResponse& response) const {
  const std::string_view name = path == kPagePath ? kPageFile : path.substr(kAssetsPath.size());
  std::optional<std::string> text = read_page_file(folder_, name);
  if (!text) {
    answer_plainly(404, http::messages::kNoPageFile, response);
    return;
  }
  response.fields = page_fields();
  response.content_type = content_type_of(name);
  response.body =
      path == kPagePath ? put_token_into_page(std::move(*text), token) : std::move(*text);
}

std::string put_token_into_page(std::string html, std::string_view token) {
  std::string escaped;
  for (const char c : token) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c;
    }
  }
  const std::size_t meta = html.find(kTokenMeta);
  if (meta != std::string::npos) html.insert(meta + kTokenMeta.size(), escaped);
  return html;
}

}  // namespace magneto::server::browser
