// Messages of agents, one a line, after a line with the version of their protocol.
#include <memory>
#include <string>

#include "api/json/json_reader.h"
#include "server/admin/mcp/agent_server.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"
#include "tests/support/idle_server.h"

namespace magneto::fuzz {
namespace {

namespace admin = server::admin;

// It is stopping, so no call waits.
class StoppingServer final : public admin::ControlledServer {
 public:
  admin::ServerStatistics statistics() const override { return idle_.statistics(); }
  server::http::RequestTotals request_totals() const override { return {}; }
  bool is_stopping() const override { return true; }
  std::string open_port(const api::NamespaceDescription& space, std::uint16_t wanted) override {
    return idle_.open_port(space, wanted);
  }
  std::string url_of(const api::NamespaceDescription&) const override { return {}; }

 private:
  admin::IdleServer idle_;
};

class SampleAgentServer {
 public:
  SampleAgentServer() {
    answer(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_table","arguments":{"TableName":"tab","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}}})",
        "2025-06-18");
  }

  std::string answer(std::string_view message, std::string_view version) {
    std::string text(message);
    return server_
        .answer(text, {.read_only = false,
                       .version = std::string(version),
                       .endpoint = "http://localhost",
                       .request_id = "ID",
                       .descriptor = -1})
        .text;
  }

 private:
  std::shared_ptr<api::ControlSettings> settings_ = std::make_shared<api::ControlSettings>("main");
  api::Namespaces namespaces_{storage::Databases::open({}, settings_->clock), settings_, {}};
  StoppingServer stopping_;
  admin::Control control_{{.token = "secret"}, namespaces_, stopping_};
  admin::mcp::AgentServer server_{{.namespaces = namespaces_, .control = control_}};
};

void check_answer_message(api::json::Value answer) {
  const api::json::Object object = answer.object();
  require(object.find("jsonrpc").string() == "2.0", "an answer is one of JSON-RPC");
  require(object.find("id") && (object.find("result").is_object() !=
                                object.find("error").object().find("message").is_string()),
          "an answer has an id, and a result or an error");
}

void check_answer_of_agent(std::string text) {
  if (text.empty()) return;
  require(text.find('\n') == std::string::npos, "an answer is one line");
  api::json::Document document;
  const auto answer = document.parse(text);
  require(answer.has_value(), "an answer is JSON");
  if (!answer->is_array()) return check_answer_message(*answer);
  for (const api::json::Value one : answer->array()) check_answer_message(one);
}

}  // namespace

void fuzz_agent(std::string_view input) {
  constexpr int kMostMessages = 16;
  static std::unique_ptr<SampleAgentServer> agents;
  if (agents == nullptr) agents = std::make_unique<SampleAgentServer>();
  const auto take_line = [&input] {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), line.size() + 1));
    return line;
  };
  const std::string_view version = take_line();
  bool may_change = false;
  for (int i = 0; i < kMostMessages && !input.empty(); ++i) {
    const std::string_view line = take_line();
    may_change = may_change || line.find("tools") != std::string_view::npos ||
                 line.find('\\') != std::string_view::npos;
    check_answer_of_agent(agents->answer(line, version));
  }
  if (may_change) agents.reset();
}

}  // namespace magneto::fuzz
