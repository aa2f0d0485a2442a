// Which requests leave the thread of their connection, and their fate in a queue.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/formats/body_encoding.h"
#include "server/http/request_router.h"
#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::http {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWorkersPatience{120'000};
constexpr std::string_view kHealthOfWorkers = "GET /healthcheck HTTP/1.1\r\n\r\n";

std::string workers_table_request() {
  return post_request("CreateTable",
                      R"({"TableName":"table","BillingMode":"PAY_PER_REQUEST",)"
                      R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})");
}

// With a body that is too long for an I/O thread.
std::string workers_put_request(std::string_view id) {
  return post_request("PutItem", R"({"TableName":"table","Item":{"id":{"S":")" + std::string(id) +
                                     R"("},"text":{"S":")" + std::string(kMaxShortBody, 'x') +
                                     R"("}}})");
}

std::string workers_get_request(std::string_view id) {
  return post_request("GetItem", R"({"TableName":"table","ProjectionExpression":"id",)"
                                 R"("Key":{"id":{"S":")" +
                                     std::string(id) + R"("}}})");
}

// Some tens of milliseconds of work.
std::string expensive_request() {
  static const std::string request = [] {
    std::string body;
    EXPECT_TRUE(formats::deflate_body(formats::Coding::kGzip,
                                      "{" + std::string(15 << 20, ' ') + "}", body));
    return post_request("DescribeLimits", body, "Content-Encoding: gzip\r\n");
  }();
  return request;
}

class SessionWorkersTest : public testing::Test {
 protected:
  SessionWorkersTest() { EXPECT_EQ(client_.exchange(workers_table_request()).status, 200); }

  // Requests that keep all computing workers busy for a while.
  void occupy_workers() {
    constexpr int kRequests = 25;
    for (int i = 0; i < kRequests; ++i) {
      busy_.push_back(std::make_unique<HttpClient>(server_.port()));
      busy_.back()->send(expensive_request());
    }
    // The answer of the same thread to a later connection shows that they were read.
    EXPECT_EQ(HttpClient(server_.port()).exchange(workers_get_request("a")).status, 200);
  }

  ServerProcess server_{{"--threads", "1"}};
  HttpClient client_{server_.port()};
  std::vector<std::unique_ptr<HttpClient>> busy_;
};

TEST_F(SessionWorkersTest, AnswersHealthAndOperationsInAnyOrderOnOneConnection) {
  HttpClient client(server_.port());
  EXPECT_EQ(client.exchange(kHealthOfWorkers).status, 200);
  EXPECT_EQ(client.exchange(kHealthOfWorkers).status, 200);
  EXPECT_EQ(client.exchange(post_request("DescribeLimits", "{}")).status, 200);
  EXPECT_EQ(client.exchange(kHealthOfWorkers).status, 200);
  EXPECT_EQ(client.exchange(workers_get_request("a")).body, "{}");
  HttpClient in_one_packet(server_.port());
  in_one_packet.send("\r\n" + std::string(kHealthOfWorkers) + workers_get_request("a") +
                     workers_put_request("a") + std::string(kHealthOfWorkers));
  EXPECT_EQ(in_one_packet.receive().body, "healthy: dynamodb.us-east-1.amazonaws.com ");
  EXPECT_EQ(in_one_packet.receive().body, "{}");
  EXPECT_EQ(in_one_packet.receive().body, "{}");
  EXPECT_EQ(in_one_packet.receive().body, "healthy: dynamodb.us-east-1.amazonaws.com ");
  EXPECT_EQ(in_one_packet.exchange(workers_get_request("a")).body, R"({"Item":{"id":{"S":"a"}}})");
}

TEST_F(SessionWorkersTest, CompressesLongAnswers) {
  EXPECT_EQ(client_.exchange(workers_put_request("a")).status, 200);
  const std::string scan = R"({"TableName":"table"})";
  const HttpReply plain = client_.exchange(post_request("Scan", scan));
  const HttpReply packed =
      client_.exchange(post_request("Scan", scan, "Accept-Encoding: gzip\r\n"));
  EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
  std::string unpacked;
  EXPECT_EQ(formats::inflate_body(formats::Coding::kGzip, packed.body, 1 << 20, unpacked),
            formats::Inflated::kDone);
  EXPECT_EQ(unpacked, plain.body);
}

TEST(SessionWithoutWorkersTest, SendsALongAnswerAsItIsWhenNoWorkerCanCompressIt) {
  ServerProcess server({"--threads", "1", "--max-long-requests", "0"});
  HttpClient client(server.port());
  EXPECT_EQ(client.exchange(workers_table_request()).status, 200);
  EXPECT_EQ(client.exchange(workers_put_request("a")).status,
            503);  // it needs a worker, and was not done
  const auto add = [&client](std::string_view value) {
    const std::string text(kMaxShortBody - 500, 'x');
    return client.exchange(
        post_request("UpdateItem",
                     R"({"TableName":"table","Key":{"id":{"S":"a"}},"ReturnValues":"ALL_NEW",)"
                     R"("UpdateExpression":"SET )" +
                         std::string(value) + R"( = :t ADD n :one","ExpressionAttributeValues":)" +
                         R"({":t":{"S":")" + text + R"("},":one":{"N":"1"}}})",
                     "Accept-Encoding: gzip\r\n"));
  };
  EXPECT_EQ(add("t1").status, 200);
  const HttpReply reply = add("t2");  // too long to be compressed on the spot
  EXPECT_EQ(reply.status, 200);
  EXPECT_FALSE(reply.headers.contains("content-encoding"));
  EXPECT_NE(reply.body.find(R"("n":{"N":"2"})"), std::string::npos);
}

// One connection must not keep its thread to itself.
TEST(SessionPipelineTest, ServesOthersBetweenRequestsOfOnePacket) {
  ServerProcess server({"--threads", "1"});
  HttpClient client(server.port());
  EXPECT_EQ(client.exchange(workers_table_request()).status, 200);
  const std::string text(180'000, 'a');
  EXPECT_EQ(client
                .exchange(post_request("PutItem", R"({"TableName":"table","Item":{"id":{"S":"b"},)"
                                                  R"("text":{"S":")" +
                                                      text + R"("}}})"))
                .status,
            200);
  const std::string scan = post_request(
      "Scan", R"-({"TableName":"table","Select":"COUNT","FilterExpression":"contains(#t,:t)",)-"
              R"("ExpressionAttributeNames":{"#t":"text"},)"
              R"("ExpressionAttributeValues":{":t":{"S":"aaaaaaaaab"}}})");
  std::string packet;
  constexpr int kRequests = 100;
  for (int i = 0; i < kRequests; ++i) packet += scan;
  HttpClient other(server.port());
  EXPECT_EQ(other.exchange(workers_get_request("x")).status, 200);
  HttpClient greedy(server.port());
  greedy.send(packet);
  std::atomic<int> answered = 0;
  std::thread reader([&greedy, &answered] {
    for (; answered < kRequests; ++answered) EXPECT_EQ(greedy.receive().status, 200);
  });
  // Counted, not timed.
  EXPECT_EQ(other.exchange(workers_get_request("x")).status, 200);
  EXPECT_LT(answered, kRequests / 2);
  reader.join();
  EXPECT_EQ(answered, kRequests);
}

TEST_F(SessionWorkersTest, ServesOthersWhileWorkersAreBusy) {
  occupy_workers();
  using SteadyClock = std::chrono::steady_clock;
  const SteadyClock::time_point begin = SteadyClock::now();
  EXPECT_EQ(client_.exchange(workers_get_request("a")).body, "{}");
  EXPECT_EQ(HttpClient(server_.port()).exchange(kHealthOfWorkers).status, 200);
  const SteadyClock::duration taken = SteadyClock::now() - begin;
  for (const std::unique_ptr<HttpClient>& client : busy_) {
    EXPECT_EQ(client->receive().status, 200);
  }
  // If it waited for the workers, it would take as long as they do.
  EXPECT_LT(taken, (SteadyClock::now() - begin) / 2);
}

TEST_F(SessionWorkersTest, SkipsARequestWhoseClientHasGone) {
  occupy_workers();
  HttpClient gone(server_.port());
  gone.send(workers_put_request("gone"));
  HttpClient there(server_.port());
  there.send(workers_put_request("there"));
  EXPECT_EQ(HttpClient(server_.port()).exchange(workers_get_request("a")).status,
            200);  // both are read
  gone.reset();
  EXPECT_EQ(there.receive().status, 200);
  EXPECT_EQ(client_.exchange(workers_get_request("there")).body,
            R"({"Item":{"id":{"S":"there"}}})");
  EXPECT_EQ(client_.exchange(workers_get_request("gone")).body, "{}");
}

TEST_F(SessionWorkersTest, AnswersAClientThatOnlyStoppedSending) {
  client_.send(workers_put_request("a"));
  client_.shut_down_sending();
  EXPECT_EQ(client_.receive().status, 200);
  EXPECT_TRUE(client_.hangs_up_within(kWorkersPatience));
}

TEST_F(SessionWorkersTest, DoesNotBeginWhatIsQueuedWhenItIsToEnd) {
  occupy_workers();
  client_.send(workers_put_request("late"));
  EXPECT_EQ(HttpClient(server_.port()).exchange(workers_get_request("a")).status,
            200);  // it is read
  server_.signal(SIGTERM);
  const HttpReply reply = client_.receive();
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.body, "The server is stopping\n");
  EXPECT_EQ(reply.headers.at("retry-after"), "1");
  EXPECT_EQ(reply.headers.at("connection"), "close");
  EXPECT_EQ(server_.wait_for_exit(), 0);
}

}  // namespace
}  // namespace magneto::server::http
