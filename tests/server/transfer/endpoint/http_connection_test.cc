#include "server/transfer/endpoint/http_connection.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/scripted_server.h"

namespace magneto::server {
namespace {

TEST(HttpConnection, SendsNoFieldThatCouldEndOne) {
  ScriptedServer server([](const std::string&) { return http_answer(200, "yes"); });
  HttpConnection connection(parse_endpoint_url(server.url()).value(), nullptr, {});
  const auto never = [] { return false; };
  const auto send = [&](const std::string& value) {
    const std::vector<OwnedField> fields = {{"Host", "localhost"}, {"X-Amz-Key", value}};
    return connection.send("GET", "/", fields, {}, never).status;
  };
  for (const std::string& value :
       {std::string("a\r\nX-Injected: yes"), std::string("a\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
        std::string("a\nb"), std::string("a\rb"), std::string("a\0b", 3), std::string("\t"),
        std::string("\x7F"), std::string("\x80"), std::string("\u043a")}) {
    try {
      send(value);
      ADD_FAILURE() << value;
    } catch (const ConnectionError& error) {
      EXPECT_EQ(error.kind(), ConnectionError::Kind::kUnsendable);
      EXPECT_NE(std::string(error.what()).find("X-Amz-Key"), std::string::npos);
    }
  }
  EXPECT_EQ(server.connections(), 0);
  EXPECT_EQ(send("all of ~ and !\"#$"), 200);
}

TEST(HttpConnection, WaitsForTheAnswerThatIsFinal) {
  std::string before =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  ScriptedServer server([&](const std::string&) { return before + http_answer(200, "yes"); });
  HttpConnection connection(parse_endpoint_url(server.url()).value(), nullptr, {});
  const auto never = [] { return false; };
  const auto send = [&] {
    return connection.send("GET", "/", {{{"Host", "localhost"}}}, {}, never);
  };
  for (int i = 0; i < 2; ++i) {
    const HttpAnswer answer = send();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "yes");
    EXPECT_EQ(answer.field("Link"), "");
  }
  EXPECT_EQ(server.connections(), 1);
  before = "HTTP/1.1 101 Switching Protocols\r\n\r\n";  // it is no HTTP from here on
  EXPECT_EQ(send().status, 101);
  before.clear();
  for (int i = 0; i < 100; ++i) before += "HTTP/1.1 102 Processing\r\n\r\n";
  EXPECT_EQ(send().status, 102);
}

}  // namespace
}  // namespace magneto::server
