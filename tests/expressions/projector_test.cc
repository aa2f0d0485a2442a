#include "expressions/projector.h"

#include <algorithm>

#include "expressions/projection_parser.h"
#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

std::string projected(std::string_view paths, const storage::Item& from) {
  const auto parsed = parse_projection(paths);
  std::vector<PathView> views;
  for (const Node& node : parsed->tree.nodes()) views.push_back(parsed->tree.path(node));
  std::sort(views.begin(), views.end(), path_less);
  storage::Effort effort;
  return show(project(from, views, effort).view());
}

const storage::Item& projected_sample() {
  static const storage::Item kItem =
      item({{"a", n("1")},
            {"e", map({{"a", s("x")}, {"d", s("y")}, {"f", list({n("1")})}})},
            {"l", list({map({{"x", n("1")}, {"y", n("2")}, {"z", n("3")}}), n("11"), n("12"),
                        list({n("20"), n("21")})})},
            {"q", ss({"s"})}});
  return kItem;
}

TEST(ProjectorTest, ChoosesFragmentsInsideTheirParents) {
  EXPECT_EQ(projected("a", projected_sample()), "{a: 1}");
  EXPECT_EQ(projected("q, a", projected_sample()), "{a: 1, q: SS{\"s\"}}");
  EXPECT_EQ(projected("e.d, e.a", projected_sample()), "{e: {a: \"x\", d: \"y\"}}");
  EXPECT_EQ(projected("e.f[0]", projected_sample()), "{e: {f: [1]}}");
  EXPECT_EQ(projected("l[0].x, l[0].z", projected_sample()), "{l: [{x: 1, z: 3}]}");
}

TEST(ProjectorTest, CompactsListsInIndexOrder) {
  EXPECT_EQ(projected("l[2], l[1]", projected_sample()), "{l: [11, 12]}");
  EXPECT_EQ(projected("l[3][1], l[0].y", projected_sample()), "{l: [{y: 2}, [21]]}");
  EXPECT_EQ(projected("l[1], l[9]", projected_sample()), "{l: [11]}");
}

TEST(ProjectorTest, LeavesOutWhatIsNotThere) {
  EXPECT_EQ(projected("gone, a.b, a[0], q.x, e[0], l.x, l[9], e.gone, l[0].gone, l[1].x, b, zz",
                      projected_sample()),
            "{}");
  EXPECT_EQ(projected("e.gone, e.a, l[0].gone, l[9].x, aa", projected_sample()), "{e: {a: \"x\"}}");
  EXPECT_EQ(projected("a", item({})), "{}");
}

}  // namespace
}  // namespace magneto::expressions
