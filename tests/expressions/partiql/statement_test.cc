#include "expressions/partiql/statement.h"

#include <gtest/gtest.h>

#include "tests/expressions/partiql/statement_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

TEST(StatementTest, KnowsItsKindAndTarget) {
  using Kind = Statement::Kind;
  const auto kind = [](const char* text) { return Statement::parse(text).kind(); };
  EXPECT_EQ(kind("SELECT * FROM t"), Kind::kSelect);
  EXPECT_EQ(kind("INSERT INTO t VALUE {}"), Kind::kInsert);
  EXPECT_EQ(kind("UPDATE t SET a = 1"), Kind::kUpdate);
  EXPECT_EQ(kind("FROM t WHERE pk = 1 SET a = 1"), Kind::kUpdate);
  EXPECT_EQ(kind("DELETE FROM t"), Kind::kDelete);
  EXPECT_EQ(kind("EXISTS(SELECT * FROM t)"), Kind::kExists);
  const Statement indexed = Statement::parse("SELECT * FROM \"t.1\".\"by date\"");
  EXPECT_EQ(indexed.table(), "t.1");
  EXPECT_EQ(indexed.index(), "by date");
  EXPECT_TRUE(Statement::parse("SELECT * FROM t").index().empty());
}

// A thread keeps the trees of the last texts; the text itself need not outlive its statement.
TEST(StatementTest, SharesATreeWithOthersOfTheSameText) {
  std::string text = "SELECT a FROM t WHERE b = ?";
  Statement first = Statement::parse(text);
  Statement second = Statement::parse(text);
  text.assign(text.size(), 'x');
  const storage::AttributeValue values[] = {n("1"), n("2")};
  const storage::AttributeView parameters[] = {values[0], values[1]};
  first.bind(std::span(parameters, 1));
  second.bind(std::span(parameters + 1, 1));
  EXPECT_EQ(first.table(), "t");
  EXPECT_TRUE(first.condition()->matches(item({{"b", n("1")}})));
  EXPECT_FALSE(first.condition()->matches(item({{"b", n("2")}})));
  EXPECT_TRUE(second.condition()->matches(item({{"b", n("2")}})));
  EXPECT_EQ(show(second.columns()->apply(item({{"a", n("5")}, {"b", n("2")}})).view()), "{a: 5}");
}

// Captured facts, "Index qualifier".
TEST(StatementTest, RefusesTargetsThatCannotBe) {
  const auto refusal = [](const char* text) { return StatementRequest::refusal(text); };
  EXPECT_EQ(refusal("SELECT * FROM \"\""), "Path component cannot be an empty string");
  EXPECT_EQ(refusal("SELECT * FROM \"t\".\"\""), "Path component cannot be an empty string");
  EXPECT_EQ(refusal("SELECT * FROM a.b.c"),
            "A path may contain at most 2 components in the FROM clause");
  EXPECT_EQ(refusal("INSERT INTO t.i VALUE {'pk': 1}"),
            "FROM clause may only contain a single table name in data manipulation statements at "
            "1:13:1");
  EXPECT_EQ(refusal("INSERT INTO \"t\".\"i\" VALUE {'pk': 1}"),
            "FROM clause may only contain a single table name in data manipulation statements at "
            "1:13:3");
  EXPECT_EQ(refusal("UPDATE t.i SET a = 1 WHERE pk = 1"),
            "This operation is not supported on an index");
  EXPECT_EQ(refusal("DELETE FROM t.i WHERE pk = 1"), "This operation is not supported on an index");
}

// Captured facts, "Grammar refused".
TEST(StatementTest, RefusesWhatDynamoDbDoesNotHave) {
  const auto refusal = [](const char* text) { return StatementRequest::refusal(text); };
  for (const char* aliased : {"SELECT * FROM t x", "SELECT * FROM t AS x WHERE pk = 1",
                              "UPDATE t x SET a = 3", "DELETE FROM t x WHERE pk = 1"}) {
    EXPECT_EQ(refusal(aliased), "Aliasing is not supported") << aliased;
  }
  for (const char* type : {"INT4", "INT8", "DOUBLE PRECISION", "CHARACTER VARYING"}) {
    EXPECT_EQ(refusal(("x IS " + std::string(type)).c_str()), "Unsupported operation: IsType");
  }
  for (const char* changes : {"SET a = 1", "REMOVE a", "SET a = 1 REMOVE b"}) {
    EXPECT_EQ(refusal(changes), "Only select from a single table or index is supported.");
  }
  EXPECT_EQ(refusal("UPDATE t SET a = 1 INSERT INTO t VALUE {'a': 1}"),
            "A statement is one SELECT, INSERT, UPDATE or DELETE");
  EXPECT_EQ(refusal("SELECT id FROM dbimp_page LIMIT 5"), "SELECT does not support LIMIT");
  EXPECT_EQ(refusal("SELECT a FROM t GROUP BY a"), "SELECT does not support GROUP BY");
  EXPECT_EQ(refusal("SELECT DISTINCT a FROM t"), "SELECT does not support DISTINCT");
  EXPECT_EQ(refusal("SELECT VALUE a FROM t"), "SELECT does not support VALUE");
  EXPECT_EQ(refusal("SELECT * FROM t, u"), "A SELECT reads one table or index");
  EXPECT_EQ(refusal("FROM t, u WHERE pk = 1 SET a = 1"), "An UPDATE changes one table");
  EXPECT_EQ(refusal("INSERT INTO t {'a': 1}"), "INSERT takes VALUE and one item");
  EXPECT_EQ(refusal("UPDATE t SET a = 1 RETURNING ALL NEW *, ALL OLD *"),
            "RETURNING takes one kind of values and *");
}

// Captured facts, "RETURNING".
TEST(StatementTest, ChecksReturning) {
  for (const char* kind : {"MODIFIED OLD", "ALL NEW", "MODIFIED NEW"}) {
    EXPECT_EQ(StatementRequest::refusal("DELETE FROM t WHERE pk = 1 RETURNING " +
                                        std::string(kind) + " *"),
              "Invalid returning clause: RETURNING " + std::string(kind) +
                  " *. Only RETURNING ALL OLD * is allowed in DELETE statements.");
  }
  EXPECT_EQ(StatementRequest("DELETE FROM t WHERE pk = 1 RETURNING ALL OLD *")->returning(),
            Returning::kAllOld);
  EXPECT_EQ(StatementRequest("UPDATE t SET a = 1 RETURNING MODIFIED NEW *")->returning(),
            Returning::kModifiedNew);
  EXPECT_EQ(StatementRequest::refusal("INSERT INTO t VALUE {'a': 1} RETURNING ALL OLD *"),
            malformed("Unexpected token after expression"));
}

// Captured facts 3, P8.
TEST(StatementTest, RefusesExpressionsByTheirTopTerm) {
  using Named = std::pair<const char*, const char*>;
  for (const auto& [text, name] : {Named{"a", "Id"},
                                   {"(\"a\")", "Id"},
                                   {"a.b", "Path"},
                                   {"a[0]", "Path"},
                                   {"'a'", "Lit"},
                                   {"true", "Lit"},
                                   {"null", "Lit"},
                                   {"- + 1.5", "Lit"},
                                   {"MISSING", "Missing"},
                                   {"[1, 2]", "List"},
                                   {"(1, 2)", "List"},
                                   {"{'a': 1}", "Struct"},
                                   {"<<1>>", "Bag"},
                                   {"a IS NULL", "IsType"},
                                   {"((a IS BAG));", "IsType"},
                                   {"?", "Parameter"},
                                   {"CASE WHEN a THEN 1 END", "SearchedCase"},
                                   {"CASE a WHEN 1 THEN 2 ELSE 3 END", "SimpleCase"}}) {
    EXPECT_EQ(StatementRequest::refusal(text), std::string("Unsupported operation: ") + name)
        << text;
  }
  for (const char* text :
       {"pk = 'a'", "1 + 1", "a AND b", "NOT a", "a IS NOT NULL", "a IN [1]", "a BETWEEN 1 AND 2",
        "f(a)", "size(a)", "-a", "EXISTS(a)", "count(a)", "a LIKE 'x'", "a || b"}) {
    EXPECT_EQ(StatementRequest::refusal(text),
              "EXISTS can only be used in ExecuteTransaction write requests.")
        << text;
  }
}

TEST(StatementTest, TakesParametersForAllQuestionMarks) {
  const std::string refused = "Number of parameters in request and statement don't match.";
  const char* text = "SELECT * FROM t WHERE a = ? AND b = ?";
  EXPECT_EQ(StatementRequest::refusal(text, {n("1"), n("2")}), "");
  EXPECT_EQ(StatementRequest::refusal(text, {n("1")}), refused);
  EXPECT_EQ(StatementRequest::refusal(text, {n("1"), n("2"), n("3")}), "");
  EXPECT_EQ(StatementRequest::refusal("SELECT * FROM t WHERE a = '?'"), "");
}

TEST(StatementTest, OrdersByAttributes) {
  const StatementRequest request("SELECT * FROM t WHERE pk = 1 ORDER BY pk DESC, sk");
  ASSERT_EQ(request->ordering().size(), 2U);
  EXPECT_EQ(request->ordering()[0].attribute, "pk");
  EXPECT_TRUE(request->ordering()[0].descending);
  EXPECT_FALSE(request->ordering()[1].descending);
  // Captured facts 3, P44.
  const auto term = [](const char* text) {
    return StatementRequest("SELECT * FROM t WHERE pk='a' ORDER BY " + std::string(text))
        ->ordering()
        .front()
        .refusal;
  };
  const std::string refused = "Argument to ORDER BY must be of type VariableReference. Type: ";
  EXPECT_EQ(term("pk NULLS FIRST"), "");
  EXPECT_EQ(term("m.x"), refused + "PATH at 1:39:1");
  EXPECT_EQ(term("'sk'"), refused + "sk at 1:39:4");
}

}  // namespace
}  // namespace magneto::expressions
