#include "server/request_router.h"

#include <gtest/gtest.h>

#include <string>

#include "storage/clock.h"
#include "storage/database.h"

namespace magneto::server {
namespace {

class RequestRouterTest : public testing::Test {
 protected:
  HttpRequest request(Method method, std::string_view uri) {
    HttpRequest made;
    made.method = method;
    made.set(Field::kUri, uri);
    return made;
  }
  HttpRequest post(std::string_view target, std::string_view content_type, std::string_view body) {
    HttpRequest made = request(Method::kPost, "/");
    if (!target.empty()) made.set(Field::kTarget, target);
    if (!content_type.empty()) made.set(Field::kContentType, content_type);
    made.body = body;
    return made;
  }
  HttpResponse answer(HttpRequest request) {
    HttpResponse response;
    storage::Effort effort;
    EXPECT_TRUE(router_.answer(router_.find_route(request), "ID", request, response, effort));
    return response;
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Database> database_ = storage::Database::open({}, clock_);
  api::Service service_{*database_};
  RequestRouter router_{service_, AuthMode::kOff, false};
};

// Captured facts, error wire format.
TEST_F(RequestRouterTest, TellsItsHealth) {
  for (const Method method : {Method::kGet, Method::kHead}) {
    for (const std::string_view uri : {"/", "/healthcheck", "/?a=b"}) {
      const HttpResponse response = answer(request(method, uri));
      EXPECT_EQ(response.status, 200);
      EXPECT_EQ(response.body, "healthy: dynamodb.us-east-1.amazonaws.com ");
    }
  }
}

TEST_F(RequestRouterTest, KnowsNoOtherPagesAndMethods) {
  HttpRequest with_origin = request(Method::kOther, "/");
  with_origin.set(Field::kOrigin, "x");
  for (const HttpRequest& unknown :
       {request(Method::kGet, "/other"), request(Method::kOther, "/"), with_origin,
        request(Method::kOptions, "/"), post("", "", "{}"), post("", "text/plain", "{}"),
        post("", "application/jsonx", "{}")}) {
    const HttpResponse response = answer(unknown);
    EXPECT_EQ(response.status, 404);
    EXPECT_EQ(response.body, "<UnknownOperationException/>\n");
  }
}

TEST_F(RequestRouterTest, AnswersPreflights) {
  HttpRequest preflight = request(Method::kOptions, "/");
  preflight.set(Field::kOrigin, "http://localhost");
  const HttpResponse response = answer(preflight);
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.preflight);
  EXPECT_TRUE(response.body.empty());
}

TEST_F(RequestRouterTest, MirrorsTheContentType) {
  const std::pair<std::string_view, std::string_view> types[] = {
      {"application/x-amz-json-1.0", "application/x-amz-json-1.0"},
      {"application/x-amz-json-1.1", "application/x-amz-json-1.1"},
      {"application/json", "application/json"},
      {"application/json ; charset=utf-8", "application/json"},
      {"application/x-amz-json-1.0;x", "application/x-amz-json-1.0"},
  };
  for (const auto& [sent, answered] : types) {
    const HttpResponse response = answer(post("DynamoDB_20120810.DescribeLimits", sent, "{}"));
    EXPECT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(response.content_type, answered);
  }
}

TEST_F(RequestRouterTest, FindsOperationsByTarget) {
  for (const std::string_view target :
       {"", "DescribeLimits", "DynamoDB_20120810.", "DynamoDB_20120810.describeLimits",
        "DynamoDB_20111205.DescribeLimits", "DynamoDB_20120810.DescribeLimits.x",
        "DynamoDBStreams_20120810.DescribeLimits", "DynamoDB_20120810.ListStreams",
        "DynamoDBStreams_20120810."}) {
    const HttpResponse response = answer(post(target, "application/json", "{}"));
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  }
  EXPECT_EQ(answer(post("", "", "")).body,
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_EQ(answer(post("DynamoDB_20120810.DescribeLimits", "", "")).body,
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
  EXPECT_EQ(answer(post("DynamoDBStreams_20120810.ListStreams", "application/json", "{}")).body,
            R"({"Streams":[]})");
}

TEST_F(RequestRouterTest, LooksForTheOperationBeforeTheCredentials) {
  const RequestRouter strict(service_, AuthMode::kShape, false);
  const auto body_for = [&](std::string_view target) {
    HttpRequest made = post(target, "application/json", "{}");
    HttpResponse response;
    storage::Effort effort;
    EXPECT_TRUE(strict.answer(strict.find_route(made), "ID", made, response, effort));
    EXPECT_EQ(response.status, 400);
    return response.body;
  };
  EXPECT_EQ(body_for("Unknown"),
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_EQ(body_for("DynamoDB_20120810.DescribeLimits"),
            R"({"__type":"com.amazon.coral.service#MissingAuthenticationTokenException",)"
            R"("message":"Request is missing Authentication Token"})");
}

TEST_F(RequestRouterTest, SendsOnlySyncedWritesToWorkers) {
  const RequestRouter synced(service_, AuthMode::kOff, true);
  const HttpRequest write = post("DynamoDB_20120810.PutItem", "application/json", "{}");
  const HttpRequest read = post("DynamoDB_20120810.GetItem", "application/json", "{}");
  EXPECT_TRUE(synced.find_route(write).may_wait);
  EXPECT_FALSE(synced.find_route(read).may_wait);
  EXPECT_FALSE(router_.find_route(write).may_wait);
}

}  // namespace
}  // namespace magneto::server
