#include "expressions/partiql/statement_values.h"

#include <gtest/gtest.h>

#include "tests/expressions/partiql/statement_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

std::string inserted(const std::string& literal) {
  const StatementRequest request("INSERT INTO t VALUE {'a': " + literal + "}");
  return show(request->item().view().find("a"));
}

std::string values_refusal(const std::string& literal) {
  return StatementRequest::refusal("INSERT INTO t VALUE {'a': " + literal + "}");
}

TEST(StatementValuesTest, ReadsLiteralsOfAllTypes) {
  EXPECT_EQ(inserted("'it''s'"), "\"it's\"");
  EXPECT_EQ(inserted("TRUE"), "true");
  EXPECT_EQ(inserted("null"), "null");
  EXPECT_EQ(inserted("[1, 'a', []]"), "[1, \"a\", []]");
  EXPECT_EQ(inserted("{'x': {'y': [true]}}"), "{x: {y: [true]}}");
  EXPECT_EQ(inserted("<<'b', 'a'>>"), "SS{\"a\", \"b\"}");
  EXPECT_EQ(inserted("<<10, 9, 4.5>>"), "NS{4.5, 9, 10}");
}

// Captured facts, "Grammar accepted": number literals compare and are stored by value.
TEST(StatementValuesTest, ReadsNumbers) {
  EXPECT_EQ(inserted("7.31e6"), "7310000");
  EXPECT_EQ(inserted("7.31E+6"), "7310000");
  EXPECT_EQ(inserted("73100000e-1"), "7310000");
  EXPECT_EQ(inserted(".73e1"), "7.3");
  EXPECT_EQ(inserted("-.73e1"), "-7.3");
  EXPECT_EQ(inserted("2.50"), "2.5");
  EXPECT_EQ(inserted("-0"), "0");
  EXPECT_EQ(inserted("- - 1"), "1");
  EXPECT_EQ(inserted("5."), "5");
}

// Captured facts, "Grammar refused": the messages name the place inside the value.
TEST(StatementValuesTest, RefusesNumbersOutOfRange) {
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const std::string underflow =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range";
  EXPECT_EQ(values_refusal("1e126"), overflow + " under root");
  EXPECT_EQ(values_refusal("-1e126"), overflow + " under root");
  EXPECT_EQ(values_refusal("1e-131"), underflow + " under root");
  EXPECT_EQ(values_refusal("123456789012345678901234567890123456789"),
            "Attempting to store more than 38 significant digits in a Number under root");
  EXPECT_EQ(values_refusal("{'x': 1e126}"), overflow + " under root.x");
  EXPECT_EQ(values_refusal("[1, 1e126]"), overflow + " under root[1]");
  EXPECT_EQ(values_refusal("[{'x': [1, 1e126]}]"), overflow + " under root[0].x[1]");
  // The place of the first digit no longer fits 32 bits.
  EXPECT_EQ(values_refusal("1e2147483647"), underflow + " under root");
  EXPECT_EQ(values_refusal("1e2147483646"), overflow + " under root");
}

// Captured facts, "set_add / set_delete": the members of bags.
TEST(StatementValuesTest, RefusesBagsThatAreNoSets) {
  const std::string mixed = "The members of a set are strings only or numbers only";
  EXPECT_EQ(values_refusal("<<>>"), "Empty bags are not supported");
  EXPECT_EQ(values_refusal("<<1, 'a'>>"), mixed);
  EXPECT_EQ(values_refusal("<<true>>"), mixed);
  EXPECT_EQ(values_refusal("<<'x', 'x'>>"),
            "One or more parameter values were invalid: Input collection [x, x] contains "
            "duplicates.");
  EXPECT_EQ(values_refusal("<<2, 2.0>>"),
            "One or more parameter values were invalid: Input collection [2, 2.0] contains "
            "duplicates.");
}

TEST(StatementValuesTest, RefusesWhatIsNoValue) {
  EXPECT_EQ(values_refusal("set_add(<<'a'>>, <<'b'>>)"),
            "Unsupported data type: set_add under key root at 1:27:7");
  EXPECT_EQ(values_refusal("[b]"), "Unsupported data type: path under key root[0] at 1:28:1");
  EXPECT_EQ(values_refusal("MISSING"), "Unsupported data type: literal under key root at 1:27:7");
  EXPECT_EQ(values_refusal("{'x': 1, 'x': 2}"), "An attribute name stands twice under root");
  EXPECT_EQ(values_refusal("{'': 1}"), "Empty attribute name");
}

TEST(StatementValuesTest, ParametersAreValuesOrWholeItems) {
  const StatementRequest one("INSERT INTO t VALUE {'a': ?, 'b': 1}", {list({n("1")})});
  EXPECT_EQ(show(one->item().view()), "{a: [1], b: 1}");
  const StatementRequest whole("INSERT INTO t VALUE ?", {map({{"a", s("x")}})});
  EXPECT_EQ(show(whole->item().view()), "{a: \"x\"}");
  const StatementRequest inside("INSERT INTO t VALUE {'a': {'k': [?, 2]}, 'b': <<?, 'z'>>}",
                                {boolean(true), s("x")});
  EXPECT_EQ(show(inside->item().view()), "{a: {k: [true, 2]}, b: SS{\"x\", \"z\"}}");
  const StatementRequest numbers("INSERT INTO t VALUE {'a': <<?, 5>>}", {n("7")});
  EXPECT_EQ(show(numbers->item().view()), "{a: NS{5, 7}}");
  EXPECT_EQ(StatementRequest::refusal("INSERT INTO t VALUE {'a': <<?, 2>>}", {n("2")}),
            "One or more parameter values were invalid: Input collection [2, 2] contains "
            "duplicates.");
  EXPECT_EQ(StatementRequest::refusal("INSERT INTO t VALUE {'a': <<?, 2>>}", {s("2")}),
            "The members of a set are strings only or numbers only");
  EXPECT_EQ(StatementRequest::refusal("INSERT INTO t VALUE {'a': <<?>>}", {null()}),
            "The members of a set are strings only or numbers only");
  EXPECT_EQ(StatementRequest::refusal("INSERT INTO t VALUE ?", {s("x")}),
            "Unsupported data type: parameter under key root at 1:21:1");
}

std::string nested(const std::string& open, const std::string& close, std::size_t levels) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += '1';
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

TEST(StatementValuesTest, ValuesNestTo32Levels) {
  const std::string refused =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  EXPECT_EQ(values_refusal(nested("[", "]", 31)), "");
  EXPECT_EQ(values_refusal(nested("{'a':", "}", 31)), "");
  EXPECT_EQ(values_refusal(nested("{'a':", "}", 32)), refused);
  EXPECT_EQ(values_refusal(nested("[", "]", 100)), refused);
  const auto around_parameter = [](const std::string& open, const std::string& close) {
    return StatementRequest::refusal("INSERT INTO t VALUE {'a': " + open + "?" + close + "}",
                                     {list({list({n("1")})})});
  };
  const std::string open(29, '[');
  const std::string close(29, ']');
  EXPECT_EQ(around_parameter(open, close), "");
  EXPECT_EQ(around_parameter("[" + open, close + "]"), refused);
}

TEST(StatementValuesTest, PathsHaveNamesAndIndexes) {
  const auto column_refusal = [](const std::string& column) {
    return StatementRequest::refusal("SELECT " + column + " FROM t");
  };
  EXPECT_EQ(column_refusal("a.b[0].\"c d\"[-0]"), "");
  EXPECT_EQ(column_refusal("l[-1]"),
            "List index is not within the allowable range; index: [-1] at 1:11:1");
  EXPECT_EQ(column_refusal("l[2147483648]"),
            "List index is not within the allowable range; index: [2147483648] at 1:10:10");
  EXPECT_EQ(column_refusal("l[2147483647]"), "");
  EXPECT_EQ(column_refusal("l[1.5]"),
            "List index is not within the allowable range; index: [1.5] at 1:10:3");
  EXPECT_EQ(column_refusal("l['a']"), "Unexpected path component at 1:10:3");
  std::string steps = "a";
  for (int i = 0; i < 32; ++i) steps += ".b";
  EXPECT_EQ(column_refusal(steps),
            "The document path has too many nesting levels; nesting levels: 33");
}

}  // namespace
}  // namespace magneto::expressions
