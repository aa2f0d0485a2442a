#include "api/access/policy.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "api/access/policy_error.h"

namespace magneto::api::access {
namespace {

constexpr std::string_view kTable = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders";

const Principal kPolicyAna{"arn:aws:iam::123456789012:user/ana", "", "123456789012"};
const Principal kPolicyReader{"arn:aws:sts::123456789012:assumed-role/reader/one",
                              "arn:aws:iam::123456789012:role/reader", "123456789012"};

std::string with_statement(std::string_view statement) {
  return std::string(R"({"Version":"2012-10-17","Statement":)").append(statement) + "}";
}

// The policy's effect on an attempt to get an item: 'A' allowed, 'D' denied, '-' neither.
char outcome(const Policy& policy, const Principal& principal = kPolicyAna,
             std::string_view action = "dynamodb:GetItem", std::string_view resource = kTable) {
  Context context;
  context.set("aws:username", "ana");
  context.set("dynamodb:leadingkeys", "ana");
  Meter meter;
  const Policy::Finding found = policy.find({principal, action, resource, context}, meter);
  if (found.denied != nullptr) return 'D';
  return found.allowed != nullptr ? 'A' : '-';
}

struct PolicyRow {
  const char* statement;
  char outcome;
};

constexpr PolicyRow kStatements[] = {
    {R"({"Effect":"Allow","Action":"*","Resource":"*"})", 'A'},
    {R"([{"Effect":"Allow","Action":"*","Resource":"*"}])", 'A'},
    {R"({"Effect":"Deny","Action":"*","Resource":"*"})", 'D'},
    {R"({"Effect":"Allow","Action":"dynamodb:*","Resource":"*"})", 'A'},
    {R"({"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*"})", 'A'},
    {R"({"Effect":"Allow","Action":"DYNAMODB:getitem","Resource":"*"})", 'A'},
    {R"({"Effect":"Allow","Action":"dynamodb:Get*","Resource":"*"})", 'A'},
    {R"({"Effect":"Allow","Action":"dynamodb:Get?tem","Resource":"*"})", 'A'},
    {R"({"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"*"})", '-'},
    {R"({"Effect":"Allow","Action":"s3:*","Resource":"*"})", '-'},
    {R"({"Effect":"Allow","Action":[],"Resource":"*"})", '-'},
    {R"({"Effect":"Allow","Action":["dynamodb:PutItem","dynamodb:GetItem"],"Resource":"*"})", 'A'},
    {R"({"Effect":"Allow","NotAction":"dynamodb:PutItem","Resource":"*"})", 'A'},
    {R"({"Effect":"Allow","NotAction":"dynamodb:GetItem","Resource":"*"})", '-'},
    {R"({"Effect":"Deny","NotAction":["dynamodb:Get*","dynamodb:Put*"],"Resource":"*"})", '-'},
    {R"({"Effect":"Deny","NotAction":"dynamodb:Put*","Resource":"*"})", 'D'},
    {R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/Orders"})", 'A'},
    {R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/orders"})", '-'},
    {R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/Orders/*"})", '-'},
    {R"({"Effect":"Allow","Action":"*","Resource":["arn:aws:s3:::b","arn:aws:dynamodb:*"]})", 'A'},
    {R"({"Effect":"Allow","Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/Orders"})", '-'},
    {R"({"Effect":"Allow","Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/Other"})", 'A'},
    // The variable has no value, so the pattern names no known table.
    {R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:userid}"})",
     '-'},
    {R"({"Effect":"Allow","Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/${aws:userid}"})",
     '-'},
    {R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":{}})", 'A'},
    {R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":{}}})", 'A'},
    {R"({"Effect":"Allow","Action":"*","Resource":"*",
         "Condition":{"StringEquals":{"aws:username":"ana"}}})",
     'A'},
    {R"({"Effect":"Allow","Action":"*","Resource":"*",
         "Condition":{"StringEquals":{"aws:username":["bob","ana"]}}})",
     'A'},
    {R"({"Effect":"Allow","Action":"*","Resource":"*",
         "Condition":{"StringEquals":{"aws:username":"bob"}}})",
     '-'},
    // All conditions must hold.
    {R"({"Effect":"Allow","Action":"*","Resource":"*",
         "Condition":{"StringEquals":{"aws:username":"ana","aws:userid":"1"}}})",
     '-'},
    {R"({"Effect":"Allow","Action":"*","Resource":"*",
         "Condition":{"StringEquals":{"aws:username":"ana"},"Null":{"aws:userid":true}}})",
     'A'},
    {R"({"Effect":"Allow","Action":"*","Resource":"*",
         "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"]}}})",
     'A'},
    {R"({"Effect":"Deny","Action":"*","Resource":"*",
         "Condition":{"StringNotEquals":{"dynamodb:LeadingKeys":"${aws:username}"}}})",
     '-'},
    // A Deny counts at any place.
    {R"([{"Effect":"Allow","Action":"*","Resource":"*"},
         {"Effect":"Deny","Action":"dynamodb:GetItem","Resource":"*"}])",
     'D'},
    {R"([{"Effect":"Deny","Action":"dynamodb:GetItem","Resource":"*"},
         {"Effect":"Allow","Action":"*","Resource":"*"}])",
     'D'},
    {R"([{"Effect":"Deny","Action":"dynamodb:PutItem","Resource":"*"},
         {"Effect":"Allow","Action":"*","Resource":"*"}])",
     'A'},
};

TEST(PolicyTest, FindsWhatStatementsSay) {
  for (const PolicyRow& row : kStatements) {
    const Policy policy = Policy::read(with_statement(row.statement), Policy::Kind::kIdentity, "");
    EXPECT_EQ(outcome(policy), row.outcome) << row.statement;
  }
}

TEST(PolicyTest, HasVariablesOnlyInItsNewVersion) {
  constexpr std::string_view kStatement =
      R"("Statement":{"Effect":"Allow","Action":"*","Resource":"*",
          "Condition":{"StringEquals":{"aws:username":"${aws:username}"}}}})";
  const auto read = [&](std::string_view version) {
    return Policy::read(std::string(version).append(kStatement), Policy::Kind::kIdentity, "");
  };
  EXPECT_EQ(outcome(read(R"({"Version":"2012-10-17",)")), 'A');
  EXPECT_EQ(outcome(read(R"({"Version":"2008-10-17",)")), '-');
  EXPECT_EQ(outcome(read("{")), '-');
}

TEST(PolicyTest, NamesItsStatements) {
  const Policy policy =
      Policy::read(with_statement(R"([{"Effect":"Deny","Action":"dynamodb:PutItem","Resource":"*"},
                         {"Sid":"Mine","Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*"},
                         {"Effect":"Allow","Action":"dynamodb:Scan","Resource":"*"}])"),
                   Policy::Kind::kIdentity, "first");
  const Context context;
  Meter meter;
  EXPECT_EQ(policy.name(), "first");
  EXPECT_EQ(*policy.find({kPolicyAna, "dynamodb:PutItem", kTable, context}, meter).denied, "#1");
  EXPECT_EQ(*policy.find({kPolicyAna, "dynamodb:GetItem", kTable, context}, meter).allowed, "Mine");
  EXPECT_EQ(*policy.find({kPolicyAna, "dynamodb:Scan", kTable, context}, meter).allowed, "#3");
}

struct PrincipalRow {
  const char* principal;
  const Principal& who;
  Grant grant;
};

TEST(PolicyTest, LooksForWhomAStatementIs) {
  const PrincipalRow rows[] = {
      {R"("Principal":"*")", kPolicyAna, Grant::kEveryone},
      {R"("Principal":{"AWS":"*"})", kPolicyAna, Grant::kEveryone},
      {R"("Principal":{"AWS":["*"]})", kPolicyAna, Grant::kEveryone},
      {R"("Principal":{"AWS":"123456789012"})", kPolicyAna, Grant::kAccount},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:root"})", kPolicyAna, Grant::kAccount},
      {R"("Principal":{"AWS":"arn:aws:iam::210987654321:root"})", kPolicyAna, Grant::kNone},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:user/ana"})", kPolicyAna, Grant::kExact},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:user/bob"})", kPolicyAna, Grant::kNone},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:user/*"})", kPolicyAna, Grant::kNone},
      {R"("Principal":{"AWS":["123456789012","arn:aws:iam::123456789012:user/ana"]})", kPolicyAna,
       Grant::kExact},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:role/reader"})", kPolicyReader,
       Grant::kRole},
      {R"("Principal":{"AWS":"arn:aws:sts::123456789012:assumed-role/reader/one"})", kPolicyReader,
       Grant::kExact},
      {R"("Principal":{"AWS":"arn:aws:sts::123456789012:assumed-role/reader/two"})", kPolicyReader,
       Grant::kNone},
      {R"("Principal":{"Service":"replication.dynamodb.amazonaws.com"})", kPolicyAna, Grant::kNone},
      {R"("Principal":{"Federated":"*"})", kPolicyAna, Grant::kNone},
      {R"("NotPrincipal":{"AWS":"arn:aws:iam::123456789012:user/bob"})", kPolicyAna,
       Grant::kEveryone},
      {R"("NotPrincipal":{"AWS":"arn:aws:iam::123456789012:user/ana"})", kPolicyAna, Grant::kNone},
      {R"("NotPrincipal":{"AWS":"123456789012"})", kPolicyAna, Grant::kNone},
      {R"("NotPrincipal":"*")", kPolicyAna, Grant::kNone},
  };
  for (const PrincipalRow& row : rows) {
    const std::string statement =
        std::string(R"({"Effect":"Allow","Action":"*","Resource":"*",)").append(row.principal) +
        "}";
    const Policy policy = Policy::read(with_statement(statement), Policy::Kind::kResource, "");
    Meter meter;
    const Context context;
    EXPECT_EQ(policy.find({row.who, "dynamodb:GetItem", kTable, context}, meter).grant, row.grant)
        << row.principal;
  }
}

// A Deny that excepts an account excepts only its root. Its users and roles must be named too.
TEST(PolicyTest, ADenyExceptsThoseThatItNames) {
  const Principal root{"arn:aws:iam::123456789012:root", "", "123456789012"};
  const Principal pathed{"arn:aws:iam::123456789012:user/team/ana", "", "123456789012"};
  const std::tuple<const char*, const Principal&, bool> rows[] = {
      {R"("NotPrincipal":{"AWS":["arn:aws:iam::123456789012:user/bob","123456789012"]})",
       kPolicyAna, true},
      {R"("NotPrincipal":{"AWS":["arn:aws:iam::123456789012:user/bob","123456789012"]})",
       kPolicyReader, true},
      {R"("NotPrincipal":{"AWS":"arn:aws:iam::123456789012:root"})", kPolicyAna, true},
      {R"("NotPrincipal":{"AWS":"arn:aws:iam::123456789012:root"})", root, false},
      {R"("NotPrincipal":{"AWS":["arn:aws:iam::123456789012:user/ana","123456789012"]})",
       kPolicyAna, false},
      {R"("NotPrincipal":{"AWS":["arn:aws:iam::123456789012:role/reader","123456789012"]})",
       kPolicyReader, false},
      {R"("NotPrincipal":{"AWS":"arn:aws:iam::210987654321:root"})", kPolicyAna, true},
      {R"("NotPrincipal":"*")", kPolicyAna, false},
      // A path does not count: a name is that of one user or role.
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:role/team/reader"})", kPolicyReader, true},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:user/ana"})", pathed, true},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:user/team/ana"})", kPolicyAna, true},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:user/ana/bob"})", kPolicyAna, false},
      {R"("Principal":{"AWS":"arn:aws:iam::123456789012:role/ana"})", kPolicyAna, false},
  };
  for (const auto& [principal, who, denied] : rows) {
    const std::string statement =
        std::string(R"({"Effect":"Deny","Action":"*","Resource":"*",)").append(principal) + "}";
    const Policy policy = Policy::read(with_statement(statement), Policy::Kind::kResource, "");
    Meter meter;
    const Context context;
    EXPECT_EQ(policy.find({who, "dynamodb:GetItem", kTable, context}, meter).denied != nullptr,
              denied)
        << principal << who.arn;
  }
}

TEST(PolicyTest, HoldsAgainstTheCallerWhatItCannotReadInAResourcesPolicy) {
  const auto read = [](std::string_view effect, std::string_view condition) {
    return Policy::read(
        with_statement(
            std::string(R"({"Principal":"*","Action":"dynamodb:GetItem","Resource":"*",)")
                .append(R"("Effect":")" + std::string(effect) + R"(","Condition":)")
                .append(condition) +
            "}"),
        Policy::Kind::kResource, "");
  };
  for (const char* const condition :
       {R"({"StringSame":{"aws:username":"ana"}})", R"({"Bool":{"aws:SecureTransport":"yes"}})",
        R"({"IpAddress":{"aws:SourceIp":"here"},"StringEquals":{"aws:username":"ana"}})"}) {
    EXPECT_EQ(outcome(read("Allow", condition)), '-') << condition;
    EXPECT_EQ(outcome(read("Deny", condition)), 'D') << condition;
    EXPECT_EQ(outcome(read("Deny", condition), kPolicyAna, "dynamodb:PutItem"), '-') << condition;
  }
}

constexpr std::pair<const char*, const char*> kWrong[] = {
    {"", "This is not JSON"},
    {"{", "This is not JSON"},
    {"[]", "An object is expected here"},
    {"null", "An object is expected here"},
    {"1", "An object is expected here"},
    {"{}", "Statement: A statement is expected here"},
    {R"({"Statement":[]})", "Statement: A statement is expected here"},
    {R"({"Statement":1})", "Statement: A statement is expected here"},
    {R"({"Statement":null})", "Statement: A statement is expected here"},
    {R"({"Statement":[1]})", "Statement[0]: An object is expected here"},
    {R"({"Statement":[[]]})", "Statement[0]: An object is expected here"},
    {R"({"Version":"2026-01-01","Statement":[]})", "Version: Version is 2012-10-17 or 2008-10-17"},
    {R"({"Version":2012,"Statement":[]})", "Version: Version is 2012-10-17 or 2008-10-17"},
    {R"({"Statements":[]})", "Unknown member Statements"},
    {R"({"Statement":[],"Statement":[]})", "Statement is given twice"},
    {R"({"Statement":{}})", "Statement.Effect: Effect is Allow or Deny"},
    {R"({"Statement":{"Effect":"Maybe"}})", "Statement.Effect: Effect is Allow or Deny"},
    {R"({"Statement":{"Effect":true}})", "Statement.Effect: Effect is Allow or Deny"},
    {R"({"Statement":{"Effect":"Allow"}})", "Statement: Either Action or NotAction is needed"},
    {R"({"Statement":{"Effect":"Allow","Action":"*","NotAction":"*"}})",
     "Statement: Either Action or NotAction is needed"},
    {R"({"Statement":{"Effect":"Allow","Action":"*"}})",
     "Statement: Either Resource or NotResource is needed"},
    {R"({"Statement":{"Effect":"Allow","Action":"GetItem","Resource":"*"}})",
     "Statement.Action: An action is written as dynamodb:GetItem, not GetItem"},
    {R"({"Statement":{"Effect":"Allow","Action":{},"Resource":"*"}})",
     "Statement.Action: A string, or a list of strings, is expected here"},
    {R"({"Statement":{"Effect":"Allow","Action":null,"Resource":"*"}})",
     "Statement.Action: A string, or a list of strings, is expected here"},
    {R"({"Statement":{"Effect":"Allow","Action":[["*"]],"Resource":"*"}})",
     "Statement.Action: A string, or a list of strings, is expected here"},
    {R"({"Statement":{"Effect":"Allow","NotAction":"*","Resource":{}}})",
     "Statement.Resource: A string, or a list of strings, is expected here"},
    {R"({"Statement":{"Effect":"Allow","Action":"*","NotResource":"Orders"}})",
     "Statement.NotResource: A resource is * or begins with arn:, unlike Orders"},
    {R"({"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"}})",
     "Statement: Principal and NotPrincipal belong to policies of resources"},
    {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Conditions":{}}})",
     "Statement: Unknown member Conditions"},
    {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":[]}})",
     "Statement.Condition: An object is expected here"},
    {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Bool":1}}})",
     "Statement.Condition.Bool: An object is expected here"},
    {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Like":{"k":1}}}})",
     "Statement.Condition.Like: There is no condition operator Like"},
    {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Bool":{"k":{}}}}})",
     "Statement.Condition.Bool: A string, or a list of strings, is expected here"},
    {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Bool":{"k":1}}}})",
     "Statement.Condition.Bool: A condition is given 1, which is not true or false"},
};

TEST(PolicyTest, RefusesWhatIsNoPolicy) {
  for (const auto& [text, problem] : kWrong) {
    try {
      Policy::read(text, Policy::Kind::kIdentity, "");
      ADD_FAILURE() << text;
    } catch (const PolicyError& error) {
      EXPECT_STREQ(error.what(), problem) << text;
    }
  }
}

TEST(PolicyTest, IsNotHeldUpByDepthNorByWhatItCompares) {
  const std::string deep(100'000, '[');
  EXPECT_THROW(Policy::read(deep, Policy::Kind::kIdentity, ""), PolicyError);
  // 20 KB of patterns against an item of many long names.
  std::string values;
  while (values.size() < 20'000) values += R"("*a*b*c*d",)";
  values += R"("*a"])";
  const Policy policy =
      Policy::read(with_statement(R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":
          {"ForAllValues:StringLike":{"dynamodb:Attributes":[)" +
                                  values + "}}}"),
                   Policy::Kind::kIdentity, "");
  Context context;
  context.set("dynamodb:attributes", Context::Values(2'000, std::string(2'000, 'a')));
  Meter meter;
  const auto found = policy.find({kPolicyAna, "dynamodb:PutItem", kTable, context}, meter);
  EXPECT_TRUE(meter.is_over());
  EXPECT_EQ(found.allowed, nullptr);
  EXPECT_LT(meter.spent(), 2 * Meter::kMaxSteps);
}

}  // namespace
}  // namespace magneto::api::access
