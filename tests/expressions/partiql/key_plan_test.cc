#include "expressions/partiql/key_plan.h"

#include <gtest/gtest.h>

#include "tests/expressions/expression_request.h"
#include "tests/expressions/partiql/statement_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;
using storage::AttributeType;
using storage::KeySchema;
using storage::SortOperator;

const KeySchema kComposite{{{"pk", AttributeType::kString}}, {{"sk", AttributeType::kString}}};
const KeySchema kSimple{{{"pk", AttributeType::kString}}, {}};

std::string operator_name(SortOperator op) {
  switch (op) {
    case SortOperator::kNone:
      return "none";
    case SortOperator::kEqual:
      return "=";
    case SortOperator::kLess:
      return "<";
    case SortOperator::kLessOrEqual:
      return "<=";
    case SortOperator::kGreater:
      return ">";
    case SortOperator::kGreaterOrEqual:
      return ">=";
    case SortOperator::kBetween:
      return "between";
    case SortOperator::kBeginsWith:
      return "begins";
  }
  return {};
}

// Formats a plan. "a:=1,<2 +" is a read of partition a with two conditions and a filter. After the
// reads come the attributes of each branch's filters, with "!" where they exclude sort keys:
// "a: + | b: (x,y) (!sk)". Others are "scan" and "too many".
std::string plan(const std::string& condition, const KeySchema& key = kComposite) {
  const StatementRequest request("SELECT * FROM t WHERE " + condition);
  const ReadPlan plan = plan_reads(request->condition_tree(), key);
  if (plan.too_many) return "too many";
  if (!plan.keyed) return "scan";
  std::string text;
  for (const KeyedRead& read : plan.reads) {
    if (!text.empty()) text += " | ";
    text += std::string(read.partition.scalar_bytes()) + ':';
    for (const SortCondition& sort : read.sort) {
      if (&sort != &read.sort.front()) text += ',';
      text += operator_name(sort.op) + std::string(sort.low.scalar_bytes());
      if (sort.high) text += "-" + std::string(sort.high.scalar_bytes());
    }
    if (read.has_filter) text += " +";
  }
  for (const KeyBranch& branch : plan.branches) {
    if (branch.filters.empty()) continue;
    std::string names;
    for (const std::string_view name : filter_attributes(*request->condition_tree(), branch)) {
      names += (names.empty() ? "" : ",") + std::string(name);
    }
    text += (branch.excludes_sort_keys ? " (!" : " (") + names + ')';
  }
  return text;
}

bool names_one_item(const std::string& condition, const KeySchema& key = kComposite) {
  const StatementRequest request("SELECT * FROM t WHERE " + condition);
  return plan_reads(request->condition_tree(), key).names_only_one_item(key);
}

TEST(KeyPlanTest, ReadsOnePartition) {
  EXPECT_EQ(plan("pk = 'a'"), "a:");
  EXPECT_EQ(plan("'a' = pk"), "a:");
  EXPECT_EQ(plan("pk = 'a' AND sk = '1'"), "a:=1");
  EXPECT_EQ(plan("pk = 'a' AND sk > '1' AND '5' > sk"), "a:>1,<5");
  EXPECT_EQ(plan("pk = 'a' AND sk BETWEEN '1' AND '2'"), "a:between1-2");
  EXPECT_EQ(plan("pk = 'a' AND begins_with(sk, 'x')"), "a:beginsx");
  EXPECT_EQ(plan("(pk = 'a' AND sk = '1') AND flag = 'x'"), "a:=1 + (flag)");
  EXPECT_EQ(plan("pk = 'a' AND sk = '1'", kSimple), "a: + (sk)");
}

TEST(KeyPlanTest, ReadsWhatOrAndInSpellOut) {
  EXPECT_EQ(plan("pk IN ['a', 'b']"), "a: | b:");
  EXPECT_EQ(plan("pk = 'a' OR pk = 'b'"), "a: | b:");
  EXPECT_EQ(plan("pk IN ['a', 'b'] AND sk IN ['1', '2']"), "a:=1 | a:=2 | b:=1 | b:=2");
  EXPECT_EQ(plan("pk = 'a' AND (sk = '1' OR x = 2)"), "a:=1 | a: + (x)");
  EXPECT_EQ(plan("pk = 'a' AND (x = 1 OR y = 2)"), "a: + (x,y)");
  EXPECT_EQ(plan("(pk = 'a' AND x = 1) OR (pk = 'b' AND y = 1)"), "a: + | b: + (x) (y)");
  EXPECT_EQ(plan("pk IN ['a', 'b'] AND x = 1 AND y.z = 2"), "a: + | b: + (x,y)");
  EXPECT_EQ(plan("(pk = 'a' OR pk = 'b' AND y = 1) AND x = 1"), "a: + | b: + (x) (y,x)");
}

// Captured facts 3, P28: equal conditions are one.
TEST(KeyPlanTest, CountsEqualConditionsOnce) {
  EXPECT_EQ(plan("pk = 'a' AND pk IN ['a'] AND sk > '1' AND '1' < sk"), "a:>1");
  EXPECT_EQ(plan("pk IN ['a', 'b'] AND pk IN ['b', 'a', 'a']"), "a: | b:");
  EXPECT_EQ(plan("pk IN ['a', 'b'] AND pk = 'a'"), "scan");
  EXPECT_EQ(plan("pk IN []"), "");
}

// Captured facts 3, P50, over all operators and both sides of each bound.
TEST(KeyPlanTest, FindsOverlaps) {
  const auto overlaps = [](const std::string& condition, const KeySchema& key = kComposite) {
    const StatementRequest request("SELECT * FROM t WHERE " + condition);
    return plan_reads(request->condition_tree(), key).overlaps();
  };
  const auto both = [&overlaps](const std::string& one, const std::string& other) {
    const std::string first = "pk = 'a' AND " + one;
    const std::string second = "pk = 'a' AND " + other;
    const bool meets = overlaps(first + " OR " + second);
    EXPECT_EQ(overlaps(second + " OR " + first), meets) << one << ' ' << other;
    EXPECT_EQ(overlaps("pk = 'a' AND (" + one + " OR " + other + ")"), meets)
        << one << ' ' << other;
    EXPECT_FALSE(overlaps(first + " OR pk = 'b' AND " + other)) << one << ' ' << other;
    return meets;
  };
  EXPECT_TRUE(both("sk > '1'", "sk < '3'"));
  EXPECT_FALSE(both("sk < '2'", "sk > '2'"));
  EXPECT_FALSE(both("sk <= '2'", "sk > '2'"));
  EXPECT_TRUE(both("sk <= '2'", "sk >= '2'"));
  EXPECT_FALSE(both("sk = '2'", "sk > '2'"));
  EXPECT_TRUE(both("sk = '2'", "sk >= '2'"));
  EXPECT_FALSE(both("sk = '2'", "sk = '3'"));
  EXPECT_TRUE(both("sk IN ['2', '3']", "sk = '3'"));
  EXPECT_TRUE(both("sk BETWEEN '1' AND '3'", "sk BETWEEN '3' AND '4'"));
  EXPECT_FALSE(both("sk BETWEEN '1' AND '3'", "sk > '3'"));
  EXPECT_TRUE(both("begins_with(sk, 'b')", "sk = 'b'"));
  EXPECT_TRUE(both("begins_with(sk, 'b')", "begins_with(sk, 'bc')"));
  EXPECT_FALSE(both("begins_with(sk, 'b')", "sk >= 'c'"));
  EXPECT_FALSE(both("begins_with(sk, 'b')", "sk < 'b'"));
  EXPECT_TRUE(both("x = 1 AND sk = '2'", "y = 1 AND sk = '2'"));
  // Numbers count by value.
  EXPECT_TRUE(both("sk = 1e2", "sk = 100.0"));
  EXPECT_FALSE(both("sk < 2", "sk > 10"));
  EXPECT_FALSE(both("sk = 2", "sk = '2'"));
  // A whole partition, and repeats within IN.
  EXPECT_TRUE(overlaps("pk = 'a' OR pk = 'a' AND sk = '1'"));
  EXPECT_TRUE(overlaps("pk IN ['a', 'a']"));
  EXPECT_TRUE(overlaps("pk IN ['a', 'b', 'a']", kSimple));
  EXPECT_TRUE(overlaps("pk = 'a' AND sk IN ['1', '1']"));
  EXPECT_FALSE(overlaps("pk IN ['a', 'b']"));
  // A branch without an interval ends the whole check.
  EXPECT_FALSE(overlaps("pk = 'a' OR sk = '1'"));
  EXPECT_FALSE(overlaps("pk = 'a' OR pk = 'a' AND sk > '1' AND sk < '3'"));
  EXPECT_FALSE(overlaps("pk = 'a' OR pk = 'a' OR pk = 'b' AND sk <> '1'"));
  EXPECT_FALSE(overlaps("pk = 'a' OR pk = 'a' AND NOT sk = '1'"));
  EXPECT_FALSE(overlaps("pk IN ['a', 'a'] AND pk = 'b'"));
}

TEST(KeyPlanTest, ScansWithoutAPartitionKey) {
  EXPECT_EQ(plan("sk = '1'"), "scan");
  EXPECT_EQ(plan("pk > 'a'"), "scan");
  EXPECT_EQ(plan("pk <> 'a'"), "scan");
  EXPECT_EQ(plan("NOT pk = 'a'"), "scan");
  EXPECT_EQ(plan("begins_with(pk, 'a')"), "scan");
  EXPECT_EQ(plan("pk.x = 'a'"), "scan");
  EXPECT_EQ(plan("pk = sk"), "scan");
  EXPECT_EQ(plan("pk = 'a' OR sk = '1'"), "scan");
  EXPECT_EQ(plan("pk = 'a' OR x = 1"), "scan");
  // Contradictory partition keys do not count as a key.
  EXPECT_EQ(plan("pk = 'a' AND pk = 'b'"), "scan");
  EXPECT_FALSE(plan_reads(nullptr, kComposite).keyed);
}

// Captured facts, "Grammar refused": negated sort-key conditions are filters.
TEST(KeyPlanTest, NotesExcludedSortKeys) {
  EXPECT_EQ(plan("pk = 'a' AND sk <> '1'"), "a: + (!sk)");
  EXPECT_EQ(plan("pk = 'a' AND NOT sk = '1'"), "a: + (!sk)");
  EXPECT_EQ(plan("pk = 'a' AND NOT begins_with(sk, 'x')"), "a: + (!sk)");
  EXPECT_EQ(plan("pk = 'a' AND NOT sk IN ['1']"), "a: + (!sk)");
  EXPECT_EQ(plan("pk = 'a' AND x <> '1'"), "a: + (x)");
  EXPECT_EQ(plan("pk = 'a' AND attribute_exists(sk)"), "a: + (sk)");
}

TEST(KeyPlanTest, CountsWaysOnlySoFar) {
  std::string clause = "pk = 'a'";
  for (int i = 0; i < 40; ++i) clause += " AND (sk = '1' OR x = 1)";
  EXPECT_EQ(plan(clause), "too many");
  EXPECT_EQ(plan(clause.substr(sizeof("pk = 'a' AND ") - 1)), "scan");
}

TEST(KeyPlanTest, NamesOneItem) {
  EXPECT_TRUE(names_one_item("pk = 'a'", kSimple));
  EXPECT_FALSE(names_one_item("pk = 'a'"));
  EXPECT_TRUE(names_one_item("sk = '1' AND pk = 'a' AND pk = 'a'"));
  EXPECT_TRUE(names_one_item("pk IN ['a'] AND sk IN ['1']"));
  EXPECT_FALSE(names_one_item("pk = 'a' AND sk = '1' AND sk = '2'"));
  EXPECT_FALSE(names_one_item("pk = 'a' AND sk >= '1'"));
  EXPECT_FALSE(names_one_item("pk = 'a' AND sk = '1' AND x = 1"));
  EXPECT_FALSE(names_one_item("pk IN ['a', 'b'] AND sk = '1'"));
}

TEST(KeyPlanTest, ChecksTypesOfKeys) {
  const auto refusal = [](const std::string& condition) {
    const StatementRequest request("SELECT * FROM t WHERE " + condition);
    return ExpressionRequest::message_of(
        [&] { check_key_types(plan_reads(request->condition_tree(), kComposite), kComposite); },
        ExpressionError::Scope::kRequest);
  };
  const auto other = [](const std::string& name) {
    return "Key attribute's data type should match its data type in table's schema: Key " + name;
  };
  const auto none = [](const std::string& name, const std::string& type) {
    return "Key value must be of type S, N, or B. Key name: " + name + ", Key type: " + type;
  };
  EXPECT_EQ(refusal("pk = 'a' AND sk > '1'"), "");
  EXPECT_EQ(refusal("pk = 1 OR pk = 'ranges'"), other("pk"));
  EXPECT_EQ(refusal("pk = 'a' AND sk IN ['1', 2]"), other("sk"));
  EXPECT_EQ(refusal("sk = 2 AND pk = 1"), other("pk"));
  EXPECT_EQ(refusal("pk = 'a' AND sk BETWEEN 1 AND 2"), other("sk"));
  EXPECT_EQ(refusal("pk = true"), none("pk", "BOOL"));
  EXPECT_EQ(refusal("pk = 'a' AND sk = NULL"), none("sk", "NULL"));
  EXPECT_EQ(refusal("pk = {'a': 1}"), none("pk", "M"));
  EXPECT_EQ(refusal("pk = [1]"), none("pk", "L"));
  EXPECT_EQ(refusal("pk = <<'a'>>"), none("pk", "SS"));
  EXPECT_EQ(refusal("pk = <<1>> OR pk = 5"), none("pk", "NS"));
  EXPECT_EQ(refusal("pk = true OR x = 1"), none("pk", "BOOL"));
  // Nothing is checked behind a branch that no key describes.
  EXPECT_EQ(refusal("x = 1 OR pk = true"), "");
  EXPECT_EQ(refusal("pk = 'a' AND pk = 'b' OR pk = true"), "");
  EXPECT_EQ(refusal("pk = 'a' AND sk > '1' AND sk < '2' OR pk = true"), "");
  EXPECT_EQ(refusal("pk = 'a' AND sk <> 1"), "");
  EXPECT_EQ(refusal("pk > 1 AND NOT sk = 1"), "");
  EXPECT_EQ(refusal("sk = 1"), "");
}

TEST(KeyPlanTest, FindsTheKeyOfAWrite) {
  const auto equalities = [](const std::string& condition) {
    const StatementRequest request("SELECT * FROM t WHERE " + condition);
    const KeyEqualities found = find_key_equalities(request->condition_tree(), kComposite);
    std::string text;
    for (const storage::AttributeView value : found.values) text += show(value) + ' ';
    text += found.several;
    return text + (found.has_other_conditions ? "+" : "");
  };
  EXPECT_EQ(equalities("sk = '1' AND pk = 'a'"), "\"a\" \"1\" ");
  EXPECT_EQ(equalities("(pk = 'a' AND sk = '1') AND x = 1"), "\"a\" \"1\" +");
  EXPECT_EQ(equalities("pk = 'a' AND sk = '1' AND pk = 'b'"), "\"a\" \"1\" pk+");
  EXPECT_EQ(equalities("pk = 'a' AND pk = 'a'"), "\"a\" absent ");
  EXPECT_EQ(equalities("pk IN ['a'] AND sk = '1'"), "\"a\" \"1\" ");
  EXPECT_EQ(equalities("pk IN ['a', 'b'] AND sk = '1'"), "absent \"1\" pk+");
  EXPECT_EQ(equalities("pk IN [] AND sk = '1'"), "absent \"1\" +");
  EXPECT_EQ(equalities("pk = 'a' OR sk = '1'"), "absent absent +");
  const StatementRequest several("SELECT * FROM t WHERE pk IN ['a', 'b'] AND sk = '1'");
  EXPECT_EQ(show(find_key_equalities(several->condition_tree(), kComposite).first_values.front()),
            "\"a\"");
  EXPECT_FALSE(find_key_equalities(nullptr, kComposite).values.front());
}

}  // namespace
}  // namespace magneto::expressions
