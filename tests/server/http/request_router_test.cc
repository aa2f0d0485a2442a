#include "server/http/request_router.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "server/formats/body_encoding.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "storage/engine/memory/memory_engine.h"
#include "tests/server/http/request_router_test.h"
#include "tests/support/forwarding_engine.h"

namespace magneto::server::http {
namespace {

TEST_F(RequestRouterTest, AnswersPreflights) {
  HttpRequest preflight = request(Method::kOptions, "/");
  preflight.set(Field::kOrigin, "http://localhost");
  HttpResponse response;
  storage::Effort effort;
  EXPECT_TRUE(router_.answer(router_.find_route(preflight), "ID", preflight, response, effort));
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.preflight);
  EXPECT_TRUE(response.body.empty());
  EXPECT_EQ(response.allowed_origin, "http://localhost");
}

TEST_F(RequestRouterTest, RunsNothingForPagesOfElsewhere) {
  for (HttpRequest refused :
       {post("DynamoDB_20120810.CreateTable", "application/json",
             R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",)"
             R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],)"
             R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]})"),
        post("", "text/plain", ""), request(Method::kOptions, "/"), request(Method::kGet, "/"),
        request(Method::kHead, "/healthcheck"), request(Method::kOther, "/")}) {
    refused.set(Field::kOrigin, "https://evil.example");
    EXPECT_EQ(router_.find_route(refused).place, ThreadKind::kIoThread);
    const HttpResponse response = answer(refused);
    EXPECT_EQ(response.status, 403);
    EXPECT_EQ(response.content_type, "text/plain");
    EXPECT_NE(response.body.find("--cors"), std::string::npos);
    EXPECT_TRUE(response.allowed_origin.empty());
    EXPECT_FALSE(response.preflight);
  }
  EXPECT_EQ(answer(post("DynamoDB_20120810.ListTables", "application/json", "{}")).body,
            R"({"TableNames":[]})");
}

TEST_F(RequestRouterTest, RunsNothingUnderForeignNames) {
  const auto named = [](HttpRequest made, std::string_view host) {
    HttpRequest other;
    other.method = made.method;
    other.body = made.body;
    for (const Field field : {Field::kUri, Field::kTarget, Field::kContentType, Field::kOrigin}) {
      if (made.has(field)) other.set(field, made.get(field));
    }
    other.set(Field::kHost, host);
    return other;
  };
  HttpRequest preflight = request(Method::kOptions, "/");
  preflight.set(Field::kOrigin, "http://localhost");
  for (const HttpRequest& made :
       {post("DynamoDB_20120810.ListTables", "application/json", "{}"), preflight,
        request(Method::kOther, "/"), request(Method::kGet, "/other")}) {
    const HttpResponse response = answer(named(made, "evil.example:8000"));
    EXPECT_EQ(response.status, 403);
    EXPECT_NE(response.body.find("--allowed-hosts"), std::string::npos);
  }
  // A client that asks for the health may know only an address.
  EXPECT_EQ(answer(named(request(Method::kGet, "/"), "10.0.0.1:8000")).status, 200);
}

// Captured facts 2, HTTP.
TEST_F(RequestRouterTest, LeadsEndpointDiscoveryBackHere) {
  const HttpResponse response =
      answer(post("DynamoDB_20120810.DescribeEndpoints", "application/json", "{}"));
  EXPECT_EQ(response.body,
            R"({"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]})");
}

TEST_F(RequestRouterTest, KnowsWhichOperationsMayAnswerMuch) {
  const auto may = [&](std::string_view target) {
    const HttpRequest made = post(target, "application/json", "{}");
    return RequestRouter::may_answer_much(router_.find_route(made));
  };
  EXPECT_TRUE(may("DynamoDB_20120810.Scan"));
  EXPECT_TRUE(may("DynamoDB_20120810.TransactGetItems"));
  EXPECT_TRUE(may("DynamoDBStreams_20120810.GetRecords"));
  EXPECT_FALSE(may("DynamoDB_20120810.GetItem"));
  EXPECT_FALSE(may("DynamoDB_20120810.NoSuchThing"));
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

TEST_F(RequestRouterTest, AnswersWithTextWhateverBytesAreQuoted) {
  const RequestRouter strict(service_, work_memory_, AuthMode::kShape, AccessRules({}));
  HttpRequest request = post("DynamoDB_20120810.ListTables", "application/x-amz-json-1.0", "{}");
  request.set(Field::kAuthorization, "AWS4-\xFF\xC3\xA9");
  HttpResponse response;
  storage::Effort effort;
  EXPECT_TRUE(strict.answer(strict.find_route(request), "ID", request, response, effort));
  EXPECT_EQ(response.status, 400);
  EXPECT_TRUE(response.body.ends_with("Authorization=AWS4-\xEF\xBF\xBD\xC3\xA9\"}"))
      << response.body;
}

TEST_F(RequestRouterTest, LooksForTheOperationBeforeTheCredentials) {
  const RequestRouter strict(service_, work_memory_, AuthMode::kShape, AccessRules({}));
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

TEST_F(RequestRouterTest, TriesSmallRequestsOnTheirIoThread) {
  for (const std::string_view target : {"GetItem", "PutItem", "Scan", "NoSuchThing"}) {
    const HttpRequest small = post("DynamoDB_20120810." + std::string(target), "", "{}");
    EXPECT_EQ(router_.find_route(small).place, ThreadKind::kIoThread);
  }
  EXPECT_EQ(router_.find_route(request(Method::kGet, "/")).place, ThreadKind::kIoThread);
}

TEST_F(RequestRouterTest, SendsLargeAndCodedBodiesToComputingWorkers) {
  const std::string body(kMaxShortBody, ' ');
  HttpRequest large = post("DynamoDB_20120810.GetItem", "application/json", body);
  EXPECT_EQ(router_.find_route(large).place, ThreadKind::kIoThread);
  large.body += ' ';
  EXPECT_EQ(router_.find_route(large).place, ThreadKind::kComputingWorker);
  large = post("NoSuchThing", "application/json", body + ' ');
  EXPECT_EQ(router_.find_route(large).place, ThreadKind::kComputingWorker);
  HttpRequest coded = post("DynamoDB_20120810.GetItem", "application/json", "{}");
  coded.set(Field::kContentEncoding, "gzip");
  EXPECT_EQ(router_.find_route(coded).place, ThreadKind::kComputingWorker);
  HttpRequest plain = post("DynamoDB_20120810.GetItem", "application/json", "{}");
  plain.set(Field::kContentEncoding, "identity");
  EXPECT_EQ(router_.find_route(plain).place, ThreadKind::kIoThread);
}

// An engine that returns from commit_waits() the value of a test.
class DiskBoundEngine final : public storage::ForwardingEngine {
 public:
  explicit DiskBoundEngine(const bool& waits)
      : ForwardingEngine(storage::make_memory_engine()), waits_(waits) {}
  bool commit_waits() const override { return waits_; }

 private:
  const bool& waits_;
};

TEST(RequestRouterOverAnEngine, SendsWritesThatWaitToWaitingWorkers) {
  bool waits = true;
  const storage::Clock clock;
  const auto databases =
      storage::Databases::open({}, clock, std::make_unique<DiskBoundEngine>(waits));
  api::Service service(*databases);
  WorkMemory work_memory(1 << 30);
  const RequestRouter router(service, work_memory, AuthMode::kOff, AccessRules({}));
  const auto place_of = [&](std::string_view operation, std::size_t size) {
    HttpRequest request;
    request.set(Field::kHost, "localhost");
    request.method = Method::kPost;
    request.set(Field::kUri, "/");
    request.set(Field::kTarget, "DynamoDB_20120810." + std::string(operation));
    request.set(Field::kContentType, "application/json");
    request.body.assign(size, ' ');
    return router.find_route(request).place;
  };
  EXPECT_EQ(place_of("PutItem", 2), ThreadKind::kWaitingWorker);
  EXPECT_EQ(place_of("CreateTable", 2), ThreadKind::kWaitingWorker);
  EXPECT_EQ(place_of("GetItem", 2), ThreadKind::kIoThread);
  EXPECT_EQ(place_of("PutItem", kMaxShortBody + 1), ThreadKind::kComputingWorker);
  waits = false;
  EXPECT_EQ(place_of("PutItem", 2), ThreadKind::kIoThread);
}

TEST(RequestRouterWithIsolation, APresignedKeyIsTheOneOfAHeader) {
  const storage::Clock clock;
  const auto databases = storage::Databases::open({}, clock);
  databases->make("my_key+/eu-west-2").create_table([] {
    storage::TableSchema schema;
    schema.name = "tab";
    schema.key.partition = {{"pk", storage::AttributeType::kString}};
    return schema;
  }());
  api::ServiceOptions options;
  options.isolation = api::Isolation::kCredentials;
  api::Service service(*databases, std::move(options));
  WorkMemory work_memory(1 << 30);
  const RequestRouter router(service, work_memory, AuthMode::kShape, AccessRules({}));
  const auto list = [&](std::string_view uri, std::string_view authorization) {
    HttpRequest request;
    request.set(Field::kHost, "localhost");
    request.method = Method::kPost;
    request.set(Field::kUri, uri);
    request.set(Field::kTarget, "DynamoDB_20120810.ListTables");
    request.set(Field::kContentType, "application/json");
    if (!authorization.empty()) request.set(Field::kAuthorization, authorization);
    request.body = "{}";
    HttpResponse response;
    storage::Effort effort;
    EXPECT_TRUE(router.answer(router.find_route(request), "ID", request, response, effort));
    return response.body;
  };
  const std::string scope = "/20260101/eu-west-2/dynamodb/aws4_request";
  const std::string query = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=";
  const std::string header = "AWS4-HMAC-SHA256 Credential=";
  EXPECT_EQ(list("/", header + "my_key+" + scope), R"({"TableNames":["tab"]})");
  EXPECT_EQ(list(query + "my_key%2B" + scope, ""), R"({"TableNames":["tab"]})");
  EXPECT_EQ(list(query + "my%5Fkey+%2F20260101%2feu-west-2/dynamodb/aws4_request", ""),
            R"({"TableNames":["tab"]})");
  EXPECT_EQ(list("/", header + "my_key%2B" + scope), R"({"TableNames":[]})");
  EXPECT_EQ(list(query + "other" + scope, ""), R"({"TableNames":[]})");
}

TEST_F(RequestRouterTest, LeavesTheCompressionOfLongAnswersToWorkers) {
  HttpRequest asking = post("DynamoDB_20120810.Scan", "application/json", "{}");
  HttpResponse response;
  response.body.assign(kMaxShortBody + 1, 'x');
  EXPECT_FALSE(RequestRouter::takes_long_to_finish(asking, response));
  asking.set(Field::kAcceptEncoding, "gzip");
  EXPECT_TRUE(RequestRouter::takes_long_to_finish(asking, response));
  RequestRouter::finish(asking, response);
  EXPECT_EQ(response.content_encoding, "gzip");
  EXPECT_FALSE(RequestRouter::takes_long_to_finish(asking, response));
}

// A call that needs a worker is made once more.
TEST_F(RequestRouterTest, InflatesABodyOnce) {
  HttpRequest made = post("DynamoDB_20120810.ListTables", "application/json", "");
  ASSERT_TRUE(formats::deflate_body(formats::Coding::kGzip, "{}", made.body));
  made.set(Field::kContentEncoding, "gzip");
  for (int i = 0; i < 2; ++i) {
    HttpResponse response;
    storage::Effort effort;
    EXPECT_TRUE(router_.answer(router_.find_route(made), "ID", made, response, effort));
    EXPECT_EQ(response.body, R"({"TableNames":[]})");
  }
}

TEST_F(RequestRouterTest, ReportsABodyThatCannotBeInflatedAsAFault) {
  HttpRequest made = post("DynamoDB_20120810.ListTables", "application/json", "no gzip");
  made.set(Field::kContentEncoding, "gzip");
  const HttpResponse response = answer(made);
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.report.error(), api::ErrorType::kInternalServerError);
}

// Captured facts 2, HTTP: above 4096 bytes.
TEST_F(RequestRouterTest, CompressesAnswersAboveALength) {
  const auto answer_for = [&](std::size_t length) {
    HttpRequest made;
    made.method = Method::kPost;
    made.set(Field::kHost, std::string(length, 'a') + ".localhost");
    made.set(Field::kTarget, "DynamoDB_20120810.DescribeEndpoints");
    made.set(Field::kContentType, "application/json");
    made.set(Field::kAcceptEncoding, "gzip");
    made.body = "{}";
    HttpResponse response = answer(made);
    RequestRouter::finish(made, response);
    return response;
  };
  const std::size_t frame = answer_for(0).body.size();
  const HttpResponse plain = answer_for(4096 - frame);
  EXPECT_EQ(plain.body.size(), 4096U);
  EXPECT_EQ(plain.content_encoding, "");
  const HttpResponse compressed = answer_for(4097 - frame);
  EXPECT_LT(compressed.body.size(), 200U);
  EXPECT_EQ(compressed.content_encoding, "gzip");
}

// DynamoDB Local 3.1.0: every request that is not a call gets 400. Health checks wait for that.
TEST_F(RequestRouterTest, LikeDynamoDbLocalItRefusesAllButCalls) {
  const RequestRouter router(service_, work_memory_, AuthMode::kOff, AccessRules({}),
                             api::Profile::kDynamoDbLocal);
  const auto answer = [&router](HttpRequest request) {
    HttpResponse response;
    storage::Effort effort;
    EXPECT_TRUE(router.answer(router.find_route(request), "ID", request, response, effort));
    return response;
  };
  for (const Method method : {Method::kGet, Method::kHead, Method::kOptions, Method::kOther}) {
    for (const std::string_view uri : {"/", "/healthcheck", "/shell/"}) {
      const HttpResponse response = answer(request(method, uri));
      EXPECT_EQ(response.status, 400);
      EXPECT_EQ(response.content_type, "application/x-amz-json-1.0");
      EXPECT_NE(response.body.find("MissingAuthenticationToken"), std::string::npos);
    }
  }
  HttpRequest preflight = request(Method::kOptions, "/");
  preflight.set(Field::kOrigin, "http://localhost:3000");
  EXPECT_TRUE(answer(preflight).preflight);
  for (const std::string_view type : {"", "text/plain", "application/x-www-form-urlencoded"}) {
    const HttpResponse response =
        answer(post("DynamoDB_20120810.ListTables", type, R"({"Limit":"1"})"));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.content_type, "application/x-amz-json-1.0");
  }
}

}  // namespace
}  // namespace magneto::server::http
