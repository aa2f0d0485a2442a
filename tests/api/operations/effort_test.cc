// Calls within limits: an interrupted call changes nothing, and a long one ends early.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/reads/page.h"
#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

std::string repeated(std::size_t count, std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// `count` pieces; "$" in a piece is its number.
std::string numbered(int count, std::string_view separator, std::string_view piece) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    if (i != 0) all += separator;
    for (const char c : piece) c == '$' ? all += std::to_string(i) : all += c;
  }
  return all;
}

// Returns the number after the last `"member":` of a JSON text.
std::int64_t number_in(std::string_view json, std::string_view member) {
  const std::string label = '"' + std::string(member) + "\":";
  const std::size_t at = json.rfind(label);
  EXPECT_NE(at, std::string_view::npos) << member << ' ' << json.substr(0, 200);
  return at == std::string_view::npos ? -1
                                      : std::stoll(std::string(json.substr(at + label.size())));
}

struct Write {
  const char* name;
  std::string_view operation;
  std::string body;
};

void PrintTo(const Write& write, std::ostream* out) { *out << write.name; }

class InterruptedWriteTest : public testing::TestWithParam<Write> {};

// A call on an I/O thread may be interrupted anywhere, and is then repeated on a worker.
TEST_P(InterruptedWriteTest, IsMadeOnceAndWhole) {
  TestService service;
  service.create_table("tab", false);
  const auto put = [&](int key) {
    service.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":")" + std::to_string(key) +
                                   R"("},"n":{"N":"0"},"l":{"L":[)" +
                                   numbered(500, ",", R"({"N":"$"})") + "]}}}");
  };
  for (int i = 0; i < 3; ++i) put(i);
  const auto all = [&] { return service.succeed("Scan", R"({"TableName":"tab"})"); };
  const std::string before = all();
  int cut_off = 0;
  for (std::uint64_t limit = 1;; limit += 1 + limit / 5) {
    const auto answer = service.try_call(GetParam().operation, GetParam().body, limit);
    if (answer) {
      EXPECT_EQ(answer->status, 200) << answer->body.substr(0, 300);
      break;
    }
    ASSERT_EQ(all(), before) << "cut off after " << limit;
    ++cut_off;
    if (limit > 10'000'000) break;  // it leaves an I/O thread whatever it does
  }
  EXPECT_GT(cut_off, 10);
  if (all() == before) service.succeed(GetParam().operation, GetParam().body);
  const std::string after = all();
  EXPECT_NE(after, before);
  // No call locks the items or the token any more.
  if (GetParam().body.find("ClientRequestToken") == std::string::npos) return;
  service.succeed(GetParam().operation, GetParam().body);
  EXPECT_EQ(all(), after);
}

INSTANTIATE_TEST_SUITE_P(
    Operations, InterruptedWriteTest,
    testing::Values(
        Write{"PutItem", "PutItem",
              R"({"TableName":"tab","Item":{"pk":{"S":"0"}},"ConditionExpression":"l[499]=:v",)"
              R"("ExpressionAttributeValues":{":v":{"N":"499"}}})"},
        Write{"UpdateItem", "UpdateItem",
              R"({"TableName":"tab","Key":{"pk":{"S":"0"}},"UpdateExpression":"ADD n :one",)"
              R"("ConditionExpression":"l[499]=:v",)"
              R"("ExpressionAttributeValues":{":v":{"N":"499"},":one":{"N":"1"}}})"},
        Write{"AttributeUpdates", "UpdateItem",
              R"({"TableName":"tab","Key":{"pk":{"S":"0"}},)"
              R"("AttributeUpdates":{"n":{"Action":"ADD","Value":{"N":"1"}}}})"},
        Write{"DeleteItem", "DeleteItem",
              R"({"TableName":"tab","Key":{"pk":{"S":"0"}},"ConditionExpression":"l[499]=:v",)"
              R"("ReturnItemCollectionMetrics":"SIZE",)"
              R"("ExpressionAttributeValues":{":v":{"N":"499"}}})"},
        Write{"BatchWriteItem", "BatchWriteItem",
              R"({"RequestItems":{"tab":[{"DeleteRequest":{"Key":{"pk":{"S":"0"}}}},)"
              R"({"PutRequest":{"Item":{"pk":{"S":"1"},"x":{"S":"new"}}}}]}})"},
        Write{
            "TransactWriteItems", "TransactWriteItems",
            R"({"ClientRequestToken":"token","TransactItems":[)"
            R"({"Update":{"TableName":"tab","Key":{"pk":{"S":"0"}},"UpdateExpression":"ADD n :one",)"
            R"("ExpressionAttributeValues":{":one":{"N":"1"}}}},)"
            R"({"ConditionCheck":{"TableName":"tab","Key":{"pk":{"S":"1"}},)"
            R"("ConditionExpression":"l[499]=:v","ExpressionAttributeValues":{":v":{"N":"499"}}}},)"
            R"({"Delete":{"TableName":"tab","Key":{"pk":{"S":"2"}}}}]})"},
        Write{"ExecuteStatement", "ExecuteStatement",
              R"({"Statement":"UPDATE tab SET n=n+1 WHERE pk='0' AND l[499]=499"})"},
        Write{"BatchExecuteStatement", "BatchExecuteStatement",
              R"({"Statements":[{"Statement":"UPDATE tab SET n=n+1 WHERE pk='0'"},)"
              R"({"Statement":"UPDATE tab SET n=n+1 WHERE pk='1'"}]})"},
        Write{"ExecuteTransaction", "ExecuteTransaction",
              R"({"ClientRequestToken":"token","TransactStatements":[)"
              R"({"Statement":"UPDATE tab SET n=n+1 WHERE pk='0'"},)"
              R"-({"Statement":"EXISTS(SELECT * FROM tab WHERE pk='1' AND l[499]=499)"}]})-"}),
    [](const testing::TestParamInfo<Write>& write) { return std::string(write.param.name); });

TEST(EffortOfReads, LeavesTheThreadWhenTheyTakeLong) {
  TestService service;
  service.create_table("tab", true);
  const std::string text(100'000, 'x');
  for (int i = 0; i < 8; ++i) {
    service.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"a"},"sk":{"S":")" +
                                   std::to_string(i) + R"("},"x":{"S":")" + text + R"("}}})");
  }
  const std::string keys = numbered(8, ",", R"({"pk":{"S":"a"},"sk":{"S":"$"}})");
  const std::pair<const char*, std::string> reads[] = {
      {"Scan", R"({"TableName":"tab"})"},
      {"Query",
       R"({"TableName":"tab","KeyConditionExpression":"pk=:a","ExpressionAttributeValues":{":a":{"S":"a"}}})"},
      {"BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" + keys + "]}}}"},
      {"TransactGetItems",
       R"({"TransactItems":[)" +
           numbered(8, ",",
                    R"({"Get":{"TableName":"tab","Key":{"pk":{"S":"a"},"sk":{"S":"$"}}}})") +
           "]}"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM tab WHERE pk='a'"})"},
      {"ExecuteTransaction",
       R"({"TransactStatements":[)" +
           numbered(8, ",", R"({"Statement":"SELECT * FROM tab WHERE pk='a' AND sk='$'"})") + "]}"},
      {"BatchExecuteStatement",
       R"({"Statements":[)" +
           numbered(8, ",", R"({"Statement":"SELECT * FROM tab WHERE pk='a' AND sk='$'"})") + "]}"},
  };
  for (const auto& [operation, body] : reads) {
    EXPECT_FALSE(service.try_call(operation, body, 50'000)) << operation;
    const auto answer = service.try_call(operation, body, 500'000);
    ASSERT_TRUE(answer) << operation;
    EXPECT_EQ(answer->body, service.succeed(operation, body));
    EXPECT_GT(answer->body.size(), 8 * text.size());
  }
}

TEST(EffortOfReads, CountsABodyBeforeItIsParsed) {
  TestService service;
  EXPECT_TRUE(service.try_call("ListTables", "{" + std::string(10'000, ' ') + "}", 500'000));
  EXPECT_FALSE(service.try_call("ListTables", "{" + std::string(200'000, ' ') + "}", 500'000));
}

// A table of more than 1 MB whose items are all as small as they can be, or one of large ones.
class PageStepsTest : public testing::Test {
 protected:
  void put_tiny_items() {
    constexpr int kBatches = 5'900;
    service_.create_table("tab", false);
    for (int i = 0; i < kBatches; ++i) {
      std::string requests;
      for (int k = 0; k < 25; ++k) {
        std::string key = std::to_string(i * 25 + k);
        if (k != 0) requests += ',';
        requests += R"({"PutRequest":{"Item":{"pk":{"S":")" + key + R"("}}}})";
      }
      service_.succeed("BatchWriteItem", R"({"RequestItems":{"tab":[)" + requests + "]}}");
    }
  }

  std::string scan(const std::string& filter, const std::string& values = R"(":v":{"S":"x"})",
                   const std::string& more = "") {
    return service_.succeed("Scan", R"({"TableName":"tab","Select":"COUNT","FilterExpression":")" +
                                        filter + R"(","ExpressionAttributeValues":{)" + values +
                                        "}" + more + "}");
  }

  TestService service_;
};

TEST_F(PageStepsTest, ReadAllOfAPageOfTinyItemsForTwentyOperators) {
  put_tiny_items();
  const std::int64_t whole = number_in(
      service_.succeed("Scan", R"({"TableName":"tab","Select":"COUNT"})"), "ScannedCount");
  EXPECT_GT(whole, 135'000);
  EXPECT_LT(whole, 147'500);
  const std::string values = numbered(100, ",", ":v$");
  const std::pair<std::string, std::string> filters[] = {
      {numbered(10, " OR ", "contains(pk,:v)"), R"(":v":{"S":"x"})"},
      {numbered(10, " OR ", ":v BETWEEN pk AND p$"), R"(":v":{"S":"x"})"},
      {numbered(6, " OR ", "size(pk)=:v"), R"(":v":{"S":"x"})"},
      {"NOT " + numbered(6, " AND NOT ", "pk=:v") + " AND p=:v", R"(":v":{"S":"x"})"},
      {numbered(8, " OR ", "pk IN (" + values + ")"), numbered(100, ",", R"(":v$":{"S":"x$"})")},
  };
  for (const auto& [filter, filter_values] : filters) {
    const std::string answer = scan(filter, filter_values);
    EXPECT_EQ(number_in(answer, "ScannedCount"), whole) << filter.substr(0, 100);
  }
  // As many attributes as an expression has room for.
  const std::string names = "pk IN (" + numbered(99, ",", "p$") + ",:v)" +
                            numbered(9, "", " OR pk IN (" + numbered(100, ",", "p$") + ")");
  ASSERT_LE(names.size(), 4'096U);
  EXPECT_EQ(number_in(scan(names), "ScannedCount"), whole);
}

TEST_F(PageStepsTest, ReadAllOfAPageOfLargeItemsForTwentyOperators) {
  service_.create_table("tab", false);
  for (int i = 0; i < 3; ++i) {
    service_.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":")" + std::to_string(i) +
                                    R"("},"x":{"S":")" + repeated(409'000, "a") + R"("}}})");
  }
  for (const std::size_t size : {30, 100'000}) {
    const std::string value = R"(":v":{"S":")" + repeated(size, "a") + R"(b"})";
    for (const char* piece : {"contains(x,:v)", "x=:v", "size(x)=:v", "begins_with(x,:v)"}) {
      const std::string answer = scan(numbered(10, " OR ", piece), value);
      EXPECT_EQ(number_in(answer, "ScannedCount"), 3) << piece;
    }
  }
}

TEST_F(PageStepsTest, EndAPageWhenTheyAreSpent) {
  put_tiny_items();
  const std::string filter = numbered(150, " OR ", "contains(pk,:v)");
  std::int64_t scanned = 0;
  std::int64_t first = 0;
  std::string more;
  for (;;) {
    const std::string answer = scan(filter, R"(":v":{"S":"x"})", more);
    scanned += number_in(answer, "ScannedCount");
    if (first == 0) first = scanned;
    const std::size_t at = answer.find("\"LastEvaluatedKey\":");
    if (at == std::string::npos) break;
    const std::size_t begin = at + std::string_view("\"LastEvaluatedKey\":").size();
    more = ",\"ExclusiveStartKey\":" + answer.substr(begin, answer.find("}}", begin) + 2 - begin);
  }
  EXPECT_EQ(scanned, 147'500);
  EXPECT_LT(first, 130'000);

  const std::string statement =
      "SELECT * FROM tab WHERE " + numbered(150, " OR ", "contains(pk,'x')");
  const std::string selected =
      service_.succeed("ExecuteStatement", R"({"Statement":")" + statement + "\"}");
  EXPECT_NE(selected.find("\"NextToken\""), std::string::npos);
}

// At least one item is read, even if it takes many steps.
TEST_F(PageStepsTest, AlwaysReadAnItem) {
  service_.create_table("tab", false);
  for (int i = 0; i < 3; ++i) {
    service_.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":")" + std::to_string(i) +
                                    R"("},"x":{"S":")" + repeated(409'000, "a") + R"("}}})");
  }
  const std::string answer = scan(numbered(150, " OR ", "contains(x,:v)"),
                                  R"(":v":{"S":")" + repeated(1'000, "a") + R"(b"})");
  EXPECT_GE(number_in(answer, "ScannedCount"), 1);
  EXPECT_LT(number_in(answer, "ScannedCount"), 3);
}

TEST_F(PageStepsTest, EndAPageWhenTheServerIsToEnd) {
  service_.create_table("tab", true);
  for (int i = 0; i < 5; ++i) {
    service_.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"a"},"sk":{"S":")" +
                                    std::to_string(i) + R"("}}})");
  }
  service_.service().stop();
  EXPECT_EQ(number_in(scan("pk<>:v"), "ScannedCount"), 1);
  const std::string query = service_.succeed(
      "Query",
      R"({"TableName":"tab","KeyConditionExpression":"pk=:a","ExpressionAttributeValues":{":a":{"S":"a"}}})");
  EXPECT_EQ(number_in(query, "ScannedCount"), 1);
  EXPECT_NE(query.find(R"("LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"S":"0"}})"), std::string::npos);
  const std::string selected =
      service_.succeed("ExecuteStatement", R"({"Statement":"SELECT * FROM tab"})");
  EXPECT_NE(selected.find("\"NextToken\""), std::string::npos);
  const std::string got = service_.succeed(
      "BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" +
                          numbered(5, ",", R"({"pk":{"S":"a"},"sk":{"S":"$"}})") + "]}}}");
  EXPECT_NE(got.find(R"("UnprocessedKeys":{"tab":{"Keys":[{"pk":{"S":"a"},"sk":{"S":"1"}})"),
            std::string::npos)
      << got;
  const std::string written = service_.succeed(
      "BatchExecuteStatement",
      R"({"Statements":[)" +
          numbered(2, ",", R"({"Statement":"DELETE FROM tab WHERE pk='a' AND sk='$'"})") + "]}");
  EXPECT_NE(written.find(R"("Code":"ThrottlingError")"), std::string::npos) << written;
  EXPECT_EQ(
      service_.succeed("GetItem", R"({"TableName":"tab","Key":{"pk":{"S":"a"},"sk":{"S":"0"}}})"),
      "{}");
  EXPECT_NE(
      service_.succeed("GetItem", R"({"TableName":"tab","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})"),
      "{}");
}

TEST(EffortOfWrites, IsBoundedForATransaction) {
  TestService service;
  service.create_table("tab", false);
  std::string checks;
  const std::string condition = numbered(150, " OR ", "contains(x,:v)");
  for (int i = 0; i < 10; ++i) {
    const std::string key = R"({"S":")" + std::to_string(i) + R"("})";
    service.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":)" + key + R"(,"x":{"S":")" +
                                   repeated(400'000, "a") + R"("}}})");
    if (i != 0) checks += ',';
    checks += R"({"ConditionCheck":{"TableName":"tab","Key":{"pk":)" + key +
              R"(},"ConditionExpression":")" + condition +
              R"(","ExpressionAttributeValues":{":v":{"S":")" + repeated(70, "a") + R"(b"}}}})";
  }
  const std::string answer =
      service.fail("TransactWriteItems", R"({"TransactItems":[)" + checks + "]}");
  EXPECT_NE(answer.find("The expressions of the transaction take too long to evaluate"),
            std::string::npos)
      << answer.substr(0, 300);
}

}  // namespace
}  // namespace magneto::api
