#include <algorithm>

#include "tests/api/costs/cost_test.h"

namespace magneto::api {
namespace {

using Names = std::vector<std::string>;

class AccessPatternsTest : public CostTest {};

TEST_F(AccessPatternsTest, HaveTheFormOfTheKeyCondition) {
  constexpr std::string_view kA = R"(":a":{"S":"a"})";
  constexpr std::string_view kAb = R"(":a":{"S":"a"},":b":{"S":"b"})";
  constexpr std::string_view kAbc = R"(":a":{"S":"a"},":b":{"S":"b"},":c":{"S":"c"})";
  query("pk = :a", kA);
  query("pk = :a AND sk = :b", kAb);
  query("pk = :a AND sk < :b", kAb);
  query("pk = :a AND sk <= :b", kAb);
  query("pk = :a AND sk > :b", kAb);
  query("pk = :a AND sk >= :b", kAb);
  query("begins_with(sk, :b) AND pk = :a", kAb);
  query("pk = :a AND sk BETWEEN :b AND :c", kAbc);
  service_.succeed("Query",
                   R"({"TableName":"tab","KeyConditions":{"pk":{"ComparisonOperator":"EQ",)"
                   R"("AttributeValueList":[{"S":"a"}]},"sk":{"ComparisonOperator":"LT",)"
                   R"("AttributeValueList":[{"S":"b"}]}}})");
  EXPECT_EQ(names(), (Names{"Query tab: pk = ?", "Query tab: pk = ? AND sk < ?",
                            "Query tab: pk = ? AND sk <= ?", "Query tab: pk = ? AND sk = ?",
                            "Query tab: pk = ? AND sk > ?", "Query tab: pk = ? AND sk >= ?",
                            "Query tab: pk = ? AND sk BETWEEN ?",
                            "Query tab: pk = ? AND sk begins_with ?"}));
  EXPECT_EQ(at("patterns/1/calls"), "2");  // one of them by KeyConditions
  EXPECT_EQ(at("patterns/1/key"), R"("pk = ? AND sk < ?")");
}

TEST_F(AccessPatternsTest, TellReadsThatCostOtherwiseApart) {
  constexpr std::string_view kValues = R"(":a":{"S":"a"},":n":{"N":"1"})";
  get("a");
  get("b", R"(,"ProjectionExpression":"pk")");  // costs as much
  get("a", R"(,"ConsistentRead":true)");
  query("pk = :a", kValues, R"(,"FilterExpression":"n = :n","ConsistentRead":true)");
  service_.succeed("Scan", R"({"TableName":"tab"})");
  service_.succeed("Scan", R"({"TableName":"tab","ScanFilter":{"n":{"ComparisonOperator":)"
                           R"("NOT_NULL"}}})");
  // A Scan reads every partition, also of an empty table.
  EXPECT_EQ(names(),
            (Names{"Scan tab", "Scan tab (filter)", "GetItem tab: pk = ? AND sk = ? (consistent)",
                   "Query tab: pk = ? (filter, consistent)", "GetItem tab: pk = ? AND sk = ?"}));
  EXPECT_EQ(at("patterns/0/key"), "null");
  EXPECT_EQ(at("patterns/3/filter"), "true");
  EXPECT_EQ(at("patterns/3/consistent"), "true");
  EXPECT_EQ(at("patterns/4/calls"), "2");
}

TEST_F(AccessPatternsTest, KnowLocalIndexesThatFetchFromTheTable) {
  service_.succeed(
      "CreateTable",
      R"({"TableName":"local","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
      R"({"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk",)"
      R"("AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],"KeySchema":[)"
      R"({"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":)"
      R"("RANGE"}],"LocalSecondaryIndexes":[{"IndexName":"by_n","KeySchema":[)"
      R"({"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"n","KeyType":)"
      R"("RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]})");
  const auto ask = [&](const std::string& more) {
    service_.succeed("Query", R"({"TableName":"local","IndexName":"by_n",)"
                              R"("KeyConditionExpression":"pk = :a AND n > :n",)"
                              R"("ExpressionAttributeValues":{":a":{"S":"a"},":n":{"N":"1"}})" +
                                  more + "}");
  };
  ask("");
  ask(R"(,"ProjectionExpression":"more")");
  ask(R"(,"Select":"ALL_ATTRIBUTES")");
  EXPECT_EQ(names(), (Names{"Query local/by_n: pk = ? AND n > ?",
                            "Query local/by_n: pk = ? AND n > ? (fetch)"}));
  EXPECT_EQ(at("patterns/1/calls"), "2");
  EXPECT_EQ(at("other_requests"), "1");  // CreateTable
}

TEST_F(AccessPatternsTest, OfStatementsHaveTheirVerbs) {
  const auto run = [&](const std::string& statement) {
    service_.succeed("ExecuteStatement", R"({"Statement":")" + statement + "\"}");
  };
  run("INSERT INTO tab VALUE {'pk': 'a', 'sk': '1'}");
  run("UPDATE tab SET n = 1 WHERE pk = 'a' AND sk = '1'");
  run("SELECT * FROM tab WHERE pk = 'a' AND sk > '0' AND n = 1");
  run("SELECT * FROM tab WHERE pk IN ['a', 'b']");
  run("SELECT * FROM tab WHERE sk = '1'");
  run("DELETE FROM tab WHERE pk = 'a' AND sk = '1'");
  Names found = names();
  std::ranges::sort(found);
  EXPECT_EQ(found, (Names{"ExecuteStatement DELETE tab: pk = ? AND sk = ?",
                          "ExecuteStatement INSERT tab: pk = ? AND sk = ?",
                          "ExecuteStatement SELECT tab: pk = ? AND sk > ? (filter)",
                          "ExecuteStatement SELECT tab: pk IN ?",
                          "ExecuteStatement SELECT tab: sk = ? (filter)",
                          "ExecuteStatement UPDATE tab: pk = ? AND sk = ?"}));
}

// A batch counts as a call of each table that it names, with the units and items of that table.
TEST_F(AccessPatternsTest, OfBatchesAndTransactionsAreThoseOfTheirTables) {
  put("tab", "a", "1");
  put("other", "x", "1");
  service_.succeed(
      "BatchGetItem",
      R"({"RequestItems":{"tab":{"Keys":[{"pk":{"S":"a"},"sk":{"S":"1"}},{"pk":{"S":)"
      R"("b"},"sk":{"S":"1"}}]},"other":{"ConsistentRead":true,"Keys":[{"pk":{"S":"x"}},)"
      R"({"pk":{"S":"y"}},{"pk":{"S":"z"}}]}}})");
  service_.succeed("TransactWriteItems",
                   R"({"TransactItems":[{"Delete":{"TableName":"tab","Key":{"pk":{"S":"a"},"sk":)"
                   R"({"S":"1"}}}},{"Delete":{"TableName":"other","Key":{"pk":{"S":"x"}}}},)"
                   R"({"Delete":{"TableName":"other","Key":{"pk":{"S":"y"}}}}]})");
  EXPECT_EQ(names(R"({"table":"other"})"),
            (Names{"TransactWriteItems other: pk = ?", "PutItem other: pk = ?",
                   "BatchGetItem other: pk = ? (consistent)"}));
  EXPECT_EQ(at("patterns/0/write_units", R"({"table":"other"})"), "4");  // two, each twice
  EXPECT_EQ(at("patterns/2/read_units", R"({"table":"other"})"), "3");
  EXPECT_EQ(at("patterns/2/items_read", R"({"table":"other"})"), "3");
  EXPECT_EQ(at("patterns/2/items_returned", R"({"table":"other"})"), "1");
  EXPECT_EQ(names(R"({"table":"tab"})"),
            (Names{"TransactWriteItems tab: pk = ? AND sk = ?", "PutItem tab: pk = ? AND sk = ?",
                   "BatchGetItem tab: pk = ? AND sk = ?"}));
  EXPECT_EQ(at("patterns/2/read_units", R"({"table":"tab"})"), "1");
  EXPECT_EQ(at("patterns/2/items_read", R"({"table":"tab"})"), "2");
}

// Two forms of one table share its units by their members.
TEST_F(AccessPatternsTest, OfOneTableShareItsUnits) {
  put("tab", "a", "1");
  service_.succeed(
      "BatchExecuteStatement",
      R"({"Statements":[{"Statement":"SELECT * FROM tab WHERE pk='a' AND sk='1'"},)"
      R"({"Statement":"SELECT * FROM tab WHERE pk='b' AND sk='1'"},)"
      R"({"Statement":"SELECT * FROM tab WHERE pk='c' AND sk='1'","ConsistentRead":true}]})");
  const std::string after = R"({"after":1})";
  EXPECT_EQ(names(after),
            (Names{"BatchExecuteStatement SELECT tab: pk = ? AND sk = ?",
                   "BatchExecuteStatement SELECT tab: pk = ? AND sk = ? (consistent)"}));
  EXPECT_EQ(at("patterns/0/read_units", after), "1.333333");  // two thirds of 0.5 + 0.5 + 1
  EXPECT_EQ(at("patterns/1/read_units", after), "0.666667");
  EXPECT_EQ(at("total/read_units", after), "2");
}

TEST_F(AccessPatternsTest, CountErrorsApart) {
  get("a");
  service_.fail("GetItem", R"({"TableName":"tab","Key":{"pk":{"S":"a"}}})");
  service_.fail("PutItem", R"({"TableName":"none","Item":{"pk":{"S":"a"}}})");
  service_.fail("PutItem", R"x({"TableName":"tab","Item":{"pk":{"S":"a"},"sk":{"S":"1"}},)x"
                           R"x("ConditionExpression":"attribute_exists(pk)"})x");
  // A call that failed without units does not lower the average; a failed condition costs units.
  EXPECT_EQ(names(), (Names{"PutItem tab: pk = ? AND sk = ?", "GetItem tab: pk = ? AND sk = ?",
                            "GetItem tab: pk = ?", "PutItem none"}));
  EXPECT_EQ(at("patterns/0/errors"), "1");
  EXPECT_EQ(at("patterns/0/average/write_units"), "1");
  EXPECT_EQ(at("patterns/2/errors"), "1");
  EXPECT_EQ(at("patterns/2/average/read_units"), "0");
  EXPECT_EQ(at("total/errors"), "3");
  EXPECT_EQ(at("total/throttles"), "0");
}

}  // namespace
}  // namespace magneto::api
