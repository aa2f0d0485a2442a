#include "server/main/server.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::main {
namespace {

using std::chrono::milliseconds;

// The limit for events that must happen at once: the machine may be busy.
constexpr milliseconds kServerPatience{120'000};

bool can_connect_to(std::uint16_t port) {
  try {
    HttpClient client(port);
    return client.try_send("GET / HTTP/1.1\r\n\r\n") && client.receive().status == 200;
  } catch (const std::exception&) {
    return false;
  }
}

TEST(Server, EndsIdleConnectionsOnASignal) {
  ServerProcess server({"--threads", "3"});
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<HttpClient>(server.port()));
    if (i % 2 == 0) clients.back()->exchange("GET / HTTP/1.1\r\n\r\n");
  }
  server.signal(SIGTERM);
  for (const std::unique_ptr<HttpClient>& client : clients) {
    EXPECT_TRUE(client->hangs_up_within(kServerPatience));
  }
  EXPECT_EQ(server.wait_for_exit(), 0);
}

TEST(Server, LetsOpenRequestsFinishAndTakesNoNewOnes) {
  ServerProcess server({"--threads", "1"});
  HttpClient slow(server.port());
  const std::string request = post_request("DescribeLimits", "{}");
  slow.send(request.substr(0, request.size() - 1));
  // The answer of the same thread to a later connection shows that the first bytes were read.
  EXPECT_EQ(HttpClient(server.port()).exchange(request).status, 200);
  server.signal(SIGINT);
  while (can_connect_to(server.port())) {
  }
  EXPECT_FALSE(server.wait_for_exit(milliseconds(50)));
  slow.send("}");
  const HttpReply reply = slow.receive();
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.headers.at("connection"), "close");
  EXPECT_EQ(server.wait_for_exit(), 0);
}

// Whether other open requests have less time or more.
TEST(Server, WaitsForHalfSentRequestsOnlySoLong) {
  for (const char* const timeout : {"100", "60000"}) {
    ServerProcess server({"--threads", "1", "--drain-timeout-ms", timeout});
    HttpClient stuck(server.port());
    stuck.send("POST / HTTP/1.1\r\n");
    EXPECT_EQ(HttpClient(server.port()).exchange(post_request("DescribeLimits", "{}")).status, 200);
    server.signal(SIGTERM);
    EXPECT_TRUE(stuck.hangs_up_within(kServerPatience));
    EXPECT_EQ(server.wait_for_exit(), 0);
  }
}

constexpr std::string_view kHealthOfServer = "GET / HTTP/1.1\r\n\r\n";

TEST(Server, AtTheLimitOfConnectionsTheLongestIdleGivesWay) {
  ServerProcess server({"--max-connections", "3", "--threads", "1"});
  HttpClient first(server.port());
  HttpClient second(server.port());
  HttpClient third(server.port());
  for (HttpClient* client : {&first, &second, &third, &first}) {
    EXPECT_EQ(client->exchange(kHealthOfServer).status, 200);
  }
  HttpClient fourth(server.port());
  EXPECT_EQ(fourth.exchange(kHealthOfServer).status, 200);
  EXPECT_TRUE(second.hangs_up_within(kServerPatience));
  for (HttpClient* client : {&first, &third, &fourth}) {
    EXPECT_EQ(client->exchange(kHealthOfServer).status, 200);
  }
}

TEST(Server, AThousandNewcomersAtTheLimitAreServed) {
  ServerProcess server({"--max-connections", "20", "--threads", "2"});
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 1'000; ++i) {
    clients.push_back(std::make_unique<HttpClient>(server.port()));
    EXPECT_EQ(clients.back()->exchange(kHealthOfServer).status, 200);
  }
  EXPECT_TRUE(clients.front()->hangs_up_within(kServerPatience));
}

TEST(Server, TurnsConnectionsBeyondTheLimitAwayWhileNoneIsIdle) {
  ServerProcess server({"--max-connections", "2"});
  auto first = std::make_unique<HttpClient>(server.port());
  HttpClient second(server.port());
  for (HttpClient* client : {first.get(), &second}) {
    EXPECT_EQ(client->exchange(kHealthOfServer).status, 200);
    client->send("GET / HTTP/1.1\r\n");
  }
  server.wait_until_idle();  // it has read them
  HttpClient third(server.port());
  EXPECT_EQ(third.receive().status, 503);
  EXPECT_TRUE(third.hangs_up_within(kServerPatience));
  first.reset();
  while (!can_connect_to(server.port())) {
  }
}

TEST(Server, AnswersSyncedWritesFromManyConnections) {
  const storage::TempDirectory directory;
  ServerProcess server({"--data-dir", directory.file("data"), "--fsync"});
  {
    HttpClient client(server.port());
    const HttpReply created = client.exchange(post_request(
        "CreateTable", R"({"TableName":"table","BillingMode":"PAY_PER_REQUEST",)"
                       R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}],)"
                       R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})"));
    ASSERT_EQ(created.status, 200) << created.body;
  }
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 40; ++i) clients.push_back(std::make_unique<HttpClient>(server.port()));
  const auto id = [](int round, std::size_t i) {
    return R"({"id":{"N":")" + std::to_string(round * 1000 + static_cast<int>(i)) + R"("}})";
  };
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < clients.size(); ++i) {
      clients[i]->send(
          post_request("PutItem", R"({"TableName":"table","Item":)" + id(round, i) + "}"));
    }
    for (const std::unique_ptr<HttpClient>& client : clients) {
      const HttpReply reply = client->receive();
      EXPECT_EQ(reply.status, 200) << reply.body;
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const HttpReply reply = clients[i]->exchange(
          post_request("GetItem", R"({"TableName":"table","Key":)" + id(round, i) + "}"));
      EXPECT_EQ(reply.body, R"({"Item":)" + id(round, i) + "}");
    }
  }
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
}

}  // namespace
}  // namespace magneto::server::main
