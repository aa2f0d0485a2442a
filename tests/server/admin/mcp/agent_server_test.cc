#include "server/admin/mcp/agent_server.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "server/admin/control_call.h"
#include "server/admin/mcp/agent_page.h"
#include "server/admin/mcp/tool_list.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "tests/support/idle_server.h"

namespace magneto::server::admin::mcp {
namespace {

using api::json::Document;
using api::json::Value;

class AgentServerTest : public testing::Test {
 protected:
  std::string ask(std::string text, bool read_only = false,
                  std::string_view version = "2025-06-18") {
    const Connection connection{.read_only = read_only,
                                .version = std::string(version),
                                .endpoint = "http://localhost:1",
                                .request_id = "ID",
                                .descriptor = -1};
    const Reply reply = server_.answer(text, connection);
    refused_ = reply.is_refused;
    return reply.text;
  }
  std::string call(std::string_view tool, std::string_view arguments = "{}") {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
               std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}}");
  }
  void make_table() {
    const std::string made = call(
        "create_table",
        R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})");
    ASSERT_NE(made.find(R"("isError":false)"), std::string::npos) << made;
  }

  std::shared_ptr<api::ControlSettings> settings_ = std::make_shared<api::ControlSettings>("main");
  storage::Clock& clock_ = settings_->clock;
  api::Namespaces namespaces_{storage::Databases::open({}, clock_), settings_, {}};
  IdleServer idle_;
  Control control_{{.token = "secret"}, namespaces_, idle_};
  AgentServer server_{{.namespaces = namespaces_, .control = control_}};
  bool refused_ = false;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(AgentServerTest, RefusesTextsThatAreNoMessages) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "-32700"},
      {"junk", "-32700"},
      {"{\"jsonrpc\":\"2.0\"", "-32700"},
      {"\"\\ud800\"", "-32700"},
      {"1", "-32600"},
      {"null", "-32600"},
      {"{}", "-32600"},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", "-32600"},
      {R"({"id":1,"method":"ping"})", "-32600"},
      {R"({"jsonrpc":2,"id":1,"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1})", "-32600"},
  };
  for (const auto& [text, code] : cases) {
    EXPECT_TRUE(has(ask(std::string(text)), code)) << text;
    EXPECT_TRUE(refused_) << text;
  }
}

TEST_F(AgentServerTest, AnswersRequestsAndNothingElse) {
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":"a\"b","method":"ping"})"),
            R"({"jsonrpc":"2.0","id":"a\"b","result":{}})");
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":0,"method":"ping","params":{"_meta":{}}})"),
            R"({"jsonrpc":"2.0","id":0,"result":{}})");
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","method":"notifications/unknown","params":{}})"), "");
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"result":{}})"), "");
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}})"), "");
  EXPECT_TRUE(has(ask(R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel"})"), "-32601"));
  EXPECT_TRUE(has(ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})"), "-32602"));
}

TEST_F(AgentServerTest, AgreesOnAVersion) {
  for (const std::string_view known : kVersions) {
    const std::string answer =
        ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" +
            std::string(known) + "\"}}");
    EXPECT_TRUE(has(answer, "\"protocolVersion\":\"" + std::string(known) + "\"")) << answer;
    EXPECT_TRUE(has(answer, "http://localhost:1"));
  }
  EXPECT_TRUE(has(
      ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}})"),
      R"("protocolVersion":"2025-11-25")"));
  EXPECT_TRUE(has(ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"), "-32602"));
}

TEST_F(AgentServerTest, TakesBatchesInTheVersionThatHasThem) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}])";
  const std::string answers = ask(batch, false, "2025-03-26");
  EXPECT_FALSE(refused_);
  EXPECT_TRUE(answers.starts_with(R"([{"jsonrpc":"2.0","id":1,"result":{}},)")) << answers;
  EXPECT_TRUE(has(answers, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600)"));
  EXPECT_TRUE(has(answers, R"({"jsonrpc":"2.0","id":2,"error":{"code":-32600)"));
  EXPECT_EQ(ask(R"([{"jsonrpc":"2.0","method":"x"}])", false, "2025-03-26"), "");
  EXPECT_TRUE(has(ask("[]", false, "2025-03-26"), "-32600"));
  std::string many = "[1";
  for (int i = 0; i < 100; ++i) many += ",1";
  EXPECT_TRUE(has(ask(many + "]", false, "2025-03-26"), "100 messages"));
  for (const std::string_view version : {"2025-06-18", "2025-11-25"}) {
    EXPECT_TRUE(has(ask(batch, false, version), "-32600"));
    EXPECT_TRUE(refused_);
  }
}

// A tool names its route and the members of its body or query; all of them exist, and none is
// missing but those that only programs use.
TEST_F(AgentServerTest, ToolsHaveTheMembersOfTheirRoutes) {
  const std::set<std::string_view> left_out = {"wait", "format"};
  for (const auto tools : {namespace_tools(), setting_tools()}) {
    for (const Tool& tool : tools) {
      const ControlRoute& route = control_route(tool.method, tool.pattern);
      std::set<std::string_view> known(route.members.begin(), route.members.end());
      known.insert(route.queries.begin(), route.queries.end());
      std::set<std::string_view> given;
      for (const Argument& argument : tool.arguments) given.insert(argument.name);
      for (const std::string_view name : tool.path) given.erase(name);
      for (const std::string_view name : left_out) known.erase(name);
      EXPECT_EQ(given, known) << tool.name;
    }
  }
}

TEST_F(AgentServerTest, ListsToolsWithSchemas) {
  Document document;
  for (const bool read_only : {false, true}) {
    std::string text = tool_list(read_only);
    const auto list = document.parse(text);
    ASSERT_TRUE(list);
    std::set<std::string> names;
    for (const Value tool : list->object().find("tools").array()) {
      const std::string name(tool.object().find("name").string());
      EXPECT_TRUE(names.insert(name).second) << name;
      const Value schema = tool.object().find("inputSchema");
      EXPECT_EQ(schema.object().find("type").string(), "object") << name;
      EXPECT_TRUE(schema.object().find("properties").is_object()) << name;
      const Value reads = tool.object().find("annotations").object().find("readOnlyHint");
      EXPECT_TRUE(!read_only || reads.boolean()) << name;
      EXPECT_NE(find_tool(name), nullptr) << name;
    }
    EXPECT_EQ(names.contains("put_item"), !read_only);
    EXPECT_TRUE(names.contains("explain"));
  }
}

TEST_F(AgentServerTest, ReadOnlyRefusesToolsThatChange) {
  const std::string put =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"put_item","arguments":{}}})";
  EXPECT_TRUE(has(ask(put, true), "read-only"));
  EXPECT_TRUE(has(ask(put, true), "-32602"));
}

TEST_F(AgentServerTest, RefusesUnknownAndMissingArguments) {
  make_table();
  EXPECT_TRUE(has(call("nothing"), "-32602"));
  EXPECT_TRUE(has(call("get_item", "[]"), "-32602"));
  EXPECT_TRUE(has(call("get_item", R"({"Kay":{}})"), "unknown member 'Kay'"));
  EXPECT_TRUE(has(call("get_item", R"({"TableName":"Tab","namespace":7})"), "'namespace' must be"));
  EXPECT_TRUE(
      has(call("get_item", R"({"TableName":"Tab","region":"no region"})"), "'region' must"));
  EXPECT_TRUE(has(call("get_item", R"({"TableName":"Tab","access_key":""})"), "'access_key' must"));
  EXPECT_TRUE(has(call("update_table", R"({"TableName":"Tab","StreamSpecification":{"On":true}})"),
                  "unknown member 'On' in StreamSpecification"));
  EXPECT_TRUE(has(call("remove_fault"), "'id' is missing"));
  EXPECT_TRUE(has(call("get_item", R"({"namespace":"none"})"), R"("isError":true)"));
  // A name cannot lead to another route.
  EXPECT_TRUE(has(call("delete_namespace", R"({"name":"main/faults"})"), R"("isError":true)"));
}

TEST_F(AgentServerTest, ExplainChangesNothing) {
  make_table();
  const std::string explained =
      call("explain",
           R"({"operation":"PutItem","request":{"TableName":"Tab","Item":{"pk":{"S":"a"}}}})");
  EXPECT_TRUE(has(explained, R"("consumed":{"read_units":0,"write_units":1})")) << explained;
  EXPECT_TRUE(has(call("scan", R"({"TableName":"Tab"})"), R"("Count":0)"));
  EXPECT_EQ(namespaces_.count(), 0U);
  EXPECT_TRUE(has(call("explain", R"({"operation":"DeleteTable","request":{"TableName":"Tab"}})"),
                  "there is no operation 'DeleteTable'"));
  EXPECT_TRUE(has(call("explain", R"({"operation":"Scan","request":7})"), "'request' must be"));
  EXPECT_TRUE(has(call("explain", R"({"operation":"Scan","request":{"Tab":7}})"), "in request"));
  EXPECT_EQ(namespaces_.count(), 0U);
}

TEST_F(AgentServerTest, SaysThatThereIsMore) {
  make_table();
  for (int i = 0; i < 101; ++i) {
    call("put_item", R"({"TableName":"Tab","Item":{"pk":{"S":")" + std::to_string(i) + "\"}}}");
  }
  const std::string page = call("scan", R"({"TableName":"Tab"})");
  EXPECT_TRUE(has(page, R"("Count":100)"));
  EXPECT_TRUE(has(page, "There is more"));
  EXPECT_TRUE(has(call("scan", R"({"TableName":"Tab","Select":"COUNT"})"), R"("Count":101)"));
  EXPECT_FALSE(has(call("scan", R"({"TableName":"Tab","Limit":500})"), "There is more"));
  const std::string request = "{}";
  EXPECT_TRUE(has(call("scan", request), R"("isError":true)"));
}

TEST_F(AgentServerTest, ShortensLongAnswers) {
  make_table();
  const std::string text(300'000, 'x');
  for (const char key : {'a', 'b', 'c', 'd'}) {
    call("put_item", R"({"TableName":"Tab","Item":{"pk":{"S":")" + std::string(1, key) +
                         R"("},"t":{"S":")" + text + "\"}}}");
  }
  const std::string all = call(
      "batch_get_item",
      R"({"RequestItems":{"Tab":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}},{"pk":{"S":"c"}},{"pk":{"S":"d"}}]}}})");
  EXPECT_TRUE(has(all, "The first 65536 are shown"));
  EXPECT_FALSE(has(all, "structuredContent"));
  EXPECT_LT(all.size(), 100'000U);
}

TEST_F(AgentServerTest, ReadsDescriptionsOfTables) {
  make_table();
  const auto read = [&](std::string_view uri) {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":")" +
               std::string(uri) + "\"}}");
  };
  EXPECT_TRUE(has(read("magneto://main/tables/Tab"), "KeySchema"));
  for (const std::string_view wrong : {"", "magneto://", "magneto://main", "magneto://main/tables/",
                                       "magneto://no/tables/Tab", "file:///etc/passwd"}) {
    EXPECT_TRUE(has(read(wrong), "-32002")) << wrong;
  }
  EXPECT_TRUE(has(ask(R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})"),
                  "magneto://main/tables/Tab"));
  EXPECT_TRUE(
      has(ask(R"({"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"?"}})"),
          "-32602"));
}

}  // namespace
}  // namespace magneto::server::admin::mcp
