// Endpoints with servers that fail, lie or stay silent.
#include "tests/support/scripted_server.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "server/client/endpoint/http_endpoint.h"
#include "server/client/endpoint/messages.h"
#include "server/system/descriptor.h"
#include "tests/support/server_process.h"

namespace magneto::server::client {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kTables = R"({"TableNames":[]})";

Environment environment_of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

std::unique_ptr<Endpoint> scripted_endpoint_at(const std::string& address,
                                               EndpointOptions options = {},
                                               std::map<std::string, std::string> variables = {}) {
  options.address = address;
  return make_http_endpoint(options, environment_of(std::move(variables)));
}

// A port without a listener that no other program can take.
class TakenPort {
 public:
  TakenPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_.get(), any, size), 0);
    EXPECT_EQ(::getsockname(socket_.get(), any, &size), 0);
    number_ = ::ntohs(address.sin_port);
  }
  std::uint16_t number() const { return number_; }

 private:
  const system::Descriptor socket_{::socket(AF_INET, SOCK_STREAM, 0)};
  std::uint16_t number_ = 0;
};

Outcome list_tables(Endpoint& endpoint) {
  std::string body = "{}";
  return endpoint.call("ListTables", body);
}

TEST(HttpEndpointAnswers, MakesLostAndFailedCallsAgain) {
  int calls = 0;
  ScriptedServer server([&](const std::string&) -> std::optional<std::string> {
    switch (++calls) {
      case 1:  // taken, and never answered
        return std::nullopt;
      case 2:
        return http_answer(500, R"({"__type":"a#InternalServerError"})");
      case 3:
        return http_answer(503, "<html>", "Connection: close\r\n");
      case 4:
        return http_answer(400, R"({"__type":"a#ThrottlingException"})");
      case 5:
        return http_answer(200, kTables, "X-Amz-Crc32: 1\r\n");
      case 6:
        return "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{}";
      default:
        return http_answer(200, kTables);
    }
  });
  const auto endpoint = scripted_endpoint_at(server.url());
  const Outcome outcome = list_tables(*endpoint);
  EXPECT_TRUE(outcome.succeeded()) << outcome.message;
  EXPECT_EQ(outcome.body, kTables);
  EXPECT_GE(calls, 7);
}

TEST(HttpEndpointAnswers, WaitsForTheFinalAnswer) {
  ScriptedServer server(
      [](const std::string&) { return std::string(kInterimAnswers) + http_answer(200, kTables); });
  const auto endpoint = scripted_endpoint_at(server.url());
  EXPECT_EQ(list_tables(*endpoint).body, kTables);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(HttpEndpointAnswers, ReadsChunks) {
  ScriptedServer server([](const std::string&) {
    return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"T\r\n10\r\n"
           "ableNames\":[]  }\r\n0\r\n\r\n";
  });
  const auto endpoint = scripted_endpoint_at(server.url());
  EXPECT_EQ(list_tables(*endpoint).body, "{\"TableNames\":[]  }");
  EXPECT_TRUE(list_tables(*endpoint).succeeded());
  EXPECT_EQ(server.connections(), 1U);
}

TEST(HttpEndpointAnswers, TakesNoPageForAnAnswer) {
  ScriptedServer server([](const std::string&) { return http_answer(200, "<html>log in</html>"); });
  const Outcome outcome = list_tables(*scripted_endpoint_at(server.url()));
  EXPECT_FALSE(outcome.succeeded());
  EXPECT_NE(outcome.message.find("log in"), std::string::npos);
}

TEST(HttpEndpointAnswers, TellsSoonThatNobodyIsThere) {
  const TakenPort port;
  const std::string address = "http://127.0.0.1:" + std::to_string(port.number());
  const auto start = Clock::now();
  const Outcome outcome = list_tables(*scripted_endpoint_at(address));
  EXPECT_FALSE(outcome.retryable);
  EXPECT_EQ(outcome.reason().find("cannot connect to " + address), 0U) << outcome.reason();
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(60));
}

// Each attempt waits once, on a kept connection too.
TEST(HttpEndpointAnswers, DoesNotWaitTwiceForASilentServer) {
  int calls = 0;
  ScriptedServer server([&](const std::string&) -> std::optional<std::string> {
    return ++calls == 1 ? http_answer(200, kTables) : "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n";
  });
  EndpointOptions options;
  options.timeouts.exchange = milliseconds(2'000);
  const auto endpoint = scripted_endpoint_at(server.url(), options);
  EXPECT_TRUE(list_tables(*endpoint).succeeded());
  const auto start = Clock::now();
  endpoint->stop_when([&] { return Clock::now() - start > milliseconds(1'990); });
  EXPECT_FALSE(list_tables(*endpoint).succeeded());
  EXPECT_LT(Clock::now() - start, milliseconds(3'990));
  EXPECT_EQ(server.connections(), 1U);
}

TEST(HttpEndpointAnswers, EndsAWaitWhenAllIsOver) {
  ScriptedServer server([](const std::string&) { return "HTTP/1.1 200 OK\r\n"; });
  const auto endpoint = scripted_endpoint_at(server.url());
  const auto start = Clock::now();
  endpoint->stop_when([&] { return Clock::now() - start > milliseconds(300); });
  EXPECT_FALSE(list_tables(*endpoint).succeeded());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(server.connections(), 1U);
}

const std::map<std::string, std::string> kKeys = {{"AWS_ACCESS_KEY_ID", "AKIAREAL"},
                                                  {"AWS_SECRET_ACCESS_KEY", "secret"},
                                                  {"AWS_SESSION_TOKEN", "REALTOKEN"}};

// Returns the request that a server at this address gets.
std::string sent_to(const std::string& host, const std::map<std::string, std::string>& variables) {
  ScriptedServer server([](const std::string&) { return http_answer(200, kTables); });
  EXPECT_TRUE(list_tables(*scripted_endpoint_at(server.url(host), {}, variables)).succeeded());
  return server.requests().at(0);
}

TEST(HttpEndpointKeys, GoToNobodyElseInClearText) {
  const std::string here = sent_to("localhost", kKeys);
  EXPECT_NE(here.find("Credential=AKIAREAL/"), std::string::npos);
  EXPECT_NE(here.find("REALTOKEN"), std::string::npos);
  const std::string elsewhere = sent_to("0.0.0.0", kKeys);
  EXPECT_EQ(elsewhere.find("AKIAREAL"), std::string::npos);
  EXPECT_EQ(elsewhere.find("REALTOKEN"), std::string::npos);
  EXPECT_NE(elsewhere.find("Credential=magneto/"), std::string::npos);
  const std::string lasting = sent_to("0.0.0.0", {{"AWS_ACCESS_KEY_ID", "LOCALKEY"},
                                                  {"AWS_SECRET_ACCESS_KEY", "secret"},
                                                  {"AWS_REGION", "eu-west-1"}});
  EXPECT_NE(lasting.find("Credential=LOCALKEY/"), std::string::npos);
  EXPECT_NE(lasting.find("/eu-west-1/dynamodb"), std::string::npos);
  for (const char* const aws :
       {"http://dynamodb.eu-west-1.amazonaws.com", "http://DynamoDB.eu-west-1.AMAZONAWS.com"}) {
    EXPECT_THROW(scripted_endpoint_at(aws, {}, kKeys), std::runtime_error) << aws;
  }
}

TEST(HttpEndpointKeys, OfAwsAreNotNeededElsewhere) {
  const storage::TempDirectory directory;
  const std::string config = directory.file("config");
  for (const char* const text : {"[default]\nsso_session = corp\n", "[default\n", "[a]\n[a]\nx"}) {
    std::ofstream(config, std::ios::trunc) << text;
    const std::map<std::string, std::string> variables = {{"AWS_CONFIG_FILE", config},
                                                          {"AWS_PROFILE", "none"}};
    EXPECT_NE(sent_to("localhost", variables).find("Credential=magneto/"), std::string::npos);
    EXPECT_THROW(scripted_endpoint_at("aws:eu-west-1", {}, variables), ProfileError);
    EndpointOptions named;
    named.profile = "none";
    EXPECT_THROW(scripted_endpoint_at("http://localhost:1", named, variables), ProfileError);
  }
  EXPECT_NE(sent_to("localhost", {{"AWS_ACCESS_KEY_ID", "half"}}).find("Credential=magneto/"),
            std::string::npos);
}

TEST(HttpEndpointTls, TrustsACertificateOfThatNameAndAuthorityAlone) {
  const storage::TempDirectory directory;
  EndpointOptions trusting;
  trusting.ca_file = directory.file("authority.pem");
  ServerProcess server(
      {"--tls-self-signed", "--tls-cert=" + trusting.ca_file, "--host=0.0.0.0", "--auth=off"});
  const std::string port = ":" + std::to_string(server.port());
  for (const char* const host : {"localhost", "127.0.0.1", "LOCALHOST"}) {
    const Outcome outcome =
        list_tables(*scripted_endpoint_at("https://" + (host + port), trusting));
    EXPECT_TRUE(outcome.succeeded()) << host << outcome.message;
  }
  const Outcome unknown = list_tables(*scripted_endpoint_at("https://localhost" + port));
  EXPECT_FALSE(unknown.retryable);
  EXPECT_NE(unknown.message.find("cannot be trusted"), std::string::npos) << unknown.message;
  const Outcome other = list_tables(*scripted_endpoint_at("https://127.0.0.2" + port, trusting));
  EXPECT_FALSE(other.retryable);
  EXPECT_NE(other.message.find("is for another name"), std::string::npos) << other.message;
}

}  // namespace
}  // namespace magneto::server::client
