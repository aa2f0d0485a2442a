#include "server/http/session.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/formats/body_encoding.h"
#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::http {
namespace {

using std::chrono::milliseconds;

// The limit for events that must happen at once: the machine may be busy.
constexpr milliseconds kSessionPatience{120'000};

constexpr std::string_view kUnknownOperation =
    R"({"__type":"com.amazon.coral.service#UnknownOperationException"})";
constexpr std::string_view kSerialization =
    R"({"__type":"com.amazon.coral.service#SerializationException"})";

// One server for all tests of this file.
class SessionTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<ServerProcess>(); }
  static void TearDownTestSuite() { server_.reset(); }

  HttpClient client_{server_->port()};
  static inline std::unique_ptr<ServerProcess> server_;
};

void expect_limits(const HttpReply& reply) {
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_NE(reply.body.find("\"TableMaxReadCapacityUnits\""), std::string::npos) << reply.body;
}

std::string checksum(std::string_view body) {
  return std::to_string(crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size()));
}

TEST_F(SessionTest, AnswersAnOperation) {
  const HttpReply reply = client_.exchange(post_request("DescribeLimits", "{}"));
  expect_limits(reply);
  EXPECT_EQ(reply.headers.at("content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(reply.headers.at("x-amz-crc32"), checksum(reply.body));
  EXPECT_EQ(reply.headers.at("x-amzn-requestid").size(), 52U);
  EXPECT_EQ(reply.headers.count("date"), 1U);
  EXPECT_EQ(reply.headers.count("connection"), 0U);
}

// Captured facts, error wire format: errors have the headers of answers.
TEST_F(SessionTest, AnswersErrorsLikeAnswers) {
  const std::string head =
      "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.DescribeTable\r\n"
      "Content-Length: 2\r\n";
  const std::pair<std::string, std::string> errors[] = {
      {post_request("NoSuchThing", "{}"), std::string(kUnknownOperation)},
      {post_request("DescribeTable", "{ "), std::string(kSerialization)},
      {post_request("DescribeTable", "{}"),
       R"({"__type":"com.amazon.coral.validate#ValidationException","message":)"
       R"("The parameter 'TableName' is required but was not present in the request"})"},
      {head + "Content-Type: application/x-amz-json-1.0\r\n\r\n{}",
       R"({"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":)"
       R"("Request is missing Authentication Token"})"},
  };
  for (const auto& [request, body] : errors) {
    const HttpReply reply = client_.exchange(request);
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.body, body);
    EXPECT_EQ(reply.headers.at("content-type"), "application/x-amz-json-1.0");
    EXPECT_EQ(reply.headers.at("content-length"), std::to_string(body.size()));
    EXPECT_EQ(reply.headers.at("x-amz-crc32"), checksum(body));
    EXPECT_EQ(reply.headers.at("x-amzn-requestid").size(), 52U);
  }
  const HttpReply reply = client_.exchange(head + "Content-Type: application/json\r\n" +
                                           signature_headers() + "\r\n{}");
  EXPECT_EQ(reply.headers.at("content-type"), "application/json");
}

TEST_F(SessionTest, ServesManyRequestsOnAConnection) {
  std::string last_id;
  for (int i = 0; i < 100; ++i) {
    const HttpReply reply = client_.exchange(post_request("DescribeLimits", "{}"));
    expect_limits(reply);
    EXPECT_NE(reply.headers.at("x-amzn-requestid"), last_id);
    last_id = reply.headers.at("x-amzn-requestid");
  }
}

TEST_F(SessionTest, AnswersPipelinedRequestsInOrder) {
  std::string requests;
  for (int i = 0; i < 50; ++i) {
    requests += post_request("DescribeLimits", "{}") + "\r\n";
    requests += "GET / HTTP/1.1\r\n\r\n" + post_request("NoSuchThing", "{}");
  }
  client_.send(requests);
  for (int i = 0; i < 50; ++i) {
    expect_limits(client_.receive());
    EXPECT_EQ(client_.receive().body, "healthy: dynamodb.us-east-1.amazonaws.com ");
    EXPECT_EQ(client_.receive().body, kUnknownOperation);
  }
}

TEST_F(SessionTest, ReadsARequestByteByByte) {
  for (const char byte : post_request("DescribeLimits", "{}")) client_.send({&byte, 1});
  expect_limits(client_.receive());
}

TEST_F(SessionTest, ReadsChunkedBodies) {
  const std::string head =
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
      "X-Amz-Target: DynamoDB_20120810.DescribeLimits\r\nContent-Type: application/json\r\n" +
      signature_headers() + "\r\n";
  for (int i = 0; i < 3; ++i) {
    client_.send(head + "1\r\n{\r\n");
    client_.send("1;x=y\r\n}\r\n0\r\n\r\n");
    expect_limits(client_.receive());
  }
}

TEST_F(SessionTest, AsksForABodyThatWaitsForIt) {
  const std::string request = post_request("DescribeLimits", "{}", "Expect: 100-continue\r\n");
  client_.send(request.substr(0, request.size() - 2));
  EXPECT_EQ(client_.receive().status, 100);
  client_.send("{}");
  expect_limits(client_.receive());
  // A body that came along needs no asking.
  expect_limits(client_.exchange(request));
}

constexpr formats::Coding kSessionCodings[] = {formats::Coding::kGzip, formats::Coding::kDeflate};

std::string coded_request(std::string_view coding, std::string_view body) {
  return post_request("DescribeLimits", body, "Content-Encoding: " + std::string(coding) + "\r\n");
}

TEST_F(SessionTest, TakesCompressedBodies) {
  for (const formats::Coding coding : kSessionCodings) {
    std::string body;
    ASSERT_TRUE(formats::deflate_body(coding, "{} ", body));
    expect_limits(client_.exchange(coded_request(formats::name_of(coding), body)));
  }
  expect_limits(client_.exchange(coded_request("identity", "{}")));
}

// Captured facts 2, HTTP.
TEST_F(SessionTest, AnswersBodiesItCannotDecodeLikeAFault) {
  for (const std::string& request :
       {coded_request("gzip", "{}"), coded_request("deflate", "{}"), coded_request("gzip", ""),
        coded_request("br", "{}"), coded_request("gzip, gzip", "{}")}) {
    const HttpReply reply = client_.exchange(request);
    EXPECT_EQ(reply.status, 500);
    EXPECT_EQ(reply.body,
              R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":)"
              R"("The request processing has failed because of an unknown error, exception or )"
              R"(failure."})");
  }
  // The connection continues, and the log has nothing about it.
  expect_limits(client_.exchange(post_request("DescribeLimits", "{}")));
  EXPECT_EQ(server_->errors(), "");
}

TEST_F(SessionTest, RefusesACompressedBodyThatGrowsTooLarge) {
  for (const formats::Coding coding : kSessionCodings) {
    std::string body;
    ASSERT_TRUE(formats::deflate_body(coding, std::string(100 << 20, ' '), body));
    EXPECT_EQ(client_.exchange(coded_request(formats::name_of(coding), body)).status, 413);
  }
}

// A refusal that repeats a long value is a long answer.
std::string request_for_long_answer(std::string_view headers) {
  return post_request(
      "ListTables", R"({"ExclusiveStartTableName":")" + std::string(20'000, '*') + "\"}", headers);
}

TEST_F(SessionTest, CompressesLongAnswersForWhoAsks) {
  const HttpReply plain = client_.exchange(request_for_long_answer(""));
  EXPECT_EQ(plain.status, 400);
  EXPECT_GT(plain.body.size(), 20'000U);
  EXPECT_EQ(plain.headers.count("content-encoding"), 0U);

  for (const auto& [accepted, coding] : {std::pair("deflate;q=0.5, gzip", formats::Coding::kGzip),
                                         std::pair("deflate", formats::Coding::kDeflate)}) {
    const HttpReply packed = client_.exchange(
        request_for_long_answer("Accept-Encoding: " + std::string(accepted) + "\r\n"));
    EXPECT_EQ(packed.status, 400);
    EXPECT_LT(packed.body.size(), 1000U);
    EXPECT_EQ(packed.headers.at("content-encoding"), formats::name_of(coding));
    // Clients check the bytes as they came.
    EXPECT_EQ(packed.headers.at("x-amz-crc32"), checksum(packed.body));
    std::string unpacked;
    EXPECT_EQ(inflate_body(coding, packed.body, 1 << 20, unpacked), formats::Inflated::kDone);
    EXPECT_EQ(unpacked, plain.body);
  }

  const HttpReply small =
      client_.exchange(post_request("DescribeLimits", "{}", "Accept-Encoding: gzip\r\n"));
  EXPECT_EQ(small.headers.count("content-encoding"), 0U);
}

TEST_F(SessionTest, SendsMoreThanTheClientTakesAtOnce) {
  const std::string request = request_for_long_answer("");
  std::string requests;
  constexpr int kRequests = 500;
  for (int i = 0; i < kRequests; ++i) requests += request;
  // The answers, ten megabytes, fill all buffers on the way before the first is read; then the
  // server stops reading as well.
  std::thread sender([&] { client_.send(requests); });
  std::this_thread::sleep_for(milliseconds(100));
  for (int i = 0; i < kRequests; ++i) EXPECT_GT(client_.receive().body.size(), 20'000U);
  sender.join();
}

TEST_F(SessionTest, AnswersAClientThatHasFinishedSending) {
  client_.send(post_request("DescribeLimits", "{}"));
  client_.shut_down_sending();
  expect_limits(client_.receive());
  EXPECT_TRUE(client_.hangs_up_within(kSessionPatience));
}

TEST_F(SessionTest, HangsUpWhenARequestStaysIncomplete) {
  for (const std::size_t part : {1U, 60U, 250U}) {
    HttpClient client(server_->port());
    client.send(post_request("DescribeLimits", "{ }").substr(0, part));
    client.shut_down_sending();
    EXPECT_TRUE(client.hangs_up_within(kSessionPatience)) << part;
  }
}

TEST_F(SessionTest, EndsTheConnectionWhenAsked) {
  const HttpReply reply =
      client_.exchange(post_request("DescribeLimits", "{}", "Connection: close\r\n"));
  expect_limits(reply);
  EXPECT_EQ(reply.headers.at("connection"), "close");
  EXPECT_TRUE(client_.hangs_up_within(kSessionPatience));
  HttpClient old(server_->port());
  EXPECT_EQ(old.exchange("GET / HTTP/1.0\r\n\r\n").status, 200);
  EXPECT_TRUE(old.hangs_up_within(kSessionPatience));
  HttpClient kept(server_->port());
  EXPECT_EQ(kept.exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").status, 200);
  EXPECT_EQ(kept.exchange("GET / HTTP/1.1\r\n\r\n").status, 200);
}

TEST_F(SessionTest, AnswersHeadWithoutABody) {
  client_.send("HEAD / HTTP/1.1\r\n\r\n");
  const HttpReply reply = client_.receive(false);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.at("content-length"), "42");
  EXPECT_EQ(client_.exchange("GET /healthcheck HTTP/1.1\r\n\r\n").status, 200);
}

TEST_F(SessionTest, RefusesWithABodyAfterAHead) {
  client_.send("HEAD / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client_.receive(false).status, 200);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NE(HttpClient(server_->port()).exchange("G@@\x01 / HTTP/1.1\r\n\r\n").body, "");
  }
}

TEST_F(SessionTest, RefusesMalformedRequestsAndHangsUp) {
  for (const std::string_view text :
       {"hello\r\n\r\n", "GET / HTTP/3.0\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "\x16\x03\x01\x02\x03\x01\xfc\x03\x03\r\n\r\n"}) {
    HttpClient client(server_->port());
    const HttpReply reply = client.exchange(text);
    EXPECT_EQ(reply.status, 400) << text;
    EXPECT_EQ(reply.headers.at("connection"), "close");
    EXPECT_TRUE(reply.body.starts_with("Malformed HTTP request: ")) << reply.body;
    client.shut_down_sending();
    EXPECT_TRUE(client.hangs_up_within(kSessionPatience)) << text;
  }
}

// Captured facts 2, HTTP.
TEST_F(SessionTest, RefusesLongHeads) {
  const std::string chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  std::string trailer = "0\r\n";
  while (trailer.size() < 100'000) trailer += "X-Some: value\r\n";
  for (const std::string& text :
       {"GET /" + std::string(17'000, 'x') + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nX-Long: " + std::string(17'000, 'x') + "\r\n\r\n",
        chunked + "4;name=" + std::string(100'000, 'x'), chunked + trailer}) {
    HttpClient client(server_->port());
    client.try_send(text);
    const HttpReply reply = client.receive();
    EXPECT_EQ(reply.status, 400) << text.substr(0, 60);
    EXPECT_EQ(reply.headers.at("connection"), "close");
  }
}

// Bytes that a proxy would take for a body must not be the next request here.
TEST_F(SessionTest, TakesNoRequestOutOfABodyOfUnknownCoding) {
  const std::string hidden = post_request("ListTables", "{}");
  for (const auto& [coding, status] :
       {std::pair("xchunked", 501), std::pair("chunked, identity", 501),
        std::pair("gzip, chunked", 501), std::pair("chunked, chunked", 400)}) {
    HttpClient client(server_->port());
    const HttpReply reply = client.exchange(
        "POST / HTTP/1.1\r\nTransfer-Encoding: " + std::string(coding) + "\r\n\r\n" + hidden);
    EXPECT_EQ(reply.status, status) << coding;
    EXPECT_EQ(reply.headers.at("connection"), "close");
    client.shut_down_sending();
    EXPECT_TRUE(client.hangs_up_within(kSessionPatience)) << coding;
  }
}

TEST_F(SessionTest, IgnoresTargetAndCredentialsInATrailer) {
  const std::string head =
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
      "Content-Type: application/x-amz-json-1.0\r\n";
  const std::string target = "X-Amz-Target: DynamoDB_20120810.DescribeLimits\r\n";
  const std::string body = "\r\n2\r\n{}\r\n0\r\n";
  EXPECT_EQ(client_.exchange(head + body + target + signature_headers() + "\r\n").body,
            kUnknownOperation);
  EXPECT_NE(client_.exchange(head + target + body + signature_headers() + "\r\n")
                .body.find("MissingAuthenticationToken"),
            std::string::npos);
}

TEST_F(SessionTest, RefusesLongBodiesEvenWhileTheyAreSent) {
  const HttpReply announced = client_.exchange(
      "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 16777217\r\n\r\n");
  EXPECT_EQ(announced.status, 413);
  HttpClient eager(server_->port());
  eager.try_send("POST / HTTP/1.1\r\nContent-Length: 40000000\r\n\r\n" +
                 std::string(40'000'000, ' '));
  EXPECT_EQ(eager.receive().status, 413);
  HttpClient chunked(server_->port());
  std::string body = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 20; ++i) body += "100000\r\n" + std::string(1 << 20, ' ') + "\r\n";
  chunked.try_send(body);
  EXPECT_EQ(chunked.receive().status, 413);
}

TEST_F(SessionTest, TakesTheLongestBody) {
  const std::string body = "{" + std::string((16 << 20) - 2, ' ') + "}";
  expect_limits(client_.exchange(post_request("DescribeLimits", body)));
  expect_limits(client_.exchange(post_request("DescribeLimits", "{}")));
}

class SessionTimeoutTest : public testing::Test {
 protected:
  ServerProcess server_{
      {"--idle-timeout-ms", "300", "--header-timeout-ms", "150", "--request-timeout-ms", "600"}};
};

TEST_F(SessionTimeoutTest, EndsSilentConnections) {
  const std::uint16_t port = server_.port();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(HttpClient(port).hangs_up_within(kSessionPatience));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(290));
}

// Makes requests for longer than a connection may be idle. Returns false if this process stood
// still for so long that the server may have ended the connection.
bool keeps_busy(HttpClient& client, milliseconds idle_timeout) {
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last = begin;
  while (last - begin < idle_timeout * 3 / 2) {
    std::this_thread::sleep_for(milliseconds(50));
    try {
      expect_limits(client.exchange(post_request("DescribeLimits", "{}")));
    } catch (const std::exception& error) {
      EXPECT_GE(std::chrono::steady_clock::now() - last, idle_timeout) << error.what();
      return false;
    }
    last = std::chrono::steady_clock::now();
  }
  return true;
}

TEST(SessionIdleTest, EndsConnectionsAfterTheirLastRequestOnly) {
  ServerProcess server({"--idle-timeout-ms", "1000"});
  bool was_busy = false;
  for (int i = 0; i < 50 && !was_busy; ++i) {
    HttpClient client(server.port());
    was_busy = keeps_busy(client, milliseconds(1000));
    if (was_busy) {
      EXPECT_TRUE(client.hangs_up_within(kSessionPatience));
    }
  }
  EXPECT_TRUE(was_busy);
}

TEST_F(SessionTimeoutTest, EndsConnectionsThatTrickleAHead) {
  HttpClient client(server_.port());
  const auto begin = std::chrono::steady_clock::now();
  client.try_send("GET / HTTP/1.1\r\n");
  while (client.try_send("X: y\r\n") && !client.hangs_up_within(milliseconds(20))) {
    ASSERT_LT(std::chrono::steady_clock::now() - begin, kSessionPatience);
  }
}

TEST_F(SessionTimeoutTest, EndsConnectionsThatTrickleABody) {
  const std::uint16_t port = server_.port();
  const auto begin = std::chrono::steady_clock::now();
  HttpClient client(port);
  client.try_send("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
  while (client.try_send(" ") && !client.hangs_up_within(milliseconds(20))) {
    ASSERT_LT(std::chrono::steady_clock::now() - begin, kSessionPatience);
  }
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(290));
}

TEST_F(SessionTimeoutTest, EndsConnectionsThatTakeNoAnswer) {
  const std::string request = request_for_long_answer("");
  std::string requests;
  for (int i = 0; i < 500; ++i) requests += request;
  // Returns when the server hangs up, since it stops reading while its answers are not taken.
  EXPECT_FALSE(HttpClient(server_.port()).try_send(requests));
}

// The unit tests of ConnectionMemoryBudget test which connection is evicted.
TEST(SessionMemoryTest, RefusesARequestThatMemoryDoesNotHold) {
  ServerProcess server({"--held-memory-mb", "10"});
  HttpClient large(server.port());
  large.try_send(post_request("DescribeLimits", std::string(16 << 20, ' ')));
  EXPECT_EQ(large.receive().status, 503);
  HttpClient small(server.port());
  expect_limits(small.exchange(post_request("DescribeLimits", "{}")));
}

TEST(SessionMemoryTest, AHalfRequestGivesWayToAWholeOne) {
  ServerProcess server({"--held-memory-mb", "24"});
  const std::string whole = post_request("DescribeLimits", std::string(16 << 20, ' '));
  HttpClient slow(server.port());
  slow.send(std::string_view(whole).substr(0, whole.size() - 1));
  std::this_thread::sleep_for(milliseconds(3'500));  // it moves nothing all the while
  HttpClient quick(server.port());
  EXPECT_EQ(quick.exchange(whole).body, kSerialization);
  EXPECT_TRUE(slow.hangs_up_within(kSessionPatience));
  // The memory of both is free again.
  EXPECT_EQ(HttpClient(server.port()).exchange(whole).body, kSerialization);
  while (server.errors().find("disconnected 1 slow client:") == std::string::npos) {
    std::this_thread::sleep_for(milliseconds(10));
  }
}

}  // namespace
}  // namespace magneto::server::http
