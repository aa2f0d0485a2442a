#include "server/admin/mcp/remote_agent_server.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "api/json/json_reader.h"
#include "server/admin/mcp/messages.h"
#include "server/admin/mcp/protocol.h"
#include "server/client/endpoint/outgoing_tls.h"
#include "server/system/terminal.h"
#include "server/system/utf8.h"

namespace magneto::server::admin::mcp {
namespace {

// settle may take ten minutes.
constexpr client::ClientTimeouts kTimeouts{.connect = std::chrono::milliseconds(10'000),
                                           .exchange = std::chrono::minutes(11)};
constexpr std::size_t kLongestShownBody = 300;

// Returns the error as an answer to the message; if that wants no answer, logs it.
std::string answer_failure(std::string& message, const std::string& sentence) {
  api::json::Document document;
  std::string id;
  if (const auto value = document.parse(message)) {
    try {
      if (read_message(*value, id).kind != MessageKind::kRequest) {
        system::print_problem(sentence);
        return {};
      }
    } catch (const ProtocolError& error) {
      return error_message(id, error);
    }
  }
  return error_message(id, {ErrorCode::kInternal, sentence});
}

// {"error": "..."} of the control interface.
std::string reason_of(const std::string& body) {
  api::json::Document document;
  std::string text = body;
  const auto value = document.parse(text);
  const std::string_view error =
      value ? value->object().find("error").string() : std::string_view();
  return system::sanitize_for_log(error.empty() ? std::string_view(body) : error,
                                  kLongestShownBody);
}

bool is_message(const std::string& body) {
  return body.starts_with(R"({"jsonrpc":)") || body.starts_with("[");
}

}  // namespace

RemoteAgentServer::RemoteAgentServer(RemoteOptions options)
    : options_(std::move(options)),
      connection_(options_.url,
                  options_.url.tls ? client::load_certificates(options_.ca_file) : nullptr,
                  kTimeouts) {}

std::string RemoteAgentServer::answer(std::string& message, const std::string& version) {
  client::HttpAnswer answer;
  try {
    answer = connection_.send({.method = "POST",
                               .target = options_.read_only ? "/_/mcp?read_only=true" : "/_/mcp",
                               .fields = {{"Host", options_.url.host_field()},
                                          {"Authorization", "Bearer " + options_.token},
                                          {"Accept", "application/json, text/event-stream"},
                                          {"Content-Type", "application/json"},
                                          {"MCP-Protocol-Version", version}},
                               .body = message,
                               .resends = false},
                              [] { return false; });
  } catch (const std::exception& error) {
    return answer_failure(message, messages::kNoServer(options_.url.text(), error.what()));
  }
  if (answer.status == 202) return {};
  if (!is_message(answer.body)) {
    return answer_failure(message, messages::kNotAnAgentServer(options_.url.text(), answer.status,
                                                               reason_of(answer.body)));
  }
  std::replace(answer.body.begin(), answer.body.end(), '\n', ' ');
  return answer.body;
}

}  // namespace magneto::server::admin::mcp
