#include "server/client/endpoint/http_endpoint.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::client {
namespace {

std::unique_ptr<Endpoint> endpoint_at(const std::string& address) {
  EndpointOptions options;
  options.address = address;
  options.timeouts.connect = std::chrono::milliseconds(2'000);
  return make_http_endpoint(options, [](const char*) { return std::nullopt; });
}

std::string problem_of(const EndpointOptions& options) {
  try {
    make_http_endpoint(options, [](const char*) { return std::nullopt; });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(HttpEndpoint, CallsAServer) {
  ServerProcess server;
  const auto endpoint = endpoint_at("http://localhost:" + std::to_string(server.port()));
  std::string create =
      R"({"TableName":"t01","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":)"
      R"([{"AttributeName":"pk","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST"})";
  EXPECT_TRUE(endpoint->call("CreateTable", create).succeeded());
  const auto other = endpoint->another();
  for (int i = 0; i < 50; ++i) {
    std::string put = R"({"TableName":"t01","Item":{"pk":{"S":")" + std::to_string(i) + R"("}}})";
    const Outcome outcome = (i % 2 == 0 ? *endpoint : *other).call("PutItem", put);
    EXPECT_TRUE(outcome.succeeded()) << outcome.error_type << outcome.message;
  }
  std::string scan = R"({"TableName":"t01","Select":"COUNT"})";
  EXPECT_NE(endpoint->call("Scan", scan).body.find("\"Count\":50"), std::string::npos);
  std::string missing = R"({"TableName":"none"})";
  const Outcome refused = endpoint->call("DescribeTable", missing);
  EXPECT_EQ(refused.error_type, "ResourceNotFoundException");
  EXPECT_FALSE(refused.retryable);
  std::string streams = "{}";
  EXPECT_TRUE(endpoint->call("ListStreams", streams).succeeded());
}

TEST(HttpEndpoint, OpensAConnectionAgainThatTheServerClosed) {
  ServerProcess server({"--idle-timeout-ms", "1000"});
  const auto endpoint = endpoint_at("http://127.0.0.1:" + std::to_string(server.port()));
  std::string body = "{}";
  EXPECT_TRUE(endpoint->call("ListTables", body).succeeded());
  // A connection that is idle for less long is closed after that one.
  EXPECT_TRUE(HttpClient(server.port()).hangs_up_within(std::chrono::minutes(2)));
  EXPECT_TRUE(endpoint->call("ListTables", body).succeeded());
}

TEST(HttpEndpoint, WantsKeysAndRegionForAws) {
  EXPECT_NE(problem_of({.address = "aws", .profile{}, .region{}, .ca_file{}}).find("no region"),
            std::string::npos);
  EXPECT_NE(
      problem_of({.address = "aws:eu-west-1", .profile{}, .region{}, .ca_file{}}).find("no keys"),
      std::string::npos);
  EXPECT_NE(problem_of({.address = "aws:eu/west", .profile{}, .region{}, .ca_file{}})
                .find("not a server address"),
            std::string::npos);
  EXPECT_NE(problem_of({.address = "localhost", .profile{}, .region{}, .ca_file{}})
                .find("not a server address"),
            std::string::npos);
  EXPECT_NE(
      problem_of({.address = "https://localhost", .profile{}, .region{}, .ca_file = "/nowhere.pem"})
          .find("/nowhere.pem"),
      std::string::npos);
}

}  // namespace
}  // namespace magneto::server::client
