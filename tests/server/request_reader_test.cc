#include "server/request_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server {
namespace {

namespace http = boost::beast::http;

// Feeds `bytes` in pieces of `step`, as a session does, until the request is whole or refused.
boost::beast::error_code feed(std::string_view bytes, std::size_t step, HttpRequest& request) {
  RequestReader reader(request);
  std::string buffer;
  while (!bytes.empty()) {
    buffer.append(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    while (!buffer.empty() && !reader.is_done()) {
      boost::beast::error_code error;
      const std::size_t size = reader.put(boost::asio::buffer(buffer), error);
      buffer.erase(0, size);
      if (error == http::error::need_more) break;
      if (error) return error;
    }
  }
  return reader.is_done() ? boost::beast::error_code() : http::error::partial_message;
}

constexpr std::string_view kRequest =
    "POST /?a=b HTTP/1.1\r\n"
    "Host: localhost\r\n"
    "x-amz-TARGET: DynamoDB_20120810.GetItem\r\n"
    "Content-Type:  application/json \r\n"
    "X-Unknown: y\r\n"
    "Authorization: first\r\n"
    "Authorization: second\r\n"
    "Content-Length: 7\r\n"
    "\r\n"
    "{\"a\":1}";

TEST(RequestReader, ReadsHeadAndBodyInPiecesOfAnySize) {
  HttpRequest request;
  for (std::size_t step = 1; step <= kRequest.size(); ++step) {
    request.clear();
    ASSERT_FALSE(feed(kRequest, step, request)) << step;
    EXPECT_EQ(request.method, Method::kPost);
    EXPECT_TRUE(request.http11);
    EXPECT_TRUE(request.keep_alive);
    EXPECT_EQ(request.get(Field::kUri), "/?a=b");
    EXPECT_EQ(request.get(Field::kTarget), "DynamoDB_20120810.GetItem");
    EXPECT_EQ(request.get(Field::kContentType), "application/json");
    EXPECT_EQ(request.get(Field::kAuthorization), "first");
    EXPECT_FALSE(request.has(Field::kOrigin));
    EXPECT_EQ(request.get(Field::kOrigin), "");
    EXPECT_EQ(request.body, "{\"a\":1}");
    EXPECT_GE(request.body.capacity(), request.body.size() + kBodySlack);
  }
}

TEST(RequestReader, ReadsChunkedBodiesInPiecesOfAnySize) {
  const std::string text =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
      "4;name=value\r\n{\"a\"\r\n3\r\n:1}\r\n0\r\nX-Trailer: t\r\n\r\n";
  HttpRequest request;
  for (std::size_t step = 1; step <= text.size(); ++step) {
    request.clear();
    ASSERT_FALSE(feed(text, step, request)) << step;
    EXPECT_EQ(request.body, "{\"a\":1}");
  }
}

TEST(RequestReader, ReadsAnEmptyChunkedBodyInPiecesOfAnySize) {
  for (const char* trailer : {"", "X-Trailer: t\r\n"}) {
    const std::string text =
        std::string("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
            .append(trailer)
            .append("\r\n");
    HttpRequest request;
    for (std::size_t step = 1; step <= text.size(); ++step) {
      request.clear();
      ASSERT_FALSE(feed(text, step, request)) << step;
      EXPECT_EQ(request.body, "");
    }
  }
}

TEST(RequestReader, KnowsTheMethods) {
  const std::pair<std::string, Method> methods[] = {
      {"GET", Method::kGet},    {"HEAD", Method::kHead}, {"OPTIONS", Method::kOptions},
      {"POST", Method::kPost},  {"PUT", Method::kOther}, {"DELETE", Method::kOther},
      {"BREW", Method::kOther},
  };
  for (const auto& [name, method] : methods) {
    HttpRequest request;
    ASSERT_FALSE(feed(name + " / HTTP/1.1\r\n\r\n", 100, request)) << name;
    EXPECT_EQ(request.method, method) << name;
  }
}

TEST(RequestReader, KnowsWhetherTheConnectionStays) {
  const std::pair<std::string, bool> heads[] = {
      {"GET / HTTP/1.1\r\n\r\n", true},
      {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", false},
      {"GET / HTTP/1.0\r\n\r\n", false},
      {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
  };
  for (const auto& [head, keep_alive] : heads) {
    HttpRequest request;
    ASSERT_FALSE(feed(head, 100, request)) << head;
    EXPECT_EQ(request.keep_alive, keep_alive) << head;
  }
}

TEST(RequestReader, RefusesABodyBeyondTheLimit) {
  HttpRequest request;
  EXPECT_EQ(feed("POST / HTTP/1.1\r\nContent-Length: 16777217\r\n\r\n", 100, request),
            http::error::body_limit);
  std::string chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 17; ++i) chunked += "100000\r\n" + std::string(1 << 20, ' ') + "\r\n";
  request.clear();
  EXPECT_EQ(feed(chunked, 1 << 16, request), http::error::body_limit);
  EXPECT_LE(request.body.size(), kMaxBodyBytes);
}

TEST(RequestReader, TakesNoMemoryForBytesThatAreOnlyAnnounced) {
  HttpRequest request;
  RequestReader reader(request);
  boost::beast::error_code error;
  const std::string text = "POST / HTTP/1.1\r\nContent-Length: 16777216\r\n\r\n{";
  reader.put(boost::asio::buffer(text), error);
  EXPECT_TRUE(reader.body_started());
  EXPECT_LT(request.body.capacity(), 100'000U);
}

TEST(RequestReader, RefusesAHeadBeyondTheLimit) {
  HttpRequest request;
  const std::string endless = "GET / HTTP/1.1\r\nX-Long: " + std::string(70'000, 'x');
  EXPECT_EQ(feed(endless, 4096, request), http::error::header_limit);
  std::string many = "GET / HTTP/1.1\r\n";
  while (many.size() < 70'000) many += "X-Some: value\r\n";
  request.clear();
  EXPECT_EQ(feed(many, 4096, request), http::error::header_limit);
}

TEST(RequestReader, RefusesWhatIsNotHttp) {
  for (const std::string_view text :
       {"\x16\x03\x01\x02\r\n\r\n", "hello\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nbad name: x\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"}) {
    HttpRequest request;
    const boost::beast::error_code error = feed(text, 1000, request);
    EXPECT_TRUE(error && error != http::error::partial_message) << text << error.message();
  }
}

}  // namespace
}  // namespace magneto::server
