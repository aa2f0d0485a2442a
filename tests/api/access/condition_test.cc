#include "api/access/condition.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "api/access/policy_error.h"

namespace magneto::api::access {
namespace {

using Texts = std::vector<std::string>;
using Given = std::optional<Texts>;

struct Row {
  const char* operation;
  Texts operands;
  Given given;  // nullopt: the request does not have the key
  bool holds;
};

bool holds(const Row& row) {
  Context context;
  context.set("aws:username", "ana");
  if (row.given) context.set("some:key", *row.given);
  const auto condition = Condition::make(row.operation, "Some:Key", row.operands, true);
  EXPECT_TRUE(condition) << row.operation;
  Meter meter;
  return condition && condition->holds(context, meter);
}

void expect_all(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::string shown(row.operation);
    for (const std::string& operand : row.operands) shown += " " + operand;
    shown += row.given ? " of" : " of nothing";
    for (const std::string& value : row.given.value_or(Texts())) shown += " " + value;
    EXPECT_EQ(holds(row), row.holds) << shown;
  }
}

const Given kAbsent = std::nullopt;

TEST(ConditionTest, ComparesTexts) {
  expect_all({
      {"StringEquals", {"a"}, {{"a"}}, true},
      {"StringEquals", {"a"}, {{"A"}}, false},
      {"StringEquals", {"a"}, {{"ab"}}, false},
      {"StringEquals", {"a", "b"}, {{"b"}}, true},
      {"StringEquals", {"a*"}, {{"ab"}}, false},
      {"StringEquals", {"a*"}, {{"a*"}}, true},
      {"StringEquals", {}, {{"a"}}, false},
      {"StringEquals", {"a"}, kAbsent, false},
      {"StringEquals", {"a"}, {{}}, false},
      {"stringequals", {"a"}, {{"a"}}, true},
      {"StringEquals", {"${aws:username}"}, {{"ana"}}, true},
      {"StringEquals", {"${aws:userid}"}, {{"ana"}}, false},
      {"StringNotEquals", {"a"}, {{"b"}}, true},
      {"StringNotEquals", {"a"}, {{"a"}}, false},
      {"StringNotEquals", {"a", "b"}, {{"b"}}, false},
      {"StringNotEquals", {"a", "b"}, {{"c"}}, true},
      {"StringNotEquals", {"a"}, kAbsent, true},
      {"StringNotEquals", {"${aws:userid}"}, {{"ana"}}, false},
      {"StringNotEquals", {"${aws:username}"}, {{"bob"}}, true},
      {"StringEqualsIgnoreCase", {"aB"}, {{"Ab"}}, true},
      {"StringEqualsIgnoreCase", {"a"}, {{"b"}}, false},
      {"StringNotEqualsIgnoreCase", {"aB"}, {{"Ab"}}, false},
      {"StringNotEqualsIgnoreCase", {"aB"}, {{"c"}}, true},
      {"StringLike", {"a*"}, {{"abc"}}, true},
      {"StringLike", {"a?"}, {{"abc"}}, false},
      {"StringLike", {"x", "*c"}, {{"abc"}}, true},
      {"StringLike", {"*"}, kAbsent, false},
      {"StringLike", {"*"}, {{""}}, true},
      {"StringNotLike", {"a*"}, {{"abc"}}, false},
      {"StringNotLike", {"a*"}, {{"bc"}}, true},
      {"StringNotLike", {"a*"}, kAbsent, true},
      {"BinaryEquals", {"QmluYXJ5"}, {{"QmluYXJ5"}}, true},
      {"BinaryEquals", {"QmluYXJ5"}, {{"qmluYXJ5"}}, false},
  });
}

TEST(ConditionTest, ComparesNumbersAndDates) {
  expect_all({
      {"NumericEquals", {"10"}, {{"10.0"}}, true},
      {"NumericEquals", {"10"}, {{"11"}}, false},
      {"NumericEquals", {"10", "11"}, {{"11"}}, true},
      {"NumericEquals", {"10"}, {{"ten"}}, false},
      {"NumericEquals", {"10"}, {{""}}, false},
      {"NumericEquals", {"10"}, {{"inf"}}, false},
      {"NumericNotEquals", {"10"}, {{"11"}}, true},
      {"NumericNotEquals", {"10"}, {{"1e1"}}, false},
      {"NumericNotEquals", {"10"}, {{"ten"}}, false},
      {"NumericNotEquals", {"10"}, kAbsent, true},
      {"NumericLessThan", {"10"}, {{"9"}}, true},
      {"NumericLessThan", {"10"}, {{"10"}}, false},
      {"NumericLessThan", {"10"}, {{"-10"}}, true},
      {"NumericLessThanEquals", {"10"}, {{"10"}}, true},
      {"NumericLessThanEquals", {"10"}, {{"10.5"}}, false},
      {"NumericGreaterThan", {"10"}, {{"10"}}, false},
      {"NumericGreaterThan", {"10"}, {{"11"}}, true},
      {"NumericGreaterThanEquals", {"10"}, {{"10"}}, true},
      {"NumericGreaterThanEquals", {"10"}, {{"9"}}, false},
      {"NumericGreaterThanEquals", {"10"}, kAbsent, false},
      {"DateEquals", {"2026-01-31T12:00:00Z"}, {{"1769860800"}}, true},
      {"DateEquals", {"2026-01-31T13:00:00+01:00"}, {{"2026-01-31T12:00:00Z"}}, true},
      {"DateEquals", {"2026-01-31"}, {{"2026-01-31T00:00:00Z"}}, true},
      {"DateEquals", {"2026-01-31T12:00Z"}, {{"2026-01-31T12:00:00Z"}}, true},
      {"DateNotEquals", {"2026-01-31"}, {{"2026-02-01"}}, true},
      {"DateLessThan", {"2026-01-31T12:00:00Z"}, {{"2026-01-31T11:59:59Z"}}, true},
      {"DateLessThan", {"2026-01-31T12:00:00Z"}, {{"2026-01-31T12:00:00Z"}}, false},
      {"DateLessThanEquals", {"2026-01-31T12:00:00Z"}, {{"2026-01-31T12:00:00Z"}}, true},
      {"DateGreaterThan", {"2026-01-31T12:00:00Z"}, {{"2026-01-31T12:00:01Z"}}, true},
      {"DateGreaterThan", {"2026-01-31T12:00:00Z"}, {{"yesterday"}}, false},
      {"DateGreaterThanEquals", {"2026-01-31T12:00:00Z"}, {{"2026-01-31T12:00:00Z"}}, true},
  });
}

TEST(ConditionTest, ComparesBooleansAddressesAndArns) {
  expect_all({
      {"Bool", {"true"}, {{"true"}}, true},
      {"Bool", {"TRUE"}, {{"true"}}, true},
      {"Bool", {"true"}, {{"false"}}, false},
      {"Bool", {"false"}, {{"false"}}, true},
      {"Bool", {"false"}, {{"perhaps"}}, false},
      {"Bool", {"false"}, kAbsent, false},
      {"BoolIfExists", {"false"}, kAbsent, true},
      {"Null", {"true"}, kAbsent, true},
      {"Null", {"true"}, {{"a"}}, false},
      {"Null", {"false"}, {{"a"}}, true},
      {"Null", {"false"}, kAbsent, false},
      {"IpAddress", {"203.0.113.0/24"}, {{"203.0.113.7"}}, true},
      {"IpAddress", {"203.0.113.0/24"}, {{"203.0.114.7"}}, false},
      {"IpAddress", {"203.0.113.7"}, {{"203.0.113.7"}}, true},
      {"IpAddress", {"203.0.113.7"}, {{"203.0.113.8"}}, false},
      {"IpAddress", {"203.0.113.7"}, {{"::ffff:203.0.113.7"}}, true},
      {"IpAddress", {"0.0.0.0/0"}, {{"203.0.113.7"}}, true},
      {"IpAddress", {"0.0.0.0/0"}, {{"2001:db8::1"}}, false},
      {"IpAddress", {"::/0"}, {{"203.0.113.7"}}, true},
      {"IpAddress", {"2001:db8::/33"}, {{"2001:db8:7fff::1"}}, true},
      {"IpAddress", {"2001:db8::/33"}, {{"2001:db8:8000::1"}}, false},
      {"IpAddress", {"10.0.0.0/8", "::1"}, {{"::1"}}, true},
      {"IpAddress", {"10.0.0.0/8"}, {{"not an address"}}, false},
      {"IpAddress", {"10.0.0.0/8"}, kAbsent, false},
      {"NotIpAddress", {"10.0.0.0/8"}, {{"10.1.2.3"}}, false},
      {"NotIpAddress", {"10.0.0.0/8"}, {{"11.1.2.3"}}, true},
      {"NotIpAddress", {"10.0.0.0/8"}, {{"not an address"}}, false},
      {"NotIpAddress", {"10.0.0.0/8"}, kAbsent, true},
      {"ArnEquals", {"arn:aws:iam::1:user/*"}, {{"arn:aws:iam::1:user/ana"}}, true},
      {"ArnLike", {"arn:aws:iam::1:user/*"}, {{"arn:aws:iam::2:user/ana"}}, false},
      {"ArnLike", {"arn:aws:iam::*:user/*"}, {{"arn:aws:iam::2:user/ana"}}, true},
      {"ArnNotEquals", {"arn:aws:iam::1:user/*"}, {{"arn:aws:iam::1:user/ana"}}, false},
      {"ArnNotLike", {"arn:aws:iam::1:user/*"}, {{"arn:aws:iam::2:user/ana"}}, true},
  });
}

TEST(ConditionTest, LooksAtKeysOfSeveralValues) {
  expect_all({
      {"ForAllValues:StringEquals", {"a", "b"}, {{"a", "b"}}, true},
      {"ForAllValues:StringEquals", {"a", "b"}, {{"a", "c"}}, false},
      {"ForAllValues:StringEquals", {"a"}, {{"a", "a"}}, true},
      {"ForAllValues:StringEquals", {"a"}, {{}}, true},
      {"ForAllValues:StringEquals", {"a"}, kAbsent, true},
      {"ForAllValues:StringLike", {"a*"}, {{"a", "ab"}}, true},
      {"ForAllValues:StringNotEquals", {"a"}, {{"b", "c"}}, true},
      {"ForAllValues:StringNotEquals", {"a"}, {{"b", "a"}}, false},
      {"ForAllValues:StringEquals", {"${aws:username}"}, {{"ana", "ana"}}, true},
      {"ForAllValues:StringEquals", {"${aws:username}"}, {{"ana", "bob"}}, false},
      {"ForAnyValue:StringEquals", {"a"}, {{"b", "a"}}, true},
      {"ForAnyValue:StringEquals", {"a"}, {{"b", "c"}}, false},
      {"ForAnyValue:StringEquals", {"a"}, {{}}, false},
      {"ForAnyValue:StringEquals", {"a"}, kAbsent, false},
      {"ForAnyValue:StringNotEquals", {"a"}, {{"a", "b"}}, true},
      {"ForAnyValue:StringNotEquals", {"a"}, {{"a"}}, false},
      {"ForAnyValue:StringNotEquals", {"a"}, kAbsent, false},
      {"foranyvalue:stringlike", {"a*"}, {{"b", "ab"}}, true},
      // A value that cannot be read meets nothing, and the next ones may.
      {"ForAnyValue:NumericEquals", {"5"}, {{"x", "5"}}, true},
      {"ForAnyValue:NumericNotEquals", {"5"}, {{"x", "6"}}, true},
      {"ForAnyValue:NumericEquals", {"5"}, {{"x"}}, false},
      {"ForAllValues:NumericEquals", {"5"}, {{"5", "x"}}, false},
      {"ForAllValues:NumericNotEquals", {"5"}, {{"6", "x"}}, false},
      // Without a quantifier.
      {"StringEquals", {"a"}, {{"b", "a"}}, true},
      {"StringNotEquals", {"a"}, {{"b", "a"}}, false},
      {"StringNotEquals", {"a"}, {{"b", "c"}}, true},
  });
}

TEST(ConditionTest, MayAskNothingOfWhatIsAbsent) {
  expect_all({
      {"StringEqualsIfExists", {"a"}, kAbsent, true},
      {"StringEqualsIfExists", {"a"}, {{"a"}}, true},
      {"StringEqualsIfExists", {"a"}, {{"b"}}, false},
      {"StringNotEqualsIfExists", {"a"}, kAbsent, true},
      {"NumericLessThanIfExists", {"1"}, kAbsent, true},
      {"DateLessThanIfExists", {"2026-01-31"}, kAbsent, true},
      {"IpAddressIfExists", {"10.0.0.0/8"}, kAbsent, true},
      {"ArnLikeIfExists", {"arn:aws:iam::1:user/*"}, kAbsent, true},
      {"ForAllValues:StringEqualsIfExists", {"a"}, kAbsent, true},
      {"ForAnyValue:StringEqualsIfExists", {"a"}, kAbsent, true},
      {"ForAnyValue:StringEqualsIfExists", {"a"}, {{"b"}}, false},
  });
}

TEST(ConditionTest, KnowsNoOtherOperators) {
  for (const char* const name :
       {"", "IfExists", "StringEqual", "StringEqualsIfExistsIfExists", "NullIfExists",
        "ForAllValues:", "ForAllValues:ForAllValues:StringEquals", "ForSome:StringEquals", "Equals",
        "NumericLike", "StringEquals "}) {
    EXPECT_FALSE(Condition::make(name, "k", {"true"}, true)) << name;
  }
}

TEST(ConditionTest, RefusesValuesThatAnOperatorCannotTake) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"NumericEquals", "ten"},
      {"NumericEquals", ""},
      {"NumericLessThan", "nan"},
      {"DateEquals", "yesterday"},
      {"DateEquals", "2026-13-01"},
      {"Bool", "yes"},
      {"Null", ""},
      {"IpAddress", "10.0.0.0/33"},
      {"IpAddress", "10.0.0"},
      {"IpAddress", "10.0.0.0/"},
      {"IpAddress", "::/129"},
      {"IpAddress", "::/-1"},
      {"NotIpAddress", "localhost"},
      {"NumericEquals", "1 "},
  };
  for (const auto& [operation, value] : kWrong) {
    EXPECT_THROW(Condition::make(operation, "k", {value}, true), PolicyError)
        << operation << ' ' << value;
  }
}

}  // namespace
}  // namespace magneto::api::access
