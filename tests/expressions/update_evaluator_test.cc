#include "expressions/update_evaluator.h"

#include "expressions/update.h"
#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

const storage::Item& update_sample() {
  static const storage::Item kItem = item({
      {"a", n("1")},
      {"b", s("text")},
      {"l", list({n("10"), n("11"), n("12")})},
      {"m", map({{"in", map({{"x", n("1")}, {"y", n("2")}})}, {"k", s("v")}})},
      {"ns", ns({"1", "2"})},
      {"pk", s("key")},
      {"ss", ss({"a", "b"})},
      {"z", list({})},
  });
  return kItem;
}

ExpressionRequest& evaluated_update() {
  static ExpressionRequest shared_request(
      {{"#in", "in"}}, {{":n", n("7")},
                        {":s", s("new")},
                        {":l", list({n("20"), n("21")})},
                        {":ssc", ss({"c"})},
                        {":ssa", ss({"a"})},
                        {":ssab", ss({"b", "a"})},
                        {":ns3", ns({"3", "2"})},
                        {":big", n("9.9999999999999999999999999999999999999e125")},
                        {":tiny", n("1e-130")},
                        {":m", map({{"q", n("1")}})},
                        {":sse", ss({""})}});
  return shared_request;
}

std::string updated(std::string_view text, const storage::Item& current = update_sample()) {
  return show(evaluated_update().parse<Update>(text).apply(current).view());
}

std::string evaluation_refused(std::string_view text,
                               const storage::Item& current = update_sample()) {
  const auto update = evaluated_update().parse<Update>(text);
  return ExpressionRequest::message_of([&] { update.apply(current); },
                                       ExpressionError::Scope::kRequest);
}

constexpr char kWrongType[] = "An operand in the update expression has an incorrect data type";
constexpr char kInvalidPath[] =
    "The document path provided in the update expression is invalid for update";
constexpr char kMissing[] =
    "The provided expression refers to an attribute that does not exist in the item";

// The sample with one part written otherwise.
std::string sample_with(std::string_view old_text, std::string_view new_text) {
  std::string text = show(update_sample().view());
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

TEST(UpdateTest, SetsTopLevelAttributes) {
  EXPECT_EQ(updated("SET a = :s"), sample_with("a: 1", "a: \"new\""));
  EXPECT_EQ(updated("SET aa = :n"), sample_with("a: 1", "a: 1, aa: 7"));
  EXPECT_EQ(updated("SET zz = :n"), sample_with("z: []", "z: [], zz: 7"));
  EXPECT_EQ(updated("SET A = :n"), sample_with("a: 1", "A: 7, a: 1"));
  EXPECT_EQ(updated("SET a = b, b = a"), sample_with("a: 1, b: \"text\"", "a: \"text\", b: 1"));
  EXPECT_EQ(updated("SET c = pk"), sample_with("b: \"text\"", "b: \"text\", c: \"key\""));
  EXPECT_EQ(updated("SET a = m.#in.y"), sample_with("a: 1", "a: 2"));
  EXPECT_EQ(updated("SET a = l[2]"), sample_with("a: 1", "a: 12"));
  EXPECT_EQ(updated("SET x = :n, y = :s", item({})), "{x: 7, y: \"new\"}");
}

TEST(UpdateTest, Calculates) {
  EXPECT_EQ(updated("SET a = a + :n"), sample_with("a: 1", "a: 8"));
  EXPECT_EQ(updated("SET a = a - :n"), sample_with("a: 1", "a: -6"));
  EXPECT_EQ(updated("SET a = (a - :n)"), sample_with("a: 1", "a: -6"));
  EXPECT_EQ(updated("SET a = ((a) - (:n))"), sample_with("a: 1", "a: -6"));
  EXPECT_EQ(updated("SET a = :n - l[0]"), sample_with("a: 1", "a: -3"));
  EXPECT_EQ(updated("SET a = if_not_exists(q, :n) - a"), sample_with("a: 1", "a: 6"));
  EXPECT_EQ(updated("SET m.#in.x = m.#in.x + m.#in.y"), sample_with("x: 1", "x: 3"));
  for (const char* text : {"SET a = :big + :big", "ADD huge :big", "SET a = a + :tiny"}) {
    EXPECT_EQ(evaluation_refused(text, item({{"a", n("1")}, {"huge", n("1e125")}})),
              "Number overflow. Attempting to store a number with magnitude larger than supported "
              "range")
        << text;
  }
}

TEST(UpdateTest, CallsFunctions) {
  EXPECT_EQ(updated("SET a = if_not_exists(a, :n)"), show(update_sample().view()));
  EXPECT_EQ(updated("SET a = if_not_exists(q, if_not_exists(r, b))"),
            sample_with("a: 1", "a: \"text\""));
  EXPECT_EQ(updated("SET l = list_append(l, :l)"), sample_with("12]", "12, 20, 21]"));
  EXPECT_EQ(updated("SET l = list_append(:l, l)"), sample_with("[10", "[20, 21, 10"));
  EXPECT_EQ(updated("SET q = list_append(if_not_exists(q, :l), :l)"),
            sample_with("\"key\"", "\"key\", q: [20, 21, 20, 21]"));
}

TEST(UpdateTest, SetsNestedPaths) {
  EXPECT_EQ(updated("SET m.#in.x = :s"), sample_with("x: 1", "x: \"new\""));
  EXPECT_EQ(updated("SET m.#in.xx = :s, m.j = :n, m.z = :n"),
            sample_with("{in: {x: 1, y: 2}, k: \"v\"}",
                        "{in: {x: 1, xx: \"new\", y: 2}, j: 7, k: \"v\", z: 7}"));
  EXPECT_EQ(updated("SET l[1] = :s"), sample_with("11", "\"new\""));
  EXPECT_EQ(updated("SET l[5] = :s"), sample_with("12]", "12, \"new\"]"));
  EXPECT_EQ(updated("SET l[90] = :n, l[7] = :s, l[0] = :m"),
            sample_with("[10, 11, 12]", "[{q: 1}, 11, 12, \"new\", 7]"));
  EXPECT_EQ(updated("SET z[0] = :s"), sample_with("z: []", "z: [\"new\"]"));
}

TEST(UpdateTest, RemovesPaths) {
  EXPECT_EQ(updated("REMOVE a, gone"), sample_with("a: 1, ", ""));
  EXPECT_EQ(updated("REMOVE m.#in.x, m.gone"), sample_with("x: 1, ", ""));
  EXPECT_EQ(updated("REMOVE m.#in.x, m.#in.y"), sample_with("{x: 1, y: 2}", "{}"));
  // Indexes are those before the update.
  EXPECT_EQ(updated("REMOVE l[0], l[1], l[17]"), sample_with("[10, 11, 12]", "[12]"));
  EXPECT_EQ(updated("REMOVE l[0] SET l[2] = :s"), sample_with("[10, 11, 12]", "[11, \"new\"]"));
  EXPECT_EQ(updated("SET l[8] = :s REMOVE l[2]"), sample_with("[10, 11, 12]", "[10, 11, \"new\"]"));
}

TEST(UpdateTest, AddsAndDeletes) {
  EXPECT_EQ(updated("ADD a :n"), sample_with("a: 1", "a: 8"));
  EXPECT_EQ(updated("ADD aa :n"), sample_with("a: 1", "a: 1, aa: 7"));
  EXPECT_EQ(updated("ADD m.#in.x :n, l[0] :n, l[9] :n"),
            show(item({{"a", n("1")},
                       {"b", s("text")},
                       {"l", list({n("17"), n("11"), n("12"), n("7")})},
                       {"m", map({{"in", map({{"x", n("8")}, {"y", n("2")}})}, {"k", s("v")}})},
                       {"ns", ns({"1", "2"})},
                       {"pk", s("key")},
                       {"ss", ss({"a", "b"})},
                       {"z", list({})}})
                     .view()));
  EXPECT_EQ(updated("ADD ss :ssc"), sample_with("\"b\"}", "\"b\", \"c\"}"));
  EXPECT_EQ(updated("ADD ss :ssab"), show(update_sample().view()));
  EXPECT_EQ(updated("ADD ss :sse"), sample_with("{\"a\"", "{\"\", \"a\""));
  EXPECT_EQ(updated("ADD ns :ns3"), sample_with("NS{1, 2}", "NS{1, 2, 3}"));
  EXPECT_EQ(updated("DELETE ss :ssa"), sample_with("\"a\", ", ""));
  EXPECT_EQ(updated("DELETE ss :ssc, gone :ssc, m.gone :ssc"), show(update_sample().view()));
  EXPECT_EQ(updated("DELETE ss :ssab"), sample_with("ss: SS{\"a\", \"b\"}, ", ""));
}

TEST(UpdateTest, RefusesOperandsThatDoNotFit) {
  for (const char* text : {"SET q = a + b", "SET q = b - a", "SET q = list_append(l, a)",
                           "SET q = list_append(b, l)", "ADD b :n", "ADD a :ssc", "ADD ss :ns3",
                           "DELETE ss :ns3", "DELETE a :ssc", "SET q = if_not_exists(b, :n) + a"}) {
    EXPECT_EQ(evaluation_refused(text), kWrongType) << text;
  }
  for (const char* text : {"SET q = gone", "SET q = gone + :n", "SET q = list_append(:l, gone)",
                           "SET q = m.gone", "SET q = l[3]", "SET q = if_not_exists(gone, lost)"}) {
    EXPECT_EQ(evaluation_refused(text), kMissing) << text;
  }
  for (const char* text :
       {"SET gone.x = :n", "SET m.gone.x = :n", "SET l[7].x = :n", "SET b.x = :n", "SET b[0] = :n",
        "SET l.x = :n", "SET m[0] = :n", "REMOVE gone.x", "REMOVE b.x", "REMOVE l.x",
        "ADD gone.x :n", "ADD l.x :n", "DELETE gone.x :ssa", "DELETE m[0] :ssa"}) {
    EXPECT_EQ(evaluation_refused(text), kInvalidPath) << text;
  }
}

TEST(UpdateTest, ReportsTypesThenPathsThenMissingAttributes) {
  EXPECT_EQ(evaluation_refused("SET q = gone, r = a + b"), kWrongType);
  EXPECT_EQ(evaluation_refused("SET q = gone, r.x = :n"), kInvalidPath);
  EXPECT_EQ(evaluation_refused("SET b.x = :n, r = a + b"), kInvalidPath);
}

TEST(UpdateTest, IgnoresNestedRemovalsWithoutAnItem) {
  const storage::Item key = item({{"pk", s("new")}});
  const auto update = evaluated_update().parse<Update>("REMOVE x.y, x.z[0] SET a = pk");
  EXPECT_EQ(show(update.apply(key, false).view()), "{a: \"new\", pk: \"new\"}");
  EXPECT_THROW(update.apply(key), ExpressionError);
}

}  // namespace
}  // namespace magneto::expressions
