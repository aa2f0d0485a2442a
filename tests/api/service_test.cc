#include "api/service.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <thread>

#include "expressions/expression_error.h"
#include "storage/engine/engine.h"
#include "tests/api/case_runner/case_file.h"

namespace magneto::api {
namespace {

class ServiceTest : public testing::Test {
 protected:
  int call(const Operation* operation, std::string body) {
    return service_.call(operation, Caller{}, "id-1", body, response_);
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ =
      storage::Databases::open(storage::DatabaseOptions{}, clock_);
  std::vector<std::string> faults_;
  Service service_{
      *databases_,
      {.log =
           [this](std::string_view id, std::string_view operation, std::string_view what) {
             faults_.push_back(std::string(id) + " " + std::string(operation) + " " +
                               std::string(what));
           },
       .report_elsewhere = {}}};
  std::string response_;
};

constexpr Shape kAnything = older_request({});

TEST_F(ServiceTest, AnswersAFaultWithAFixedTextAndLogsIt) {
  const Operation broken{"Broken", kAnything, [](Request& request) {
                           request.output += "half an answer";
                           throw storage::EngineError("disk on fire");
                         }};
  EXPECT_EQ(call(&broken, "{}"), 500);
  EXPECT_EQ(
      response_,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"The )"
      R"(request processing has failed because of an unknown error, exception or failure."})");
  EXPECT_EQ(faults_, std::vector<std::string>{"id-1 Broken disk on fire"});
}

TEST_F(ServiceTest, TurnsWhatIsThrownIntoTheAnswer) {
  const Operation refusing{
      "Refusing", kAnything, [](Request& request) {
        request.output += "half an answer";
        throw ApiError(ErrorType::kConditionalCheckFailed, "no", {"Item", "{}"});
      }};
  EXPECT_EQ(call(&refusing, "{}"), 400);
  EXPECT_EQ(response_,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("Message":"no","Item":{}})");
  const Operation expressive{"Expressive", kAnything, [](Request&) {
                               throw expressions::ExpressionError(
                                   "bad", expressions::ExpressionError::Scope::kRequest);
                             }};
  EXPECT_EQ(call(&expressive, "{}"), 400);
  EXPECT_EQ(response_,
            R"({"__type":"com.amazon.coral.validate#ValidationException","message":"bad"})");
  const Operation late{"Late", kAnything, [](Request&) { throw storage::TableGone(); }};
  EXPECT_EQ(call(&late, "{}"), 400);
  EXPECT_EQ(response_, R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
                       R"("message":"Requested resource not found"})");
  EXPECT_TRUE(faults_.empty());
}

TEST_F(ServiceTest, TellsCallsThatItIsToStop) {
  const Operation asking{"Asking", kAnything, [](Request& request) {
                           request.output += request.effort.is_stopping() ? "stop" : "go on";
                         }};
  call(&asking, "{}");
  EXPECT_EQ(response_, "go on");
  service_.stop();
  EXPECT_TRUE(service_.stopping());
  call(&asking, "{}");
  EXPECT_EQ(response_, "stop");
}

// Errors of the API model that SDKs do not try again.
TEST_F(ServiceTest, WithoutRoomItSaysWhatToDo) {
  const std::string table =
      R"("BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"a",)"
      R"("AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}])";
  ASSERT_EQ(call(find_operation("CreateTable"), R"({"TableName":"full",)" + table + "}"), 200);
  const std::string put = R"("TableName":"full","Item":{"a":{"S":"x"}})";
  ASSERT_EQ(call(find_operation("PutItem"), "{" + put + "}"), 200);
  databases_->main().room().set(0);
  const std::string text = R"(The server's memory is full: delete items or tables, or start the )"
                           R"(server with a larger --memory-limit-mb, or with --data-dir to keep )"
                           R"(data on disk."})";
  EXPECT_EQ(call(find_operation("PutItem"), R"({"TableName":"full","Item":{"a":{"S":"y"}}})"), 400);
  EXPECT_EQ(response_, R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
                       R"(ItemCollectionSizeLimitExceededException","message":")" +
                           text);
  EXPECT_EQ(call(find_operation("TransactWriteItems"),
                 R"({"TransactItems":[{"Delete":{"TableName":"full","Key":{"a":{"S":"x"}}}},)"
                 R"({"Put":{"TableName":"full","Item":{"a":{"S":"y"}}}}]})"),
            400);
  EXPECT_NE(response_.find("[None, ItemCollectionSizeLimitExceeded]"), std::string::npos)
      << response_;
  EXPECT_EQ(call(find_operation("BatchExecuteStatement"),
                 R"({"Statements":[{"Statement":"INSERT INTO \"full\" VALUE {'a':'y'}"}]})"),
            200);
  EXPECT_NE(response_.find(R"("Code":"ItemCollectionSizeLimitExceeded")"), std::string::npos)
      << response_;
  const std::string limit =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#LimitExceededException","message":")";
  EXPECT_EQ(call(find_operation("CreateTable"), R"({"TableName":"other",)" + table + "}"), 400);
  EXPECT_EQ(response_, limit + text);
  EXPECT_EQ(call(find_operation("UpdateTable"),
                 R"({"TableName":"full","AttributeDefinitions":[{"AttributeName":"a",)"
                 R"("AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":)"
                 R"("index","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":)"
                 R"({"ProjectionType":"ALL"}}}]})"),
            400);
  EXPECT_EQ(response_, limit + text);
  // Calls that add nothing still work.
  EXPECT_EQ(call(find_operation("PutItem"), "{" + put + "}"), 200);
  EXPECT_EQ(call(find_operation("DeleteItem"), R"({"TableName":"full","Key":{"a":{"S":"x"}}})"),
            200);
  EXPECT_EQ(call(find_operation("DeleteTable"), R"({"TableName":"full"})"), 200);
  EXPECT_TRUE(faults_.empty());
}

TEST_F(ServiceTest, ServesManyThreads) {
  std::vector<std::jthread> threads;
  std::atomic<int> good = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::string response;
      for (int i = 0; i < 200; ++i) {
        std::string body = R"({"Limit":5})";
        if (service_.call(find_operation("ListTables"), Caller{}, "x", body, response) == 200 &&
            response == R"({"TableNames":[]})") {
          ++good;
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(good, 800);
}

// No part that a request can repeat takes time in the square of its size.
TEST_F(ServiceTest, AnswersLargeRequestsSoon) {
  constexpr int kMany = 200'000;
  std::string definitions;
  std::string key;
  std::string members;
  for (int i = 0; i < kMany; ++i) {
    const std::string name = "n" + std::to_string(i);
    definitions += R"({"AttributeName":")" + name + R"(","AttributeType":"S"},)";
    key += R"({"AttributeName":")" + name + R"(","KeyType":"HASH"},)";
    members += "\"" + name + "\",";
  }
  definitions.pop_back();
  key.pop_back();
  const std::string table = R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",)"
                            R"("KeySchema":[{"AttributeName":"n0","KeyType":"HASH"}],)"
                            R"("AttributeDefinitions":[)" +
                            definitions + "]";
  EXPECT_EQ(call(find_operation("CreateTable"), table + "}"), 400);
  EXPECT_EQ(call(find_operation("CreateTable"),
                 table + R"(,"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[)" + key +
                     R"(],"Projection":{"ProjectionType":"ALL"}}]})"),
            400);
  EXPECT_EQ(call(find_operation("PutItem"),
                 R"({"TableName":"tab","Item":{"a":{"SS":[)" + members + R"("n0"]}}})"),
            400);
  EXPECT_NE(response_.find("contains duplicates"), std::string::npos);
}

// The requests of all case files, so that mutations of them reach deep.
std::vector<CaseStep> all_requests() {
  const auto root = std::filesystem::path(MAGNETO_SOURCE_DIR) / "tests" / "cases";
  std::vector<CaseStep> steps;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".case") continue;
    for (CaseStep& step : read_case_file(entry.path().string()).steps) {
      if (step.kind == CaseStep::Kind::kCall && step.request.size() < 4'000) {
        steps.push_back(std::move(step));
      }
    }
  }
  return steps;
}

// Cuts a piece out, doubles it, or puts a piece of another request or a token in its place.
std::string mutated(std::string text, const std::string& other, std::mt19937& random) {
  static const std::vector<std::string> kTokens = {"null",
                                                   "{}",
                                                   "[]",
                                                   "\"\"",
                                                   "1e400",
                                                   "-1",
                                                   "99999999999999999999",
                                                   "true",
                                                   ":",
                                                   ",",
                                                   "\"",
                                                   "{\"S\":\"a\"}",
                                                   "{\"N\":\"1e126\"}",
                                                   "{\"M\":{\"\":{\"L\":[null]}}}",
                                                   "#a",
                                                   "\\u0000"};
  const auto below = [&random](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit)(random);
  };
  for (std::size_t rounds = 1 + below(2); rounds > 0 && !text.empty(); --rounds) {
    const std::size_t at = below(text.size() - 1);
    const std::size_t size = below(std::min<std::size_t>(12, text.size() - at));
    switch (below(3)) {
      case 0:
        text.erase(at, size);
        break;
      case 1:
        text.insert(at, text.substr(at, size));
        break;
      case 2:
        text.replace(at, size, kTokens[below(kTokens.size() - 1)]);
        break;
      default:
        if (!other.empty()) text.replace(at, size, other.substr(below(other.size() - 1), 20));
    }
  }
  return text;
}

TEST_F(ServiceTest, AnswersDamagedRequestsWithErrorsNeverFaults) {
  const std::vector<CaseStep> steps = all_requests();
  ASSERT_GT(steps.size(), 100u);
  std::mt19937 random(20'261'010);
  json::Document document;
  const auto pick = [&]() -> const CaseStep& {
    return steps[std::uniform_int_distribution<std::size_t>(0, steps.size() - 1)(random)];
  };
  for (int i = 0; i < 20'000; ++i) {
    const CaseStep& step = pick();
    const std::string body =
        i % 8 == 0 ? step.request : mutated(step.request, pick().request, random);
    const int status = call(find_operation(step.operation), body);
    ASSERT_TRUE(status == 200 || status == 400) << step.operation << ' ' << body << '\n'
                                                << (faults_.empty() ? "" : faults_.back());
    if (status == 200 && response_.empty()) continue;  // TagResource, UntagResource
    ASSERT_TRUE(document.parse(response_)) << step.operation << ' ' << body << '\n' << response_;
  }
}

// DynamoDB Local 3.1.0, CreateTable, DescribeTable, DeleteTable.
TEST_F(ServiceTest, LikeDynamoDbLocalItNamesItsRegionAndIsDoneAtOnce) {
  const auto call = [&](std::string_view operation, std::string body) {
    Caller caller;
    caller.region = "eu-west-2";
    caller.profile = Profile::kDynamoDbLocal;
    return service_.call(find_operation(operation), caller, "id", body, response_);
  };
  EXPECT_EQ(call("CreateTable",
                 R"({"TableName":"Books","KeySchema":[{"AttributeName":"Id","KeyType":"HASH"}],)"
                 R"("AttributeDefinitions":[{"AttributeName":"Id","AttributeType":"S"}],)"
                 R"("ProvisionedThroughput":{"ReadCapacityUnits":"5","WriteCapacityUnits":"6"}})"),
            200);
  EXPECT_NE(response_.find(R"("TableStatus":"ACTIVE")"), std::string::npos);
  EXPECT_NE(response_.find(R"("WriteCapacityUnits":6)"), std::string::npos);
  EXPECT_NE(response_.find("arn:aws:dynamodb:ddblocal:000000000000:table/Books"),
            std::string::npos);
  for (const std::string_view arn : {"ddblocal:000000000000", "us-east-1:123456789012"}) {
    const std::string body =
        R"({"TableName":"arn:aws:dynamodb:)" + std::string(arn) + R"(:table/Books"})";
    EXPECT_EQ(call("DescribeTable", body), 200) << response_;
  }
  EXPECT_EQ(call("ListTagsOfResource",
                 R"({"ResourceArn":"arn:aws:dynamodb:eu-west-2:000000000000:table/None"})"),
            400);
  EXPECT_NE(response_.find("ResourceNotFoundException"), std::string::npos) << response_;
  EXPECT_EQ(call("DeleteTable", R"({"TableName":"Books"})"), 200);
  EXPECT_NE(response_.find(R"("TableStatus":"ACTIVE")"), std::string::npos);
  EXPECT_NE(response_.find(R"("KeySchema")"), std::string::npos);
  EXPECT_EQ(call("DescribeTable", R"({"TableName":"Books"})"), 400);
}

}  // namespace
}  // namespace magneto::api
