#include "api/access/pattern.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace magneto::api::access {
namespace {

struct PatternRow {
  const char* pattern;
  const char* text;
  bool matches;
};

Context sample_context() {
  Context context;
  context.set("aws:username", "ana");
  context.set("aws:principaltag/team", "a*b");
  context.set("dynamodb:leadingkeys", Context::Values{"one", "two"});
  return context;
}

bool matches(const Pattern& pattern, std::string_view text) {
  Meter meter;
  return pattern.matches(text, sample_context(), meter).value_or(false);
}

constexpr PatternRow kWildcards[] = {
    {"", "", true},
    {"", "a", false},
    {"*", "", true},
    {"*", "anything at all", true},
    {"**", "", true},
    {"***a***", "bab", true},
    {"***a***", "bb", false},
    {"?", "", false},
    {"?", "a", true},
    {"?", "ab", false},
    {"?", "\xC3\xA4", true},  // one letter of two bytes
    {"??", "\xC3\xA4", false},
    {"*?", "\xE2\x82\xAC", true},  // of three
    {"a*", "a", true},
    {"a*", "abc", true},
    {"a*", "ba", false},
    {"*a", "ba", true},
    {"*a", "ab", false},
    {"a*b", "ab", true},
    {"a*b", "aXXb", true},
    {"a*b", "aXXbc", false},
    {"a*b*c", "abbc", true},
    {"a*b*c", "acb", false},
    {"*ab*ab", "abab", true},
    {"*ab*ab", "aab", false},
    {"*aab", "aaaab", true},
    {"a?c", "abc", true},
    {"a?c", "ac", false},
    {"A", "a", false},
    {"arn:aws:dynamodb:*:*:table/*", "arn:aws:dynamodb:eu-west-1:1:table/x/index/y", true},
    {"arn:aws:dynamodb:*:*:table/Orders", "arn:aws:dynamodb:eu-west-1:1:table/Orders2", false},
    {"arn:aws:dynamodb:*:*:table/Orders/index/*", "arn:aws:dynamodb:r:1:table/Orders", false},
    {"${*}", "*", true},
    {"${*}", "a", false},
    {"${?}x", "?x", true},
    {"${$}{a}", "${a}", true},
    {"${", "${", true},
    {"${a", "${a", true},
    {"$", "$", true},
    {"${aws:username}", "ana", true},
    {"${aws:username}", "Ana", false},
    {"${AWS:UserName}", "ana", true},
    {"x/${aws:username}/*", "x/ana/1", true},
    {"x/${aws:username}/*", "x/bob/1", false},
    {"${aws:username}${aws:username}", "anaana", true},
    {"*${aws:username}*", "is ana here", true},
    // The value of a variable has no wildcards.
    {"${aws:PrincipalTag/team}", "a*b", true},
    {"${aws:PrincipalTag/team}", "aXb", false},
    // No value, or several.
    {"${aws:userid}", "", false},
    {"${cognito-identity.amazonaws.com:sub}", "ana", false},
    {"${dynamodb:LeadingKeys}", "one", false},
    {"${aws:userid, 'nobody'}", "nobody", true},
    {"${aws:userid,nobody}", "nobody", true},
    {"${aws:username, 'nobody'}", "ana", true},
    {"${aws:username, 'nobody'}", "nobody", false},
};

TEST(PatternTest, KnowsWildcards) {
  for (const PatternRow& row : kWildcards) {
    const Pattern pattern(row.pattern, {.wildcards = true, .variables = true});
    EXPECT_EQ(matches(pattern, row.text), row.matches) << row.pattern << " of " << row.text;
  }
}

TEST(PatternTest, TakesThemForLettersWhereTheyAreNone) {
  EXPECT_TRUE(matches(Pattern("a*?", {}), "a*?"));
  EXPECT_FALSE(matches(Pattern("a*?", {}), "abc"));
  EXPECT_TRUE(matches(Pattern("${aws:username}", {.wildcards = true}), "${aws:username}"));
  EXPECT_FALSE(matches(Pattern("${aws:username}", {.wildcards = true}), "ana"));
}

TEST(PatternTest, MayIgnoreCase) {
  const PatternSyntax syntax{.wildcards = true, .variables = false, .ignores_case = true};
  EXPECT_TRUE(matches(Pattern("DynamoDB:Get*", syntax), "dynamodb:getItem"));
  EXPECT_TRUE(matches(Pattern("dynamodb:getitem", syntax), "dynamodb:GetItem"));
  EXPECT_FALSE(matches(Pattern("dynamodb:getitem", syntax), "dynamodb:PutItem"));
}

TEST(PatternTest, SaysThatAVariableIsNotKnown) {
  Meter meter;
  const Pattern pattern("${aws:userid}", {.wildcards = false, .variables = true});
  EXPECT_EQ(pattern.matches("x", sample_context(), meter), std::nullopt);
}

TEST(PatternTest, IsNotHeldUpByStars) {
  constexpr std::size_t kPolicy = 20'480;
  constexpr std::size_t kName = 2'048;
  std::string letters_and_stars;
  while (letters_and_stars.size() < kPolicy) letters_and_stars += "a*";
  const std::string patterns[] = {
      std::string(kPolicy, '*'), letters_and_stars + "b", "*" + std::string(kPolicy, 'a') + "b",
      "*" + std::string(kName / 2, 'a') + "b", std::string(kPolicy, '?') + "*"};
  const std::string name(kName, 'a');
  for (const std::string& text : patterns) {
    const Pattern pattern(text, {.wildcards = true});
    Meter meter;
    const bool found = pattern.matches(name, Context(), meter).value_or(false);
    EXPECT_EQ(found, text.find_first_not_of('*') == std::string::npos);
    EXPECT_LT(meter.spent(), kName * kName);
  }
}

TEST(PatternTest, LooksAtNothingMoreBeyondTheLimit) {
  Meter meter;
  meter.spend(Meter::kMaxSteps + 1);
  EXPECT_EQ(Pattern("a", {}).matches("a", Context(), meter), std::nullopt);
}

TEST(ArnPatternTest, MatchesPartByPart) {
  constexpr PatternRow kRows[] = {
      {"arn:aws:iam::123456789012:user/ana", "arn:aws:iam::123456789012:user/ana", true},
      {"arn:aws:iam::*:user/*", "arn:aws:iam::123456789012:user/ana", true},
      {"arn:aws:iam::*:user/${aws:username}", "arn:aws:iam::1:user/ana", true},
      {"arn:aws:iam::*:user/${aws:username}", "arn:aws:iam::1:user/bob", false},
      // No star reaches over a colon.
      {"arn:*:user/ana", "arn:aws:iam::123456789012:user/ana", false},
      {"arn:aws:*:ana", "arn:aws:iam::1:ana", false},
      {"*", "arn:aws:iam::1:ana", true},
      {"arn:aws:iam::1:a", "arn:aws:iam::1:a:b", false},
      {"arn:aws:iam::1:*", "arn:aws:iam::1:a:b", true},
      {"arn:aws:iam::1", "arn:aws:iam::1:a", false},
      {"", "", true},
      {"", "arn:aws:iam::1:a", false},
      {"arn:aws:iam::1:a", "", false},
  };
  for (const PatternRow& row : kRows) {
    Meter meter;
    const ArnPattern pattern(row.pattern, true);
    EXPECT_EQ(pattern.matches(row.text, sample_context(), meter).value_or(false), row.matches)
        << row.pattern << " of " << row.text;
  }
}

}  // namespace
}  // namespace magneto::api::access
