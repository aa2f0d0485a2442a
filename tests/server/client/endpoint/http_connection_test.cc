#include "server/client/endpoint/http_connection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "server/client/endpoint/messages.h"
#include "server/formats/body_encoding.h"
#include "tests/support/scripted_server.h"

namespace magneto::server::client {
namespace {

TEST(HttpConnection, SendsNoFieldThatCouldEndOne) {
  ScriptedServer server([](const std::string&) { return http_answer(200, "yes"); });
  HttpConnection connection(parse_endpoint_url(server.url()).value(), nullptr, {});
  const auto never = [] { return false; };
  const auto send = [&](const std::string& value) {
    const HttpRequest request{.method = "GET",
                              .fields = {{"Host", "localhost"}, {"X-Amz-Key", value}}};
    return connection.send(request, never).status;
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
  std::string before(kInterimAnswers);
  ScriptedServer server([&](const std::string&) { return before + http_answer(200, "yes"); });
  HttpConnection connection(parse_endpoint_url(server.url()).value(), nullptr, {});
  const auto never = [] { return false; };
  const auto send = [&] {
    return connection.send({.method = "GET", .fields = {{"Host", "localhost"}}}, never);
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
  for (int i = 0; i < 64; ++i) before += "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  EXPECT_EQ(send().status, 200);
  before += "HTTP/1.1 102 Processing\r\n\r\n";
  try {
    send();
    ADD_FAILURE() << "an interim answer was taken for the final one";
  } catch (const ConnectionError& error) {
    EXPECT_EQ(error.kind(), ConnectionError::Kind::kLost);
    EXPECT_NE(std::string(error.what()).find(messages::kManyInterimAnswers), std::string::npos);
  }
}

std::string chunk(std::string_view bytes) {
  std::ostringstream text;
  text << std::hex << bytes.size() << ";name=value\r\n" << bytes << "\r\n";
  return text.str();
}

TEST(HttpConnection, ReadsBodiesHoweverTheyEnd) {
  std::string answer;
  ScriptedServer server([&](const std::string&) { return answer; });
  HttpConnection connection(parse_endpoint_url(server.url()).value(), nullptr, {}, 1 << 20);
  const auto never = [] { return false; };
  const auto send = [&] {
    return connection.send({.method = "GET", .fields = {{"Host", "localhost"}}}, never);
  };
  const std::string long_body(1 << 20, 'x');
  const std::string head = "HTTP/1.1 200 OK\r\n";
  for (const std::string& body : {std::string(), std::string("a"), long_body}) {
    answer = http_answer(200, body);
    EXPECT_EQ(send().body, body);
    answer = head + "Transfer-Encoding: chunked\r\n\r\n" +
             (body.empty() ? "" : chunk(body.substr(0, 1)) + chunk(body)) +
             "0\r\nTrailer: 1\r\n\r\n";
    if (body.size() == long_body.size()) continue;  // with one byte more it is too long
    EXPECT_EQ(send().body, body + body);
  }
  answer = "HTTP/1.1 204 No Content\r\n\r\n";
  EXPECT_EQ(send().status, 204);
  for (const std::string& broken :
       {http_answer(200, long_body + "x"),
        head + "Content-Length: 10\r\nContent-Length: 9\r\n\r\n0123456789",
        std::string("HTTP/2 200\r\n\r\n"), head + "Field: " + std::string(20'000, 'x') + "\r\n\r\n",
        head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(long_body) + chunk("x") + "0\r\n\r\n",
        head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffffff\r\n"}) {
    answer = broken;
    EXPECT_THROW(send(), ConnectionError) << broken.substr(0, 100);
  }
  answer = http_answer(200, "yes");
  EXPECT_EQ(send().body, "yes");
}

// The caller may keep any part of an answer, but the checksum is of all of it.
TEST(HttpConnection, GivesBodiesOnWhileTheyCome) {
  struct Count final : AnswerBody {
    void begin(std::uint64_t size) override { told = size; }
    void take(std::string_view bytes) override {
      all += bytes.size();
      longest = std::max(longest, bytes.size());
    }
    std::uint64_t told = 0;
    std::size_t all = 0;
    std::size_t longest = 0;
  };
  const std::string body(3'000'000, 'x');
  std::uint32_t checksum = formats::body_checksum(body);
  ScriptedServer server([&](const std::string&) {
    return http_answer(200, body, "X-Amz-Crc32: " + std::to_string(checksum) + "\r\n");
  });
  HttpConnection connection(parse_endpoint_url(server.url()).value(), nullptr, {});
  const auto never = [] { return false; };
  const HttpRequest request{.fields = {{"Host", "localhost"}}, .body = "{}", .resends = false};
  Count count;
  const HttpAnswer answer = connection.send(request, never, count);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "");
  EXPECT_EQ(count.told, body.size());
  EXPECT_EQ(count.all, body.size());
  EXPECT_LE(count.longest, std::size_t{16} << 10);
  ++checksum;
  EXPECT_THROW(connection.send(request, never, count), ConnectionError);
}

}  // namespace
}  // namespace magneto::server::client
