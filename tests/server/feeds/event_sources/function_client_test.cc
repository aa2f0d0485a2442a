#include "server/feeds/event_sources/function_client.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "server/feeds/event_sources/mapping_file.h"
#include "tests/support/scripted_server.h"

namespace magneto::server::feeds {
namespace {

using Kind = Invocation::Kind;

class FunctionClientTest : public testing::Test {
 protected:
  EventSourceMapping mapping(const std::string& function = "orders") {
    return std::move(
        read_mappings(R"({"EventSourceMappings":[{"TableName":"tab","FunctionName":")" + function +
                          R"(","StartingPosition":"LATEST","Endpoint":")" + server_.url() +
                          R"(","TimeoutInSeconds":1)" + more_ + "}]}",
                      "f")
            .front());
  }
  Invocation invoke(const std::string& function = "orders") {
    FunctionClient client(
        mapping(function), pool_, [](const char*) { return std::optional<std::string>(); },
        [this] { return is_over_; });
    return client.invoke("eu-west-2", R"({"Records":[]})");
  }
  Kind kind_of(int status, const std::string& body, const std::string& fields = {}) {
    answer_ = http_answer(status, body, fields);
    return invoke().kind;
  }

  std::optional<std::string> answer_ = http_answer(200, "null");
  ScriptedServer server_{[this](const std::string&) { return answer_; }};
  std::string more_;  // of the mapping
  bool is_over_ = false;
  ConnectionPool pool_;
};

TEST_F(FunctionClientTest, CallsByLambdasPathAndSigns) {
  answer_ = http_answer(200, R"({"batchItemFailures":[]})",
                        "X-Amzn-RequestId: id-1\r\nX-Amz-Executed-Version: 7\r\n");
  const Invocation result = invoke("arn:aws:lambda:eu-west-2:123456789012:function:orders:$LATEST");
  EXPECT_EQ(result.kind, Kind::kDone);
  EXPECT_EQ(result.request_id, "id-1");
  EXPECT_EQ(result.version, "7");
  const std::string request = server_.requests().front();
  EXPECT_TRUE(request.starts_with(
      "POST /2015-03-31/functions/arn%3Aaws%3Alambda%3Aeu-west-2%3A123456789012%3Afunction%3Aorders%3A%24LATEST/invocations HTTP/1.1\r\n"))
      << request;
  EXPECT_NE(request.find("X-Amz-Invocation-Type: RequestResponse\r\n"), std::string::npos);
  EXPECT_NE(request.find("/eu-west-2/lambda/aws4_request"), std::string::npos);
  EXPECT_TRUE(request.ends_with("\r\n\r\n{\"Records\":[]}"));
}

TEST_F(FunctionClientTest, KeepsWhatIsNamedWhereTheMappingAsks) {
  answer_ = http_answer(200, R"({"batchItemFailures":[{"itemIdentifier":"17"}]})");
  EXPECT_EQ(invoke().failed_items, std::set<std::string>());
  more_ = R"(,"FunctionResponseTypes":["ReportBatchItemFailures"],"BatchSize":1)";
  EXPECT_EQ(invoke().failed_items, std::set<std::string>{"17"});
  answer_ = http_answer(200, "ok");
  EXPECT_EQ(invoke().failed_items, std::nullopt);
}

TEST_F(FunctionClientTest, WaitsForTheFinalAnswer) {
  answer_ = std::string(kInterimAnswers) +
            http_answer(200, R"({"batchItemFailures":[{"itemIdentifier":"17"}]})");
  more_ = R"(,"FunctionResponseTypes":["ReportBatchItemFailures"],"BatchSize":1)";
  const Invocation result = invoke();
  EXPECT_EQ(result.kind, Kind::kDone);
  EXPECT_EQ(result.failed_items, std::set<std::string>{"17"});
}

// An error of the emulator is one however long what comes before it is.
TEST_F(FunctionClientTest, ReadsLongAnswersToTheirEnd) {
  const std::string filling = R"({"result":")" + std::string(5'000'000, 'x') + "\"";
  answer_ = http_answer(200, filling + "}");
  EXPECT_EQ(invoke().kind, Kind::kDone);
  answer_ = http_answer(200, filling + R"(,"errorMessage":"no","errorType":"Error"})");
  EXPECT_EQ(invoke().kind, Kind::kFailed);
  EXPECT_LT(invoke().why.size(), 1'000U);
  answer_ = http_answer(200, filling + std::string(2'000'000, ' ') + "}");  // beyond 6 MB
  EXPECT_EQ(invoke().kind, Kind::kFailed);
  more_ = R"(,"FunctionResponseTypes":["ReportBatchItemFailures"],"BatchSize":1)";
  answer_ = http_answer(200, filling + R"(,"batchItemFailures":[{"itemIdentifier":"17"}]})");
  EXPECT_EQ(invoke().failed_items, std::set<std::string>{"17"});
}

// The log, and lines of JSON, get these texts.
TEST_F(FunctionClientTest, WhatIsToldIsPlainText) {
  answer_ = http_answer(200, "no\nforged \x1B[31m\xFF",
                        "X-Amz-Function-Error: Un\xFFhandled\r\nX-Amzn-RequestId: id\xFE\r\n"
                        "X-Amz-Executed-Version: " +
                            std::string(400, 'v') + "\r\n");
  const Invocation result = invoke();
  EXPECT_EQ(result.why, "the function failed (Un\uFFFDhandled): no forged  [31m\uFFFD");
  EXPECT_EQ(result.function_error, "Un\uFFFDhandled");
  EXPECT_EQ(result.request_id, "id\uFFFD");
  EXPECT_EQ(result.version, std::string(300, 'v'));
  answer_ = http_answer(500, "a\nb");
  EXPECT_EQ(invoke().why, "the endpoint answered 500: a b");
}

TEST_F(FunctionClientTest, TellsFailuresFromThrottling) {
  EXPECT_EQ(kind_of(200, ""), Kind::kDone);
  EXPECT_EQ(kind_of(204, ""), Kind::kDone);
  EXPECT_EQ(kind_of(200, R"({"errorMessage":"mine"})"), Kind::kDone);
  EXPECT_EQ(kind_of(200, R"([{"errorMessage":"a","errorType":"b"}])"), Kind::kDone);
  EXPECT_EQ(kind_of(200, R"({"errorMessage":7,"errorType":"b"})"), Kind::kDone);
  EXPECT_EQ(kind_of(200, R"({"errorMessage":"a","errorType":"b","stackTrace":[]})"), Kind::kFailed);
  EXPECT_EQ(kind_of(200, "Task timed out after 3.00 seconds"), Kind::kFailed);
  EXPECT_EQ(kind_of(200, "null", "x-amz-function-error: Handled\r\n"), Kind::kFailed);
  for (const int status : {404, 429, 500, 502, 503, 504, 599}) {
    EXPECT_EQ(kind_of(status, "{}"), Kind::kNotNow) << status;
  }
  EXPECT_EQ(kind_of(500, std::string(100'000, 'x')), Kind::kNotNow);
  for (const int status : {301, 400, 403, 413}) {
    EXPECT_EQ(kind_of(status, "{}"), Kind::kFailed) << status;
  }
  EXPECT_EQ(kind_of(503, "{}", "X-Amz-Function-Error: Unhandled\r\n"), Kind::kFailed);
  EXPECT_EQ(kind_of(502, R"({"errorMessage":"exited","errorType":"Runtime.ExitError"})"),
            Kind::kFailed);
  answer_ = std::nullopt;  // hangs up: it may have run
  EXPECT_EQ(invoke().kind, Kind::kFailed);
}

TEST_F(FunctionClientTest, WaitsNoLongerThanItMay) {
  answer_ = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";  // and nothing more
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(invoke().kind, Kind::kFailed);
  is_over_ = true;
  EXPECT_EQ(invoke().kind, Kind::kOver);
  is_over_ = false;
  answer_ = "HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n{";
  EXPECT_EQ(invoke().kind, Kind::kFailed);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(FunctionClientTest, NobodyThereIsNoFailure) {
  EventSourceMapping away = mapping();
  away.endpoint.port = "1";
  FunctionClient client(
      away, pool_, [](const char*) { return std::optional<std::string>(); }, [] { return false; });
  EXPECT_EQ(client.invoke("us-east-1", "{}").kind, Kind::kNotNow);
}

// The call waits, and reports the missing descriptors.
TEST_F(FunctionClientTest, WithoutDescriptorsItDidNotRun) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const EventSourceMapping about = mapping();
  FunctionClient client(
      about, pool_, [](const char*) { return std::optional<std::string>(); }, [] { return false; });
  rlimit none = limit;
  none.rlim_cur = 0;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const Invocation result = client.invoke("us-east-1", "{}");
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(result.kind, Kind::kNotNow);
  EXPECT_NE(result.why.find("open files"), std::string::npos) << result.why;
}

}  // namespace
}  // namespace magneto::server::feeds
