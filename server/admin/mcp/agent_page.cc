#include "server/admin/mcp/agent_page.h"

#include <optional>
#include <string>

#include "server/admin/mcp/messages.h"
#include "server/admin/messages.h"
#include "server/client/signing/authorization.h"
#include "server/formats/body_encoding.h"
#include "server/system/ignoring_case.h"
#include "server/system/utf8.h"

namespace magneto::server::admin::mcp {
namespace {

using http::Field;

constexpr std::string_view kAgentPath = "/_/mcp";
constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kPostField = "Allow: POST\r\n";
constexpr std::size_t kLongestShownVersion = 40;

// A refused request of the transport: JSON-RPC has no words for it, so the error has no id.
struct TransportError {
  int status;
  std::string sentence;
};

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Whether a list of media types admits JSON (RFC 9110, 12.5.1). Weights are not compared: the answer
// has one form only.
bool admits_json(std::string_view accept) {
  while (true) {
    const std::size_t comma = accept.find(',');
    const std::string_view range = accept.substr(0, comma);
    const std::string_view type = without_blanks(range.substr(0, range.find(';')));
    for (const std::string_view known :
         {kJsonType, std::string_view("application/*"), std::string_view("*/*")}) {
      if (system::equals_ignoring_case(type, known)) return true;
    }
    if (comma == std::string_view::npos) return false;
    accept.remove_prefix(comma + 1);
  }
}

bool wants_read_only(std::string_view uri) {
  bool read_only = false;
  client::QueryReader reader(uri);
  while (const std::optional<client::QueryParameter> parameter = reader.next()) {
    const std::string value = client::unescape(parameter->value);
    if (!parameter->is_named("read_only") || (value != "true" && value != "false")) {
      throw TransportError{400, std::string(messages::kWrongQuery)};
    }
    read_only = read_only || value == "true";
  }
  return read_only;
}

std::string version_of(const http::HttpRequest& request) {
  if (!request.has(Field::kProtocolVersion)) return std::string(kUnnamedVersion);
  const std::string_view version = request.get(Field::kProtocolVersion);
  if (!is_known_version(version)) {
    throw TransportError{
        400, messages::kUnknownVersion(system::sanitize_for_log(version, kLongestShownVersion),
                                       known_versions())};
  }
  return std::string(version);
}

void check_body(const http::HttpRequest& request) {
  if (request.has(Field::kAccept) && !admits_json(request.get(Field::kAccept))) {
    throw TransportError{406, std::string(messages::kNotAcceptable)};
  }
  if (request.body.size() > AgentServer::kMaxMessageBytes) {
    throw TransportError{413, messages::kLongMessage(AgentServer::kMaxMessageBytes)};
  }
  if (request.has(Field::kContentEncoding) &&
      formats::read_coding(request.get(Field::kContentEncoding)) != formats::Coding::kIdentity) {
    throw TransportError{400, std::string(admin::messages::kCodedBody)};
  }
}

}  // namespace

void AgentPage::answer_agent(std::string_view request_id, const http::AccessRules& access,
                             http::HttpRequest& request, http::HttpResponse& response) const {
  if (access_ == Access::kNone) throw TransportError{404, std::string(messages::kTurnedOff)};
  if (request.method != http::Method::kPost) {
    response.fields = kPostField;
    throw TransportError{405, std::string(messages::kPostOnly)};
  }
  const Connection connection{
      .read_only = wants_read_only(request.get(Field::kUri)) || access_ == Access::kReadOnly,
      .version = version_of(request),
      .endpoint = (speaks_tls_ ? "https://" : "http://") + std::string(access.address_for(request)),
      .request_id = request_id,
      .descriptor = request.descriptor};
  check_body(request);
  const Reply reply = server_.answer(request.body, connection);
  response.status = reply.text.empty() ? 202 : reply.is_refused ? 400 : 200;
  if (reply.text.empty()) response.content_type = {};
  response.body = reply.text;
}

void AgentPage::answer(std::string_view request_id, const http::AccessRules& access,
                       http::HttpRequest& request, http::HttpResponse& response) const {
  const std::string_view uri = request.get(Field::kUri);
  if (uri.substr(0, uri.find('?')) != kAgentPath) {
    control_.answer(request_id, access, request, response);
    return;
  }
  response.content_type = kJsonType;
  if (!control_.admit(access, request, response)) return;
  try {
    answer_agent(request_id, access, request, response);
  } catch (const TransportError& error) {
    response.status = error.status;
    response.body = error_message({}, {ErrorCode::kInvalidRequest, error.sentence});
  }
}

}  // namespace magneto::server::admin::mcp
