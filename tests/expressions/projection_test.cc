#include "expressions/projection.h"

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

ExpressionRequest projection_request() {
  return ExpressionRequest({{"#a", "a"}, {"#b", "a"}, {"#3", "[3]"}, {"#dot", "x.y"}}, {});
}

TEST(ProjectionTest, BindsNames) {
  ExpressionRequest names = projection_request();
  const auto projection = names.parse<Projection>("#a.b, #dot, c[0]");
  EXPECT_EQ(projection.attributes(), (std::vector<std::string_view>{"a", "x.y", "c"}));
  EXPECT_EQ(projection.nested_attributes(), (std::vector<std::string_view>{"a", "c"}));
  EXPECT_EQ(show(projection
                     .apply(item({{"a", map({{"b", n("1")}, {"c", n("2")}})},
                                  {"c", list({n("3"), n("4")})},
                                  {"x", map({{"y", n("5")}})},
                                  {"x.y", n("6")}}))
                     .view()),
            "{a: {b: 1}, c: [3], x.y: 6}");
  EXPECT_EQ(names.placeholders().unused_names(), (std::vector<std::string_view>{"#b", "#3"}));
}

TEST(ProjectionTest, RefusesWhatOverlapsOrIsUndefined) {
  const auto problem = [](const char* verb, const char* one, const char* two) {
    return "Two document paths " + std::string(verb) +
           " with each other; must remove or rewrite one of these paths; path one: " + one +
           ", path two: " + two;
  };
  const std::pair<const char*, std::string> cases[] = {
      {"#a, #b", problem("overlap", "[a]", "[a]")},
      {"a, #a", problem("overlap", "[a]", "[a]")},
      {"#a.b, #b.b", problem("overlap", "[a, b]", "[a, b]")},
      {"b[1], b.a, #a.b, a", problem("overlap", "[a, b]", "[a]")},
      {"a.b, #a[1], #3", problem("conflict", "[a, b]", "[a, [1]]")},
      {"a[3].b, #a.#3.b", problem("conflict", "[a, [3], b]", "[a, [3], b]")},
      {"a,b,a,#gone",
       "An expression attribute name used in the document path is not defined; attribute name: "
       "#gone"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(projection_request().refusal<Projection>(text), message) << text;
  }
}

TEST(ProjectionTest, ShowsTheTargetsOfAnUpdate) {
  const std::vector<PathElement> paths[] = {
      {PathElement::member("l"), PathElement::element(2)},
      {PathElement::member("m"), PathElement::member("x")},
      {PathElement::member("l"), PathElement::element(0)},
      {PathElement::member("gone")},
  };
  const std::vector<PathView> targets(std::begin(paths), std::end(paths));
  const auto projection = Projection::of(targets);
  EXPECT_EQ(show(projection
                     .apply(item({{"l", list({n("1"), n("2"), n("3")})},
                                  {"m", map({{"x", n("4")}, {"y", n("5")}})},
                                  {"pk", s("k")}}))
                     .view()),
            "{l: [1, 3], m: {x: 4}}");
  EXPECT_EQ(projection.attributes(), (std::vector<std::string_view>{"l", "m", "gone"}));
}

TEST(ProjectionTest, KeepsCopiesOfGivenPaths) {
  std::vector<PathElement> path = {PathElement::member("a")};
  Projection first = Projection::of(std::vector<PathView>{path});
  path.front() = PathElement::member("b");
  const Projection moved = std::move(first);
  EXPECT_EQ(show(moved.apply(item({{"a", n("1")}, {"b", n("2")}})).view()), "{a: 1}");
}

}  // namespace
}  // namespace magneto::expressions
