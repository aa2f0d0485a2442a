// HTTPS at the socket: the differences to the plain connections of session_test.cc.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::http {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{120'000};
constexpr std::string_view kHealth = "GET / HTTP/1.1\r\n\r\n";

TEST(TlsSession, TellsPlainClientsToSpeakTls) {
  ServerProcess server({"--tls-self-signed"});
  HttpClient client(server.port(), false);
  EXPECT_EQ(client.exchange(kHealth).body, "This port speaks HTTPS: use https://\n");
  client.shut_down_sending();
  EXPECT_TRUE(client.hangs_up_within(kPatience));
  EXPECT_NE(server.errors().find("use https:// in the client"), std::string::npos)
      << server.errors();
}

TEST(TlsSession, EndsHandshakesThatDoNotGoOn) {
  ServerProcess server({"--tls-self-signed", "--header-timeout-ms", "1000"});
  for (const std::string_view sent : {"", "\x16", "\x16\x03\x01\x01", "\x16\x03\x01\x01\x2c\x01"}) {
    const std::uint16_t port = server.port();
    const auto begin = std::chrono::steady_clock::now();
    HttpClient slow(port, false);
    slow.try_send(sent);
    EXPECT_TRUE(slow.hangs_up_within(kPatience)) << sent.size();
    EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(990));
  }
}

// A request begins with its record: a connection with a part of it is not idle.
TEST(TlsSession, EndsConnectionsThatTrickleARequest) {
  ServerProcess server({"--tls-self-signed", "--header-timeout-ms", "3000"});
  HttpClient client(server.port(), true);
  client.send("GET / HTTP/1.1\r\n");
  EXPECT_TRUE(client.hangs_up_within(kPatience));
}

TEST(TlsSession, SaysNothingInPlainTextToWhoIsTooMany) {
  ServerProcess server({"--tls-self-signed", "--max-connections", "1"});
  HttpClient first(server.port(), true);
  EXPECT_EQ(first.exchange(kHealth).status, 200);
  first.send("GET / HTTP/1.1\r\n");
  server.wait_until_idle();  // it has read it
  HttpClient second(server.port(), false);
  EXPECT_TRUE(second.hangs_up_within(kPatience));
  first.send("\r\n");
  EXPECT_EQ(first.receive().status, 200);
}

TEST(TlsSession, EndsOnASignalWhileHandshakesHang) {
  ServerProcess server({"--tls-self-signed"});
  HttpClient idle(server.port(), true);
  HttpClient hanging(server.port(), false);
  hanging.send("\x16\x03\x01");
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
}

}  // namespace
}  // namespace magneto::server::http
