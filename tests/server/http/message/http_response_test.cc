#include "server/http/message/http_response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace magneto::server::http {
namespace {

std::string head_of(const HttpRequest& request, const HttpResponse& response) {
  std::string head = "old";
  format_head(request, response, "ID", "DATE", head);
  return head;
}

TEST(FormatHead, DescribesTheBody) {
  HttpResponse response;
  response.content_type = "application/x-amz-json-1.0";
  response.body = R"({"__type":"com.amazon.coral.service#SerializationException"})";
  response.status = 400;
  // The checksum DynamoDB sends with this body (captured facts, error wire format).
  EXPECT_EQ(head_of(HttpRequest(), response),
            "HTTP/1.1 400 Bad Request\r\n"
            "Server: Server\r\n"
            "Date: DATE\r\n"
            "Content-Type: application/x-amz-json-1.0\r\n"
            "Content-Length: 60\r\n"
            "x-amzn-RequestId: ID\r\n"
            "x-amz-crc32: 3948637019\r\n"
            "\r\n");
}

TEST(FormatHead, WritesFurtherFields) {
  HttpResponse response;
  response.status = 304;
  response.fields = "A: b\r\n";
  EXPECT_EQ(head_of(HttpRequest(), response),
            "HTTP/1.1 304 Not Modified\r\n"
            "Server: Server\r\n"
            "Date: DATE\r\n"
            "x-amzn-RequestId: ID\r\n"
            "x-amz-crc32: 0\r\n"
            "A: b\r\n"
            "\r\n");
}

TEST(FormatHead, TellsWhetherTheConnectionStays) {
  HttpRequest request;
  HttpResponse response;
  EXPECT_EQ(head_of(request, response).find("Connection:"), std::string::npos);
  request.http11 = false;
  EXPECT_NE(head_of(request, response).find("\r\nConnection: keep-alive\r\n"), std::string::npos);
  response.close = true;
  EXPECT_NE(head_of(request, response).find("\r\nConnection: close\r\n"), std::string::npos);
}

TEST(FormatHead, AnswersPreflights) {
  HttpRequest request;
  request.set(Field::kOrigin, "http://localhost:3000");
  request.set(Field::kCorsHeaders, "a, b");
  request.set(Field::kCorsMethod, "POST");
  HttpResponse response;
  response.preflight = true;
  response.allowed_origin = "http://localhost:3000";
  EXPECT_EQ(head_of(request, response),
            "HTTP/1.1 200 OK\r\n"
            "Server: Server\r\n"
            "Date: DATE\r\n"
            "Content-Length: 0\r\n"
            "x-amzn-RequestId: ID\r\n"
            "Access-Control-Allow-Origin: http://localhost:3000\r\n"
            "Vary: Origin\r\n"
            "Access-Control-Allow-Headers: a, b\r\n"
            "Access-Control-Allow-Methods: POST\r\n"
            "Access-Control-Expose-Headers: "
            "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date\r\n"
            "Access-Control-Max-Age: 172800\r\n"
            "\r\n");
}

TEST(FormatHead, LetsBrowsersReadTheHeadersOfAnAnswer) {
  HttpRequest request;
  request.set(Field::kOrigin, "http://localhost:3000");
  HttpResponse response;
  EXPECT_EQ(head_of(request, response).find("Access-Control"), std::string::npos);
  response.allowed_origin = "*";
  const std::string head = head_of(request, response);
  EXPECT_EQ(head.find("Vary"), std::string::npos);
  EXPECT_NE(head.find("\r\nAccess-Control-Allow-Origin: *\r\n"), std::string::npos);
  EXPECT_NE(head.find("\r\nAccess-Control-Expose-Headers: x-amzn-RequestId,"), std::string::npos);
  EXPECT_EQ(head.find("Access-Control-Max-Age"), std::string::npos);
}

TEST(FormatHead, HasALineForAnyStatus) {
  HttpResponse response;
  for (const int status : {200, 400, 403, 404, 413, 415, 500, 501, 503, 418}) {
    response.status = status;
    const std::string head = head_of(HttpRequest(), response);
    EXPECT_EQ(head.substr(0, 13), "HTTP/1.1 " + std::to_string(status) + " ") << head;
    EXPECT_GT(head.find("\r\n"), 13U) << head;
  }
}

TEST(RequestIdSource, GivesDistinctIdsOfDynamoDbsForm) {
  RequestIdSource source;
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const RequestId id = source.next();
    EXPECT_TRUE(std::all_of(id.begin(), id.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    }));
    EXPECT_TRUE(seen.emplace(id.data(), id.size()).second);
  }
  const RequestId other = RequestIdSource().next();
  EXPECT_TRUE(seen.emplace(other.data(), other.size()).second);
}

TEST(DateHeader, HasTheFormOfHttp) {
  DateHeader date;
  const std::string text(date.now());
  std::tm parts{};
  ASSERT_NE(strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts), nullptr) << text;
  EXPECT_NEAR(static_cast<double>(timegm(&parts)), static_cast<double>(std::time(nullptr)), 2);
}

}  // namespace
}  // namespace magneto::server::http
