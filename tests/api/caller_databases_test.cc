#include "api/caller_databases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/error.h"
#include "api/service.h"
#include "storage/clock.h"

namespace magneto::api {
namespace {

constexpr const char* kCreate =
    R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
constexpr const char* kDescribe = R"({"TableName":"tab"})";

class CallerDatabasesTest : public testing::Test {
 protected:
  std::unique_ptr<Service> service(Isolation isolation) {
    ServiceOptions options;
    options.isolation = isolation;
    options.report_elsewhere = [this](std::string_view what) { reported_.emplace_back(what); };
    return std::make_unique<Service>(*databases_, std::move(options));
  }
  static Caller caller(std::string_view key, std::string_view region = "us-east-1") {
    Caller made;
    made.access_key = key;
    made.region = region;
    return made;
  }
  int call(Service& service, std::string_view operation, const Caller& by, std::string body) {
    return service.call(find_operation(operation), by, "id", body, response_);
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ = storage::Databases::open({}, clock_);
  std::vector<std::string> reported_;
  std::string response_;
};

TEST_F(CallerDatabasesTest, WithoutIsolationAllShareTheMainOne) {
  const auto shared = service(Isolation::kNone);
  EXPECT_EQ(call(*shared, "CreateTable", caller("a"), kCreate), 200);
  EXPECT_EQ(call(*shared, "DescribeTable", caller("b", "eu-west-2"), kDescribe), 200);
  EXPECT_EQ(databases_->count(), 0U);
  EXPECT_NE(databases_->main().find_table("tab"), nullptr);
}

TEST_F(CallerDatabasesTest, AreNamedAfterRegionOrKeyAndRegion) {
  EXPECT_EQ(call(*service(Isolation::kRegion), "CreateTable", caller("a"), kCreate), 200);
  EXPECT_EQ(call(*service(Isolation::kCredentials), "CreateTable", caller("a"), kCreate), 200);
  EXPECT_EQ(call(*service(Isolation::kCredentials), "CreateTable", caller(""), kCreate), 200);
  EXPECT_NE(databases_->find("us-east-1"), nullptr);
  EXPECT_NE(databases_->find("a/us-east-1"), nullptr);
  EXPECT_NE(databases_->find("/us-east-1"), nullptr);
  EXPECT_EQ(databases_->count(), 3U);
}

TEST_F(CallerDatabasesTest, OnlyAFirstTableMakesOne) {
  const auto apart = service(Isolation::kCredentials);
  for (const auto& [operation, body] : std::vector<std::pair<std::string_view, std::string>>{
           {"ListTables", "{}"},
           {"ListStreams", "{}"},
           {"DescribeTable", kDescribe},
           {"DeleteTable", kDescribe},
           {"GetItem", R"({"TableName":"tab","Key":{"pk":{"S":"k"}}})"},
           {"PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"k"}}})"},
           {"CreateTable", kDescribe}}) {
    for (int i = 0; i < 10; ++i) {
      const std::string key = "random" + std::to_string(i);
      call(*apart, operation, caller(key), body);
    }
  }
  EXPECT_EQ(databases_->count(), 0U);
}

TEST_F(CallerDatabasesTest, ThereIsABoundWithAClearSentence) {
  for (std::size_t i = 0; i < storage::Databases::kMaxDatabases; ++i) {
    databases_->make(std::to_string(i));
  }
  const auto apart = service(Isolation::kCredentials);
  EXPECT_EQ(call(*apart, "CreateTable", caller("a"), kCreate), 400);
  EXPECT_EQ(response_,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#LimitExceededException","message":)"
            R"("Subscriber limit exceeded: with --isolate, only 10000 callers can have tables of )"
            R"(their own. Delete the tables of those that are done, and start the server anew"})");
}

TEST_F(CallerDatabasesTest, KeysThatAreTooLongHaveNothingAndMakeNothing) {
  const auto apart = service(Isolation::kCredentials);
  const std::string fits(246, 'k');
  for (const std::size_t more : {1U, 10U, 100'000U}) {
    const std::string key = fits + std::string(more, 'k');
    EXPECT_EQ(call(*apart, "ListTables", caller(key), "{}"), 200);
    EXPECT_EQ(call(*apart, "CreateTable", caller(key), kCreate), 400);
    EXPECT_NE(response_.find("LimitExceededException"), std::string::npos) << response_;
    EXPECT_NE(response_.find("must not exceed 255 characters together"), std::string::npos);
  }
  EXPECT_EQ(call(*apart, "CreateTable", caller(fits), kCreate), 200);
  EXPECT_EQ(call(*apart, "DescribeTable", caller(fits), kDescribe), 200);
}

TEST_F(CallerDatabasesTest, AMissedTableOfOthersIsReported) {
  const auto apart = service(Isolation::kCredentials);
  const Caller one = caller("one");
  const Caller two = caller("two", "eu-west-2");
  EXPECT_EQ(call(*apart, "DescribeTable", two, kDescribe), 400);
  EXPECT_EQ(reported_, std::vector<std::string>());
  EXPECT_EQ(call(*apart, "CreateTable", one, kCreate), 200);
  EXPECT_EQ(call(*apart, "DescribeTable", one, kDescribe), 200);
  EXPECT_EQ(call(*apart, "DescribeTable", one, R"({"TableName":"other"})"), 400);
  EXPECT_EQ(reported_, std::vector<std::string>());

  const std::string sentence =
      "access key 'two' in region 'eu-west-2' has no table 'tab', but there is one of access key "
      "'one' in region 'us-east-1'";
  const std::pair<std::string_view, std::string> requests[] = {
      {"DescribeTable", kDescribe},
      {"GetItem", R"({"TableName":"tab","Key":{"pk":{"S":"k"}}})"},
      {"GetItem", R"({"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/tab",)"
                  R"("Key":{"pk":{"S":"k"}}})"},
      {"TransactGetItems",
       R"({"TransactItems":[{"Get":{"TableName":"tab","Key":{"pk":{"S":"k"}}}}]})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM tab"})"},
      {"DescribeStream",
       R"({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/tab/stream/2026"})"},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"SELECT * FROM tab WHERE pk = 'k'"}]})"},
      {"ListTagsOfResource",
       R"({"ResourceArn":"arn:aws:dynamodb:eu-west-2:000000000000:table/tab"})"}};
  for (const auto& [operation, body] : requests) {
    reported_.clear();
    call(*apart, operation, two, body);
    EXPECT_EQ(reported_, std::vector<std::string>{sentence}) << operation << response_;
  }
}

TEST_F(CallerDatabasesTest, ModesAreReportedToEachOther) {
  call(*service(Isolation::kNone), "CreateTable", caller("one"), kCreate);
  call(*service(Isolation::kRegion), "DescribeTable", caller("one"), kDescribe);
  call(*service(Isolation::kRegion), "CreateTable", caller("one"), kCreate);
  call(*service(Isolation::kCredentials), "DescribeTable", caller("one"), kDescribe);
  const std::string start =
      "access key 'one' in region 'us-east-1' has no table 'tab', but there is one of all callers "
      "(--isolate none, -sharedDb)";
  EXPECT_EQ(reported_, (std::vector<std::string>{start, start + ", of region 'us-east-1'"}));
}

TEST_F(CallerDatabasesTest, WhatComesFromOutsideIsReportedCutAndWithoutControlCharacters) {
  const auto apart = service(Isolation::kCredentials);
  for (const std::string_view key : {"a", "b", "c", "d", "e\x1b[31m\n\x9b"}) {
    call(*apart, "CreateTable", caller(key), kCreate);
  }
  const std::string key = "x\r\n\x7f" + std::string(1'000, 'y');
  call(*apart, "DescribeTable", caller(key, "r"), kDescribe);
  ASSERT_EQ(reported_.size(), 1U);
  const std::string& line = reported_.front();
  EXPECT_TRUE(line.starts_with("access key 'x???" + std::string(124, 'y') + "...' in region 'r'"))
      << line;
  EXPECT_TRUE(line.ends_with(" and of others")) << line;
  EXPECT_LT(line.size(), 500U);
  EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
}

}  // namespace
}  // namespace magneto::api
