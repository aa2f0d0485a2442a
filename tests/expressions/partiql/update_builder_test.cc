#include "expressions/partiql/update_builder.h"

#include <gtest/gtest.h>

#include "tests/expressions/partiql/statement_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

using Parameters = std::vector<storage::AttributeValue>;

std::string updated(const std::string& actions, Parameters parameters = {}) {
  const StatementRequest request("UPDATE t " + actions + " WHERE pk = 'k'", std::move(parameters));
  const storage::Item before =
      item({{"l", list({n("1"), n("2")})}, {"n", n("5")}, {"ss", ss({"a", "b"})}});
  return show(request->update().apply(before).view());
}

std::string update_refusal(const std::string& actions, Parameters parameters = {}) {
  return StatementRequest::refusal("UPDATE t " + actions + " WHERE pk = 'k'",
                                   std::move(parameters));
}

TEST(UpdateBuilderTest, SetsAndRemoves) {
  EXPECT_EQ(updated("SET x = 'v', y = n REMOVE ss"), R"({l: [1, 2], n: 5, x: "v", y: 5})");
  EXPECT_EQ(updated("SET l[0] = ? REMOVE l[1]", {s("p")}), R"({l: ["p"], n: 5, ss: SS{"a", "b"}})");
  EXPECT_EQ(updated("SET n = n - - 2"), R"({l: [1, 2], n: 7, ss: SS{"a", "b"}})");
  EXPECT_EQ(updated("SET n = 1 + n SET x = n - 1"), R"({l: [1, 2], n: 6, ss: SS{"a", "b"}, x: 4})");
  EXPECT_EQ(updated("SET l = list_append([0], LIST_APPEND(l, [<<1>>]))"),
            R"({l: [0, 1, 2, NS{1}], n: 5, ss: SS{"a", "b"}})");
}

// Captured facts, "set_add / set_delete".
TEST(UpdateBuilderTest, ChangesSets) {
  EXPECT_EQ(updated("SET ss = set_add(ss, <<'z'>>)"),
            R"({l: [1, 2], n: 5, ss: SS{"a", "b", "z"}})");
  EXPECT_EQ(updated("SET ss = SET_ADD(ss, ?) SET ns = set_add(ns, <<1>>)", {ss({"a", "c"})}),
            R"({l: [1, 2], n: 5, ns: NS{1}, ss: SS{"a", "b", "c"}})");
  EXPECT_EQ(updated("SET ss = set_delete(ss, <<'a', 'q'>>)"), R"({l: [1, 2], n: 5, ss: SS{"b"}})");
  EXPECT_EQ(updated("SET ss = set_delete(ss, <<'a', 'b'>>)"), "{l: [1, 2], n: 5}");
  EXPECT_EQ(updated("SET nss = set_delete(nss, <<'a'>>)"),
            R"({l: [1, 2], n: 5, ss: SS{"a", "b"}})");
}

// Captured facts, "set_add / set_delete": refusals and their locations.
TEST(UpdateBuilderTest, RefusesSetChangesUsedWrongly) {
  EXPECT_EQ(update_refusal("SET t = set_add(ss, <<'x'>>)"),
            "The first argument to SET_ADD must equal the assignment value at 1:18:7");
  EXPECT_EQ(update_refusal("SET ss = set_add(<<'a'>>, <<'b'>>)"),
            "The first argument to SET_ADD must equal the assignment value at 1:19:7");
  EXPECT_EQ(update_refusal("SET ss = set_add(ss, 'x')"),
            "The second argument to SET_ADD must be a value with type SET at 1:27:2");
  EXPECT_EQ(update_refusal("SET \"ss\" = set_delete(\"ss\", ['x'])"),
            "The second argument to SET_DELETE must be a value with type SET at 1:32:4");
  EXPECT_EQ(update_refusal("SET ss = set_add(ss, ?)", {s("x")}),
            "The second argument to SET_ADD must be a value with type SET at 1:27:2");
  EXPECT_EQ(update_refusal("SET ss = set_add(ss)"),
            "SET_ADD must have exactly two arguments at 1:19:7");
  EXPECT_EQ(update_refusal("SET ss = set_delete(ss, <<'x'>>, <<'y'>>)"),
            "SET_DELETE must have exactly two arguments at 1:19:10");
  EXPECT_EQ(update_refusal("SET ss = set_add(ss, <<>>)"), "Empty bags are not supported");
}

TEST(UpdateBuilderTest, RefusesOperandsOfWrongTypes) {
  const std::string refused =
      "Incorrect operand type for operator or function; operator or function: ";
  EXPECT_EQ(update_refusal("SET n = 'a' + 1"), refused + "+, operand type: S");
  EXPECT_EQ(update_refusal("SET n = n - null"), refused + "-, operand type: NULL");
  EXPECT_EQ(update_refusal("SET n = n + [1]"), refused + "+, operand type: L");
  EXPECT_EQ(update_refusal("SET l = list_append(l, 1)"), refused + "list_append, operand type: N");
}

TEST(UpdateBuilderTest, RefusesWhatCannotBeAssigned) {
  const std::string op = "SET does not support the operator ";
  EXPECT_EQ(update_refusal("SET a = b * 2"), op + "*");
  EXPECT_EQ(update_refusal("SET a = b = 2"), op + "=");
  EXPECT_EQ(update_refusal("SET a = NOT b"), op + "not");
  EXPECT_EQ(update_refusal("SET a = -b"),
            "Incorrect number of operands for operator or function; operator or function: -, "
            "number of operands: 1");
  EXPECT_EQ(update_refusal("SET a = if_not_exists(a, 1)"),
            "Unrecognized function: if_not_exists at 1:18:13");
  EXPECT_EQ(update_refusal("SET a = MISSING"), "Unsupported operation: Missing");
  EXPECT_EQ(update_refusal("SET a = 1 SET a.b = 2"),
            "Two document paths overlap with each other; must remove or rewrite one of these "
            "paths; path one: [a, b], path two: [a]");
  // Captured facts 3, P52: the later path comes first.
  EXPECT_EQ(update_refusal("SET m = {'q': 1} REMOVE m.a"),
            "Two document paths overlap with each other; must remove or rewrite one of these "
            "paths; path one: [m, a], path two: [m]");
  EXPECT_EQ(update_refusal("SET m.a = 1 SET m = 2"),
            "Two document paths overlap with each other; must remove or rewrite one of these "
            "paths; path one: [m], path two: [m, a]");
  EXPECT_EQ(update_refusal("SET a = set_add(a, <<'x'>>) + 1"),
            "Unrecognized function: set_add at 1:18:7");
  std::string sum = "SET a = 1";
  for (int i = 0; i < 301; ++i) sum += " + 1";
  EXPECT_EQ(update_refusal(sum), "The expression contains too many operators; operator count: 301");
}

}  // namespace
}  // namespace magneto::expressions
