#include "server/admin/control.h"

#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "api/control_error.h"
#include "server/admin/control_call.h"
#include "server/admin/control_members.h"
#include "server/admin/messages.h"
#include "server/client/signing/authorization.h"
#include "server/client/signing/sha256.h"
#include "server/formats/body_encoding.h"
#include "server/http/answer_messages.h"
#include "server/system/ignoring_case.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"
#include "server/system/stop_messages.h"

namespace magneto::server::admin {
namespace {

constexpr std::string_view kPath = "/_/";

int status_of(api::NamespaceError::Kind kind) {
  using Kind = api::NamespaceError::Kind;
  switch (kind) {
    case Kind::kInvalid:
      return 400;
    case Kind::kUnknown:
      return 404;
    case Kind::kTaken:
    case Kind::kBusy:
      return 409;
    case Kind::kFull:
      return 507;
    case Kind::kFailed:
      return 500;
  }
  return 500;
}

void write_error(int status, std::string_view sentence, http::HttpResponse& response) {
  response.status = status;
  response.body.clear();
  api::json::Writer writer(response.body);
  writer.begin_object();
  writer.text("error", sentence);
  writer.end_object();
}

std::string_view path_of(std::string_view uri) {
  const std::string_view path = uri.substr(0, uri.find('?'));
  return path.substr(std::min(kPath.size(), path.size()));
}

void check_query(std::string_view uri, std::span<const std::string_view> known) {
  std::vector<std::string_view> seen;
  client::QueryReader reader(uri);
  while (const std::optional<client::QueryParameter> parameter = reader.next()) {
    const auto* const found =
        std::find_if(known.data(), known.data() + known.size(),
                     [&](std::string_view name) { return parameter->is_named(name); });
    if (found == known.data() + known.size() || std::ranges::find(seen, *found) != seen.end()) {
      std::string names;
      for (const std::string_view name : known) {
        names.append(names.empty() ? "" : ", ").append(name);
      }
      throw api::ControlError(messages::unknown_query(names));
    }
    seen.push_back(*found);
  }
}

}  // namespace

std::string_view Control::refuse_sender(const http::AccessRules& access,
                                        const http::HttpRequest& request) const {
  if (!access.refuse_host(request).empty()) return messages::kForeignControlHost;
  if (!request.has(http::Field::kOrigin)) return {};
  std::string own = options_.speaks_tls ? "https://" : "http://";
  own += access.address_for(request);
  if (system::equals_ignoring_case(request.get(http::Field::kOrigin), own)) return {};
  return messages::kForeignControlOrigin;
}

std::string_view Control::token_for_page(const http::AccessRules& access,
                                         const http::HttpRequest& request) const {
  if (!options_.token_is_random || options_.auth == http::AuthMode::kVerify) return {};
  if (!refuse_sender(access, request).empty() || !access.has_certain_host(request)) return {};
  return options_.token;
}

// Compares digests: unlike the texts, they have the same length.
void Control::check_token(const http::HttpRequest& request) const {
  constexpr std::string_view kScheme = "Bearer ";
  std::string_view given = request.get(http::Field::kAuthorization);
  if (given.size() < kScheme.size() ||
      !system::equals_ignoring_case(given.substr(0, kScheme.size()), kScheme)) {
    throw api::ControlError(messages::kWantsToken, 401);
  }
  given.remove_prefix(kScheme.size());
  while (given.starts_with(' ')) given.remove_prefix(1);
  const client::Sha256 a = client::sha256(given);
  const client::Sha256 b = client::sha256(options_.token);
  if (!client::equal_in_constant_time(client::HmacKey::bytes_of(a), client::HmacKey::bytes_of(b))) {
    throw api::ControlError(messages::kWrongToken, 401);
  }
}

void Control::run_route(const ControlRoute& route, RouteCall& called,
                        http::HttpResponse& response) const {
  thread_local api::json::Document document;
  const absl::Cleanup release = [] { document.release_large_buffers(); };
  if (route.needs_store_alone && options_.shares_store) {
    throw api::ControlError(messages::kNotWithShared, 409);
  }
  check_query(called.query, route.queries);
  api::json::Object body;
  if (!called.body.empty()) {
    const auto parsed = document.parse(called.body);
    if (!parsed) throw api::ControlError(messages::kNotJson);
    if (!parsed->is_object()) throw api::ControlError(messages::kBodyNoObject);
    body = parsed->object();
    check_members(body, route.members);
  }
  api::json::Writer writer(response.body);
  ControlCall call{.namespaces = namespaces_,
                   .state = *state_,
                   .options = options_,
                   .server = server_,
                   .defaults = *defaults_,
                   .names = {called.names.begin(), called.names.end()},
                   .body = body,
                   .uri = called.query,
                   .answer = writer,
                   .descriptor = called.descriptor};
  route.handle(call);
  response.status = call.status;
  if (call.text.empty()) return;
  response.content_type = call.text_type;
  response.body = std::move(call.text);
}

void Control::run(http::HttpRequest& request, http::HttpResponse& response) const {
  if (request.body.size() > kMaxBodyBytes) {
    throw api::ControlError(messages::kTooLongBody(kMaxBodyBytes), 413);
  }
  const std::string_view uri = request.get(http::Field::kUri);
  std::vector<std::string_view> names;
  const ControlRoute& route = find_control_route(request.method, path_of(uri), names);
  if (!request.body.empty() && request.has(http::Field::kContentEncoding) &&
      formats::read_coding(request.get(http::Field::kContentEncoding)) !=
          formats::Coding::kIdentity) {
    throw api::ControlError(messages::kCodedBody);
  }
  RouteCall call{.method = request.method,
                 .pattern = route.pattern,
                 .names = {names.begin(), names.end()},
                 .query = std::string(uri),
                 .body = std::move(request.body),
                 .descriptor = request.descriptor};
  run_route(route, call, response);
}

// Turns what the work throws into an answer.
template <typename Work>
void Control::guard(std::string_view path, std::string_view request_id,
                    http::HttpResponse& response, const Work& work) const {
  try {
    work();
  } catch (const api::ControlError& error) {
    write_error(error.status(), error.sentence(), response);
  } catch (const api::NamespaceError& error) {
    write_error(status_of(error.kind()), error.what(), response);
  } catch (const std::exception& error) {
    // At the end of the server, waiting requests are abandoned.
    if (server_.is_stopping()) return write_error(503, system::messages::kIsStopping, response);
    system::log(system::LogLevel::kError, system::messages::kFault(path, request_id, error.what()));
    write_error(500, messages::kControlFailed, response);
  }
}

bool Control::admit(const http::AccessRules& access, const http::HttpRequest& request,
                    http::HttpResponse& response) const {
  try {
    if (const std::string_view refusal = refuse_sender(access, request); !refusal.empty()) {
      throw api::ControlError(refusal, 403);
    }
    check_token(request);
    return true;
  } catch (const api::ControlError& error) {
    write_error(error.status(), error.sentence(), response);
    return false;
  }
}

int Control::call(RouteCall call, std::string_view request_id, std::string& body) const {
  http::HttpResponse response;
  guard(call.pattern, request_id, response,
        [&] { run_route(control_route(call.method, call.pattern), call, response); });
  body = std::move(response.body);
  return response.status;
}

void Control::answer(std::string_view request_id, const http::AccessRules& access,
                     http::HttpRequest& request, http::HttpResponse& response) const {
  response.content_type = "application/json";
  if (!admit(access, request, response)) return;
  guard(path_of(request.get(http::Field::kUri)), request_id, response,
        [&] { run(request, response); });
}

}  // namespace magneto::server::admin
