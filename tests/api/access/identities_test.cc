#include "api/access/identities.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>

#include "api/access/policy_error.h"

namespace magneto::api::access {
namespace {

constexpr std::string_view kFile = R"({
  "Users": [
    {"UserName": "ana", "AccessKeys": ["KEY-1", "KEY-2"], "UserId": "AIDA1",
     "Tags": {"Team": "blue"},
     "Policies": [
       {"Version": "2012-10-17",
        "Statement": {"Effect": "Allow", "Action": "dynamodb:*", "Resource": "*"}},
       {"PolicyName": "second", "PolicyDocument":
         {"Statement": [{"Effect": "Deny", "Action": "dynamodb:Scan", "Resource": "*"}]}}],
     "PermissionsBoundary":
       {"Statement": {"Effect": "Allow", "Action": "dynamodb:Get*", "Resource": "*"}}},
    {"UserName": "bob", "Account": "123456789012"},
    {"UserName": "bob"}],
  "Roles": [{"RoleName": "bob", "Account": "123456789012", "Policies": []}]
})";

TEST(IdentitiesTest, FindsCallersByKeyOrByName) {
  const auto identities = Identities::read(kFile);
  EXPECT_EQ(identities->size(), 4U);
  const auto find = [&](std::string_view key, std::string_view arn, std::string_view account) {
    return identities->find({key, arn, account});
  };
  const Identity* const ana = find("KEY-2", "arn:aws:iam::1:user/x", "1");
  ASSERT_NE(ana, nullptr);
  EXPECT_EQ(ana, find("KEY-1", "", ""));
  EXPECT_EQ(ana->name, "ana");
  EXPECT_EQ(ana->user_id, "AIDA1");
  ASSERT_EQ(ana->policies.size(), 2U);
  EXPECT_EQ(ana->policies[0].name(), "Policies[0]");
  EXPECT_EQ(ana->policies[1].name(), "second");
  EXPECT_TRUE(ana->boundary);
  // A user with access keys in the file is not known by name.
  EXPECT_EQ(find("OTHER", "arn:aws:iam::000000000000:user/ana", "000000000000"), nullptr);

  const Identity* const bob =
      find("OTHER", "arn:aws:iam::123456789012:user/division/bob", "123456789012");
  ASSERT_NE(bob, nullptr);
  EXPECT_EQ(bob->account, "123456789012");
  EXPECT_FALSE(bob->is_role);
  const Identity* const role =
      find("OTHER", "arn:aws:sts::123456789012:assumed-role/bob/session", "123456789012");
  ASSERT_NE(role, nullptr);
  EXPECT_TRUE(role->is_role);
  EXPECT_EQ(role, find("", "arn:aws:iam::123456789012:role/path/bob", "123456789012"));
  EXPECT_EQ(find("OTHER", "arn:aws:iam::000000000000:user/bob", "000000000000")->account,
            "000000000000");
  for (const char* const arn :
       {"arn:aws:iam::123456789012:root", "arn:aws:iam::123456789012:user/eve", "bob", "",
        "arn:aws:iam::123456789012:group/bob", "arn:aws:sts::123456789012:federated-user/bob"}) {
    EXPECT_EQ(find("OTHER", arn, "123456789012"), nullptr) << arn;
  }
}

TEST(IdentitiesTest, SaysWhoACallerIs) {
  const auto identities = Identities::read(kFile);
  const CallerName by_key{"KEY-1", "arn:aws:iam::123456789012:user/profile", "123456789012"};
  const Principal ana = principal_of(by_key, identities->find(by_key));
  EXPECT_EQ(ana.arn, "arn:aws:iam::123456789012:user/ana");
  EXPECT_EQ(ana.role_arn, "");
  EXPECT_EQ(ana.account, "123456789012");
  Context context;
  add_principal_keys(ana, identities->find(by_key), context);
  EXPECT_EQ(*context.find("aws:username"), Context::Values{"ana"});
  EXPECT_EQ(*context.find("aws:userid"), Context::Values{"AIDA1"});
  EXPECT_EQ(*context.find("aws:principaltag/team"), Context::Values{"blue"});
  EXPECT_EQ(*context.find("aws:principalarn"), Context::Values{ana.arn});
  EXPECT_EQ(*context.find("aws:principalaccount"), Context::Values{"123456789012"});
  EXPECT_EQ(*context.find("aws:principaltype"), Context::Values{"User"});

  const CallerName session{"K", "arn:aws:sts::123456789012:assumed-role/bob/now", "123456789012"};
  const Principal role = principal_of(session, identities->find(session));
  EXPECT_EQ(role.arn, session.principal_arn);
  EXPECT_EQ(role.role_arn, "arn:aws:iam::123456789012:role/bob");
  Context of_role;
  add_principal_keys(role, identities->find(session), of_role);
  EXPECT_EQ(of_role.find("aws:username"), nullptr);
  EXPECT_EQ(*of_role.find("aws:principalarn"), Context::Values{role.role_arn});

  const Principal unknown = principal_of(session, nullptr);
  EXPECT_EQ(unknown.arn, session.principal_arn);
  EXPECT_EQ(unknown.role_arn, role.role_arn);
}

TEST(IdentitiesTest, NamesTheKeyWhereARoleIsKnownByIt) {
  const auto identities = Identities::read(R"({"Roles":[{"RoleName":"r","AccessKeys":["K"]}]})");
  const CallerName caller{"K", "arn:aws:iam::123456789012:user/profile", "123456789012"};
  const Principal principal = principal_of(caller, identities->find(caller));
  EXPECT_EQ(principal.arn, "arn:aws:sts::123456789012:assumed-role/r/K");
  EXPECT_EQ(principal.role_arn, "arn:aws:iam::123456789012:role/r");
}

// A key of a role is used by a session of the role, which no policy names closely.
TEST(IdentitiesTest, ARoleIsUsedByASession) {
  const auto identities = Identities::read(R"({"Roles":[{"RoleName":"r"}]})");
  for (const char* const arn :
       {"arn:aws:iam::123456789012:role/r", "arn:aws:iam::123456789012:role/team/r"}) {
    const CallerName caller{"K", arn, "123456789012"};
    for (const Identity* const identity :
         {identities->find(caller), static_cast<const Identity*>(nullptr)}) {
      const Principal principal = principal_of(caller, identity);
      EXPECT_EQ(principal.arn, "arn:aws:sts::123456789012:assumed-role/r/K") << arn;
      EXPECT_EQ(principal.role_arn, "arn:aws:iam::123456789012:role/r") << arn;
    }
  }
}

TEST(IdentitiesTest, ReadsGroupsAndSessionPolicies) {
  const auto identities = Identities::read(R"({
    "Users":[{"UserName":"ana","AccessKeys":["K"],"Groups":["b","a"]},
             {"UserName":"bob","AccessKeys":["L"],"Groups":["a"]}],
    "Groups":[{"GroupName":"a","Policies":[
                {"Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}}]},
              {"GroupName":"b"}],
    "Roles":[{"RoleName":"r","AccessKeys":["R"],"SessionPolicies":[]},
             {"RoleName":"s","AccessKeys":["S"]}]})");
  const auto find = [&](std::string_view key) { return identities->find({key, "", ""}); };
  const Identity& ana = *find("K");
  ASSERT_EQ(ana.groups.size(), 2U);
  EXPECT_EQ(ana.groups[0]->name, "b");
  EXPECT_TRUE(ana.groups[0]->policies.empty());
  ASSERT_EQ(ana.groups[1]->policies.size(), 1U);
  EXPECT_EQ(ana.groups[1]->policies.front().name(), "a/Policies[0]");
  EXPECT_EQ(find("L")->groups.front(), ana.groups[1]);
  EXPECT_FALSE(find("R")->session);  // an empty list is none
  EXPECT_FALSE(find("S")->session);
}

TEST(IdentitiesTest, AUserIsInTenGroupsAtMost) {
  std::string groups;
  std::string names;
  const auto file = [&] {
    return R"({"Groups":[)" + groups + R"(],"Users":[{"UserName":"a","Groups":[)" + names + "]}]}";
  };
  for (std::size_t i = 0; i < Identities::kMaxGroups; ++i) {
    const std::string comma = i == 0 ? "" : ",";
    const std::string name = "\"g" + std::to_string(i) + '"';
    groups.append(comma).append(R"({"GroupName":)").append(name).append("}");
    names += comma + name;
  }
  EXPECT_EQ(Identities::read(file())->size(), 1U);
  groups += R"(,{"GroupName":"more"})";
  names += R"(,"more")";
  EXPECT_THROW(Identities::read(file()), PolicyError);
}

// Each row has a file and its problem.
void expect_refusals(std::span<const std::pair<const char*, const char*>> rows) {
  for (const auto& [text, problem] : rows) {
    try {
      Identities::read(text);
      ADD_FAILURE() << text;
    } catch (const PolicyError& error) {
      EXPECT_STREQ(error.what(), problem) << text;
    }
  }
}

TEST(IdentitiesTest, RefusesWrongGroupsWithTheirPlace) {
  constexpr std::pair<const char*, const char*> kRows[] = {
      {R"({"Groups":{}})", "Groups: A list is expected here"},
      {R"({"Groups":null})", "Groups: A list is expected here"},
      {R"({"Groups":[1]})", "Groups[0]: An object is expected here"},
      {R"({"Groups":[{}]})", "Groups[0].GroupName: A name, without a path, is expected here"},
      {R"({"Groups":[{"GroupName":7}]})",
       "Groups[0].GroupName: A name, without a path, is expected here"},
      {R"({"Groups":[{"GroupName":"g","Users":[]}]})", "Groups[0]: Unknown member Users"},
      {R"({"Groups":[{"GroupName":"g","Policies":[{"PolicyDocument":1}]}]})",
       "Groups[0].Policies[0]: An object is expected here"},
      {R"({"Groups":[{"GroupName":"g"},{"GroupName":"g"}]})", "Groups: g is given twice"},
      {R"({"Groups":[{"GroupName":"g"}],"Groups":[{"GroupName":"g"}]})",
       "Groups: g is given twice"},
      {R"({"Users":[{"UserName":"a","Groups":"g"}]})", "Users[0].Groups: A list is expected here"},
      {R"({"Users":[{"UserName":"a","Groups":["g"]}]})",
       "Users[0].Groups: Groups names no group g"},
      {R"({"Users":[{"UserName":"a","Groups":["g","g"]}],"Groups":[{"GroupName":"g"}]})",
       "Users[0].Groups: g is given twice"},
      {R"({"Users":[{"UserName":"a","SessionPolicies":[]}]})",
       "Users[0]: Unknown member SessionPolicies"},
      {R"({"Roles":[{"RoleName":"a","Groups":[]}]})", "Roles[0]: Unknown member Groups"},
      {R"({"Roles":[{"RoleName":"a","SessionPolicies":{}}]})",
       "Roles[0].SessionPolicies: A list is expected here"},
  };
  expect_refusals(kRows);
}

TEST(IdentitiesTest, RefusesAFileWithItsPlace) {
  constexpr std::pair<const char*, const char*> kRows[] = {
      {"", "This is not JSON"},
      {"[]", "An object is expected here"},
      {R"({"Guests":[]})", "Unknown member Guests"},
      {R"({"User":[]})", "Unknown member User; did you mean Users?"},
      {R"({"Users":[{"UserName":"a","AccesKeys":[]}]})",
       "Users[0]: Unknown member AccesKeys; did you mean AccessKeys?"},
      {R"({"Roles":[{"RoleName":"a","sessionpolicies":[]}]})",
       "Roles[0]: Unknown member sessionpolicies; did you mean SessionPolicies?"},
      {R"({"Users":[{"UserName":"a","Policies":[{"PolicyNames":"p","PolicyDocument":{}}]}]})",
       "Users[0].Policies[0]: Unknown member PolicyNames; did you mean PolicyName?"},
      {R"({"Groups":[{"GroupName":"g","Policie":[]}]})",
       "Groups[0]: Unknown member Policie; did you mean Policies?"},
      {R"({"Users":{}})", "Users: A list is expected here"},
      {R"({"Users":null})", "Users: A list is expected here"},
      {R"({"Users":[1]})", "Users[0]: An object is expected here"},
      {R"({"Users":[{}]})", "Users[0].UserName: A name, without a path, is expected here"},
      {R"({"Users":[{"RoleName":"a"}]})", "Users[0]: Unknown member RoleName"},
      {R"({"Roles":[{"UserName":"a"}]})", "Roles[0]: Unknown member UserName"},
      {R"({"Users":[{"UserName":"a/b"}]})",
       "Users[0].UserName: A name, without a path, is expected here"},
      {R"({"Users":[{"UserName":""}]})", "Users[0].UserName: A string is expected here"},
      {R"({"Users":[{"UserName":["a"]}]})", "Users[0].UserName: A string is expected here"},
      {R"({"Users":[{"UserName":"a","UserName":"b"}]})", "Users[0]: UserName is given twice"},
      {R"({"Users":[{"UserName":"a","Account":"1"}]})",
       "Users[0].Account: An account is twelve digits"},
      {R"({"Users":[{"UserName":"a","Account":123456789012}]})",
       "Users[0].Account: A string is expected here"},
      {R"({"Users":[{"UserName":"a","AccessKeys":"K"}]})",
       "Users[0].AccessKeys: A list is expected here"},
      {R"({"Users":[{"UserName":"a","AccessKeys":[1]}]})",
       "Users[0].AccessKeys: A string, or a list of strings, is expected here"},
      {R"({"Users":[{"UserName":"a","AccessKeys":["K"],"Account":"123456789012"}]})",
       "Users[0]: AccessKeys and Account exclude each other: the account is that of the keys"},
      {R"({"Users":[{"UserName":"a","AccessKeys":["K"]},{"UserName":"b","AccessKeys":["K"]}]})",
       "The access key K is given to two principals"},
      {R"({"Users":[{"UserName":"a"},{"UserName":"a","Account":"000000000000"}]})",
       "000000000000:user/a is given twice"},
      {R"({"Users":[{"UserName":"a","Tags":[]}]})", "Users[0].Tags: An object is expected here"},
      {R"({"Users":[{"UserName":"a","Tags":{"b":1}}]})",
       "Users[0].Tags: A string, or a list of strings, is expected here"},
      {R"({"Users":[{"UserName":"a","Policies":{}}]})",
       "Users[0].Policies: A list is expected here"},
      {R"({"Users":[{"UserName":"a","Policies":[1]}]})",
       "Users[0].Policies[0]: An object is expected here"},
      {R"({"Users":[{"UserName":"a","Policies":[{"Statement":{}}]}]})",
       "Users[0].Policies[0].Statement.Effect: Effect is Allow or Deny"},
      {R"({"Users":[{"UserName":"a","Policies":[{"PolicyDocument":{"Version":"x"}}]}]})",
       "Users[0].Policies[0].Version: Version is 2012-10-17 or 2008-10-17"},
      {R"({"Users":[{"UserName":"a","Policies":[{"PolicyDocument":{},"Arn":"x"}]}]})",
       "Users[0].Policies[0]: Unknown member Arn"},
      {R"({"Users":[{"UserName":"a"}],"Roles":[{"RoleName":"a","PermissionsBoundary":"x"}]})",
       "Roles[0].PermissionsBoundary: An object is expected here"},
  };
  expect_refusals(kRows);
}

}  // namespace
}  // namespace magneto::api::access
