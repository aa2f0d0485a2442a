#include "api/journal/journal_json.h"

#include <gtest/gtest.h>

#include "api/control_error.h"
#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

class JournalJsonTest : public testing::Test {
 protected:
  JournalJsonTest() {
    service_.create_table("tab", true);
    service_.journal().change({.on = true});
  }

  // The last record, without what differs from run to run.
  std::string last() {
    Journal& journal = service_.journal();
    const std::string line =
        journal_lines(journal, journal.read({.after = journal.last_number() - 1}, 1));
    const std::size_t begin = line.find(R"("operation")");
    const std::size_t time = line.find(R"("milliseconds")");
    const std::size_t after = line.find(R"("consumed")");
    if (after == std::string::npos) return line;
    return line.substr(begin, time - begin) + line.substr(after);
  }

  static constexpr std::string_view kKey = R"({"pk":{"S":"a"},"sk":{"S":"b"}})";

  TestService service_;
};

TEST_F(JournalJsonTest, TellsOfRequests) {
  service_.succeed("PutItem", R"({"TableName":"tab","Item":)" + std::string(kKey) + "}");
  EXPECT_EQ(
      last(),
      R"("operation":"PutItem","table":"tab","index":null,"keys":[{"key":{"pk":"a","sk":"b"},)"
      R"("writes":true}],"caller":{"access_key":null,"region":"us-east-1","address":null},)"
      R"("status":200,"error":null,"consumed":{"read_units":0,"write_units":1},)"
      R"("plan":{"read":0,"returned":0,"bytes_read":0},"request_bytes":58,)"
      R"("response_bytes":2,"request_id":"test"})"
      "\n");
  service_.succeed("Query", R"({"TableName":"tab","KeyConditionExpression":"pk = :p",)"
                            R"("FilterExpression":"x = :p",)"
                            R"("ExpressionAttributeValues":{":p":{"S":"a"}}})");
  const std::string queried = last();
  EXPECT_NE(queried.find(R"("keys":[{"key":{"pk":"a"},"writes":false}])"), std::string::npos)
      << queried;
  EXPECT_NE(queried.find(R"("consumed":{"read_units":0.5,"write_units":0},)"
                         R"("plan":{"read":1,"returned":0,"bytes_read":6})"),
            std::string::npos)
      << queried;
}

TEST_F(JournalJsonTest, TellsOfFailures) {
  service_.fail("PutItem", R"({"TableName":"tab","Item":)" + std::string(kKey) +
                               R"-(,"ConditionExpression":"attribute_exists(pk)"})-");
  EXPECT_NE(last().find(R"("status":400,"error":"ConditionalCheckFailedException",)"
                        R"("consumed":{"read_units":0,"write_units":1})"),
            std::string::npos)
      << last();
  service_.fail("Nothing", "{}");
  EXPECT_NE(last().find(R"("operation":null,"table":null,"index":null,"keys":[],)"),
            std::string::npos)
      << last();
  service_.fail("PutItem", "{");
  EXPECT_NE(last().find(R"("error":"SerializationException")"), std::string::npos) << last();
}

TEST_F(JournalJsonTest, TellsOfPlans) {
  const auto plan_of = [this](std::string_view operation, std::string body) {
    service_.succeed(operation, std::move(body));
    const std::string line = last();
    const std::size_t begin = line.find(R"("read":)");
    return line.substr(begin, line.find('}', begin) - begin);
  };
  for (const char* const sk : {"1", "2", "3"}) {
    service_.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"p"},"sk":{"S":")" +
                                    std::string(sk) + R"("}}})");
  }
  const std::string key = R"({"pk":{"S":"p"},"sk":{"S":"1"}})";
  const std::string absent = R"({"pk":{"S":"p"},"sk":{"S":"9"}})";
  EXPECT_EQ(plan_of("GetItem", R"({"TableName":"tab","Key":)" + key + "}"),
            R"("read":1,"returned":1,"bytes_read":6)");
  EXPECT_EQ(plan_of("GetItem", R"({"TableName":"tab","Key":)" + absent + "}"),
            R"("read":1,"returned":0,"bytes_read":0)");
  EXPECT_EQ(
      plan_of("BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" + key + "," + absent + "]}}}"),
      R"("read":2,"returned":1,"bytes_read":6)");
  EXPECT_EQ(plan_of("TransactGetItems",
                    R"({"TransactItems":[{"Get":{"TableName":"tab","Key":)" + key + "}}]}"),
            R"("read":1,"returned":1,"bytes_read":6)");
  EXPECT_EQ(plan_of("Scan", R"({"TableName":"tab"})"), R"("read":3,"returned":3,"bytes_read":18)");
  EXPECT_EQ(plan_of("ExecuteStatement", R"({"Statement":"SELECT * FROM tab WHERE sk = '2'"})"),
            R"("read":3,"returned":1,"bytes_read":18)");
  EXPECT_EQ(plan_of("ExecuteStatement",
                    R"({"Statement":"SELECT * FROM tab WHERE pk = 'p' AND sk = '2'"})"),
            R"("read":1,"returned":1,"bytes_read":6)");
  EXPECT_EQ(
      plan_of("BatchExecuteStatement", R"({"Statements":[{"Statement":)"
                                       R"("SELECT * FROM tab WHERE pk = 'p' AND sk = '2'"}]})"),
      R"("read":1,"returned":1,"bytes_read":6)");
}

TEST_F(JournalJsonTest, HasBodiesWhenAskedFor) {
  service_.journal().change({.on = true, .bodies = true});
  service_.succeed("GetItem", "{\"TableName\":\"tab\",\r\n \"Key\":" + std::string(kKey) + "}");
  EXPECT_NE(last().find(R"("request":{"TableName":"tab", "Key":)" + std::string(kKey) +
                        R"(},"response":{}})"),
            std::string::npos)
      << last();
  service_.fail("GetItem", "{\n");
  EXPECT_EQ(last().find(R"("request":)"), std::string::npos);
  service_.succeed("GetItem", R"({"TableName":"tab","Key":)" + std::string(kKey) +
                                  R"(,"Unknown":")" + std::string(Journal::kMaxBody, 'x') +
                                  R"("})");
  EXPECT_EQ(last().find(R"("request":)"), std::string::npos);
  EXPECT_NE(last().find(R"("response":{})"), std::string::npos);
}

TEST_F(JournalJsonTest, TellsOfCallers) {
  Caller caller;
  caller.access_key = "AKID";
  caller.address = "127.0.0.1:7";
  caller.region = "eu-west-1";
  std::string body = "{}";
  std::string response;
  service_.service().call(find_operation("ListTables"), caller, "test", body, response);
  EXPECT_NE(last().find(R"("caller":{"access_key":"AKID","region":"eu-west-1",)"
                        R"("address":"127.0.0.1:7"})"),
            std::string::npos)
      << last();
}

TEST_F(JournalJsonTest, SettingsAreReadStrictly) {
  const auto read = [this](std::string text) {
    json::Document document;
    return read_journal_settings(document.parse(text)->object(), service_.journal().settings());
  };
  const Journal::Settings settings = read(R"({"bodies":true,"bytes":100000})");
  EXPECT_TRUE(settings.on);
  EXPECT_TRUE(settings.bodies);
  EXPECT_EQ(settings.bytes, 100'000U);
  EXPECT_FALSE(read(R"({"on":false})").on);
  for (const char* const wrong :
       {R"({"on":1})", R"({"on":true,"on":true})", R"({"on":"true"})", R"({"bytes":1})",
        R"({"bytes":1e9})", R"({"bytes":"4MB"})", R"({"of":true})"}) {
    EXPECT_THROW(read(wrong), ControlError) << wrong;
  }
}

}  // namespace
}  // namespace magneto::api
