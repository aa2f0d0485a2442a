#include "api/access/decide.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace magneto::api::access {
namespace {

const Principal kAna{"arn:aws:iam::123456789012:user/ana", "", "123456789012"};
const Principal kReader{"arn:aws:sts::123456789012:assumed-role/reader/one",
                        "arn:aws:iam::123456789012:role/reader", "123456789012"};

// The effect of each policy on the attempt: 'A' allows it, 'D' denies it, '-' neither, ' ' there is
// no policy. In a resource's policy 'A' allows it to this very principal, 'R' to its role, 'E' to
// everybody, 'a' to its account.
struct DecisionRow {
  const char* identity;  // of each of its policies
  char boundary;
  char resource;
  bool same_account;
  bool allowed;
  Source source;
  const char* session = nullptr;  // as identity
};

Policy policy_of(char says, bool is_resource, const Principal& principal, std::string name) {
  std::string statement = R"({"Sid":"Only","Effect":")";
  statement += says == 'D' ? "Deny" : "Allow";
  statement += R"(","Resource":"*","Action":")";
  statement += says == '-' ? "dynamodb:PutItem" : "dynamodb:GetItem";
  statement += '"';
  if (is_resource) {
    const std::string who = says == 'E'   ? "*"
                            : says == 'R' ? principal.role_arn
                            : says == 'a' ? "arn:aws:iam::" + principal.account + ":root"
                                          : principal.arn;
    statement += R"(,"Principal":{"AWS":")" + who + R"("})";
  }
  return Policy::read(R"({"Statement":)" + statement + "}}",
                      is_resource ? Policy::Kind::kResource : Policy::Kind::kIdentity,
                      std::move(name));
}

Decision decide_on(const DecisionRow& row, const Principal& principal,
                   bool is_administrator = false) {
  std::vector<Policy> identity;
  for (const char* says = row.identity; *says != 0; ++says) {
    identity.push_back(
        policy_of(*says, false, principal, "policy " + std::to_string(identity.size())));
  }
  std::vector<Policy> session;
  for (const char* says = row.session; says != nullptr && *says != 0; ++says) {
    session.push_back(policy_of(*says, false, principal, "session"));
  }
  std::optional<Policy> boundary;
  std::optional<Policy> resource;
  if (row.boundary != ' ') boundary = policy_of(row.boundary, false, principal, "boundary");
  if (row.resource != ' ') resource = policy_of(row.resource, true, principal, "");
  const Applicable applicable{.is_administrator = is_administrator,
                              .identity = identity,
                              .boundary = boundary ? &*boundary : nullptr,
                              .session = row.session != nullptr ? &session : nullptr,
                              .resource = resource ? &*resource : nullptr,
                              .same_account = row.same_account};
  const Context context;
  Meter meter;
  Decision decision{.principal = principal.arn, .action = "GetItem", .resource = "*"};
  decide({principal, "dynamodb:GetItem", "*", context}, applicable, meter, decision);
  return decision;
}

void expect_all_decisions(const std::vector<DecisionRow>& rows, const Principal& principal,
                          bool is_administrator = false) {
  for (const DecisionRow& row : rows) {
    const Decision decision = decide_on(row, principal, is_administrator);
    const std::string shown = std::string("'") + row.identity + "' boundary '" + row.boundary +
                              "' resource '" + row.resource + "' " +
                              (row.same_account ? "same" : "other") + " account";
    EXPECT_EQ(decision.allowed, row.allowed) << shown;
    EXPECT_EQ(decision.source, row.source) << shown;
  }
}

constexpr bool kSame = true;
constexpr bool kOther = false;

TEST(DecideTest, WithinAnAccountOnePolicyIsEnough) {
  expect_all_decisions(
      {
          {"", ' ', ' ', kSame, false, Source::kIdentity},
          {"-", ' ', ' ', kSame, false, Source::kIdentity},
          {"A", ' ', ' ', kSame, true, Source::kIdentity},
          {"-A", ' ', ' ', kSame, true, Source::kIdentity},
          {"AA", ' ', ' ', kSame, true, Source::kIdentity},
          {"A", ' ', '-', kSame, true, Source::kIdentity},
          {"", ' ', 'A', kSame, true, Source::kResource},
          {"-", ' ', 'A', kSame, true, Source::kResource},
          {"", ' ', 'E', kSame, true, Source::kResource},
          {"", ' ', '-', kSame, false, Source::kIdentity},
          // The account leaves it to its own policies.
          {"", ' ', 'a', kSame, false, Source::kIdentity},
          {"A", ' ', 'a', kSame, true, Source::kIdentity},
      },
      kAna);
}

TEST(DecideTest, AnotherAccountNeedsBoth) {
  expect_all_decisions(
      {
          {"", ' ', ' ', kOther, false, Source::kIdentity},
          {"A", ' ', ' ', kOther, false, Source::kResource},
          {"A", ' ', '-', kOther, false, Source::kResource},
          {"", ' ', 'A', kOther, false, Source::kIdentity},
          {"", ' ', 'E', kOther, false, Source::kIdentity},
          {"A", ' ', 'A', kOther, true, Source::kIdentity},
          {"A", ' ', 'a', kOther, true, Source::kIdentity},
          {"A", ' ', 'E', kOther, true, Source::kIdentity},
          {"A", '-', 'A', kOther, false, Source::kBoundary},
          {"A", 'A', 'A', kOther, true, Source::kIdentity},
      },
      kAna);
}

TEST(DecideTest, ADenyIsTheLastWord) {
  expect_all_decisions(
      {
          {"D", ' ', ' ', kSame, false, Source::kIdentity},
          {"AD", ' ', 'A', kSame, false, Source::kIdentity},
          {"DA", ' ', 'A', kSame, false, Source::kIdentity},
          {"A", 'D', 'A', kSame, false, Source::kBoundary},
          {"A", 'A', 'D', kSame, false, Source::kResource},
          {"A", ' ', 'D', kOther, false, Source::kResource},
          {"", ' ', 'D', kSame, false, Source::kResource},
      },
      kAna);
}

TEST(DecideTest, ABoundaryIsTheMostThereIs) {
  expect_all_decisions(
      {
          {"A", 'A', ' ', kSame, true, Source::kIdentity},
          {"A", '-', ' ', kSame, false, Source::kBoundary},
          {"", 'A', ' ', kSame, false, Source::kIdentity},
          {"", '-', 'E', kSame, false, Source::kBoundary},
          {"", 'A', 'E', kSame, true, Source::kResource},
          // The resource names the very user.
          {"", '-', 'A', kSame, true, Source::kResource},
      },
      kAna);
  expect_all_decisions(
      {
          // The resource's policy names the session itself, or the role, to which the boundary
          // applies.
          {"", '-', 'A', kSame, true, Source::kResource},
          {"", '-', 'R', kSame, false, Source::kBoundary},
          {"", 'A', 'R', kSame, true, Source::kResource},
      },
      kReader);
}

TEST(DecideTest, ASessionHasWhatOneOfItsPoliciesAllowsToo) {
  expect_all_decisions(
      {
          {"A", ' ', ' ', kSame, false, Source::kSession, ""},
          {"A", ' ', ' ', kSame, false, Source::kSession, "-"},
          {"A", ' ', ' ', kSame, true, Source::kIdentity, "-A"},
          {"A", ' ', ' ', kSame, false, Source::kSession, "AD"},
          {"", ' ', ' ', kSame, false, Source::kIdentity, "A"},
          {"A", 'A', ' ', kSame, true, Source::kIdentity, "A"},
          {"A", '-', ' ', kSame, false, Source::kBoundary, "A"},
          {"", ' ', 'R', kSame, false, Source::kSession, "-"},
          {"", ' ', 'R', kSame, true, Source::kResource, "A"},
          {"", ' ', 'E', kSame, false, Source::kSession, "-"},
          {"", ' ', 'A', kSame, true, Source::kResource, "-"},
          {"A", ' ', 'A', kOther, false, Source::kSession, "-"},
          {"A", ' ', 'A', kOther, true, Source::kIdentity, "A"},
      },
      kReader);
}

TEST(DecideTest, AMemberHasItsGroupsPolicies) {
  const auto group = [](const char* says) {
    auto made = std::make_shared<Group>();
    for (; *says != 0; ++says) {
      made->policies.push_back(policy_of(*says, false, kAna, std::string("of ") + *says));
    }
    return std::shared_ptr<const Group>(made);
  };
  const auto allows = [&](const std::vector<std::shared_ptr<const Group>>& groups) {
    const Context context;
    Meter meter;
    Decision decision{.principal = kAna.arn, .action = "GetItem", .resource = "*"};
    decide({kAna, "dynamodb:GetItem", "*", context}, {.identity = {}, .groups = groups}, meter,
           decision);
    return decision.allowed;
  };
  EXPECT_FALSE(allows({}));
  EXPECT_TRUE(allows({group("A")}));
  EXPECT_TRUE(allows({group("-"), group("-A")}));
  EXPECT_FALSE(allows({group("A"), group("D")}));
  EXPECT_FALSE(allows({group("-"), group("")}));
}

TEST(DecideTest, AnAdministratorMayDoWhatNoResourceDenies) {
  expect_all_decisions(
      {
          {"", ' ', ' ', kSame, true, Source::kAdministrator},
          {"", ' ', '-', kOther, true, Source::kAdministrator},
          {"", ' ', 'A', kSame, true, Source::kAdministrator},
          {"", ' ', 'D', kSame, false, Source::kResource},
          {"", ' ', 'D', kOther, false, Source::kResource},
      },
      kAna, true);
}

TEST(DecideTest, SaysWhichStatementDecided) {
  const Decision allowed = decide_on({"-A", ' ', ' ', kSame, true, Source::kIdentity}, kAna);
  EXPECT_TRUE(allowed.by_statement);
  EXPECT_EQ(allowed.policy, "policy 1");
  EXPECT_EQ(allowed.statement, "Only");
  const Decision denied = decide_on({"A", 'D', ' ', kSame, false, Source::kBoundary}, kAna);
  EXPECT_TRUE(denied.by_statement);
  EXPECT_EQ(denied.policy, "boundary");
  const Decision refused = decide_on({"-", ' ', ' ', kSame, false, Source::kIdentity}, kAna);
  EXPECT_FALSE(refused.by_statement);
  EXPECT_EQ(refused.policy, "");
  EXPECT_EQ(refused.statement, "");
}

TEST(DecideTest, RefusesWhatTakesTooLong) {
  const std::vector<Policy> identity = {policy_of('A', false, kAna, "")};
  const Context context;
  Meter meter;
  meter.spend(Meter::kMaxSteps + 1);
  Decision decision{.principal = {}, .action = "GetItem", .resource = {}};
  decide({kAna, "dynamodb:GetItem", "*", context}, {.identity = identity}, meter, decision);
  EXPECT_FALSE(decision.allowed);
  EXPECT_EQ(decision.source, Source::kLimit);
}

}  // namespace
}  // namespace magneto::api::access
