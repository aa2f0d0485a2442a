#include "expressions/path_set.h"

#include <gtest/gtest.h>

#include "expressions/projection_parser.h"
#include "tests/expressions/expression_request.h"

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

}  // namespace
}  // namespace magneto::expressions
