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
  EXPECT_TRUE(holds("n IS NUMERIC AND b IS blob AND l IS List AND m IS STRUCT AND m IS TUPLE"));
  // Captured facts 3, P24: a set has no type, and IS NOT is the opposite.
  for (const char* type :
       {"NULL", "BOOL", "BOOLEAN", "STRING", "NUMERIC", "BLOB", "STRUCT", "TUPLE", "LIST"}) {
    EXPECT_FALSE(holds(std::string("ss IS ") + type)) << type;
    EXPECT_TRUE(holds(std::string("ss IS NOT ") + type)) << type;
    EXPECT_FALSE(holds(std::string("nope IS ") + type)) << type;
    EXPECT_TRUE(holds(std::string("nope IS NOT ") + type)) << type;
  }
  EXPECT_FALSE(holds("nope IS NOT MISSING"));
  EXPECT_EQ(refusal("n IS NOT FOO"), malformed("Expected type name"));
  using Named = std::pair<const char*, const char*>;
  for (const auto& [type, name] : {Named{"INT", "IntegerType"},
                                   {"integer", "IntegerType"},
                                   {"SMALLINT", "SmallintType"},
                                   {"INT4", "Integer4Type"},
                                   {"INT8", "Integer8Type"},
                                   {"BIGINT", "Integer8Type"},
                                   {"DOUBLE PRECISION", "DoublePrecisionType"},
                                   {"CHAR(3)", "CharacterType"},
                                   {"CHARACTER", "CharacterType"},
                                   {"VARCHAR(10)", "CharacterVaryingType"},
                                   {"CHARACTER VARYING", "CharacterVaryingType"},
                                   {"FLOAT", "FloatType"},
                                   {"REAL", "RealType"},
                                   {"DECIMAL", "DecimalType"},
                                   {"TIMESTAMP", "TimestampType"},
                                   {"DATE", "DateType"},
                                   {"TIME", "TimeType"},
                                   {"SYMBOL", "SymbolType"},
                                   {"CLOB", "ClobType"},
                                   {"SEXP", "SexpType"},
                                   {"BAG", "BagType"},
                                   {"ANY", "AnyType"}}) {
    const std::string refused = std::string("Unsupported data type for IS operator: ") + name +
                                ". Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, "
                                "NUMERIC, STRUCT, TUPLE, LIST] at 1:23:1";
    EXPECT_EQ(refusal(std::string("m.sub IS ") + type), refused);
    EXPECT_EQ(refusal(std::string("m.sub IS NOT ") + type), refused);
  }
  EXPECT_EQ(refusal("size(s) IS NUMERIC"),
            "The left hand side argument to IS must be a Variable Reference, Literal, or Path");
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
}

// Captured facts 3, P19: a nested SELECT comes before the function around it.
TEST(ConditionBuilderTest, RefusesNestedSelects) {
  EXPECT_EQ(refusal("s = 'a' AND EXISTS(SELECT * FROM t)"),
            "Unsupported token in expression: SELECT at 1:42:6");
  EXPECT_EQ(refusal("s IN [1] OR s = (SELECT * FROM t)"),
            "Unsupported token in expression: SELECT at 1:40:6");
  EXPECT_EQ(refusal("bogus(s) AND EXISTS(SELECT * FROM t)"),
            "Unrecognized function: bogus at 1:23:5");
}

// Captured facts 3, P26.
TEST(ConditionBuilderTest, NamesTypesAsStatementsDo) {
  EXPECT_EQ(refusal("attribute_type(s, 'X')"),
            "Invalid attribute type name found; type: X, valid types: "
            "{N,BS,L,B,NULL,M,S,SS,NS,BOOL}");
  EXPECT_EQ(refusal("attribute_type(s, flag)"),
            "Incorrect operand type for operator or function; operator or function: "
            "attribute_type, operand type: {S,HDS,N,FS,BS,NULL,DOUBLE,NS,DECIMAL,SS,DECIMALSET,"
            "BOOL,HD,DICT,INTSET,M,L,B,FLOAT,INT,DOUBLESET}");
  EXPECT_EQ(refusal("b BETWEEN ? AND ?", {b("2"), b("1")}),
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
            "lower bound operand: AttributeValue: {B:[Mg==]}, upper bound operand: AttributeValue: "
            "{B:[MQ==]}");
}

// Captured facts 3, P25.
TEST(ConditionBuilderTest, RefusesTheFirstOperandAgain) {
  const auto refused = [](const std::string& op, const std::string& path) {
    return "The first operand must be distinct from the remaining operands for this operator or "
           "function; operator: " +
           op + ", first operand: " + path;
  };
  EXPECT_EQ(refusal("m.sub IN [1, m.sub]"), refused("IN", "[m, sub]"));
  EXPECT_EQ(refusal("l[0] BETWEEN 1 AND l[0]"), refused("BETWEEN", "[l, [0]]"));
  EXPECT_EQ(refusal("s = s"), refused("=", "[s]"));
  EXPECT_EQ(refusal("attribute_type(s, s)"), refused("attribute_type", "[s]"));
  std::string list = "s IN [s";
  for (int i = 0; i < 100; ++i) list += ", 1";
  EXPECT_EQ(refusal(list + "]"), refused("IN", "[s]"));
}

// Captured facts 3, P22: terms that cannot be read are refused before operands that do not fit. Of
// several the first in the text counts.
TEST(ConditionBuilderTest, RanksRefusals) {
  EXPECT_EQ(refusal("s = s AND bogus(s)"), "Unrecognized function: bogus at 1:33:5");
  EXPECT_EQ(refusal("s < true AND n = 1e126 AND s IS INT"),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range under root");
  EXPECT_EQ(refusal("s < true AND n = MISSING AND n = 1e126"),
            "MISSING must be compared using IS operator");
  EXPECT_EQ(refusal("contains(s) AND s < true"),
            "Incorrect number of operands for operator or function; operator or function: "
            "contains, number of operands: 1");
  EXPECT_EQ(refusal("s < true AND contains(s)"),
            "Incorrect operand type for operator or function; operator or function: <, operand "
            "type: BOOL");
}

TEST(ConditionBuilderTest, RefusesOperatorsConditionsDoNotHave) {
  const std::string refused = "Unsupported operator in Condition Expression. Operator: ";
  EXPECT_EQ(refusal("n = 5 + 5"), refused + "+");
  EXPECT_EQ(refusal("n - 1 = 4"), refused + "-");
  EXPECT_EQ(refusal("s LIKE 's%'"), refused + "like");
  EXPECT_EQ(refusal("s NOT LIKE 's%'"), refused + "not like");
  EXPECT_EQ(refusal("n IN 5"), "IN takes a list of values");
  EXPECT_EQ(refusal("n > -n"),
            "Incorrect number of operands for operator or function; operator or function: -, "
            "number of operands: 1");
  EXPECT_EQ(refusal("s"), "Unsupported operation: Id");
  EXPECT_EQ(refusal("n = 1 AND 'x'"), "Unsupported operation: Lit");
  EXPECT_EQ(refusal("size(s)"),
            "WHERE clause must contain an expression that resolves to a boolean");
  const std::string number =
      "Incorrect operand type for operator or function; operator or function: ";
  EXPECT_EQ(refusal("n = 1 AND size(s)"), number + "AND, operand type: N");
  EXPECT_EQ(refusal("size(s) OR n = 1"), number + "OR, operand type: N");
  EXPECT_EQ(refusal("NOT size(s)"), number + "NOT, operand type: N");
  for (const char* condition :
       {"n = MISSING", "MISSING = n", "n < MISSING", "n <> MISSING", "n IN [1, MISSING]",
        "n BETWEEN MISSING AND 1", "NOT MISSING", "n = 1 AND MISSING", "MISSING OR n = 1",
        "contains(n, MISSING)", "size(MISSING) = 1"}) {
    EXPECT_EQ(refusal(condition), "MISSING must be compared using IS operator") << condition;
  }
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
  // Captured facts 3, P5: the NOT of NOT IN, NOT BETWEEN and IS NOT counts too.
  const auto run = [](const std::string& term, int terms) {
    std::string text = term;
    for (int i = 1; i < terms; ++i) text += " OR " + term;
    return text;
  };
  for (const char* term : {"n NOT IN [1]", "n NOT BETWEEN 1 AND 2", "n IS NOT NULL"}) {
    EXPECT_EQ(refusal(run(term, 100)), "") << term;
    EXPECT_EQ(refusal(run(term, 101)),
              "The expression contains too many operators; operator count: 301")
        << term;
  }
  std::string negations;
  for (int i = 0; i < 1020; ++i) negations += "NOT ";
  EXPECT_EQ(refusal(negations + "n = 1"),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(refusal(negations.substr(0, 4 * 298) + "n = 1 + 1"),
            "Unsupported operator in Condition Expression. Operator: +");
  EXPECT_EQ(refusal(negations + "n = 1 + 1"),
            "Unsupported operator in Condition Expression. Operator: +");
  EXPECT_EQ(refusal(negations.substr(0, 4 * 299) + "n = 1"), "");
  // As deep as a statement can make it.
  std::string deep = "n = 1";
  for (int i = 0; i < 2000; ++i) deep += " = 1";
  EXPECT_EQ(refusal(deep), "The expression contains too many operators; operator count: 301");
}

}  // namespace
}  // namespace magneto::expressions
