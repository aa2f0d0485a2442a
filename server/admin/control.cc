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

void Control::run(http::HttpRequest& request, http::HttpResponse& response) const {
  thread_local api::json::Document document;
  const absl::Cleanup release = [] { document.release_large_buffers(); };
  if (request.body.size() > kMaxBodyBytes) {
    throw api::ControlError(messages::kTooLongBody(kMaxBodyBytes), 413);
  }
  const std::string_view uri = request.get(http::Field::kUri);
  std::vector<std::string_view> names;
  const ControlRoute& route = find_control_route(request.method, path_of(uri), names);
  if (route.needs_store_alone && options_.shares_store) {
    throw api::ControlError(messages::kNotWithShared, 409);
  }
  check_query(uri, route.queries);
  api::json::Object body;
  if (!request.body.empty()) {
    if (request.has(http::Field::kContentEncoding) &&
        formats::read_coding(request.get(http::Field::kContentEncoding)) !=
            formats::Coding::kIdentity) {
      throw api::ControlError(messages::kCodedBody);
    }
    const auto parsed = document.parse(request.body);
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
                   .names = std::move(names),
                   .body = body,
                   .uri = uri,
                   .answer = writer,
                   .descriptor = request.descriptor};
  route.handle(call);
  response.status = call.status;
  if (call.text.empty()) return;
  response.content_type = call.text_type;
  response.body = std::move(call.text);
}

void Control::answer(std::string_view request_id, const http::AccessRules& access,
                     http::HttpRequest& request, http::HttpResponse& response) const {
  response.content_type = "application/json";
  try {
    if (const std::string_view refusal = refuse_sender(access, request); !refusal.empty()) {
      throw api::ControlError(refusal, 403);
    }
    check_token(request);
    run(request, response);
  } catch (const api::ControlError& error) {
    write_error(error.status(), error.sentence(), response);
  } catch (const api::NamespaceError& error) {
    write_error(status_of(error.kind()), error.what(), response);
  } catch (const std::exception& error) {
    // At the end of the server, waiting requests are abandoned.
    if (server_.is_stopping()) return write_error(503, system::messages::kIsStopping, response);
    system::log(system::LogLevel::kError,
                system::messages::kFault(path_of(request.get(http::Field::kUri)), request_id,
                                         error.what()));
    write_error(500, messages::kControlFailed, response);
  }
}

}  // namespace magneto::server::admin
