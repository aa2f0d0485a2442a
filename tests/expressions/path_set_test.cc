#include "expressions/path_set.h"

#include <gtest/gtest.h>

#include "expressions/projection_parser.h"
#include "tests/expressions/expression_request.h"
#include "tests/support/random_values.h"

namespace magneto::expressions {
namespace {

std::string checked(std::string_view paths) {
  const auto parsed = parse_projection(paths);
  std::vector<PathView> views;
  for (const Node& node : parsed->tree.nodes()) views.push_back(parsed->tree.path(node));
  return ExpressionRequest::message_of([&] { check_paths(views); });
}

std::string problem(const char* verb, const char* one, const char* two) {
  return "Two document paths " + std::string(verb) +
         " with each other; must remove or rewrite one of these paths; path one: " + one +
         ", path two: " + two;
}

TEST(PathSetTest, AcceptsPathsApart) {
  for (const char* paths : {"a", "a, b", "a.b, a.c", "l[0].x, l[0].y", "l[0], l[1]",
                            "a[1].b, a[2][0], b.a, b.b.c", "a, ab, aa.b, aaa[0]"}) {
    EXPECT_EQ(checked(paths), "") << paths;
  }
}

TEST(PathSetTest, FindsOverlaps) {
  EXPECT_EQ(checked("a, a"), problem("overlap", "[a]", "[a]"));
  EXPECT_EQ(checked("a, a.b"), problem("overlap", "[a]", "[a, b]"));
  EXPECT_EQ(checked("a.b, a"), problem("overlap", "[a, b]", "[a]"));
  EXPECT_EQ(checked("l, l[0]"), problem("overlap", "[l]", "[l, [0]]"));
  EXPECT_EQ(checked("a, a.b.c"), problem("overlap", "[a]", "[a, b, c]"));
  EXPECT_EQ(checked("b[1], b.a, a.b, a"), problem("overlap", "[a, b]", "[a]"));
  EXPECT_EQ(checked("x, a[10], y, a[1], a[10].z"), problem("overlap", "[a, [10]]", "[a, [10], z]"));
}

TEST(PathSetTest, FindsConflicts) {
  EXPECT_EQ(checked("a.b, a[1], b"), problem("conflict", "[a, b]", "[a, [1]]"));
  EXPECT_EQ(checked("a.b[1], a[1], b"), problem("conflict", "[a, b, [1]]", "[a, [1]]"));
  EXPECT_EQ(checked("a[3].b, x, a.c.b"), problem("conflict", "[a, [3], b]", "[a, c, b]"));
}

TEST(PathSetTest, FindsOneAmongMany) {
  std::string paths = "z.q";
  for (int i = 0; i < 500; ++i) paths += ",a" + std::to_string(i);
  EXPECT_EQ(checked(paths), "");
  EXPECT_EQ(checked(paths + ",z"), problem("overlap", "[z, q]", "[z]"));
  EXPECT_EQ(checked(paths + ",z[0]"), problem("conflict", "[z, q]", "[z, [0]]"));
}

TEST(PathSetTest, OrdersPaths) {
  const auto parsed = parse_projection("a, a[2], a[10], a.b, a.b.c, a.c, b");
  for (NodeIndex i = 0; i + 1 < parsed->tree.size(); ++i) {
    const PathView first = parsed->tree.path(parsed->tree.node(i));
    const PathView second = parsed->tree.path(parsed->tree.node(i + 1));
    EXPECT_TRUE(path_less(first, second)) << path_text(first) << path_text(second);
    EXPECT_FALSE(path_less(second, first)) << path_text(first) << path_text(second);
  }
}

// The first pair in the order of the second path and then of the first, found by looking at all.
std::string plain_problem(const std::vector<std::vector<PathElement>>& paths) {
  for (const bool overlap : {true, false}) {
    for (std::size_t second = 1; second < paths.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        const auto& a = paths[first];
        const auto& b = paths[second];
        std::size_t same = 0;
        while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
        const bool inside = same == a.size() || same == b.size();
        const bool conflict = !inside && a[same].is_index() != b[same].is_index();
        if (overlap ? !inside : !conflict) continue;
        return problem(overlap ? "overlap" : "conflict", path_text(a).c_str(),
                       path_text(b).c_str());
      }
    }
  }
  return "";
}

TEST(PathSetTest, ReportsTheFirstPair) {
  magneto::testing::RandomValues random(7);
  int problems = 0;
  for (int i = 0; i < 2'000; ++i) {
    std::vector<std::vector<PathElement>> paths(1 + random.below(6));
    for (auto& path : paths) {
      path.push_back(PathElement::member(random.one_in(2) ? "a" : "b"));
      while (!random.one_in(3)) {
        path.push_back(random.one_in(2)
                           ? PathElement::member(random.one_in(2) ? "x" : "y")
                           : PathElement::element(static_cast<std::uint32_t>(random.below(2))));
      }
    }
    const std::vector<PathView> views(paths.begin(), paths.end());
    const std::string expected = plain_problem(paths);
    problems += expected.empty() ? 0 : 1;
    EXPECT_EQ(ExpressionRequest::message_of([&] { check_paths(views); }), expected);
  }
  EXPECT_GT(problems, 200);
}

TEST(PathSetTest, FindsOneAmongAHundredThousand) {
  std::vector<std::string> names;
  for (int i = 0; i < 100'000; ++i) names.push_back("a" + std::to_string(i));
  names.push_back("a50000");
  std::vector<PathElement> elements;
  for (const std::string& name : names) elements.push_back(PathElement::member(name));
  std::vector<PathView> views;
  for (const PathElement& element : elements) views.emplace_back(&element, 1);
  EXPECT_EQ(ExpressionRequest::message_of([&] { check_paths(views); }),
            problem("overlap", "[a50000]", "[a50000]"));
}

}  // namespace
}  // namespace magneto::expressions
