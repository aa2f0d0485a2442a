#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "tests/api/authorization/authorized_service.h"

// The key that policies see is the one that the operation reads.
namespace magneto::api {
namespace {

using LeadingKeysTest = AuthorizedService;

// A null member beside the value of a key does not count.
TEST_F(LeadingKeysTest, ANullBesideAKeyHidesNoKey) {
  EXPECT_EQ(call("ADMIN", "CreateTable", R"({"TableName":"Ages","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"N"}],
    "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})"),
            200)
      << response_;
  allow(R"([{"Effect":"Allow","Action":"*","Resource":"*"},
    {"Effect":"Deny","Action":"*","Resource":"*","Condition":
      {"ForAnyValue:StringEquals":{"dynamodb:LeadingKeys":["5"]}}}])");
  for (const char* const key : {R"({"N":"5"})", R"({"S":null,"N":"5"})", R"({"N":"05","B":null})",
                                R"({"B":null,"N":"5"})"}) {
    const std::string body =
        std::string(R"({"TableName":"Ages","Key":{"k":)").append(key).append("}}");
    EXPECT_FALSE(may("GetItem", body)) << key;
    EXPECT_FALSE(may("DeleteItem", body)) << key;
  }
  EXPECT_TRUE(may("GetItem", R"({"TableName":"Ages","Key":{"k":{"S":null,"N":"6"}}})"));
}

// Policies decide about each table of a batch, at any place in it, and with members that name no
// key. A null member is refused by the request's shape before that.
TEST_F(LeadingKeysTest, ABatchAsksForEachOfItsTables) {
  EXPECT_EQ(call("ADMIN", "CreateTable", R"({"TableName":"Own","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})"),
            200)
      << response_;
  allow(R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/Own"})");
  const auto may_do = [&](std::string_view operation, const std::string& tables) {
    return may(operation, R"({"RequestItems":{)" + tables + "}}");
  };
  constexpr std::pair<const char*, const char*> kTables[] = {
      {"BatchWriteItem", R"("TABLE":[{"DeleteRequest":{"Key":{"k":{"S":"a"}}}}])"},
      {"BatchWriteItem", R"("TABLE":[{}])"},
      {"BatchGetItem", R"("TABLE":{"Keys":[{"k":{"S":"a"}}]})"},
      {"BatchGetItem", R"("TABLE":{"Keys":[{}]})"}};
  for (const auto& [operation, table] : kTables) {
    const auto named = [text = std::string(table)](std::string_view name) {
      std::string copy = text;
      return copy.replace(copy.find("TABLE"), 5, name);
    };
    EXPECT_TRUE(may_do(operation, named("Own"))) << table;
    for (const char* const name : {"Orders", "Absent"}) {
      EXPECT_FALSE(may_do(operation, named(name))) << table;
      EXPECT_FALSE(may_do(operation, named("Own") + "," + named(name))) << table;
      EXPECT_FALSE(may_do(operation, named(name) + "," + named("Own"))) << table;
    }
  }
  const auto null = R"("Orders":[null])";
  EXPECT_EQ(call("ANA", "BatchWriteItem", std::string(R"({"RequestItems":{)") + null + "}}"), 400);
  EXPECT_NE(response_.find("Member must not be null"), std::string::npos) << response_;
}

// Requests with KEY for the key's attributes.
constexpr std::pair<const char*, const char*> kByKey[] = {
    {"GetItem", R"({"TableName":"Own","Key":{KEY}})"},
    {"BatchGetItem", R"({"RequestItems":{"Own":{"Keys":[{KEY}]}}})"},
    {"TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"Own","Key":{KEY}}}]})"},
    {"PutItem", R"({"TableName":"Own","Item":{KEY},"ReturnValues":"ALL_OLD"})"},
    {"UpdateItem", R"({"TableName":"Own","Key":{KEY},"ReturnValues":"ALL_NEW"})"},
    {"DeleteItem", R"({"TableName":"Own","Key":{KEY},"ReturnValues":"ALL_OLD"})"},
    {"BatchWriteItem", R"({"RequestItems":{"Own":[{"PutRequest":{"Item":{KEY}}}]}})"},
    {"BatchWriteItem", R"({"RequestItems":{"Own":[{"DeleteRequest":{"Key":{KEY}}}]}})"},
    {"TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"Own","Item":{KEY}}}]})"},
    {"TransactWriteItems", R"({"TransactItems":[{"Delete":{"TableName":"Own","Key":{KEY}}}]})"},
    {"TransactWriteItems", R"({"TransactItems":[{"Update":{"TableName":"Own","Key":{KEY},
      "UpdateExpression":"SET x = :x","ExpressionAttributeValues":{":x":{"S":"y"}}}}]})"},
    {"TransactWriteItems", R"-({"TransactItems":[{"ConditionCheck":{"TableName":"Own","Key":{KEY},
      "ConditionExpression":"attribute_exists(k)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]})-"}};

std::string with(std::string_view word, std::string_view given, std::string text) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += given.size()) {
    text.replace(at, word.size(), given);
  }
  return text;
}

// The members of a value: the last one that is not null is read, unless there are several types.
// OWN and OTHER are members with two keys, NONE is one with null.
constexpr std::pair<const char*, bool> kIsOwnKey[] = {{"OWN", true},
                                                      {"OTHER", false},
                                                      {"OWN,NONE", true},
                                                      {"OTHER,NONE", false},
                                                      {"NONE,OTHER", false},
                                                      {"OWN,OTHER", false},
                                                      {"OTHER,OWN", true},
                                                      {"OWN,OTHER,NONE", false},
                                                      {"OTHER,NONE,OWN", true},
                                                      {"OWN,NONE,OTHER", false},
                                                      {R"(OTHER,"BOOL":null)", false},
                                                      {R"(OTHER,"BOOL":true)", false},
                                                      {"NONE", false}};

TEST_F(LeadingKeysTest, AKeyIsReadAsTheOperationReadsIt) {
  constexpr std::tuple<const char*, const char*, const char*> kTypes[] = {
      {R"("S")", R"("ana")", R"("bob")"},
      {R"("N")", R"("5")", R"("6")"},
      {R"("B")", R"("YW5h")", R"("Ym9i")"}};
  for (const auto& [type, own, other] : kTypes) {
    EXPECT_EQ(call("ADMIN", "CreateTable", with("TYPE", type, R"({"TableName":"Own",
      "BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],
      "AttributeDefinitions":[{"AttributeName":"k","AttributeType":TYPE}]})")),
              200)
        << response_;
    allow(with("OWN", own, R"({"Effect":"Allow","Action":"dynamodb:*","Resource":"*","Condition":
      {"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":[OWN]}}})"));
    const auto key_of = [&](std::string text) {
      text = with("OTHER", std::string(type) + ':' + other, std::move(text));
      text = with("OWN", std::string(type) + ':' + own, std::move(text));
      return R"("k":{)" + with("NONE", std::string(type) + ":null", std::move(text)) + '}';
    };
    const auto put = [&](std::string item) {
      item = with("ITEM", item, R"({"TableName":"Own","Item":{ITEM}})");
      EXPECT_EQ(call("ADMIN", "PutItem", item), 200) << response_;
    };
    put(key_of("OTHER") + R"(,"v":{"S":"SECRET"})");
    for (const auto& [members, is_own] : kIsOwnKey) {
      for (const auto& [operation, body] : kByKey) {
        put(key_of("OWN"));
        const std::string request = with("KEY", key_of(members), body);
        EXPECT_EQ(may(operation, request), is_own) << operation << request << response_;
        EXPECT_EQ(response_.find("SECRET"), std::string::npos) << operation << request;
      }
    }
    call("ADMIN", "Scan", R"({"TableName":"Own"})");
    EXPECT_NE(response_.find("SECRET"), std::string::npos) << response_;
    EXPECT_EQ(call("ADMIN", "DeleteTable", R"({"TableName":"Own"})"), 200);
    databases_->main().settle();
  }
}

// Fault rules call the table's keys "pk" and "sk"; policies see attributes of these names.
TEST_F(LeadingKeysTest, AttributesCalledPkAndSkAreAttributes) {
  EXPECT_EQ(call("ADMIN", "CreateTable", R"({"TableName":"Names","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"sk","AttributeType":"S"},
                            {"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"sk","KeyType":"HASH"},{"AttributeName":"pk","KeyType":"RANGE"}],
    "GlobalSecondaryIndexes":[{"IndexName":"ByPk","Projection":{"ProjectionType":"ALL"},
                               "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}]})"),
            200)
      << response_;
  constexpr std::pair<const char*, const char*> kQueries[] = {
      {R"("KeyConditionExpression":"sk = :v")", R"("ExpressionAttributeValues":{":v":{"S":KEY}})"},
      {R"("KeyConditionExpression":"sk = :v AND pk = :w")",
       R"("ExpressionAttributeValues":{":v":{"S":KEY},":w":{"S":"ana"}})"},
      {R"("IndexName":"ByPk","KeyConditionExpression":"pk = :v")",
       R"("ExpressionAttributeValues":{":v":{"S":KEY}})"},
      {R"("IndexName":"ByPk")",
       R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":KEY}]}})"}};
  constexpr const char* kOwnKeyOnly = R"({"Effect":"Allow","Action":"dynamodb:*","Resource":"*",
    "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["ana"]}}})";
  constexpr const char* kNotBob = R"([{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
    {"Effect":"Deny","Action":"dynamodb:*","Resource":"*",
     "Condition":{"ForAnyValue:StringEquals":{"dynamodb:LeadingKeys":["bob"]}}}])";
  for (const char* const policy : {kOwnKeyOnly, kNotBob}) {
    allow(policy);
    for (const auto& [clause, values] : kQueries) {
      const std::string query =
          std::string(R"({"TableName":"Names",)") + clause + "," + values + "}";
      EXPECT_TRUE(may("Query", with("KEY", R"("ana")", query))) << query << response_;
      EXPECT_FALSE(may("Query", with("KEY", R"("bob")", query))) << query << response_;
    }
  }
}

// EXISTS checks the item that its equalities name, even if it has other conditions.
TEST_F(LeadingKeysTest, AnExistsIsHeldToItsKey) {
  call(
      "ADMIN", "PutItem",
      R"({"TableName":"Orders","Item":{"Customer":{"S":"bob"},"Number":{"N":"1"},"v":{"S":"SECRET"}}})");
  std::string many = "Number IN [1";
  for (int i = 2; i <= 60; ++i) many += ',' + std::to_string(i);
  many += ']';
  const std::string clauses[] = {"v = 'x'", many + " AND " + many,
                                 "(Customer = 'ana' OR Customer = 'bob') AND v = 'x'",
                                 "Customer IN ['ana','bob'] AND v = 'x'", "Customer <> 'ana'"};
  const auto exists = [](std::string_view customer, std::string_view clause) {
    return std::string(
               R"({"TransactStatements":[{"ReturnValuesOnConditionCheckFailure":"ALL_OLD",)")
               .append(R"("Statement":"EXISTS(SELECT * FROM Orders WHERE Customer = ')")
               .append(customer)
               .append("' AND Number = 1 AND ")
               .append(clause) +
           R"-()"}]})-";
  };
  constexpr const char* kOwnKeyOnly = R"([{"Effect":"Allow","Action":"dynamodb:PartiQL*",
    "Resource":"*","Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["ana"]}}},
    {"Effect":"Deny","Action":"*","Resource":"*",
     "Condition":{"Bool":{"dynamodb:FullTableScan":"true"}}}])";
  allow(kOwnKeyOnly);
  for (const std::string& clause : clauses) {
    EXPECT_FALSE(may("ExecuteTransaction", exists("bob", clause))) << clause << response_;
    EXPECT_EQ(response_.find("SECRET"), std::string::npos) << clause;
    EXPECT_TRUE(may("ExecuteTransaction", exists("ana", clause))) << clause << response_;
  }
  // A SELECT with too many ways to read counts as a read of all items.
  EXPECT_FALSE(
      may("ExecuteStatement", R"({"Statement":"SELECT * FROM Orders WHERE Customer = 'bob' AND )" +
                                  many + " AND " + many + R"("})"));
}

}  // namespace
}  // namespace magneto::api
