#include "expressions/key_condition.h"

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;
using storage::AttributeType;
using storage::KeySchema;
using storage::SortOperator;

const KeySchema kHashOnly{{{"p", AttributeType::kString}}, {}};
const KeySchema kComposite{{{"p", AttributeType::kString}}, {{"c", AttributeType::kNumber}}};
const KeySchema kText{{{"p", AttributeType::kString}}, {{"c", AttributeType::kString}}};
const KeySchema kMany{{{"h", AttributeType::kString}, {"i", AttributeType::kString}},
                      {{"a", AttributeType::kString},
                       {"b", AttributeType::kString},
                       {"c", AttributeType::kNumber},
                       {"d", AttributeType::kString}}};

ExpressionRequest key_request() {
  return ExpressionRequest({{"#p", "p"}}, {{":p", s("x")},
                                           {":s", s("y")},
                                           {":n", n("1")},
                                           {":n2", n("2")},
                                           {":bool", boolean(true)},
                                           {":e", s("")},
                                           {":b", b("z")}});
}

// "x,y | BETWEEN 1 2": partition, sort equalities, the last condition.
std::string matched(std::string_view text, const KeySchema& schema) {
  ExpressionRequest values = key_request();
  const auto condition = values.parse<KeyConditionExpression>(text).against(schema);
  std::string shown;
  for (const auto& value : condition.partition) shown += show(value) + ' ';
  shown += '|';
  for (const auto& value : condition.sort_equal) shown += ' ' + show(value);
  const char* operators[] = {"", "=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"};
  if (condition.sort_operator == SortOperator::kNone) return shown;
  shown += std::string(" ") + operators[static_cast<int>(condition.sort_operator)] + ' ' +
           show(condition.low);
  if (condition.high) shown += ' ' + show(condition.high);
  return shown;
}

std::string key_refused(std::string_view text, const KeySchema& schema) {
  ExpressionRequest values = key_request();
  const auto condition = values.parse<KeyConditionExpression>(text);
  return ExpressionRequest::message_of([&] { condition.against(schema); },
                                       ExpressionError::Scope::kRequest);
}

TEST(KeyConditionTest, MatchesSchemas) {
  EXPECT_EQ(matched("p = :p", kHashOnly), "\"x\" |");
  EXPECT_EQ(matched(":p = #p", kComposite), "\"x\" |");
  EXPECT_EQ(matched("p = :p AND c = :n", kComposite), "\"x\" | = 1");
  EXPECT_EQ(matched("c <= :n AND p = :p", kComposite), "\"x\" | <= 1");
  EXPECT_EQ(matched("p = :p AND :n <= c", kComposite), "\"x\" | >= 1");
  EXPECT_EQ(matched("((p = :p) AND (c BETWEEN :n AND :n2))", kComposite), "\"x\" | BETWEEN 1 2");
  EXPECT_EQ(matched("p = :p AND begins_with(c, :s)", kText), "\"x\" | begins_with \"y\"");
}

TEST(KeyConditionTest, MatchesSeveralAttributes) {
  EXPECT_EQ(matched("i = :s AND h = :p", kMany), "\"x\" \"y\" |");
  EXPECT_EQ(matched("h = :p AND i = :p AND b < :s AND a = :p", kMany),
            "\"x\" \"x\" | \"x\" < \"y\"");
  EXPECT_EQ(
      matched("h = :p AND i = :p AND a = :p AND b = :s AND c = :n AND begins_with(d, :s)", kMany),
      "\"x\" \"x\" | \"x\" \"y\" 1 begins_with \"y\"");
  const std::string no_equality = " must have equality conditions specified in the query";
  EXPECT_EQ(key_refused("h = :p AND a = :p", kMany), "HASH key attributes i" + no_equality);
  EXPECT_EQ(key_refused("h > :p AND a = :p", kMany), "HASH key attributes h, i" + no_equality);
  const auto lacking = [](const char* attributes, const char* named) {
    return "RANGE key attributes " + std::string(attributes) +
           " must have equality conditions specified in the query because a condition is present "
           "on key attribute " +
           named;
  };
  EXPECT_EQ(key_refused("h = :p AND i = :p AND a = :p AND c = :n", kMany), lacking("b", "c"));
  EXPECT_EQ(key_refused("h = :p AND i = :p AND a = :p AND b > :p AND c = :n", kMany),
            lacking("b", "c"));
  EXPECT_EQ(key_refused("h = :p AND i = :p AND b = :p", kMany), lacking("a", "b"));
}

TEST(KeyConditionTest, RefusesWhatTheSchemaDoesNotHave) {
  EXPECT_EQ(key_refused("c = :n", kComposite), "Query condition missed key schema element: p");
  EXPECT_EQ(key_refused("extra = :p", kComposite), "Query condition missed key schema element: p");
  EXPECT_EQ(key_refused("p = :p AND extra = :p", kComposite),
            "Query condition missed key schema element: c");
  EXPECT_EQ(key_refused("p = :p AND c > :n AND extra = :p", kComposite),
            "The number of query conditions (3) exceeds the number of key attributes defined in "
            "the schema (2)");
  EXPECT_EQ(key_refused("p = :p AND c = :n", kHashOnly),
            "The number of query conditions (2) exceeds the number of key attributes defined in "
            "the schema (1)");
  for (const char* text : {"p > :p", ":p <= p", "begins_with(p, :p)", "p between :p and :p"}) {
    EXPECT_EQ(key_refused(text, kComposite), "Query key condition not supported") << text;
  }
}

TEST(KeyConditionTest, RefusesValuesOfOtherTypes) {
  const std::string message =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  for (const char* text : {"p = :n", "p > :n", "p = :p AND c = :s", "p = :p AND c = :bool",
                           "p = :p AND begins_with(c, :s)", "p = :p AND c < :b"}) {
    EXPECT_EQ(key_refused(text, kComposite), message) << text;
  }
}

TEST(KeyConditionTest, RefusesEmptyKeys) {
  const std::string message =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty string value. Key: ";
  EXPECT_EQ(key_refused("p = :e", kText), message + "p");
  EXPECT_EQ(key_refused("p = :p AND begins_with(c, :e)", kText), message + "c");
}

TEST(KeyConditionTest, ChecksOperandsWhenParsed) {
  const auto wrong_type = [](const char* function, const char* type) {
    return "Incorrect operand type for operator or function; operator or function: " +
           std::string(function) + ", operand type: " + type;
  };
  const std::pair<const char*, std::string> cases[] = {
      {"p = :p AND begins_with(c, :n)", wrong_type("begins_with", "N")},
      {"p = :p AND begins_with(c, :bool)", wrong_type("begins_with", "BOOL")},
      {"p = :p AND c < :bool", wrong_type("<", "BOOL")},
      {"p = :p AND :bool >= c", wrong_type(">=", "BOOL")},
      {"p = :p AND c BETWEEN :bool AND :bool", wrong_type("BETWEEN", "BOOL")},
      {"p = :gone AND c < :bool",
       "An expression attribute value used in expression is not defined; attribute value: :gone"},
      {"((p = :p))", "The expression has redundant parentheses;"},
      {"", "The expression can not be empty;"},
      {"p = :p AND c != :n", "Syntax error; token: \"!\", near: \"c !=\""},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(key_request().refusal<KeyConditionExpression>(text), message) << text;
  }
}

TEST(KeyConditionTest, TakesClausesOfOtherFrontEnds) {
  const storage::AttributeValue value = s("x");
  const auto condition = KeyConditionExpression::of({{"p", SortOperator::kEqual, value, {}}});
  EXPECT_EQ(condition.against(kHashOnly).partition.front(), value.view());
}

}  // namespace
}  // namespace magneto::expressions
