#include "expressions/partiql/statement_parser.h"

#include <gtest/gtest.h>

#include "tests/expressions/expression_request.h"
#include "tests/expressions/partiql/statement_request.h"

namespace magneto::expressions {
namespace {

std::string parser_refusal(const std::string& statement) {
  return ExpressionRequest::message_of([&] { parse_statement(statement); },
                                       ExpressionError::Scope::kRequest);
}

// A term with parentheses around every operator.
std::string shown(const StatementTree& tree, const Term& term) {
  const std::string text(tree.token(term).text);
  const auto operand = [&](std::size_t i) { return shown(tree, tree.operand(term, i)); };
  switch (term.kind) {
    case TermKind::kNumber:
      return (term.negative ? "-" : "") + text;
    case TermKind::kUnary:
      return "(" + text + " " + operand(0) + ")";
    case TermKind::kBinary:
      return "(" + operand(0) + " " + text + " " + operand(1) + ")";
    case TermKind::kBetween:
      return "(" + operand(0) + " " + text + " " + operand(1) + " " + operand(2) + ")";
    case TermKind::kIs:
      return "(" + operand(0) + " " + text + " " + operand(1) + ")";
    case TermKind::kList:
    case TermKind::kPath:
    case TermKind::kCall: {
      std::string list = term.kind == TermKind::kCall ? text + "(" : "[";
      for (std::size_t i = 0; i < term.count; ++i) list += (i == 0 ? "" : " ") + operand(i);
      return list + (term.kind == TermKind::kCall ? ")" : "]");
    }
    default:
      return text;
  }
}

std::string condition(const std::string& text) {
  const std::string statement = "SELECT * FROM t WHERE " + text;  // the tree refers to it
  const StatementTree tree = parse_statement(statement);
  return shown(tree, tree.term(*tree.selects.front().condition));
}

TEST(StatementParserTest, OperatorsBindByTheirStrength) {
  EXPECT_EQ(condition("a = 1 OR b = 2 AND NOT c < 3"), "((a = 1) or ((b = 2) and (not (c < 3))))");
  EXPECT_EQ(condition("(a = 1 OR b = 2) AND c = 3"), "(((a = 1) or (b = 2)) and (c = 3))");
  EXPECT_EQ(condition("a BETWEEN 1 AND 2 AND b = 1"), "((a between 1 2) and (b = 1))");
  EXPECT_EQ(condition("NOT f(a) = true"), "(not (f(a) = true))");
  EXPECT_EQ(condition("a = b - 1 - 2 * 3"), "(a = ((b - 1) - (2 * 3)))");
  EXPECT_EQ(condition("a IS NOT MISSING AND b NOT IN [1]"),
            "((a is_not missing) and (b not_in [1]))");
}

TEST(StatementParserTest, FoldsSignsIntoNumbers) {
  EXPECT_EQ(condition("n = - - 1"), "(n = 1)");
  EXPECT_EQ(condition("n > -/* c */-1 AND n BETWEEN - 2 AND +5"), "((n > 1) and (n between -2 5))");
  EXPECT_EQ(condition("n > -?"), "(n > (- ?))");
}

TEST(StatementParserTest, InTakesParenthesesAsAList) {
  EXPECT_EQ(condition("a IN (1)"), "(a in [1])");
  EXPECT_EQ(condition("a IN (1, 2)"), "(a in [1 2])");
  EXPECT_EQ(condition("a IN [?, 2]"), "(a in [? 2])");
}

TEST(StatementParserTest, ReadsPaths) {
  EXPECT_EQ(condition("a.\"b\"[0].c = 1"), "([a b 0 c] = 1)");
}

TEST(StatementParserTest, ReadsAllOfASelect) {
  const StatementTree tree =
      parse_statement("select a, b.c FROM \"t\".\"i\" WHERE a = ? ORDER BY a DESC, b ASC, c;");
  const SelectClause& select = tree.selects.front();
  EXPECT_EQ(select.columns.size(), 2U);
  EXPECT_EQ(shown(tree, tree.term(select.source)), "[t i]");
  ASSERT_EQ(select.ordering.size(), 3U);
  EXPECT_TRUE(select.ordering[0].descending);
  EXPECT_FALSE(select.ordering[1].descending);
  EXPECT_FALSE(select.ordering[2].descending);
  EXPECT_EQ(tree.parameter_count, 1U);
}

TEST(StatementParserTest, ReadsAllOfAnUpdateInEitherOrder) {
  for (const char* text :
       {"UPDATE t SET a = 1, b = 2 REMOVE c SET d = 3 WHERE p = 1 RETURNING ALL NEW *",
        "from t where p = 1 set a = 1, b = 2 remove c set d = 3 returning all new *"}) {
    const StatementTree tree = parse_statement(text);
    const DataManipulation& update = tree.manipulations.front();
    EXPECT_EQ(update.kind, DataManipulation::Kind::kUpdate);
    ASSERT_EQ(update.actions.size(), 4U);
    EXPECT_TRUE(update.actions[1].value.has_value());
    EXPECT_FALSE(update.actions[2].value.has_value());
    EXPECT_TRUE(update.condition.has_value());
    EXPECT_EQ(update.returning, Returning::kAllNew);
  }
}

TEST(StatementParserTest, NotesWhatDynamoDbDoesNotHave) {
  const auto select = [](const char* text) { return parse_statement(text).selects.front(); };
  EXPECT_TRUE(select("SELECT * FROM t x").has_alias);
  EXPECT_TRUE(select("SELECT * FROM t AS x").has_alias);
  EXPECT_TRUE(select("SELECT a AS b FROM t").has_alias);
  EXPECT_TRUE(select("SELECT * FROM t, u").has_join);
  EXPECT_TRUE(select("SELECT * FROM t INNER JOIN u ON t.a = u.a").has_join);
  EXPECT_TRUE(select("SELECT DISTINCT a FROM t").is_distinct);
  EXPECT_TRUE(select("SELECT VALUE a FROM t").is_value);
  EXPECT_EQ(select("SELECT * FROM t LIMIT 5").unsupported_clause, "LIMIT");
  EXPECT_EQ(select("SELECT a FROM t GROUP BY a HAVING a > 1").unsupported_clause, "GROUP BY");
  EXPECT_TRUE(parse_statement("UPDATE t x SET a = 1").manipulations.front().has_alias);
  EXPECT_TRUE(parse_statement("INSERT INTO t {'a': 1}").manipulations.front().inserts_values);
}

constexpr const char* kLeftOver = "Unexpected token after expression";
constexpr const char* kNoRightSide = "Missing right-hand side expression of infix operator";
constexpr const char* kNoPath = "Expected identifier for simple path";

struct Refusal {
  const char* statement;
  const char* detail;
};

// Captured facts, "Grammar refused" and "FROM-first UPDATE".
TEST(StatementParserTest, RefusesWhatDynamoDbRefuses) {
  constexpr const char* kNoTerm = "Unexpected term";
  for (const auto& [statement, detail] : {
           Refusal{"SELECT * FROM t WHERE pk = 1 foo", kLeftOver},
           {"SELECT * FROM t WHERE pk = 1 e5", kLeftOver},
           {"INSERT INTO t VALUE {'pk': 1} foo", kLeftOver},
           {"UPDATE t SET a = 9 WHERE pk = 1 foo", kLeftOver},
           {"DELETE FROM t WHERE pk = 1 foo", kLeftOver},
           {"SELECT * FROM t WHERE pk = 1)", kLeftOver},
           {"DELETE FROM t WHERE pk = 1 ORDER BY pk", kLeftOver},
           {"SELECT * FROM t ORDER BY pk WHERE pk = 1", kLeftOver},
           {"INSERT INTO t x VALUE {'pk': 'x'}", kLeftOver},
           {"FROM t SET c = 1 WHERE pk = 'x'", kLeftOver},
           {"FROM t SET c = 1 WHERE pk = 'x' SET d = 2", kLeftOver},
           {"SELECT * FROM t WHERE", kNoTerm},
           {"SELECT * FROM t WHERE;", kNoTerm},
           {"SELECT * FROM t WHERE   ", kNoTerm},
           {"SELECT pk FROM t WHERE", kNoTerm},
           {"UPDATE t SET a = 1 WHERE", kNoTerm},
           {"DELETE FROM t WHERE", kNoTerm},
           {"SELECT * FROM t WHERE NOT", kNoTerm},
           {"SELECT * FROM t WHERE (", kNoTerm},
           {"SELECT * FROM", kNoTerm},
           {"SELECT * FROM t WHERE pk = 'p1' AND", kNoRightSide},
           {"SELECT * FROM t WHERE pk = 'p1' OR", kNoRightSide},
           {"SELECT * FROM t WHERE ORDER BY pk", "Unexpected keyword"},
           {"SELECT * FROM t WHERE x IS FOO", "Expected type name"},
           {"SELECT * FROM t WHERE IS NULL", "Unexpected operator"},
           {"SELECT * FROM t WHERE pk = LIKE", "Unexpected operator"},
           {"DELETE FROM", kNoPath},
           {"DELETE FROM   ", kNoPath},
           {"DELETE FROM;", kNoPath},
           {"DELETE FROM WHERE pk = 'a'", kNoPath},
           {"SELECT * FROM t WHERE attribute_exists(m.inner)", "Invalid path dot component"},
           {"SLECT * FROM t WHERE pk = 'x'", "Expected data manipulation"},
           {"UPDATE t WHERE pk = 'x'", "Expected data manipulation"},
           {"SELECT * FROM t; SELECT * FROM t",
            "Unexpected token after semicolon. (Only one query is allowed.)"},
           {"SELECT * FROM t;;", "Unexpected token after semicolon. (Only one query is allowed.)"},
           {"INSERT INTO t VALUE {'pk': 'x'} RETURNING ALL OLD *", kLeftOver},
           {"UPDATE t SET a.* = 1", "Invalid path dot component"},
       }) {
    EXPECT_EQ(parser_refusal(statement), malformed(detail)) << statement;
  }
}

// Captured facts 3, P8 to P10 and P16.
TEST(StatementParserTest, NamesWhatIsMissing) {
  for (const auto& [statement, detail] : {
           Refusal{"1.2.3", kLeftOver},
           {".5.5", kLeftOver},
           {"UPDATE t REMOVE a, b WHERE pk = 'x'", kLeftOver},
           {"INSERT INTO t VALUE {'a': X'61'}", "Expected RIGHT_CURLY"},
           {"SELECT * FROM t WHERE a = [X'61']", "Expected RIGHT_BRACKET"},
           {"SELECT * FROM t WHERE a = <<X'61'>>", "Expected RIGHT_DOUBLE_ANGLE_BRACKET"},
           {"SELECT * FROM t WHERE a = X'61'", kLeftOver},
           {".", "Unexpected term"},
           {".e5", "Unexpected term"},
           {"-.", "Unexpected term"},
           {"..5", "Unexpected term"},
           {"NOT", "Unexpected term"},
           {"-", "Unexpected term"},
           {"(", "Unexpected term"},
           {"SELECT", "Unexpected term"},
           {"]", "Unexpected term"},
           {"1 +", kNoRightSide},
           {"1 + ;", "Unexpected term"},
           {"1 + =", "Unexpected operator"},
           {"AND", "Unexpected operator"},
           {"WHERE", "Unexpected keyword"},
           {"VALUE", "Unexpected keyword"},
           {"ORDER", "Unexpected keyword"},
           {"LIMIT", "Unexpected keyword"},
           {"INSERT t", "Unexpected keyword"},
           {"EXISTS", "Unexpected keyword"},
           {"FROM t", "Expected data manipulation"},
           {"INSERT INTO", kNoPath},
           {"UPDATE", kNoPath},
           {"SET", kNoPath},
           {"REMOVE 1", kNoPath},
           {"CASE", "Unexpected term"},
           {"CASE a", "Expected a WHEN clause in CASE"},
           {"CASE WHEN a", "Expected THEN keyword"},
           {"CASE WHEN a THEN b", "Expected END keyword"},
           {"CASE a WHEN 1 THEN b ELSE c", "Expected END keyword"},
           {"(1", "Expected RIGHT_PAREN"},
           {"{'a' 1}", "Expected COLON"},
       }) {
    EXPECT_EQ(parser_refusal(statement), malformed(detail)) << statement;
  }
}

// Statements that the captured facts do not cover.
TEST(StatementParserTest, RefusesOtherMalformedStatements) {
  for (const auto& [statement, detail] : {
           Refusal{"", "Unexpected term"},
           {"SELECTT * FROMM t", "Unexpected token after expression"},
           {"SELECT FROM t",
            "Expected identifier or an expression but found unexpected keyword 'from' in a "
            "select list."},
           {"SELECT *, a FROM t", "* stands alone in a select list"},
           {"SELECT a t", "FROM is missing"},
           {"SELECT a AS FROM t", "A name is missing after AS"},
           {"SELECT * FROM t AT WHERE a = 1", "A name is missing after AT"},
           {"SELECT * FROM t JOIN u", "ON is missing"},
           {"SELECT * FROM t ORDER BY a NULLS", "FIRST or LAST is missing"},
           {"SELECT sum(*) FROM t", "Unexpected term"},
           {"SELECT upper(*) FROM t", "Unexpected term"},
           {"SELECT sum(a, b) FROM t", "An aggregate takes one argument"},
           {"SELECT * FROM t WHERE a BETWEEN 1", "Expected AND keyword"},
           {"SELECT * FROM t WHERE a BETWEEN 1 AND", "Expected expression after AND"},
           {"SELECT * FROM t WHERE a LIKE 'x' ESCAPE", "Unexpected term"},
           {"SELECT * FROM t WHERE f(a", "Expected RIGHT_PAREN"},
           {"SELECT * FROM t WHERE a = [1", "Expected RIGHT_BRACKET"},
           {"SELECT * FROM t WHERE a = <<1", "Expected RIGHT_DOUBLE_ANGLE_BRACKET"},
           {"SELECT * FROM t WHERE a = {'a' 1}", "Expected COLON"},
           {"SELECT * FROM t WHERE a = {'a': 1", "Expected RIGHT_CURLY"},
           {"SELECT * FROM t ORDER pk", "Expected BY"},
           {"SELECT * FROM @1", "A name is missing after @"},
           {"INSERT INTO t (key, a) VALUES (1, 2)", "Unexpected keyword"},
           {"DELETE t", "Expected FROM after DELETE"},
           {"UPDATE t SET WHERE", "Expected identifier for simple path"},
           {"UPDATE t SET a", "Expected '='"},
           {"SELECT * FROM t WHERE (DELETE FROM t)", "Only a whole statement changes items"},
           {"DELETE FROM t WHERE a = 1 RETURNING a",
            "RETURNING needs ALL or MODIFIED, then OLD or NEW"},
           {"INSERT INTO t VALUE {'a': 1} ON CONFLICT", "WHERE is missing"},
           {"INSERT INTO t VALUE {'a': 1} ON CONFLICT WHERE a = 1", "DO NOTHING is missing"},
       }) {
    EXPECT_EQ(parser_refusal(statement), malformed(detail)) << statement;
  }
}

std::string repeated(const std::string& part, std::size_t size) {
  std::string text;
  while (text.size() + part.size() <= size) text += part;
  return text;
}

// The longest statements, nested as deeply as they can be.
TEST(StatementParserTest, NestingIsBounded) {
  const std::string select = "SELECT * FROM t WHERE ";
  const std::size_t room = kMaxStatementSize - select.size() - 8;
  for (const char* part :
       {"(", "NOT ", "- ", "[", "{'a':", "<<", "f(", "a[", "a = (", "(SELECT * FROM "}) {
    EXPECT_TRUE(parser_refusal(select + repeated(part, room)).starts_with(malformed())) << part;
  }
  EXPECT_EQ(parser_refusal(select + std::string(4000, '(') + "1" + std::string(4000, ')')),
            malformed());
  // Chains are long, not deep.
  for (const char* part : {"= 1 ", "AND a ", "+ 1 ", ".a", "IN [1] "}) {
    EXPECT_EQ(parser_refusal(select + "a " + repeated(part, room)), "") << part;
  }
  const std::string deep(kMaxStatementNesting - 10, '(');
  EXPECT_EQ(parser_refusal(select + deep + "a = 1" + std::string(deep.size(), ')')), "");
}

}  // namespace
}  // namespace magneto::expressions
