#include "api/authorization/authorizer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/api/authorization/authorized_service.h"

namespace magneto::api {
namespace {

using AuthorizerTest = AuthorizedService;

TEST_F(AuthorizerTest, RefusesInTheWordsOfAws) {
  constexpr std::string_view kGet =
      R"({"TableName":"Orders","Key":{"Customer":{"S":"ana"},"Number":{"N":"1"}}})";
  const std::string begin =
      R"({"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: )"
      R"(arn:aws:iam::000000000000:user/ana is not authorized to perform: dynamodb:GetItem on )"
      R"(resource: arn:aws:dynamodb:us-east-1:000000000000:table/Orders )";
  allow(R"({"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"*"})");
  EXPECT_EQ(call("ANA", "GetItem", kGet), 400);
  EXPECT_EQ(response_,
            begin + R"(because no identity-based policy allows the dynamodb:GetItem action"})");
  allow(R"([{"Effect":"Allow","Action":"*","Resource":"*"},
            {"Effect":"Deny","Action":"dynamodb:Get*","Resource":"*"}])");
  EXPECT_EQ(call("ANA", "GetItem", kGet), 400);
  EXPECT_EQ(response_, begin + R"(with an explicit deny in an identity-based policy"})");
  allow(R"({"Effect":"Allow","Action":"*","Resource":"*"})");
  EXPECT_EQ(call("ANA", "GetItem", kGet), 200) << response_;
  put_policy(R"({"Effect":"Deny","Principal":{"AWS":"000000000000"},"Resource":"*",
                 "Action":"dynamodb:GetItem"})");
  EXPECT_EQ(call("ANA", "GetItem", kGet), 400);
  EXPECT_EQ(response_, begin + R"(with an explicit deny in a resource-based policy"})");
  // A table's Deny for everybody applies to administrators too.
  EXPECT_EQ(call("ADMIN", "GetItem", kGet), 400);
  EXPECT_TRUE(is_denied());
}

TEST_F(AuthorizerTest, TellsNothingOfTablesThatAreNotThere) {
  constexpr std::string_view kGet = R"({"TableName":"Missing","Key":{"a":{"S":"b"}}})";
  allow("[{\"Effect\":\"Allow\",\"Action\":\"dynamodb:PutItem\",\"Resource\":\"*\"}]");
  EXPECT_FALSE(may("GetItem", kGet));
  EXPECT_NE(response_.find(":table/Missing because no identity"), std::string::npos) << response_;
  allow(R"({"Effect":"Allow","Action":"*","Resource":"*"})");
  EXPECT_TRUE(may("GetItem", kGet));
  EXPECT_NE(response_.find("ResourceNotFoundException"), std::string::npos) << response_;
  // A request that has not the form of one is refused as such.
  allow("[{\"Effect\":\"Deny\",\"Action\":\"*\",\"Resource\":\"*\"}]");
  EXPECT_TRUE(may("GetItem", R"({"TableName":"Missing"})"));
  EXPECT_NE(response_.find("ValidationException"), std::string::npos) << response_;
}

// A refusal names what was asked for, and not what was found by it.
TEST_F(AuthorizerTest, RefusesWhatIsThereLikeWhatIsNot) {
  allow("[{\"Effect\":\"Allow\",\"Action\":\"dynamodb:PutItem\",\"Resource\":\"*\"}]");
  const auto refusal_of = [&](std::string table, std::string_view operation, std::string body,
                              std::string_view account) {
    for (std::size_t at = 0; (at = body.find("TABLE")) != std::string::npos;) {
      body.replace(at, std::string_view("TABLE").size(), table);
    }
    EXPECT_FALSE(may(operation, body, account)) << body << response_;
    std::string answer = response_;
    for (std::size_t at = 0; (at = answer.find(table)) != std::string::npos;) {
      answer.replace(at, table.size(), "-");
    }
    return answer;
  };
  const std::pair<const char*, const char*> kRequests[] = {
      {"Scan", R"({"TableName":"TABLE"})"},
      {"Scan", R"({"TableName":"TABLE","IndexName":"ByState"})"},
      {"Scan", R"({"TableName":"arn:zz:dynamodb:us-east-1:000000000000:table/TABLE"})"},
      {"DescribeTable", R"({"TableName":"TABLE"})"},
      {"DeleteTable", R"({"TableName":"TABLE"})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM TABLE"})"},
      {"GetRecords",
       R"({"ShardIterator":"arn:aws:dynamodb:us-east-1:000000000000:table/TABLE)"
       R"(/stream/2026-01-01T00:00:00.000|1|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="})"}};
  for (const auto& [operation, body] : kRequests) {
    for (const std::string_view account : {kOwner, std::string_view("111122223333")}) {
      EXPECT_EQ(refusal_of("Orders", operation, body, account),
                refusal_of("Absent", operation, body, account));
    }
  }
}

// A name that no index can have does not take a request to another table.
TEST_F(AuthorizerTest, NoIndexNameMatchesThePatternOfATable) {
  allow(R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/Open"})");
  EXPECT_FALSE(
      may("DescribeContributorInsights", R"({"TableName":"Orders","IndexName":"x:table/Open"})"))
      << response_;
  EXPECT_FALSE(may("ExecuteStatement", R"({"Statement":"SELECT * FROM Orders.\"x:table/Open\""})"))
      << response_;
}

TEST_F(AuthorizerTest, KnowsATableByWhateverName) {
  allow(R"([{"Effect":"Allow","Action":"*","Resource":"*"},
            {"Effect":"Deny","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/Orders*"}])");
  for (const char* const name : {"Orders", "arn:aws:dynamodb:us-east-1:000000000000:table/Orders",
                                 "arn:aws-cn:dynamodb:us-east-1:000000000000:table/Orders",
                                 "arn:*:dynamodb:us-east-1:000000000000:table/Orders"}) {
    const std::string named = std::string(R"({"TableName":")") + name + R"(")";
    EXPECT_FALSE(may("Scan", named + "}")) << name << response_;
    EXPECT_FALSE(may("Scan", named + R"(,"IndexName":"ByState"})")) << name << response_;
    const std::string in_batch = std::string(R"({"RequestItems":{")") + name +
                                 R"(":{"Keys":[{"Customer":{"S":"a"},"Number":{"N":"1"}}]}}})";
    EXPECT_FALSE(may("BatchGetItem", in_batch)) << name << response_;
  }
}

TEST_F(AuthorizerTest, RefusesStatementsOfABatchOneByOne) {
  allow(R"({"Effect":"Allow","Action":"dynamodb:PartiQL*","Resource":"*","Condition":
            {"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"ana"}}})");
  const int status = call("ANA", "BatchExecuteStatement", R"({"Statements":[
      {"Statement":"INSERT INTO Orders VALUE {'Customer':'ana','Number':1}"},
      {"Statement":"INSERT INTO Orders VALUE {'Customer':'bob','Number':1}"},
      {"Statement":"INSERT INTO Orders VALUE {'Customer':'ana','Number':2}"}]})");
  EXPECT_EQ(status, 200) << response_;
  EXPECT_EQ(response_,
            R"({"Responses":[{"TableName":"Orders"},{"Error":{"Code":"AccessDenied","Message":)"
            R"("User: arn:aws:iam::000000000000:user/ana is not authorized to perform: )"
            R"(dynamodb:PartiQLInsert on resource: )"
            R"(arn:aws:dynamodb:us-east-1:000000000000:table/Orders because no identity-based )"
            R"(policy allows the dynamodb:PartiQLInsert action"}},{"TableName":"Orders"}]})");
  EXPECT_EQ(call("ADMIN", "Scan", R"({"TableName":"Orders","Select":"COUNT"})"), 200);
  EXPECT_NE(response_.find(R"("Count":2)"), std::string::npos) << response_;
}

TEST_F(AuthorizerTest, LetsOtherAccountsInWithBothPolicies) {
  constexpr std::string_view kOther = "111122223333";
  const std::string get = std::string(R"({"TableName":")").append(kOrders) +
                          R"(","Key":{"Customer":{"S":"a"},"Number":{"N":"1"}}})";
  allow(R"({"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*"})");
  EXPECT_TRUE(may("GetItem", get));
  EXPECT_FALSE(may("GetItem", get, kOther));
  EXPECT_NE(response_.find("because no resource-based policy allows the dynamodb:GetItem action"),
            std::string::npos)
      << response_;
  put_policy(R"({"Effect":"Allow","Principal":{"AWS":"111122223333"},"Resource":"*",
                 "Action":["dynamodb:GetItem","dynamodb:PutItem"]})");
  EXPECT_TRUE(may("GetItem", get, kOther));
  const std::string put = std::string(R"({"TableName":")").append(kOrders) +
                          R"(","Item":{"Customer":{"S":"a"},"Number":{"N":"1"}}})";
  EXPECT_FALSE(may("PutItem", put, kOther));
  EXPECT_NE(response_.find("because no identity-based policy allows"), std::string::npos);
  // The other account may also name the table without an ARN.
  EXPECT_TRUE(may("GetItem",
                  R"({"TableName":"Orders","Key":{"Customer":{"S":"a"},"Number":{"N":"1"}}})",
                  kOther));
}

TEST_F(AuthorizerTest, LetsInWhomTheTableNames) {
  constexpr std::string_view kScan = R"({"TableName":"Orders"})";
  allow("[{\"Effect\":\"Allow\",\"Action\":\"dynamodb:PutItem\",\"Resource\":\"*\"}]");
  EXPECT_FALSE(may("Scan", kScan));
  put_policy(R"({"Sid":"ForAna","Effect":"Allow","Action":"dynamodb:Scan",
                 "Principal":{"AWS":"arn:aws:iam::000000000000:user/ana"},
                 "Resource":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders"})");
  EXPECT_TRUE(may("Scan", kScan)) << response_;
  const access::Decision decision = decisions().at(0);
  EXPECT_EQ(decision.source, access::Source::kResource);
  EXPECT_EQ(decision.statement, "ForAna");
  // A changed policy counts at once.
  put_policy(R"({"Effect":"Allow","Action":"dynamodb:Query","Resource":"*",
                 "Principal":{"AWS":"arn:aws:iam::000000000000:user/ana"}})");
  EXPECT_FALSE(may("Scan", kScan));
}

TEST_F(AuthorizerTest, ExplainsItselfInTheJournal) {
  allow(R"([{"Sid":"Reads","Effect":"Allow","Action":"dynamodb:Get*","Resource":"*"},
            {"Effect":"Deny","Action":"dynamodb:Put*","Resource":"*"}])");
  may("GetItem", R"({"TableName":"Orders","Key":{"Customer":{"S":"a"},"Number":{"N":"1"}}})");
  ASSERT_EQ(decisions().size(), 1U);
  EXPECT_TRUE(decisions()[0].allowed);
  EXPECT_EQ(decisions()[0].principal, "arn:aws:iam::000000000000:user/ana");
  EXPECT_EQ(decisions()[0].action, "GetItem");
  EXPECT_EQ(decisions()[0].resource, kOrders);
  EXPECT_EQ(decisions()[0].policy, "Policies[0]");
  EXPECT_EQ(decisions()[0].statement, "Reads");
  may("PutItem", R"({"TableName":"Orders","Item":{"Customer":{"S":"a"},"Number":{"N":"1"}}})");
  ASSERT_EQ(decisions().size(), 1U);
  EXPECT_FALSE(decisions()[0].allowed);
  EXPECT_EQ(decisions()[0].statement, "#2");
  EXPECT_EQ(page_.records[0]->error, "AccessDeniedException");
  EXPECT_EQ(page_.records[0]->tables, std::vector<std::string>{"Orders"});
  call("ADMIN", "ListTables", "{}");
  ASSERT_EQ(decisions().size(), 1U);
  EXPECT_EQ(decisions()[0].source, access::Source::kAdministrator);
}

TEST_F(AuthorizerTest, LeavesLongComparisonsToWorkers) {
  constexpr std::uint64_t kOfAnIoThread = 400'000;
  std::string patterns;
  for (int i = 0; i < 300; ++i) patterns += R"("*a*b*c*d",)";
  allow(R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":
            {"ForAllValues:StringLike":{"dynamodb:Attributes":[)" +
        patterns + R"("*"]}}})");
  std::string body = R"({"TableName":"Orders","Item":{"Customer":{"S":"a"},"Number":{"N":"1"})";
  for (int i = 0; i < 50; ++i) {
    body += R"(,")" + std::string(200, 'a') + std::to_string(i) + R"(":{"NULL":true})";
  }
  body += "}}";
  Caller caller;
  caller.access_key = "ANA";
  caller.principal_arn = "arn:aws:iam::000000000000:user/any";
  const auto try_with = [&](std::uint64_t limit) {
    storage::Effort effort(limit, &service_.stopping());
    std::string text = body;
    return service_.try_call(find_operation("PutItem"), caller, "id", text, response_, effort);
  };
  EXPECT_EQ(try_with(kOfAnIoThread), std::nullopt);
  EXPECT_EQ(try_with(storage::Effort::kUnlimited), 200) << response_;
  allow(R"({"Effect":"Allow","Action":"*","Resource":"*"})");
  EXPECT_EQ(try_with(kOfAnIoThread), 200) << response_;
}

TEST_F(AuthorizerTest, LetsTheServerItselfDoEverything) {
  put_policy(R"({"Effect":"Deny","Principal":"*","Action":"dynamodb:*","Resource":"*"})");
  EXPECT_EQ(call("ADMIN", "Scan", R"({"TableName":"Orders"})"), 400);
  EXPECT_TRUE(is_denied());
  std::string body = R"({"TableName":"Orders"})";
  EXPECT_EQ(service_.call(find_operation("Scan"), Caller{}, "id", body, response_), 200);
}

}  // namespace
}  // namespace magneto::api
