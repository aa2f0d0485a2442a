#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/server/http/request_router_test.h"

namespace magneto::server::http {
namespace {

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

TEST_F(RequestRouterTest, TellsWhetherItIsReady) {
  EXPECT_EQ(answer(request(Method::kGet, "/_/health")).body,
            "healthy: dynamodb.us-east-1.amazonaws.com ");
  HttpResponse response = answer(request(Method::kGet, "/_/ready?a"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "ready\n");
  // Both answer clients that know only an address.
  for (const std::string_view uri : {"/_/health", "/_/ready"}) {
    HttpRequest elsewhere;
    elsewhere.method = Method::kHead;
    elsewhere.set(Field::kUri, uri);
    elsewhere.set(Field::kHost, "10.0.0.7:8000");
    EXPECT_EQ(answer(elsewhere).status, 200) << uri;
  }
  databases_->main().room().set(0);
  response = answer(request(Method::kGet, "/_/ready"));
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body.find("not ready: The server's memory is full"), 0U) << response.body;
  EXPECT_EQ(answer(request(Method::kGet, "/_/health")).status, 200);
  databases_->main().room().set(storage::MemoryBudget::kPlenty);
  EXPECT_EQ(answer(request(Method::kGet, "/_/ready")).status, 200);
  router_.stop();
  EXPECT_EQ(answer(request(Method::kGet, "/_/ready")).body, "not ready: the server is stopping\n");
}

TEST_F(RequestRouterTest, ShowsMetricsWhereItHasAPage) {
  EXPECT_EQ(answer(request(Method::kGet, "/metrics")).status, 404);
  for (const api::Profile profile : {api::Profile::kAws, api::Profile::kDynamoDbLocal}) {
    RequestRouter router(service_, work_memory_, AuthMode::kShape,
                         AccessRules({.address = "127.0.0.1:8000"}), profile, nullptr,
                         [](HttpResponse& shown) { shown.body = "page"; });
    HttpRequest metrics = request(Method::kGet, "/metrics?x");
    const Route route = router.find_route(metrics);
    EXPECT_EQ(route.place, ThreadKind::kWaitingWorker);
    HttpResponse response;
    storage::Effort effort;
    EXPECT_TRUE(router.answer(route, "ID", metrics, response, effort));
    EXPECT_EQ(response.body, "page");
    HttpRequest elsewhere;
    elsewhere.method = Method::kGet;
    elsewhere.set(Field::kUri, "/metrics");
    elsewhere.set(Field::kHost, "evil.example");
    EXPECT_EQ(router.find_route(elsewhere).kind, Route::Kind::kRefused);
    for (const std::string_view uri : {"/_/ready", "/_/health"}) {
      EXPECT_NE(router.find_route(request(Method::kGet, uri)).kind, Route::Kind::kNoCall) << uri;
    }
    for (const std::string_view uri : {"/metrics/", "/_/", "/_/ready/", "/Metrics", "//metrics"}) {
      const Route::Kind kind = router.find_route(request(Method::kGet, uri)).kind;
      EXPECT_TRUE(kind == Route::Kind::kNotFound || kind == Route::Kind::kNoCall) << uri;
    }
    // The path of an operation does not matter.
    HttpRequest call = post("DynamoDB_20120810.ListTables", "application/x-amz-json-1.0", "{}");
    EXPECT_EQ(router.find_route(call).kind, Route::Kind::kOperation);
  }
}

TEST_F(RequestRouterTest, APageThatFailsIsAFaultOfTheLog) {
  RequestRouter router(service_, work_memory_, AuthMode::kShape,
                       AccessRules({.address = "127.0.0.1:8000"}), api::Profile::kAws, nullptr,
                       [](HttpResponse& /*shown*/) { throw std::runtime_error("no file"); });
  HttpRequest metrics = request(Method::kGet, "/metrics");
  HttpResponse response;
  storage::Effort effort;
  testing::internal::CaptureStderr();
  EXPECT_TRUE(router.answer(router.find_route(metrics), "ID", metrics, response, effort));
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "internal error in /metrics (request ID): no file"),
            std::string::npos);
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.content_type, "text/plain");
  EXPECT_EQ(response.body.find("no file"), std::string::npos);
}

TEST_F(RequestRouterTest, KnowsNoOtherPagesAndMethods) {
  HttpRequest with_origin = request(Method::kOther, "/");
  with_origin.set(Field::kOrigin, "http://localhost");
  for (const HttpRequest& unknown :
       {request(Method::kGet, "/other"), request(Method::kOther, "/"), with_origin,
        request(Method::kOptions, "/"), post("", "", "{}"), post("", "text/plain", "{}"),
        post("", "application/jsonx", "{}")}) {
    const HttpResponse response = answer(unknown);
    EXPECT_EQ(response.status, 404);
    EXPECT_EQ(response.body, "<UnknownOperationException/>\n");
  }
}

}  // namespace
}  // namespace magneto::server::http
