#include "expressions/update_checks.h"

#include "expressions/update.h"
#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

ExpressionRequest checked_update() {
  return ExpressionRequest({{"#a", "a"}, {"#c", "c"}, {"#d", "[3]"}}, {{":s", s("x")},
                                                                       {":n", n("1")},
                                                                       {":b", b("x")},
                                                                       {":bool", boolean(true)},
                                                                       {":null", null()},
                                                                       {":ss", ss({"x"})},
                                                                       {":ns", ns({"1"})},
                                                                       {":bs", bs({"x"})},
                                                                       {":l", list({})},
                                                                       {":m", map({})}});
}

std::string check_refused(std::string_view text) { return checked_update().refusal<Update>(text); }

std::string wrong_update_type(const char* function, const char* type) {
  return "Incorrect operand type for operator or function; operator or function: " +
         std::string(function) + ", operand type: " + type;
}

std::string wrong_value(const std::string& action, const char* type) {
  return "Incorrect operand type for operator or function; operator: " + action +
         ", operand type: " + type + ", typeSet: ALLOWED_FOR_ADD_OPERAND";
}

std::string paths(const char* verb, const char* one, const char* two) {
  return "Two document paths " + std::string(verb) +
         " with each other; must remove or rewrite one of these paths; path one: " + one +
         ", path two: " + two;
}

TEST(UpdateChecksTest, RequiresDefinedPlaceholders) {
  EXPECT_EQ(check_refused("SET #gone = if_not_exists(:gone)"),
            "An expression attribute name used in the document path is not defined; attribute "
            "name: #gone");
  EXPECT_EQ(check_refused("SET #a = if_not_exists(:gone)"),
            "An expression attribute value used in expression is not defined; attribute value: "
            ":gone");
  EXPECT_EQ(check_refused("ADD a :gone REMOVE #gone"),
            "An expression attribute name used in the document path is not defined; attribute "
            "name: #gone");
}

TEST(UpdateChecksTest, KeepsTargetsApart) {
  EXPECT_EQ(check_refused("set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)"),
            paths("overlap", "[c, [1], a]", "[c]"));
  EXPECT_EQ(check_refused("set #c[3].#d = a, #c[3] = a"),
            paths("overlap", "[c, [3], [3]]", "[c, [3]]"));
  EXPECT_EQ(check_refused("SET #a = :s REMOVE a"), paths("overlap", "[a]", "[a]"));
  EXPECT_EQ(check_refused("set #c[3].#d = a, #c.#d[3] = if_not_exists(a)"),
            paths("conflict", "[c, [3], [3]]", "[c, [3], [3]]"));
  EXPECT_EQ(check_refused("remove a.#c set a[1] = #d"), paths("conflict", "[a, c]", "[a, [1]]"));
  EXPECT_EQ(check_refused("SET a = b, c = a.x REMOVE b"), "");
}

TEST(UpdateChecksTest, ChecksValuesOfAddAndDelete) {
  const std::pair<const char*, const char*> types[] = {{":s", "STRING"},  {":b", "Binary"},
                                                       {":bool", "BOOL"}, {":null", "NULL"},
                                                       {":l", "LIST"},    {":m", "MAP"}};
  for (const auto& [value, type] : types) {
    EXPECT_EQ(check_refused(std::string("add a.b ") + value), wrong_value("ADD", type)) << value;
    EXPECT_EQ(check_refused(std::string("delete a.b ") + value), wrong_value("DELETE", type))
        << value;
  }
  EXPECT_EQ(check_refused("delete a.b :n"), wrong_value("DELETE", "NUMBER"));
  EXPECT_EQ(check_refused("set b = list_append(:s, a), c = if_not_exists(a) add a.b :s"),
            wrong_value("ADD", "STRING"));
  EXPECT_EQ(check_refused("ADD a :n, b :ss, c :ns, d :bs DELETE e :ss, f :ns, g :bs"), "");
}

TEST(UpdateChecksTest, ChecksOperands) {
  EXPECT_EQ(check_refused("set a = if_not_exists(c)"),
            "Incorrect number of operands for operator or function; operator or function: "
            "if_not_exists, number of operands: 1");
  EXPECT_EQ(check_refused("set a = list_append(:l, b, c)"),
            "Incorrect number of operands for operator or function; operator or function: "
            "list_append, number of operands: 3");
  const std::string path_required =
      "Operator or function requires a document path; operator or function: if_not_exists";
  EXPECT_EQ(check_refused("set a = if_not_exists(:s, c)"), path_required);
  EXPECT_EQ(check_refused("set a = if_not_exists(if_not_exists(a, b), c)"), path_required);
  EXPECT_EQ(check_refused("set a = list_append(:s, a)"), wrong_update_type("list_append", "S"));
  EXPECT_EQ(check_refused("set a = list_append(a, :m)"), wrong_update_type("list_append", "M"));
  EXPECT_EQ(check_refused("set a = a + :s"), wrong_update_type("+", "S"));
  EXPECT_EQ(check_refused("set a = :b - a"), wrong_update_type("-", "B"));
  EXPECT_EQ(check_refused("set a = :l - a, b = list_append(:n, a)"), wrong_update_type("-", "L"));
  EXPECT_EQ(check_refused("remove a set b = list_append(b, if_not_exists(a, :s))"), "");
}

}  // namespace
}  // namespace magneto::expressions
