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
  EXPECT_EQ(values_refusal("1e2147483646"), underflow + " under root");
  EXPECT_EQ(values_refusal("12e2147483647"), underflow + " under root");
  EXPECT_EQ(values_refusal("1e2147483645"), overflow + " under root");
}

// Captured facts, "set_add / set_delete": the members of bags.
TEST(StatementValuesTest, RefusesBagsThatAreNoSets) {
  // Captured facts 3, P12 and P13.
  const std::string mixed =
      "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags";
  const std::string invalid = "One or more parameter values were invalid: ";
  EXPECT_EQ(values_refusal("<<>>"), "Empty bags are not supported");
  EXPECT_EQ(values_refusal("<<1, 'a'>>"), mixed);
  EXPECT_EQ(values_refusal("<<1, true>>"), mixed);
  EXPECT_EQ(values_refusal("<<1, [1]>>"), mixed);
  EXPECT_EQ(values_refusal("<<'a', 1>>"), mixed + " at 1:34:1");
  EXPECT_EQ(values_refusal("<<'a', null>>"), mixed + " at 1:34:4");
  EXPECT_EQ(values_refusal("<<true>>"), mixed + " at 1:29:4");
  EXPECT_EQ(values_refusal("<<[1]>>"), mixed + " at 1:29:1");
  EXPECT_EQ(values_refusal("<<{'a': 1}>>"), mixed + " at 1:29:1");
  EXPECT_EQ(values_refusal("<<<<1>>>>"), mixed + " at 1:29:2");
  EXPECT_EQ(values_refusal("<<`1`>>"), mixed + " at 1:29:3");
  EXPECT_EQ(values_refusal("{'b': <<1, null>>}"),
            invalid + "Numeric sets may not contain null under root.b");
  EXPECT_EQ(values_refusal("{'b': <<1, `2`>>}"),
            "Ion Literals are not supported: INT under key root.b at 1:38:3");
  EXPECT_EQ(values_refusal("[<<'a', `2`>>]"),
            "Ion Literals are not supported: INT under key root[0] at 1:35:3");
  EXPECT_EQ(values_refusal("[<<2, 2.0>>]"),
            invalid + "Input collection [2, 2.0] contains duplicates! under root[0]");
  EXPECT_EQ(values_refusal("<<'x', 'x'>>"),
            "One or more parameter values were invalid: Input collection [x, x] contains "
            "duplicates.");
  EXPECT_EQ(values_refusal("<<2, 2.0>>"),
            "One or more parameter values were invalid: Input collection [2, 2.0] contains "
            "duplicates! under root");
}

TEST(StatementValuesTest, RefusesWhatIsNoValue) {
  EXPECT_EQ(values_refusal("set_add(<<'a'>>, <<'b'>>)"),
            "Unsupported data type: set_add under key root at 1:27:7");
  EXPECT_EQ(values_refusal("[b]"), "Unsupported data type: Id under key root[0] at 1:28:1");
  EXPECT_EQ(values_refusal("MISSING"), "Unsupported data type: Missing under key root at 1:27:7");
  EXPECT_EQ(values_refusal("{'x': 1, 'x': 2}"), "An attribute name stands twice under root");
  EXPECT_EQ(values_refusal("{'': 1}"), "Path component cannot be an empty string");
  EXPECT_EQ(values_refusal("[{'a': {'': 1}}]"), "Path component cannot be an empty string");
  // The first refusal in the text counts.
  EXPECT_EQ(values_refusal("{'a': <<>>, '': 1}"), "Empty bags are not supported");
  EXPECT_EQ(values_refusal("{'': <<>>}"), "Path component cannot be an empty string");
  // Captured facts 3, P14, P15 and P18.
  EXPECT_EQ(values_refusal("{'x': set_add(<<'a'>>, <<'b'>>)}"),
            "Unsupported data type: Call under key root.x at 1:33:7");
  EXPECT_EQ(values_refusal("`1`"), "Ion Literals are not supported: INT under key root at 1:27:3");
  EXPECT_EQ(values_refusal("[`a`]"),
            "Ion Literals are not supported: SYMBOL under key root[0] at 1:28:3");
}

TEST(StatementValuesTest, ParametersAreValuesOrWholeItems) {
  const StatementRequest one("INSERT INTO t VALUE {'a': ?, 'b': 1}", {list({n("1")})});
  EXPECT_EQ(show(one->item().view()), "{a: [1], b: 1}");
  const StatementRequest whole("INSERT INTO t VALUE ?", {map({{"a", s("x")}})});
  EXPECT_EQ(show(whole->item().view()), "{a: \"x\"}");
  const auto refusal = [](const std::string& text, storage::AttributeValue value) {
    return StatementRequest::refusal("INSERT INTO t VALUE " + text, {std::move(value)});
  };
  EXPECT_EQ(refusal("{'a': [?]}", n("1")),
            "Unsupported data type: Parameter under key root[0] at 1:28:1");
  EXPECT_EQ(refusal("{'a': {'k': ?}}", n("1")),
            "Unsupported data type: Parameter under key root.k at 1:33:1");
  EXPECT_EQ(refusal("{'a': <<'z', ?>>}", s("x")),
            "Unsupported data type: Parameter under key root at 1:34:1");
  EXPECT_EQ(refusal("{'a': <<5, ?>>}", n("7")),
            "Unsupported data type: Parameter under key root at 1:32:1");
  EXPECT_EQ(refusal("{'a': <<?>>}", n("7")),
            "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in "
            "bags at 1:29:1");
  EXPECT_EQ(refusal("?", s("x")), "Unsupported data type: Parameter under key root at 1:21:1");
}

std::string nested(const std::string& open, const std::string& close, std::size_t levels) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += '1';
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

TEST(StatementValuesTest, ValuesNestTo32Levels) {
  const auto refused = [](const std::string& step) {
    std::string place = "root";
    for (int i = 0; i < 32; ++i) place += step;
    return "Nesting Levels have exceeded supported limits under " + place;
  };
  EXPECT_EQ(values_refusal(nested("[", "]", 31)), "");
  EXPECT_EQ(values_refusal(nested("{'a':", "}", 31)), "");
  EXPECT_EQ(values_refusal(nested("{'a':", "}", 32)), refused(".a"));
  EXPECT_EQ(values_refusal(nested("[", "]", 100)), refused("[0]"));
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
