#include "expressions/partiql/condition_builder.h"

#include <gtest/gtest.h>

#include "tests/expressions/partiql/statement_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

using Parameters = std::vector<storage::AttributeValue>;

storage::Item sample() {
  return item({{"b", b("\x01\x02\x03")},
               {"flag", s("right")},
               {"l", list({s("a"), s("b")})},
               {"m", map({{"sub", s("x")}, {"y", n("2")}})},
               {"n", n("1")},
               {"nul", null()},
               {"s", s("str")},
               {"ss", ss({"a", "b", "c"})},
               {"yes", boolean(true)}});
}

bool holds(const std::string& condition, Parameters parameters = {}) {
  const StatementRequest request("SELECT * FROM t WHERE " + condition, std::move(parameters));
  return request->condition()->matches(sample());
}

std::string refusal(const std::string& condition, Parameters parameters = {}) {
  return StatementRequest::refusal("SELECT * FROM t WHERE " + condition, std::move(parameters));
}

// Captured facts, "Functions in WHERE".
TEST(ConditionBuilderTest, HasTheFunctionsOfConditions) {
  EXPECT_TRUE(holds("attribute_exists(ss)"));
  EXPECT_FALSE(holds("attribute_exists(nope)"));
  EXPECT_TRUE(holds("attribute_not_exists(nope)"));
  EXPECT_TRUE(holds("NOT attribute_exists(nope)"));
  EXPECT_TRUE(holds("ATTRIBUTE_EXISTS(\"ss\")"));
  EXPECT_TRUE(holds("attribute_exists(m.sub) AND NOT attribute_exists(m.nope)"));
  EXPECT_TRUE(holds("(attribute_exists(nope) OR attribute_exists(l[1]))"));
  EXPECT_TRUE(holds("size(s) = 3 AND Size(ss) > 2"));
  EXPECT_TRUE(holds("attribute_type(ss, 'SS') AND NOT attribute_type(ss, 'S')"));
  EXPECT_TRUE(holds("begins_with(s, 'st') AND contains(ss, 'a') AND contains(s, 'tr')"));
  EXPECT_TRUE(holds("begins_with(s, ?)", {s("st")}));
}

// Captured facts, "Functions in WHERE": IS.
TEST(ConditionBuilderTest, TestsTypesWithIs) {
  EXPECT_TRUE(holds("nul IS NULL AND s IS NOT NULL AND nope IS NOT NULL"));
  EXPECT_FALSE(holds("s IS NULL OR nope IS NULL OR nul IS NOT NULL"));
  EXPECT_TRUE(holds("nope IS MISSING AND s IS NOT MISSING"));
  EXPECT_TRUE(holds("yes IS BOOL AND yes IS BOOLEAN AND s IS STRING AND NOT s IS BOOL"));
  EXPECT_TRUE(holds("n IS NUMBER AND b IS binary AND l IS List AND m IS MAP AND NOT ss IS LIST"));
  EXPECT_EQ(refusal("n IS INT4"), "No attribute has the type int4 at 1:28:4");
  EXPECT_EQ(refusal("n IS NOT FOO"), malformed("Expected type name"));
}

// Captured facts, "Comparison semantics".
TEST(ConditionBuilderTest, ComparesValuesOfAllTypes) {
  EXPECT_TRUE(holds("ss = ?", {ss({"c", "a", "b"})}));
  EXPECT_TRUE(holds("ss = <<'c', 'a', 'b'>> AND ss <> <<'a'>>"));
  EXPECT_TRUE(holds("l = ['a', 'b'] AND l <> ['b', 'a']"));
  EXPECT_TRUE(holds("m = {'y': 2, 'sub': 'x'}"));
  EXPECT_TRUE(holds("nul = null AND yes = true AND yes != false"));
  EXPECT_TRUE(holds("b < ? AND NOT b > ?", {b("\x01\x02\x04"), b("\x01\x02\x04")}));
  EXPECT_TRUE(holds("n BETWEEN 0 AND 1 AND n NOT BETWEEN 2 AND 3"));
  EXPECT_TRUE(holds("n IN [?, 2] AND n IN (1) AND n NOT IN [5, 6]", {n("1")}));
  EXPECT_TRUE(holds("1 = n AND 2 > n"));
  EXPECT_FALSE(holds("s < 5"));
  EXPECT_FALSE(holds("m.a[0].b.c.d.e = 1"));
}

// Captured facts, "Comparison semantics": ordering operators refuse types without an order.
TEST(ConditionBuilderTest, RefusesOrderOfUnorderedTypes) {
  const std::string refused =
      "Incorrect operand type for operator or function; operator or function: ";
  for (const char* op : {"<", "<=", ">", ">="}) {
    EXPECT_EQ(refusal(std::string("val ") + op + " ?", {boolean(true)}),
              refused + op + ", operand type: BOOL");
  }
  EXPECT_EQ(refusal("val < ?", {null()}), refused + "<, operand type: NULL");
  EXPECT_EQ(refusal("val < [1]"), refused + "<, operand type: L");
  EXPECT_EQ(refusal("val < {'a': 1}"), refused + "<, operand type: M");
  EXPECT_EQ(refusal("val < <<'a'>>"), refused + "<, operand type: SS");
  EXPECT_EQ(refusal("val < <<1>>"), refused + "<, operand type: NS");
  EXPECT_EQ(refusal("val BETWEEN ? AND ?", {boolean(true), boolean(false)}),
            refused + "BETWEEN, operand type: BOOL");
  EXPECT_EQ(refusal("attribute_exists(n) > false"), refused + ">, operand type: BOOL");
  EXPECT_EQ(refusal("attribute_type(l, 1)"), refused + "attribute_type, operand type: N");
}

// Captured facts, "Functions in WHERE": "= true".
TEST(ConditionBuilderTest, ConditionsAreBooleanOperands) {
  for (const char* condition :
       {"attribute_exists(ss) = true", "attribute_exists(nope) = false",
        "true = attribute_exists(n)", "attribute_exists(n) <> 1", "contains(nope, 'z') = false",
        "(n BETWEEN 0 AND 5) = true", "(n = 5 OR flag = 'x') = false",
        "attribute_exists(nope) IN [true, false]", "attribute_exists(n) = attribute_exists(flag)",
        "attribute_exists(n) = yes"}) {
    EXPECT_TRUE(holds(condition)) << condition;
  }
  for (const char* condition :
       {"attribute_exists(n) = 1", "NOT attribute_exists(n) = true",
        "(attribute_exists(n) = true) = false", "attribute_exists(n) = flag"}) {
    EXPECT_FALSE(holds(condition)) << condition;
  }
}

// Captured facts, "Functions in WHERE": refusals.
TEST(ConditionBuilderTest, RefusesFunctionsUsedWrongly) {
  const std::string path =
      "Operator or function requires a document path; operator or function: attribute_exists";
  const std::string count =
      "Incorrect number of operands for operator or function; operator or function: "
      "attribute_exists, number of operands: ";
  EXPECT_EQ(refusal("attribute_exists('ss')"), path);
  EXPECT_EQ(refusal("attribute_exists(?)", {s("ss")}), path);
  EXPECT_EQ(refusal("attribute_exists()"), count + "0");
  EXPECT_EQ(refusal("attribute_exists(ss, ns)"), count + "2");
  EXPECT_EQ(refusal("EXISTS(ss)"), "Unrecognized function: exists at 1:23:6");
  EXPECT_EQ(refusal("set_add(ss, <<'x'>>) = ss"), "Unrecognized function: set_add at 1:23:7");
  EXPECT_TRUE(refusal("attribute_type(s, 'X')")
                  .starts_with("Invalid attribute type name found; type: X, valid types: {"));
}

TEST(ConditionBuilderTest, RefusesOperatorsConditionsDoNotHave) {
  const std::string refused = "A condition does not support the operator ";
  EXPECT_EQ(refusal("n = 5 + 5"), refused + "+");
  EXPECT_EQ(refusal("n - 1 = 4"), refused + "-");
  EXPECT_EQ(refusal("s LIKE 's%'"), refused + "like");
  EXPECT_EQ(refusal("s NOT LIKE 's%'"), refused + "not like");
  EXPECT_EQ(refusal("n IN 5"), "IN takes a list of values");
  EXPECT_EQ(refusal("n > -n"),
            "Incorrect number of operands for operator or function; operator or function: -, "
            "number of operands: 1");
  EXPECT_EQ(refusal("s"), "Unsupported operation: path");
  EXPECT_EQ(refusal("size(s)"), "Unsupported operation: size");
  EXPECT_EQ(refusal("n = 1 AND 'x'"), "Unsupported operation: literal");
}

TEST(ConditionBuilderTest, CountsOperandsAndOperators) {
  const auto chain = [](int terms) {
    std::string text = "n = 1";
    for (int i = 1; i < terms; ++i) text += " OR n = 1";
    return text;
  };
  EXPECT_EQ(refusal(chain(150)), "");  // 150 comparisons, 149 ORs
  EXPECT_EQ(refusal(chain(151)), "The expression contains too many operators; operator count: 301");
  std::string list = "n IN [0";
  for (int i = 1; i < 100; ++i) list += ", " + std::to_string(i);
  EXPECT_EQ(refusal(list + "]"), "");
  EXPECT_EQ(refusal(list + ", 100]"),
            "The IN operator is provided with too many operands; number of operands: 101");
  // As deep as a statement can make it.
  std::string deep = "n = 1";
  for (int i = 0; i < 2000; ++i) deep += " = 1";
  EXPECT_EQ(refusal(deep), "The expression contains too many operators; operator count: 301");
}

}  // namespace
}  // namespace magneto::expressions
