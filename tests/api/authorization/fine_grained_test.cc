#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tests/api/authorization/authorized_service.h"

// The keys, attributes and other values of a request, compared with conditions.
namespace magneto::api {
namespace {

struct Row {
  const char* operation;
  const char* body;
  bool allowed;
};

class FineGrainedTest : public AuthorizedService {
 protected:
  void expect_all(std::span<const Row> rows) {
    for (const Row& row : rows) {
      EXPECT_EQ(may(row.operation, row.body), row.allowed)
          << row.operation << ' ' << row.body << '\n'
          << response_;
    }
  }
};

constexpr Row kOfKeys[] = {
    {"GetItem", R"({"TableName":"Orders","Key":{"Customer":{"S":"ana"},"Number":{"N":"1"}}})",
     true},
    {"GetItem", R"({"TableName":"Orders","Key":{"Customer":{"S":"bob"},"Number":{"N":"1"}}})",
     false},
    {"GetItem", R"({"TableName":"Orders","Key":{"Number":{"N":"1"},"Customer":{"S":"bob"}}})",
     false},
    {"GetItem", R"({"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders",
                      "Key":{"Customer":{"S":"bob"},"Number":{"N":"1"}}})",
     false},
    {"PutItem",
     R"({"TableName":"Orders","Item":{"Customer":{"S":"ana"},"Number":{"N":"1"},"x":{"S":"bob"}}})",
     true},
    {"PutItem", R"({"TableName":"Orders","Item":{"Customer":{"S":"bob"},"Number":{"N":"1"}}})",
     false},
    {"UpdateItem", R"({"TableName":"Orders","Key":{"Customer":{"S":"ana"},"Number":{"N":"1"}},
                         "UpdateExpression":"SET x = :x","ExpressionAttributeValues":{":x":{"S":"bob"}}})",
     true},
    {"UpdateItem", R"({"TableName":"Orders","Key":{"Customer":{"S":"bob"},"Number":{"N":"1"}}})",
     false},
    {"DeleteItem", R"({"TableName":"Orders","Key":{"Customer":{"S":"ana"},"Number":{"N":"9"}}})",
     true},
    {"DeleteItem", R"({"TableName":"Orders","Key":{"Customer":{"S":"bob"},"Number":{"N":"1"}}})",
     false},
    {"BatchGetItem",
     R"({"RequestItems":{"Orders":{"Keys":[{"Customer":{"S":"ana"},"Number":{"N":"1"}},
                           {"Customer":{"S":"ana"},"Number":{"N":"2"}}]}}})",
     true},
    {"BatchGetItem",
     R"({"RequestItems":{"Orders":{"Keys":[{"Customer":{"S":"ana"},"Number":{"N":"1"}},
                           {"Customer":{"S":"bob"},"Number":{"N":"2"}}]}}})",
     false},
    {"BatchWriteItem", R"({"RequestItems":{"Orders":[
                             {"PutRequest":{"Item":{"Customer":{"S":"ana"},"Number":{"N":"1"}}}},
                             {"DeleteRequest":{"Key":{"Customer":{"S":"ana"},"Number":{"N":"2"}}}}]}})",
     true},
    {"BatchWriteItem", R"({"RequestItems":{"Orders":[
                             {"PutRequest":{"Item":{"Customer":{"S":"ana"},"Number":{"N":"1"}}}},
                             {"DeleteRequest":{"Key":{"Customer":{"S":"bob"},"Number":{"N":"2"}}}}]}})",
     false},
    {"Query", R"({"TableName":"Orders","KeyConditionExpression":"Customer = :c",
                    "ExpressionAttributeValues":{":c":{"S":"ana"}}})",
     true},
    {"Query", R"({"TableName":"Orders","KeyConditionExpression":"#n > :n AND #c = :c",
                    "ExpressionAttributeNames":{"#c":"Customer","#n":"Number"},
                    "ExpressionAttributeValues":{":c":{"S":"bob"},":n":{"N":"0"}}})",
     false},
    {"Query", R"({"TableName":"Orders","KeyConditions":{"Customer":{"ComparisonOperator":"EQ",
                    "AttributeValueList":[{"S":"ana"}]}}})",
     true},
    {"Query", R"({"TableName":"Orders","KeyConditions":{"Customer":{"ComparisonOperator":"EQ",
                    "AttributeValueList":[{"S":"bob"}]}}})",
     false},
    {"Query", R"({"TableName":"Orders","IndexName":"ByState","KeyConditionExpression":"#s = :s",
                    "ExpressionAttributeNames":{"#s":"State"},
                    "ExpressionAttributeValues":{":s":{"S":"ana"}}})",
     true},
    {"Query", R"({"TableName":"Orders","IndexName":"ByState","KeyConditionExpression":"#s = :s",
                    "ExpressionAttributeNames":{"#s":"State"},
                    "ExpressionAttributeValues":{":s":{"S":"open"}}})",
     false},
    {"Scan", R"({"TableName":"Orders"})", false},
    {"TransactGetItems", R"({"TransactItems":[
         {"Get":{"TableName":"Orders","Key":{"Customer":{"S":"ana"},"Number":{"N":"1"}}}}]})",
     true},
    {"TransactGetItems", R"({"TransactItems":[
         {"Get":{"TableName":"Orders","Key":{"Customer":{"S":"ana"},"Number":{"N":"1"}}}},
         {"Get":{"TableName":"Orders","Key":{"Customer":{"S":"bob"},"Number":{"N":"1"}}}}]})",
     false},
    {"TransactWriteItems", R"({"TransactItems":[
         {"Put":{"TableName":"Orders","Item":{"Customer":{"S":"ana"},"Number":{"N":"7"}}}},
         {"Delete":{"TableName":"Orders","Key":{"Customer":{"S":"ana"},"Number":{"N":"8"}}}}]})",
     true},
    {"TransactWriteItems", R"({"TransactItems":[
         {"Put":{"TableName":"Orders","Item":{"Customer":{"S":"ana"},"Number":{"N":"7"}}}},
         {"ConditionCheck":{"TableName":"Orders","Key":{"Customer":{"S":"bob"},"Number":{"N":"8"}},
                            "ConditionExpression":"attribute_exists(x) "}}]
})",
     false},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Orders WHERE Customer = 'ana'"})", true},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Orders WHERE Customer = ?",
                               "Parameters":[{"S":"bob"}]})",
     false},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Orders WHERE Customer IN ['ana', 'bob']"})",
     false},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Orders.ByState WHERE State = 'open'"})",
     false},
    {"ExecuteStatement",
     R"({"Statement":"INSERT INTO Orders VALUE {'Customer':'ana','Number':11}"})", true},
    {"ExecuteStatement",
     R"({"Statement":"INSERT INTO Orders VALUE {'Customer':'bob','Number':11}"})", false},
    {"ExecuteStatement",
     R"({"Statement":"UPDATE Orders SET x = 1 WHERE Customer = 'bob' AND Number = 1"})", false},
    {"ExecuteStatement",
     R"({"Statement":"DELETE FROM Orders WHERE Customer = 'bob' AND Number = 1"})", false},
    {"ExecuteStatement",
     R"({"Statement":"DELETE FROM Orders WHERE Customer = 'ana' AND Number = 1"})", true},
    {"ExecuteTransaction", R"({"TransactStatements":[
         {"Statement":"INSERT INTO Orders VALUE {'Customer':'ana','Number':12}"},
         {"Statement":"INSERT INTO Orders VALUE {'Customer':'bob','Number':12}"}]})",
     false},
    // An unreadable statement reveals nothing.
    {"ExecuteStatement", R"({"Statement":"SELECT nonsense"})", true},
    // A table that is not there has no key, so every value might be it.
    {"PutItem", R"({"TableName":"OrdersOfOld","Item":{"a":{"S":"ana"},"b":{"S":"bob"}}})", false},
};

TEST_F(FineGrainedTest, HoldsThoseToTheirKeysWhoHaveSome) {
  allow(R"({"Effect":"Allow","Resource":"arn:aws:dynamodb:*:*:table/Orders*",
            "Action":["dynamodb:GetItem","dynamodb:BatchGetItem","dynamodb:Query",
                      "dynamodb:PutItem","dynamodb:UpdateItem","dynamodb:DeleteItem",
                      "dynamodb:BatchWriteItem","dynamodb:ConditionCheckItem","dynamodb:PartiQL*"],
            "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"]}}})");
  expect_all(kOfKeys);
  // No refused call has changed anything.
  EXPECT_EQ(call("ADMIN", "Scan",
                 R"({"TableName":"Orders","FilterExpression":"Customer = :c","Select":"COUNT",
                     "ExpressionAttributeValues":{":c":{"S":"bob"}}})"),
            200);
  EXPECT_NE(response_.find(R"("Count":0)"), std::string::npos) << response_;
}

constexpr Row kOfAttributes[] = {
    {"PutItem",
     R"({"TableName":"Orders","Item":{"Customer":{"S":"a"},"Number":{"N":"1"},"Euros":{"N":"1"}}})",
     true},
    {"PutItem",
     R"({"TableName":"Orders","Item":{"Customer":{"S":"a"},"Number":{"N":"1"},"Secret":{"N":"1"}}})",
     false},
    {"BatchWriteItem", R"({"RequestItems":{"Orders":[
          {"PutRequest":{"Item":{"Customer":{"S":"a"},"Number":{"N":"1"},"Secret":{"N":"1"}}}}]}})",
     false},
    {"BatchGetItem",
     R"({"RequestItems":{"Orders":{"Keys":[{"Customer":{"S":"a"},"Number":{"N":"1"}}],
                           "ProjectionExpression":"Euros"}}})",
     true},
    {"BatchGetItem",
     R"({"RequestItems":{"Orders":{"Keys":[{"Customer":{"S":"a"},"Number":{"N":"1"}}]}}})", false},
    {"Scan", R"({"TableName":"Orders","ProjectionExpression":"Euros"})", true},
    {"Scan", R"({"TableName":"Orders"})", false},
    {"Scan", R"({"TableName":"Orders","Select":"COUNT"})", false},
    {"Scan", R"({"TableName":"Orders","ProjectionExpression":"Euros",
                   "FilterExpression":"attribute_exists(Secret) "})",
     false},
    {"Scan", R"({"TableName":"Orders","AttributesToGet":["Euros"],
                   "ScanFilter":{"Secret":{"ComparisonOperator":"NULL"}}})",
     false},
    {"Query",
     R"({"TableName":"Orders","ProjectionExpression":"Euros","KeyConditionExpression":"Customer = :c",
                    "ExpressionAttributeValues":{":c":{"S":"a"}}})",
     true},
    {"Query", R"({"TableName":"Orders","KeyConditionExpression":"Customer = :c",
                    "ExpressionAttributeValues":{":c":{"S":"a"}}})",
     false},
    {"ExecuteStatement", R"({"Statement":"SELECT Euros FROM Orders WHERE Customer = 'a'"})", true},
    {"ExecuteStatement", R"({"Statement":"SELECT Secret FROM Orders WHERE Customer = 'a'"})",
     false},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Orders WHERE Customer = 'a'"})", false},
    {"ExecuteStatement",
     R"({"Statement":"SELECT Euros FROM Orders WHERE Customer = 'a' AND Secret = 1"})", false},
    {"ExecuteStatement",
     R"({"Statement":"INSERT INTO Orders VALUE {'Customer':'a','Number':2,'Secret':1}"})", false},
    {"ExecuteStatement",
     R"({"Statement":"UPDATE Orders SET Euros = Secret WHERE Customer = 'a' AND Number = 1"})",
     false},
    {"ExecuteStatement",
     R"({"Statement":"UPDATE Orders SET Euros = 2 WHERE Customer = 'a' AND Number = 1"})", true},
    {"ExecuteStatement",
     R"({"Statement":"DELETE FROM Orders WHERE Customer = 'a' AND Number = 1 RETURNING ALL OLD *"})",
     false},
    {"ListTables", "{}", true},
};

TEST_F(FineGrainedTest, HoldsThoseToAttributesWhoHaveSome) {
  allow(R"({"Effect":"Allow","Action":"dynamodb:*","Resource":"*","Condition":{
            "ForAllValues:StringEquals":{"dynamodb:Attributes":["Customer","Number","Euros","Pieces"]},
            "StringEqualsIfExists":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES",
                                    "dynamodb:ReturnValues":["NONE","UPDATED_OLD","UPDATED_NEW"]}}})");
  const auto with_key = [](std::string_view rest) {
    return std::string(R"({"TableName":"Orders","Key":{"Customer":{"S":"a"},"Number":{"N":"1"}})")
               .append(rest) +
           "}";
  };
  const std::pair<const char*, bool> kGets[] = {
      {R"(,"ProjectionExpression":"Euros")", true},
      {R"(,"ProjectionExpression":"Euros, Pieces[0].Secret")", true},
      {R"(,"ProjectionExpression":"Euros, Secret")", false},
      {R"(,"ProjectionExpression":"Secret.Euros")", false},
      {R"(,"ProjectionExpression":"#s","ExpressionAttributeNames":{"#s":"Secret"})", false},
      {R"(,"ProjectionExpression":"#s","ExpressionAttributeNames":{"#s":"Euros"})", true},
      {R"(,"AttributesToGet":["Euros"])", true},
      {R"(,"AttributesToGet":["Euros","Secret"])", false},
      {"", false},
  };
  for (const auto& [rest, allowed] : kGets) {
    EXPECT_EQ(may("GetItem", with_key(rest)), allowed) << rest << response_;
  }
  const std::pair<const char*, bool> kUpdates[] = {
      {R"(,"UpdateExpression":"SET Euros = :v","ExpressionAttributeValues":{":v":{"N":"1"}})",
       true},
      {R"(,"UpdateExpression":"SET Secret = :v","ExpressionAttributeValues":{":v":{"N":"1"}})",
       false},
      {R"(,"UpdateExpression":"SET Pieces = Secret")", false},
      {R"(,"UpdateExpression":"REMOVE Secret")", false},
      {R"(,"UpdateExpression":"REMOVE Euros","ConditionExpression":"attribute_exists(Secret) ")",
       false},
      {R"(,"UpdateExpression":"REMOVE Euros","ConditionExpression":"Number = Number")", true},
      {R"(,"UpdateExpression":"REMOVE Pieces","ReturnValues":"UPDATED_OLD")", true},
      {R"(,"UpdateExpression":"REMOVE Pieces","ReturnValues":"ALL_OLD")", false},
      {R"(,"UpdateExpression":"REMOVE Pieces","ConditionExpression":"Euros > Customer",
          "ReturnValuesOnConditionCheckFailure":"ALL_OLD")",
       false},
      {R"(,"AttributeUpdates":{"Euros":{"Action":"DELETE"}})", true},
      {R"(,"AttributeUpdates":{"Secret":{"Action":"DELETE"}})", false},
      {R"(,"AttributeUpdates":{"Euros":{"Action":"DELETE"}},"Expected":{"Secret":{"Exists":false}})",
       false},
  };
  for (const auto& [rest, allowed] : kUpdates) {
    EXPECT_EQ(may("UpdateItem", with_key(rest)), allowed) << rest << response_;
  }
  expect_all(kOfAttributes);
}

constexpr Row kOfTheRest[] = {
    {"PutItem", R"({"TableName":"Orders","Item":{"Customer":{"S":"a"},"Number":{"N":"1"}}})",
     false},
    {"TransactWriteItems", R"({"TransactItems":[
         {"Put":{"TableName":"Orders","Item":{"Customer":{"S":"a"},"Number":{"N":"1"}}}}]})",
     true},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Orders WHERE Customer = 'a'"})", true},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Orders"})", false},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Orders WHERE Customer = 'a' OR x = 1"})",
     false},
    {"DescribeTable", R"({"TableName":"Orders"})", true},
    {"DescribeTable", R"({"TableName":"Missing"})", false},
    {"DescribeLimits", "{}", true},
    {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders",
                          "Tags":[{"Key":"Team","Value":"red"}]})",
     true},
    {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders",
                          "Tags":[{"Key":"Team","Value":"green"}]})",
     false},
    {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders",
                          "Tags":[{"Key":"Owner","Value":"red"}]})",
     false},
    // A policy and tags of a new table need permissions for their own actions.
    {"CreateTable", R"({"TableName":"Tagged","BillingMode":"PAY_PER_REQUEST",
          "AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],
          "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Tags":[{"Key":"Team","Value":"red"}]})",
     true},
    {"CreateTable", R"({"TableName":"Governed","BillingMode":"PAY_PER_REQUEST",
          "AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],
          "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"ResourcePolicy":"{}"})",
     false},
};

TEST_F(FineGrainedTest, KnowsTransactionsScansAndTags) {
  allow(R"([{"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"*","Condition":
              {"StringEquals":{"dynamodb:EnclosingOperation":"TransactWriteItems"}}},
            {"Effect":"Allow","Action":"dynamodb:PartiQLSelect","Resource":"*"},
            {"Effect":"Deny","Action":"dynamodb:PartiQLSelect","Resource":"*",
             "Condition":{"Bool":{"dynamodb:FullTableScan":true}}},
            {"Effect":"Allow","Action":"dynamodb:DescribeTable","Resource":"*",
             "Condition":{"StringEquals":{"aws:ResourceTag/Team":"blue"}}},
            {"Effect":"Allow","Action":["dynamodb:TagResource","dynamodb:CreateTable"],"Resource":"*",
             "Condition":{"ForAllValues:StringEquals":{"aws:TagKeys":"Team"},
                          "StringEqualsIfExists":{"aws:RequestTag/Team":"red"}}},
            {"Effect":"Allow","Action":"dynamodb:DescribeLimits","Resource":"*","Condition":{
               "IpAddress":{"aws:SourceIp":"10.1.2.0/24"},"Bool":{"aws:SecureTransport":true},
               "DateGreaterThan":{"aws:CurrentTime":"2020-01-01T00:00:00Z"},
               "NumericGreaterThan":{"aws:EpochTime":"1000000000"},
               "StringEquals":{"aws:RequestedRegion":"us-east-1",
                               "aws:PrincipalAccount":"000000000000"},
               "ArnEquals":{"aws:PrincipalArn":"arn:aws:iam::000000000000:user/ana"}}}])");
  expect_all(kOfTheRest);
}

constexpr Row kOfResources[] = {
    {"Query", R"({"TableName":"Orders","IndexName":"ByState","KeyConditionExpression":"#s = :s",
                    "ExpressionAttributeNames":{"#s":"State"},"ExpressionAttributeValues":{":s":{"S":"x"}}})",
     true},
    {"Query", R"({"TableName":"Orders","KeyConditionExpression":"Customer = :s",
                    "ExpressionAttributeValues":{":s":{"S":"x"}}})",
     false},
    {"ListTables", "{}", true},
    {"ListStreams", R"({"TableName":"Orders"})", true},
    {"ListTagsOfResource",
     R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders"})", true},
    {"DescribeTable", R"({"TableName":"Orders"})", false},
    {"DescribeContributorInsights", R"({"TableName":"Orders","IndexName":"ByState"})", true},
    {"DescribeContributorInsights", R"({"TableName":"Orders"})", false},
    {"DescribeBackup",
     R"({"BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/backup/01700000000000-0123abcd"})",
     true},
    {"DescribeBackup",
     R"({"BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Other/backup/01700000000000-0123abcd"})",
     false},
    // The restored table is another table.
    {"RestoreTableFromBackup", R"({"TargetTableName":"Copy",
          "BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/backup/01700000000000-0123abcd"})",
     false},
    {"DescribeStream",
     R"({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000"})",
     true},
    {"DescribeStream",
     R"({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Other/stream/2026-01-01T00:00:00.000"})",
     false},
};

constexpr std::string_view kMakePictures = R"({
  "TableName":"Pictures","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"Id","AttributeType":"S"},
                          {"AttributeName":"Tenant","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"Id","KeyType":"HASH"}],
  "VectorIndexes":[{"IndexName":"ByLook","VectorAttribute":{"AttributeName":"Look"},"Dimensions":2,
    "DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"},
    "SearchSchema":[{"AttributeName":"Tenant","SearchSchemaElementType":"HASH"}]}]})";

TEST_F(FineGrainedTest, HoldsSearchesToTheirKey) {
  EXPECT_EQ(call("ADMIN", "CreateTable", kMakePictures), 200) << response_;
  allow(R"({"Effect":"Allow","Action":"dynamodb:SearchVectors","Condition":
              {"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"${aws:username}"}},
            "Resource":"arn:aws:dynamodb:*:*:table/Pictures/index/ByLook"})");
  for (const char* const tenant : {"ana", "bob"}) {
    const std::string body =
        std::string(R"({"TableName":"Pictures","IndexName":"ByLook","TopK":1,)") +
        R"("SearchVector":[{"N":"1"},{"N":"0"}],"SearchConditionExpression":"Tenant = :t",)" +
        R"("ExpressionAttributeValues":{":t":{"S":")" + tenant + R"("}}})";
    EXPECT_EQ(may("SearchVectors", body), tenant == std::string_view("ana")) << response_;
  }
}

TEST_F(FineGrainedTest, TellsResourcesApart) {
  allow(
      R"([{"Effect":"Allow","Action":"dynamodb:Query","Resource":"arn:aws:dynamodb:*:*:table/Orders/index/*"},
            {"Effect":"Allow","Action":"dynamodb:*","Resource":"arn:aws:dynamodb:*:*:table/Orders/stream/*"},
            {"Effect":"Allow","Action":"dynamodb:*","Resource":"arn:aws:dynamodb:*:*:table/Orders/backup/*"},
            {"Effect":"Allow","Action":"dynamodb:List*","Resource":"*"},
            {"Effect":"Allow","Action":"dynamodb:DescribeContributorInsights",
             "Resource":"arn:aws:dynamodb:*:*:table/Orders/index/ByState"}])");
  expect_all(kOfResources);
}

// A table is created in its caller's own region, even if an ARN names another.
TEST_F(FineGrainedTest, ANewTableIsWhatWillBeMade) {
  allow(R"([{"Effect":"Allow","Action":"*","Resource":"*"},
    {"Effect":"Deny","Action":"*","Resource":"arn:aws:dynamodb:us-east-1:*:table/Prod*"}])");
  const auto make = [&](std::string_view table) {
    return may("CreateTable", std::string(R"({"TableName":")").append(table).append(R"(",
      "BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"k","AttributeType":"N"}],
      "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})"));
  };
  EXPECT_FALSE(make("Prod1"));
  EXPECT_FALSE(make("arn:aws:dynamodb:us-east-1:000000000000:table/Prod1"));
  EXPECT_FALSE(make("arn:aws:dynamodb:eu-west-1:000000000000:table/Prod1"));
  EXPECT_FALSE(make("arn:aws-cn:dynamodb:us-east-1:000000000000:table/Prod1"));
  EXPECT_TRUE(make("Test1"));
}

}  // namespace
}  // namespace magneto::api
