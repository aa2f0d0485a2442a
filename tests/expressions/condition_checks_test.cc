#include "expressions/condition_checks.h"

#include "expressions/condition.h"
#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

struct Refusal {
  const char* text;
  std::string message;
};

std::string wrong_type(const char* function, const char* type) {
  return "Incorrect operand type for operator or function; operator or function: " +
         std::string(function) + ", operand type: " + type;
}

std::string same(const char* function, const char* path) {
  return "The first operand must be distinct from the remaining operands for this operator or "
         "function; operator: " +
         std::string(function) + ", first operand: " + path;
}

std::string wrong_count(const char* function, int count) {
  return "Incorrect number of operands for operator or function; operator or function: " +
         std::string(function) + ", number of operands: " + std::to_string(count);
}

std::string path_required(const char* function) {
  return "Operator or function requires a document path; operator or function: " +
         std::string(function);
}

std::string undefined_name(const char* name) {
  return "An expression attribute name used in the document path is not defined; attribute name: " +
         std::string(name);
}

std::string undefined_value(const char* name) {
  return "An expression attribute value used in expression is not defined; attribute value: " +
         std::string(name);
}

ExpressionRequest request() {
  return ExpressionRequest({{"#a", "a"}}, {{":s", s("x")},
                                           {":n", n("1")},
                                           {":n2", n("2.50")},
                                           {":b", b("ab")},
                                           {":b0", b("a")},
                                           {":bool", boolean(true)},
                                           {":null", null()},
                                           {":ss", ss({"x"})},
                                           {":ns", ns({"1"})},
                                           {":bs", bs({"x"})},
                                           {":l", list({})},
                                           {":m", map({})},
                                           {":t", s("SS")},
                                           {":bad", s("1")},
                                           {":s2", s("y")}});
}

void expect_refusals(std::initializer_list<Refusal> refusals) {
  for (const Refusal& refusal : refusals) {
    ExpressionRequest values = request();
    EXPECT_EQ(values.refusal<Condition>(refusal.text), refusal.message) << refusal.text;
  }
}

TEST(ConditionChecksTest, RequiresDefinedPlaceholders) {
  expect_refusals({
      {"attribute_exists(#Pictures.RearView, :s) and a=a", undefined_name("#Pictures")},
      {"begins_with(Pictures.#RearView)", undefined_name("#RearView")},
      {"(#P between :lo and :hi) and (#PC in (:cat1, :cat2))", undefined_name("#P")},
      {"#4g > a", undefined_name("#4g")},
      {"(a)between(b.c[45].#d)and(:s)", undefined_name("#d")},
      {"begins_with(:hello, #a, #b)", undefined_value(":hello")},
      {":x < :y", undefined_value(":x")},
      {":_ > a", undefined_value(":_")},
      {"a = :s AND b = :gone", undefined_value(":gone")},
  });
}

TEST(ConditionChecksTest, RequiresTheNumberOfOperands) {
  expect_refusals({
      {"attribute_exists(things, a) and a=a", wrong_count("attribute_exists", 2)},
      {"attribute_not_exists(things, b)", wrong_count("attribute_not_exists", 2)},
      {"attribute_type(things)", wrong_count("attribute_type", 1)},
      {"begins_with(things)", wrong_count("begins_with", 1)},
      {"begins_with(things, size(a), b)", wrong_count("begins_with", 3)},
      {"contains(things)", wrong_count("contains", 1)},
      {"size(things, a) > b", wrong_count("size", 2)},
  });
}

TEST(ConditionChecksTest, RequiresDistinctOperands) {
  expect_refusals({
      {"a = a AND #a = b AND :views > a", same("=", "[a]")},
      {"#a <> a", same("<>", "[a]")},
      {"a > #a", same(">", "[a]")},
      {"((a=a) OR (a=a))", same("=", "[a]")},
      {"contains(ab.bc[1].a, ab.bc[1].#a)", same("contains", "[ab, bc, [1], a]")},
      {"attribute_type(ab.bc[1].#a, ab.bc[1].a)", same("attribute_type", "[ab, bc, [1], a]")},
      {"begins_with(ab.bc[1].a, ab.bc[1].#a)", same("begins_with", "[ab, bc, [1], a]")},
      {"a BETWEEN b AND a", same("BETWEEN", "[a]")},
      {"a IN (b, #a)", same("IN", "[a]")},
      {":s = :s", ""},
      {"size(a) = size(a)", ""},
      {"a.b = a.c", ""},
      {"a[0] = a[1]", ""},
  });
}

TEST(ConditionChecksTest, RequiresTypesOfFunctions) {
  expect_refusals({
      {"attribute_type(ab.bc[1].a, SS)",
       wrong_type("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")},
      {"attribute_type(a, size(a)) and a=a and a=:s", wrong_type("attribute_type", "N")},
      {"attribute_type(a, :n)", wrong_type("attribute_type", "N")},
      {"attribute_type(a, :l)", wrong_type("attribute_type", "L")},
      {"attribute_type(a, :t)", ""},
      {"attribute_type(a, :bad)",
       "Invalid attribute type name found; type: 1, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"begins_with(a, size(a)) and a=:s", wrong_type("begins_with", "N")},
      {"begins_with(a, :n)", wrong_type("begins_with", "N")},
      {"begins_with(a, :bool)", wrong_type("begins_with", "BOOL")},
      {"begins_with(:ss, a)", wrong_type("begins_with", "SS")},
      {"begins_with(a, :b)", ""},
      {"size(size(a)) > :s", wrong_type("size", "N")},
      {"attribute_not_exists(size(:n))", wrong_type("size", "N")},
      {"attribute_not_exists(size(:s))", path_required("attribute_not_exists")},
      {"attribute_exists(:s) and a=a", path_required("attribute_exists")},
      {"size(:bool) > a", wrong_type("size", "BOOL")},
      {"size(:null) > a", wrong_type("size", "NULL")},
      {"size(:m) > a", ""},
      {"contains(a, :ss) AND contains(:n, a)", ""},
  });
}

TEST(ConditionChecksTest, RequiresOrderedOperands) {
  expect_refusals({
      {"a < :bool", wrong_type("<", "BOOL")},
      {":null >= a", wrong_type(">=", "NULL")},
      {"a <= :l", wrong_type("<=", "L")},
      {"a > :ns", wrong_type(">", "NS")},
      {"a BETWEEN :m AND :m", wrong_type("BETWEEN", "M")},
      {":bs BETWEEN a AND b", wrong_type("BETWEEN", "BS")},
      {"a = :bool AND b <> :l AND c IN (:m, :n)", ""},
      {"a < :n AND a < :s AND a < :b", ""},
  });
}

TEST(ConditionChecksTest, RequiresBoundsInOrder) {
  const auto bounds = [](const char* problem, const char* low, const char* high) {
    return "The BETWEEN operator requires " + std::string(problem) +
           "; lower bound operand: AttributeValue: {" + low +
           "}, upper bound operand: AttributeValue: {" + high + "}";
  };
  const char* order = "upper bound to be greater than or equal to lower bound";
  const char* type = "same data type for lower and upper bounds";
  expect_refusals({
      {"a between :n and :s", bounds(type, "N:1", "S:x")},
      {"a between :s2 and :s", bounds(order, "S:y", "S:x")},
      {"a between :n2 and :n", bounds(order, "N:2.5", "N:1")},
      {"a between :b and :b0", bounds(order, "B:java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]",
                                      "B:java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]")},
      {"a between :s and :s", ""},
      {"a between b and :s", ""},
      {"a between :s2 and b", ""},
      {"a between size(b) and :s", ""},
  });
}

std::string in_list(int operands) {
  std::string text = "a IN (:s";
  for (int i = 1; i < operands; ++i) text += ",:s";
  return text + ')';
}

TEST(ConditionChecksTest, LimitsIn) {
  EXPECT_EQ(request().refusal<Condition>(in_list(100)), "");
  EXPECT_EQ(request().refusal<Condition>(in_list(101)),
            "The IN operator is provided with too many operands; number of operands: 101");
}

TEST(ConditionChecksTest, LimitsTheDepthOfPaths) {
  std::string path = "a";
  for (int i = 1; i < 32; ++i) path += ".b";
  EXPECT_EQ(request().refusal<Condition>("attribute_exists(" + path + ")"), "");
  EXPECT_EQ(request().refusal<Condition>("attribute_exists(" + path + "[0])"),
            "The document path has too many nesting levels; nesting levels: 33");
}

TEST(ConditionChecksTest, GoesFromLeftToRight) {
  expect_refusals({
      {"a < :bool AND b = :gone", wrong_type("<", "BOOL")},
      {"b = :gone AND a < :bool", undefined_value(":gone")},
      {"NOT (c = c OR b = :gone)", same("=", "[c]")},
  });
}

TEST(ConditionChecksTest, MarksPlaceholdersUsed) {
  ExpressionRequest values = request();
  values.parse<Condition>("#a = :s OR b BETWEEN :n AND :n2");
  const auto unused = values.placeholders().unused_values();
  EXPECT_TRUE(values.placeholders().unused_names().empty());
  EXPECT_EQ(unused.size(), 12u);
  EXPECT_EQ(unused.front(), ":b");
}

}  // namespace
}  // namespace magneto::expressions
