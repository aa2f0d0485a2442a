#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/api/authorization/authorized_service.h"

// Attributes that an answer gives away although the request does not name them.
namespace magneto::api {
namespace {

constexpr std::string_view kMakeVault = R"({
  "TableName":"Vault","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},
                          {"AttributeName":"s","AttributeType":"S"},
                          {"AttributeName":"tenant","AttributeType":"S"},
                          {"AttributeName":"secret","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],
  "LocalSecondaryIndexes":[{"IndexName":"Local","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"secret","KeyType":"RANGE"}]}],
  "GlobalSecondaryIndexes":[{"IndexName":"Global","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"tenant","KeyType":"HASH"},{"AttributeName":"secret","KeyType":"RANGE"}]}],
  "VectorIndexes":[{"IndexName":"Look","VectorAttribute":{"AttributeName":"face"},"Dimensions":2,
    "DistanceFunction":"DOT_PRODUCT","Projection":{"ProjectionType":"ALL"}}]})";

class ShownAttributesTest : public AuthorizedService {
 protected:
  ShownAttributesTest() {
    EXPECT_EQ(call("ADMIN", "CreateTable", kMakeVault), 200) << response_;
    EXPECT_EQ(call("ADMIN", "PutItem", R"({"TableName":"Vault","Item":{"p":{"S":"1"},"s":{"S":"2"},
      "tenant":{"S":"t"},"secret":{"S":"BOB"},"face":{"L":[{"N":"1"},{"N":"17"}]}}})"),
              200)
        << response_;
  }

  // `attributes`: the attributes that ana may see, as JSON texts.
  void show(std::string_view attributes) {
    allow(
        std::string(R"({"Effect":"Allow","Action":"dynamodb:*","Resource":"*","Condition":{
             "ForAllValues:StringEquals":{"dynamodb:Attributes":[)")
            .append(attributes)
            .append(R"(]},"StringEqualsIfExists":{"dynamodb:Select":["SPECIFIC_ATTRIBUTES","COUNT"],
                       "dynamodb:ReturnValues":["NONE","UPDATED_OLD","UPDATED_NEW","ALL_NEW"]}}})"));
  }

  // Also checks each statement of a batch, which may be refused alone.
  bool may_all(std::string_view operation, std::string_view body) {
    return may(operation, body) && response_.find(R"("Code":"AccessDenied")") == std::string::npos;
  }

  // Allowed where all are to be seen, refused where any of `hidden` is not among them.
  void expect_needs(std::string_view operation, const std::string& body,
                    const std::vector<std::string>& named, const std::vector<std::string>& hidden) {
    const auto list = [&](std::string_view without) {
      std::string text;
      for (const auto* const part : {&named, &hidden}) {
        for (const std::string& name : *part) {
          if (name == without) continue;
          if (!text.empty()) text += ',';
          text += '"' + name + '"';
        }
      }
      return text;
    };
    show(list({}));
    EXPECT_TRUE(may_all(operation, body)) << body << '\n' << response_;
    EXPECT_EQ(response_.find("ValidationException"), std::string::npos) << body << response_;
    for (const std::string& name : hidden) {
      show(list(name));
      EXPECT_FALSE(may_all(operation, body)) << body << " shows " << name << '\n' << response_;
    }
  }
};

// The four unit vectors would give away each element of a vector.
TEST_F(ShownAttributesTest, ScoresShowTheVector) {
  expect_needs("SearchVectors",
               R"({"TableName":"Vault","IndexName":"Look","TopK":1,"ProjectionExpression":"p",
                   "SearchVector":[{"N":"1"},{"N":"0"}]})",
               {"p"}, {"face"});
}

TEST_F(ShownAttributesTest, ThePlaceWhereAPageEndsShowsTheKeys) {
  const std::string begin = R"({"TableName":"Vault","ProjectionExpression":"x","Limit":1)";
  const std::string count = R"({"TableName":"Vault","Select":"COUNT","Limit":1)";
  for (const std::string& scan : {begin, count}) {
    const std::vector<std::string> named =
        scan == begin ? std::vector<std::string>{"x"} : std::vector<std::string>{};
    expect_needs("Scan", scan + "}", named, {"p", "s"});
    expect_needs("Scan", scan + R"(,"IndexName":"Global"})", named, {"p", "s", "tenant", "secret"});
    expect_needs("Query", scan + R"(,"KeyConditionExpression":"p = :p",
                           "ExpressionAttributeValues":{":p":{"S":"1"}}})",
                 named, {"p", "s"});
    expect_needs("Query", scan + R"(,"IndexName":"Local","KeyConditionExpression":"p = :p",
                           "ExpressionAttributeValues":{":p":{"S":"1"}}})",
                 named, {"p", "s", "secret"});
  }
  expect_needs("ExecuteStatement", R"({"Statement":"SELECT x FROM Vault","Limit":1})", {"x"},
               {"p", "s"});
  expect_needs("ExecuteStatement",
               R"({"Statement":"SELECT x FROM \"Vault\".\"Global\" WHERE tenant = 't'","Limit":1})",
               {"x"}, {"p", "s", "tenant", "secret"});
  expect_needs("BatchExecuteStatement",
               R"({"Statements":[{"Statement":"SELECT x FROM Vault WHERE p = '1' AND s = '2'"}]})",
               {"x"}, {"p", "s"});
  expect_needs("ExecuteTransaction", R"({"TransactStatements":[
                 {"Statement":"SELECT x FROM Vault WHERE p = '1' AND s = '2'"}]})",
               {"x"}, {"p", "s"});
}

// The item of a failed condition is decided separately from that of ReturnValues.
TEST_F(ShownAttributesTest, AFailedConditionShowsTheOldItem) {
  allow(R"([{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
            {"Effect":"Deny","Action":"dynamodb:*","Resource":"*",
             "Condition":{"StringEquals":{"dynamodb:ReturnValues":["UPDATED_NEW"]}}}])");
  const auto update = [](std::string_view returned, std::string_view failure) {
    return std::string(R"({"TableName":"Vault","Key":{"p":{"S":"1"},"s":{"S":"2"}},
        "UpdateExpression":"SET x = p","ConditionExpression":"attribute_exists(zzz) ")") +
           R"(,"ReturnValues":")" + std::string(returned) +
           R"(","ReturnValuesOnConditionCheckFailure":")" + std::string(failure) + R"("})";
  };
  EXPECT_TRUE(may("UpdateItem", update("NONE", "ALL_OLD"))) << response_;
  EXPECT_NE(response_.find("BOB"), std::string::npos) << response_;
  EXPECT_FALSE(may("UpdateItem", update("UPDATED_NEW", "NONE"))) << response_;
  EXPECT_FALSE(may("UpdateItem", update("UPDATED_NEW", "ALL_OLD"))) << response_;
  show(R"("p","s","x","zzz")");
  EXPECT_TRUE(may("UpdateItem", update("UPDATED_NEW", "NONE"))) << response_;
  EXPECT_FALSE(may("UpdateItem", update("NONE", "ALL_OLD"))) << response_;
  EXPECT_FALSE(may("UpdateItem", update("ALL_NEW", "ALL_OLD"))) << response_;
}

TEST_F(ShownAttributesTest, AFailedExistsShowsTheOldItem) {
  const auto check = [](std::string_view failure) {
    return std::string(R"({"TransactStatements":[{"ReturnValuesOnConditionCheckFailure":")") +
           std::string(failure) +
           R"(","Statement":"EXISTS(SELECT x FROM Vault WHERE p = '1' AND s = '2' AND x = 1) "}]})";
  };
  // As AWS has it: of a SELECT there is dynamodb:Select, and no dynamodb:ReturnValues.
  allow(R"({"Effect":"Allow","Action":"dynamodb:PartiQLSelect","Resource":"*","Condition":
            {"StringEquals":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES"}}})");
  EXPECT_TRUE(may("ExecuteTransaction", check("NONE"))) << response_;
  EXPECT_EQ(response_.find("BOB"), std::string::npos) << response_;
  EXPECT_FALSE(may("ExecuteTransaction", check("ALL_OLD"))) << response_;
}

}  // namespace
}  // namespace magneto::api
