#include "server/http/request_reader.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace magneto::server::http {
namespace {

namespace beast_http = boost::beast::http;

using Progress = RequestReader::Progress;

void append(std::string_view bytes, boost::beast::flat_buffer& buffer) {
  const boost::asio::const_buffer from(bytes.data(), bytes.size());
  buffer.commit(boost::asio::buffer_copy(buffer.prepare(bytes.size()), from));
}

// The reader has taken all that came before.
Progress take(std::string_view bytes, RequestReader& reader) {
  boost::beast::flat_buffer buffer;
  append(bytes, buffer);
  return reader.take(buffer);
}

// Feeds `bytes` in pieces of `step`, as a session does, until the request is whole or refused.
boost::beast::error_code feed(std::string_view bytes, std::size_t step, HttpRequest& request) {
  RequestReader reader(request);
  boost::beast::flat_buffer buffer;
  Progress progress = Progress::kNeedsMore;
  for (; progress == Progress::kNeedsMore && !bytes.empty();
       bytes.remove_prefix(std::min(step, bytes.size()))) {
    append(bytes.substr(0, step), buffer);
    if (!reader.got_some()) RequestReader::skip_empty_lines(buffer);
    progress = reader.take(buffer);
  }
  if (progress == Progress::kNeedsMore) return beast_http::error::partial_message;
  return progress == Progress::kRefused ? reader.error() : boost::beast::error_code();
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
    EXPECT_EQ(request.get(Field::kHost), "localhost");
    EXPECT_EQ(request.get(Field::kTarget), "DynamoDB_20120810.GetItem");
    EXPECT_EQ(request.get(Field::kContentType), "application/json");
    EXPECT_EQ(request.get(Field::kAuthorization), "first");
    EXPECT_FALSE(request.has(Field::kOrigin));
    EXPECT_EQ(request.get(Field::kOrigin), "");
    EXPECT_EQ(request.body, "{\"a\":1}");
    EXPECT_GE(request.body.capacity(), request.body.size() + kBodySlack);
  }
}

TEST(RequestReader, KeepsAllFieldsForASignature) {
  HttpRequest request;
  RequestReader reader(request, true);
  take(kRequest, reader);
  ASSERT_TRUE(reader.is_done());
  std::string fields;
  for (const client::HeaderField& field : request.kept_fields()) {
    fields.append(field.name).append("=").append(field.value).append(";");
  }
  EXPECT_EQ(fields,
            "Host=localhost;x-amz-TARGET=DynamoDB_20120810.GetItem;Content-Type=application/json;"
            "X-Unknown=y;Authorization=first;Authorization=second;Content-Length=7;");
  EXPECT_EQ(request.get(Field::kAuthorization), "first");
  EXPECT_GE(request.bytes(), fields.size());
  request.clear();
  EXPECT_TRUE(request.kept_fields().empty());
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
      {"POST", Method::kPost},  {"PUT", Method::kPut},   {"DELETE", Method::kDelete},
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
            beast_http::error::body_limit);
  std::string chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 17; ++i) chunked += "100000\r\n" + std::string(1 << 20, ' ') + "\r\n";
  request.clear();
  EXPECT_EQ(feed(chunked, 1 << 16, request), beast_http::error::body_limit);
  EXPECT_LE(request.body.size(), kMaxBodyBytes);
}

// RFC 9112, 2.2.
TEST(RequestReader, IgnoresEmptyLinesBeforeARequest) {
  for (std::size_t step = 1; step < 6; ++step) {
    HttpRequest request;
    EXPECT_FALSE(feed("\r\n\r\n" + std::string(kRequest), step, request)) << step;
    EXPECT_EQ(request.get(Field::kUri), "/?a=b");
  }
  boost::beast::flat_buffer buffer;
  append("\n\r\n", buffer);
  RequestReader::skip_empty_lines(buffer);
  EXPECT_EQ(buffer.size(), 0U);
}

TEST(RequestReader, LeavesTheNextRequestInTheBuffer) {
  HttpRequest request;
  RequestReader reader(request);
  boost::beast::flat_buffer buffer;
  append(std::string(kRequest) + "GET", buffer);
  EXPECT_EQ(reader.take(buffer), Progress::kWhole);
  EXPECT_EQ(buffer.size(), 3U);
}

TEST(RequestReader, AsksOnceForABodyThatTheClientKeepsBack) {
  constexpr std::string_view kExpects = "Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
  for (const bool http11 : {true, false}) {
    HttpRequest request;
    RequestReader reader(request);
    EXPECT_EQ(take(http11 ? "POST / HTTP/1.1\r\n" : "POST / HTTP/1.0\r\n", reader),
              Progress::kNeedsMore);
    EXPECT_FALSE(reader.wants_continue());
    EXPECT_EQ(take(kExpects, reader), Progress::kNeedsMore);
    EXPECT_EQ(reader.wants_continue(), http11);
    EXPECT_FALSE(reader.wants_continue());
    EXPECT_EQ(take("{}", reader), Progress::kWhole);
  }
}

TEST(RequestReader, TakesNoMemoryForBytesThatAreOnlyAnnounced) {
  HttpRequest request;
  RequestReader reader(request);
  take("POST / HTTP/1.1\r\nContent-Length: 16777216\r\n\r\n{", reader);
  EXPECT_TRUE(reader.body_started());
  EXPECT_LT(request.body.capacity(), 100'000U);
}

// Captured facts 2, HTTP.
TEST(RequestReader, TakesALineAndFieldsUpToTheLimitInPiecesOfAnySize) {
  const auto line_of = [](std::size_t size) {
    return "GET /" + std::string(size - 16, 'x') + " HTTP/1.1\r\n";
  };
  const auto fields_of = [](std::size_t size) {
    std::string fields;
    while (fields.size() + 100 < size) fields += "X-Some: value\r\n";
    return fields + "X-Last: " + std::string(size - fields.size() - 10, 'y') + "\r\n";
  };
  constexpr std::size_t kMost = 16 * 1024;
  for (const std::size_t step : {1UL, 7UL, 4096UL, 100'000UL}) {
    HttpRequest request;
    EXPECT_FALSE(feed(line_of(kMost) + fields_of(kMost) + "\r\n", step, request)) << step;
    EXPECT_EQ(request.get(Field::kUri).size(), kMost - 15);
    for (const std::string& head :
         {line_of(kMost + 1) + "\r\n", line_of(100) + fields_of(kMost + 1) + "\r\n"}) {
      request.clear();
      EXPECT_EQ(feed(head, step, request), beast_http::error::header_limit) << step;
    }
  }
}

TEST(RequestReader, RefusesAHeadWithoutEnd) {
  for (const std::size_t step : {100UL, 4096UL}) {
    HttpRequest request;
    const std::string endless = "GET / HTTP/1.1\r\nX-Long: " + std::string(70'000, 'x');
    EXPECT_EQ(feed(endless, step, request), beast_http::error::header_limit);
    std::string many = "GET / HTTP/1.1\r\n";
    while (many.size() < 70'000) many += "X-Some: value\r\n";
    request.clear();
    EXPECT_EQ(feed(many, step, request), beast_http::error::header_limit);
  }
}

int status_for(const std::string& fields, const std::string& version = "HTTP/1.1") {
  std::optional<int> status;
  const std::string text = "POST / " + version + "\r\n" + fields + "\r\n0\r\n\r\n";
  for (const std::size_t step : {1UL, 1000UL}) {
    HttpRequest request;
    const boost::beast::error_code error = feed(text, step, request);
    const int found = error ? refusal_status(error) : 200;
    EXPECT_EQ(status.value_or(found), found) << fields << " in pieces of " << step;
    status = found;
  }
  return *status;
}

TEST(RequestReader, TakesNoTransferCodingButChunked) {
  for (const char* value : {"chunked", "Chunked", " CHUNKED \t"}) {
    EXPECT_EQ(status_for(std::string("Transfer-Encoding:") + value + "\r\n"), 200) << value;
  }
  for (const char* unknown : {"xchunked", "chunkedx", "gzip", "gzip, chunked", "chunked, identity",
                              "identity", "gzip;q=1, chunked"}) {
    EXPECT_EQ(status_for(std::string("Transfer-Encoding: ") + unknown + "\r\n"), 501) << unknown;
  }
  for (const char* malformed : {"", ",", "chunked,", "chunked, chunked", "chunked gzip",
                                "chunked;a=b", "\"chunked\"", "chunked\x0b"}) {
    EXPECT_EQ(status_for(std::string("Transfer-Encoding: ") + malformed + "\r\n"), 400)
        << malformed;
  }
}

TEST(RequestReader, TakesNoSecondWordOnWhereABodyEnds) {
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string length = "Content-Length: 0\r\n";
  EXPECT_EQ(status_for(chunked + length), 400);
  EXPECT_EQ(status_for(length + chunked), 400);
  EXPECT_EQ(status_for(chunked + chunked), 400);
  EXPECT_EQ(status_for("Transfer-Encoding: xchunked\r\n" + length), 501);
  EXPECT_EQ(status_for(length + "Transfer-Encoding: xchunked\r\n"), 400);
  EXPECT_EQ(status_for(chunked, "HTTP/1.0"), 400);
  EXPECT_EQ(status_for("Transfer-Encoding: gzip\r\n", "HTTP/1.0"), 400);
}

TEST(RequestReader, IgnoresTheFieldsOfATrailer) {
  const std::string text =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nX-Amz-Date: head\r\n\r\n"
      "2\r\n{}\r\n0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nAuthorization: a\r\n"
      "Origin: http://localhost\r\nX-Amz-Date: trailer\r\nConnection: close\r\n\r\n";
  for (const std::size_t step : {1UL, 10UL, 1000UL}) {
    HttpRequest request;
    ASSERT_FALSE(feed(text, step, request)) << step;
    EXPECT_EQ(request.body, "{}");
    EXPECT_EQ(request.get(Field::kAmzDate), "head");
    for (const Field field : {Field::kTarget, Field::kAuthorization, Field::kOrigin}) {
      EXPECT_FALSE(request.has(field));
    }
    EXPECT_TRUE(request.keep_alive);
  }
}

TEST(RequestReader, RefusesWhatIsNotHttp) {
  for (const std::string_view text :
       {"\x16\x03\x01\x02\r\n\r\n", "hello\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nbad name: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"}) {
    HttpRequest request;
    const boost::beast::error_code error = feed(text, 1000, request);
    EXPECT_TRUE(error && error != beast_http::error::partial_message) << text << error.message();
  }
}

}  // namespace
}  // namespace magneto::server::http
