#include "api/faults/faults.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "api/control_error.h"
#include "api/faults/fault_rule_json.h"
#include "api/messages/control_messages.h"
#include "api/side_memory.h"
#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/tab";

class FaultsTest : public testing::Test {
 protected:
  FaultsTest() {
    service_.succeed("CreateTable",
                     R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",)"
                     R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
                     R"({"AttributeName":"sk","AttributeType":"S"}],)"
                     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
                     R"({"AttributeName":"sk","KeyType":"RANGE"}]})");
    service_.create_table("other", false);
  }

  std::string add(std::string rule) {
    json::Document document;
    return service_.faults().add(read_fault_rule(document.parse(rule)->object()));
  }

  std::string rules() {
    std::string text;
    json::Writer writer(text);
    write_fault_rules(service_.faults(), writer);
    return text;
  }

  static std::string key(std::string_view pk, std::string_view sk = "1") {
    return R"({"pk":{"S":")" + std::string(pk) + R"("},"sk":{"S":")" + std::string(sk) + R"("}})";
  }
  static std::string get(std::string_view pk) {
    return R"({"TableName":"tab","Key":)" + key(pk) + "}";
  }
  static std::string put(std::string_view pk) {
    return R"({"TableName":"tab","Item":)" + key(pk) + "}";
  }

  int status_of_get(std::string_view pk) { return service_.call("GetItem", get(pk)).status; }

  // Makes one call with a report, like a session.
  FaultVerdict verdict_of(std::string_view operation, std::string body) {
    CallReport report;
    std::string response;
    storage::Effort effort(storage::Effort::kUnlimited, nullptr);
    service_.service().try_call(find_operation(operation), Caller{}, "id", body, response, effort,
                                &report);
    return report.verdict() == nullptr ? FaultVerdict{} : *report.verdict();
  }

  TestService service_;
};

TEST_F(FaultsTest, AreOffWithoutRules) {
  EXPECT_FALSE(service_.faults().is_on());
  const std::string id = add(R"({"fault":{"error":"InternalServerError"}})");
  EXPECT_TRUE(service_.faults().is_on());
  EXPECT_EQ(status_of_get("a"), 500);
  service_.faults().remove(id);
  EXPECT_FALSE(service_.faults().is_on());
  EXPECT_EQ(status_of_get("a"), 200);
  EXPECT_THROW(service_.faults().remove(id), ControlError);
}

TEST_F(FaultsTest, AnswerAsAwsThrottles) {
  const std::string id = add(
      R"({"table":"tab","count":1,"fault":{"error":"ProvisionedThroughputExceededException"}})");
  EXPECT_EQ(
      service_.fail("GetItem", get("a")),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",)"
      R"("message":"The level of configured provisioned throughput for the table was exceeded. )"
      R"(Consider increasing your provisioning level with the UpdateTable API.",)"
      R"("ThrottlingReasons":[{"reason":"TableReadProvisionedThroughputExceeded",)"
      R"("resource":")" +
          std::string(kArn) + R"("}]})");
  service_.succeed("GetItem", get("a"));
  add(R"({"operations":["PutItem"],"count":1,"fault":{"error":"ThrottlingException"}})");
  const std::string throttled = service_.fail("PutItem", put("a"));
  EXPECT_NE(throttled.find("com.amazon.coral.availability#ThrottlingException"), std::string::npos)
      << throttled;
  EXPECT_NE(
      throttled.find(R"("throttlingReasons":[{"reason":"TableWriteKeyRangeThroughputExceeded")"),
      std::string::npos)
      << throttled;
  add(R"({"operations":["ListTables"],"fault":{"error":"ThrottlingException"}})");
  EXPECT_EQ(service_.fail("ListTables", "{}"),
            R"({"__type":"com.amazon.coral.availability#ThrottlingException",)"
            R"("message":"Rate exceeded"})");
  add(R"({"count":1,"fault":{"error":"RequestLimitExceeded","message":"no"}})");
  EXPECT_EQ(service_.fail("GetItem", get("a")),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded","message":"no",)"
            R"("ThrottlingReasons":[{"reason":"TableReadAccountLimitExceeded","resource":")" +
                std::string(kArn) + R"("}]})");
}

TEST_F(FaultsTest, HaveTheStatusThatARuleNames) {
  add(R"({"count":1,"fault":{"error":"ServiceUnavailable"}})");
  add(R"({"count":1,"fault":{"error":"InternalServerError","status":502}})");
  EXPECT_EQ(status_of_get("a"), 503);
  EXPECT_EQ(status_of_get("a"), 502);
  EXPECT_EQ(status_of_get("a"), 200);
}

TEST_F(FaultsTest, ChooseByOperationTableKeyAndCaller) {
  add(R"({"operations":["PutItem"],"fault":{"error":"InternalServerError"}})");
  EXPECT_EQ(status_of_get("a"), 200);
  EXPECT_EQ(service_.call("PutItem", put("a")).status, 500);
  service_.faults().clear();
  add(R"({"table":"other","fault":{"error":"InternalServerError"}})");
  EXPECT_EQ(status_of_get("a"), 200);
  EXPECT_EQ(service_.call("DescribeTable", R"({"TableName":"other"})").status, 500);
  EXPECT_EQ(
      service_.call("DescribeTable", R"({"TableName":")" + std::string(kArn) + R"("})").status,
      200);
  service_.faults().clear();
  add(R"({"key":{"pk":"user#*","sk":"*"},"fault":{"error":"InternalServerError"}})");
  EXPECT_EQ(status_of_get("user#1"), 500);
  EXPECT_EQ(status_of_get("order#1"), 200);
  EXPECT_EQ(service_.call("PutItem", put("user#")).status, 500);
  EXPECT_EQ(service_.call("ListTables", "{}").status, 200);
  service_.faults().clear();
  add(R"({"access_key":"AKID","fault":{"error":"InternalServerError"}})");
  EXPECT_EQ(status_of_get("a"), 200);
  Caller caller;
  caller.access_key = "AKID";
  std::string body = get("a");
  std::string response;
  EXPECT_EQ(service_.service().call(find_operation("GetItem"), caller, "id", body, response), 500);
}

TEST_F(FaultsTest, FindKeysInEveryKindOfRequest) {
  add(R"({"key":{"pk":"hot"},"fault":{"error":"InternalServerError"}})");
  const std::pair<const char*, std::string> requests[] = {
      {"DeleteItem", get("%")},
      {"UpdateItem", get("%")},
      {"BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" + key("x") + "," + key("%") + "]}}}"},
      {"BatchWriteItem", R"({"RequestItems":{"tab":[{"PutRequest":{"Item":)" + key("%") + "}}]}}"},
      {"BatchWriteItem",
       R"({"RequestItems":{"tab":[{"DeleteRequest":{"Key":)" + key("%") + "}}]}}"},
      {"TransactGetItems",
       R"({"TransactItems":[{"Get":)" + get("x") + R"(},{"Get":)" + get("%") + "}]}"},
      {"TransactWriteItems", R"({"TransactItems":[{"Put":)" + put("%") + "}]}"},
      {"TransactWriteItems", R"({"TransactItems":[{"Delete":)" + get("%") + "}]}"},
      {"Query", R"({"TableName":"tab","KeyConditionExpression":"pk = :p",)"
                R"("ExpressionAttributeValues":{":p":{"S":"%"}}})"},
      {"Query", R"({"TableName":"tab","KeyConditions":{"pk":{"ComparisonOperator":"EQ",)"
                R"("AttributeValueList":[{"S":"%"}]}}})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM tab WHERE pk = '%'"})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM tab WHERE pk = ?",)"
                           R"("Parameters":[{"S":"%"}]})"},
      {"ExecuteStatement", R"({"Statement":"INSERT INTO tab VALUE {'pk':'%','sk':'new'}"})"},
      {"ExecuteStatement", R"({"Statement":"DELETE FROM tab WHERE pk = '%' AND sk = '1'"})"},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"SELECT * FROM tab WHERE pk = '%' AND sk = '1'"}]})"},
      {"ExecuteTransaction",
       R"({"TransactStatements":[{"Statement":"SELECT * FROM tab WHERE pk = '%' AND sk = '1'"}]})"},
  };
  for (const auto& [operation, pattern] : requests) {
    const std::size_t place = pattern.find('%');
    std::string hot = pattern;
    hot.replace(place, 1, "hot");
    std::string cold = pattern;
    cold.replace(place, 1, "cold");
    EXPECT_EQ(service_.call(operation, hot).status, 500) << hot;
    EXPECT_EQ(service_.call(operation, cold).status, 200) << cold;
  }
}

TEST_F(FaultsTest, MatchNumbersAsDynamoDbWritesThem) {
  storage::TableSchema schema;
  schema.name = "numbers";
  schema.billing = storage::BillingMode::kPayPerRequest;
  schema.key.partition = {{"id", storage::AttributeType::kNumber}};
  ASSERT_NE(service_.database().create_table(schema), nullptr);
  add(R"({"key":{"id":"1.5"},"fault":{"error":"InternalServerError"}})");
  EXPECT_EQ(service_.call("GetItem", R"({"TableName":"numbers","Key":{"id":{"N":"1.50"}}})").status,
            500);
  EXPECT_EQ(service_.call("GetItem", R"({"TableName":"numbers","Key":{"id":{"N":"1"}}})").status,
            200);
  EXPECT_EQ(service_.call("GetItem", R"({"TableName":"numbers","Key":{"id":{"N":"x"}}})").status,
            400);
}

TEST_F(FaultsTest, SkipAndCount) {
  add(R"({"skip":2,"count":3,"fault":{"error":"InternalServerError"}})");
  std::string statuses;
  for (int i = 0; i < 8; ++i) statuses += status_of_get("a") == 500 ? 'x' : '.';
  EXPECT_EQ(statuses, "..xxx...");
  EXPECT_NE(rules().find(R"("matched":8,"hits":3)"), std::string::npos) << rules();
}

TEST_F(FaultsTest, LastSoLong) {
  using Time = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kSpan{300};
  const Time::time_point begin = Time::now();
  add(R"({"for":"300ms","fault":{"error":"InternalServerError"}})");
  int faults = 0;
  while (status_of_get("a") == 500) {
    ++faults;
    ASSERT_LT(Time::now() - begin, std::chrono::minutes(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(status_of_get("a"), 200);
  EXPECT_GE(Time::now() - begin, kSpan);
  // There may be no faults if this thread stood still for too long.
  if (Time::now() - begin < 2 * kSpan) {
    EXPECT_GT(faults, 0);
  }
}

TEST_F(FaultsTest, MakeTheSameChoicesWithTheSameSeed) {
  const auto choices = [this](int seed) {
    service_.faults().clear();
    add(R"({"probability":0.3,"seed":)" + std::to_string(seed) +
        R"(,"fault":{"error":"InternalServerError"}})");
    std::string found;
    for (int i = 0; i < 1'000; ++i) found += status_of_get("a") == 500 ? 'x' : '.';
    return found;
  };
  const std::string first = choices(7);
  EXPECT_EQ(choices(7), first);
  EXPECT_NE(choices(8), first);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(first, 'x')), 300, 60);
}

TEST_F(FaultsTest, CancelTransactionsWithAReasonForEachAction) {
  add(R"({"key":{"pk":"b"},"count":1,"fault":{"error":"TransactionCanceledException"}})");
  const std::string request =
      R"({"TransactItems":[{"Put":)" + put("a") + R"(},{"Put":)" + put("b") + "}]}";
  EXPECT_EQ(service_.fail("TransactWriteItems", request),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
            R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
            R"(reasons [None, TransactionConflict]","CancellationReasons":[{"Code":"None"},)"
            R"({"Code":"TransactionConflict","Message":"Transaction is ongoing for the item"}]})");
  add(R"({"count":1,"fault":{"error":"TransactionCanceledException","reasons":)"
      R"(["ThrottlingError",{"code":"ConditionalCheckFailed","message":"mine"},"None"]}})");
  EXPECT_EQ(service_.call("PutItem", put("b")).status, 200);  // no transaction
  const std::string answer = service_.fail("TransactWriteItems", request);
  EXPECT_NE(answer.find("[ThrottlingError, ConditionalCheckFailed]"), std::string::npos) << answer;
  EXPECT_NE(answer.find(R"({"Code":"ConditionalCheckFailed","Message":"mine"}])"),
            std::string::npos)
      << answer;
  service_.succeed("TransactWriteItems", request);
}

TEST_F(FaultsTest, LeaveMembersOfBatchesOut) {
  add(R"({"key":{"pk":"c"},"fault":{"unprocessed":1}})");
  EXPECT_EQ(service_.succeed("BatchWriteItem",
                             R"({"ReturnConsumedCapacity":"TOTAL","RequestItems":{"tab":[)"
                             R"({"PutRequest":{"Item":)" +
                                 key("c") + R"(}},{"PutRequest":{"Item":)" + key("a") + "}}]}}"),
            R"({"UnprocessedItems":{"tab":[{"PutRequest":{"Item":)" + key("c") +
                R"(}}]},"ConsumedCapacity":[{"TableName":"tab","CapacityUnits":1}]})");
  EXPECT_EQ(service_.succeed("BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" + key("a") +
                                                 "," + key("c") + "," + key("b") + "]}}}"),
            R"({"Responses":{"tab":[)" + key("a") + R"(]},"UnprocessedKeys":{"tab":{"Keys":[)" +
                key("c") + "]}}}");
  EXPECT_EQ(service_.succeed("BatchExecuteStatement",
                             R"({"Statements":[{"Statement":)"
                             R"("SELECT pk FROM tab WHERE pk='c' AND sk='1'"},{"Statement":)"
                             R"("SELECT pk FROM tab WHERE pk='a' AND sk='1'"}]})"),
            R"({"Responses":[{"Error":{"Code":"ProvisionedThroughputExceeded","Message":)"
            R"("The level of configured provisioned throughput for the table was exceeded. )"
            R"(Consider increasing your provisioning level with the UpdateTable API."}},)"
            R"({"TableName":"tab","Item":{"pk":{"S":"a"}}}]})");
  // A batch with no member left is refused.
  const std::string refused =
      service_.fail("BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" + key("c") + "]}}}");
  EXPECT_NE(refused.find("#ProvisionedThroughputExceededException"), std::string::npos) << refused;
}

TEST_F(FaultsTest, LeaveAPartOfABatchOut) {
  add(R"({"seed":1,"fault":{"unprocessed":0.5}})");
  std::string keys = key("k0");
  for (int i = 1; i < 10; ++i) keys += "," + key("k" + std::to_string(i));
  const FaultVerdict verdict =
      verdict_of("BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" + keys + "]}}}");
  EXPECT_EQ(verdict.left_out.count(), 5U);
  EXPECT_EQ((verdict.left_out >> 10).count(), 0U);
}

TEST_F(FaultsTest, TellWhatBecomesOfTheConnection) {
  using Cut = FaultVerdict::Cut;
  add(R"({"count":1,"fault":{"drop":"before"}})");
  EXPECT_EQ(verdict_of("PutItem", put("a")).cut, Cut::kBefore);
  EXPECT_EQ(service_.succeed("GetItem", get("a")), "{}");
  add(R"({"count":1,"fault":{"drop":"after"}})");
  EXPECT_EQ(verdict_of("PutItem", put("a")).cut, Cut::kAfter);
  EXPECT_NE(service_.succeed("GetItem", get("a")), "{}");
  add(R"({"count":1,"fault":{"truncate":0.25}})");
  const FaultVerdict verdict = verdict_of("GetItem", get("a"));
  EXPECT_EQ(verdict.cut, Cut::kWithin);
  EXPECT_EQ(verdict.kept, 0.75);
}

TEST_F(FaultsTest, AddLatenciesUp) {
  add(R"({"fault":{"latency":"1s"}})");
  add(R"({"fault":{"error":"InternalServerError"}})");
  add(R"({"fault":{"latency":{"min":"1s","max":"2s"}}})");
  add(R"({"fault":{"drop":"before"}})");  // behind the error
  const FaultVerdict verdict = verdict_of("GetItem", get("a"));
  EXPECT_TRUE(verdict.error);
  EXPECT_EQ(verdict.cut, FaultVerdict::Cut::kNone);
  EXPECT_GE(verdict.delay, std::chrono::seconds(2));
  EXPECT_LE(verdict.delay, std::chrono::seconds(3));
  EXPECT_EQ(verdict.rules, (std::vector<std::string>{"f1", "f2", "f3"}));
  for (int i = 0; i < 20; ++i) add(R"({"fault":{"latency":"1m"}})");
  EXPECT_EQ(verdict_of("GetItem", get("a")).delay, std::chrono::minutes(15));
}

TEST_F(FaultsTest, SpreadLatenciesAsAsked) {
  add(R"({"seed":3,"fault":{"latency":{"p50":"10ms","p99":"100ms"}}})");
  std::vector<double> delays;
  for (int i = 0; i < 2'000; ++i) {
    delays.push_back(static_cast<double>(verdict_of("GetItem", get("a")).delay.count()) / 1e6);
  }
  std::ranges::sort(delays);
  EXPECT_NEAR(delays[1'000], 10, 1);
  EXPECT_NEAR(delays[1'980], 100, 30);
}

// A request that a worker repeats is one request.
TEST_F(FaultsTest, AreDecidedOnceForAllAttempts) {
  add(R"({"fault":{"latency":"1s"}})");
  CallReport report;
  std::string response;
  std::string body = get("a");
  for (const std::uint64_t limit : {std::uint64_t{1'000}, storage::Effort::kUnlimited}) {
    storage::Effort effort(limit, nullptr);
    service_.service().try_call(find_operation("GetItem"), Caller{}, "id", body, response, effort,
                                &report);
  }
  EXPECT_EQ(report.verdict()->delay, std::chrono::seconds(1));
  EXPECT_NE(rules().find(R"("matched":1,"hits":1)"), std::string::npos) << rules();
}

TEST_F(FaultsTest, AreListedAsTheyWereGiven) {
  EXPECT_EQ(rules(), "[]");
  add(R"({ "seed":5, "table":"t\"", "fault":{"latency":{"min":"1ms", "max":"2ms"}}, "skip":1 })");
  EXPECT_EQ(rules(),
            R"([{"id":"f1","table":"t\"","fault":{"latency":{"min":"1ms","max":"2ms"}},"skip":1,)"
            R"("seed":5,"matched":0,"hits":0}])");
}

TEST_F(FaultsTest, AreRefusedWhereTheyWouldTakeTooMuchMemory) {
  SideMemory& memory = SideMemory::of_process();
  memory.set_limit(memory.bytes() + (100 << 10));
  std::size_t made = 0;
  try {
    for (; made < Faults::kMaxRules; ++made) add(R"({"fault":{"drop":"after"}})");
    ADD_FAILURE() << "all were made";
  } catch (const ControlError& error) {
    EXPECT_EQ(error.status(), 507);
    EXPECT_EQ(error.sentence(), messages::kNoMemoryForRule);
  }
  EXPECT_EQ(made, 12U);  // of 8 KB each
  memory.set_limit(std::numeric_limits<std::size_t>::max());
  add(R"({"fault":{"drop":"after"}})");
}

TEST_F(FaultsTest, AreSoMany) {
  for (std::size_t i = 0; i < Faults::kMaxRules; ++i) {
    add(R"({"table":"elsewhere","key":{"pk":"*a*b*c*"},"fault":{"drop":"after"}})");
  }
  try {
    add(R"({"fault":{"drop":"after"}})");
    FAIL();
  } catch (const ControlError& error) {
    EXPECT_EQ(error.status(), 429);
    EXPECT_EQ(error.sentence(), "There are 1000 rules, which is the maximum: delete some first.");
  }
  EXPECT_EQ(status_of_get("a"), 200);
}

TEST_F(FaultsTest, AskForAWorkerWhenMatchingTakesLong) {
  for (std::size_t i = 0; i < Faults::kMaxRules; ++i) {
    add(R"({"key":{"pk":"*a*b*c*d*e*f*"},"fault":{"error":"InternalServerError"}})");
  }
  const std::string request = get(std::string(1'000, 'a'));
  EXPECT_FALSE(service_.try_call("GetItem", request, 10'000));
  EXPECT_NE(rules().find(R"("matched":0,"hits":0)"), std::string::npos);
  EXPECT_EQ(service_.call("GetItem", request).status, 200);
}

TEST_F(FaultsTest, MayChangeWhileRequestsRun) {
  constexpr int kThreads = 8;
  constexpr int kCalls = 500;
  const std::string id = add(R"({"count":1000,"fault":{"error":"InternalServerError"}})");
  std::atomic<int> hits = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < kCalls; ++call) {
        if (status_of_get("a") == 500) ++hits;
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    service_.faults().remove(add(R"({"table":"other","fault":{"drop":"after"}})"));
    rules();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(hits, 1'000);
}

}  // namespace
}  // namespace magneto::api
