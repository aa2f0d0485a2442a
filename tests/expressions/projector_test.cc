#include "expressions/projector.h"

#include <algorithm>
#include <vector>

#include "expressions/projection_parser.h"
#include "storage/encoding/item_encoding.h"
#include "storage/model/value_writer.h"
#include "tests/expressions/expression_request.h"
#include "tests/expressions/random_path.h"
#include "tests/support/random_values.h"

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

// The parts of a value at paths that begin with `steps`, by way of a tree of copies; absent if there
// are none.
storage::AttributeValue plainly_chosen(storage::AttributeView value,
                                       const std::vector<PathView>& paths,
                                       std::vector<PathElement>& steps);

template <typename Value>
void write_part(storage::ValueWriter& writer, const Value& part, const std::string* name,
                bool& any) {
  if (!part) return;
  if (name != nullptr) writer.name(*name);
  writer.value(part);
  any = true;
}

bool begins_with_steps(PathView path, const std::vector<PathElement>& steps) {
  return path.size() >= steps.size() && std::equal(steps.begin(), steps.end(), path.begin());
}

storage::AttributeValue plainly_chosen(storage::AttributeView value,
                                       const std::vector<PathView>& paths,
                                       std::vector<PathElement>& steps) {
  const bool is_wanted = std::any_of(paths.begin(), paths.end(),
                                     [&](PathView path) { return begins_with_steps(path, steps); });
  if (!is_wanted) return {};
  const bool ends = std::any_of(paths.begin(), paths.end(), [&](PathView path) {
    return begins_with_steps(path, steps) && path.size() == steps.size();
  });
  if (ends) return storage::AttributeValue(value);
  std::string bytes;
  storage::ValueWriter writer(bytes);
  bool any = false;
  if (value.type() == storage::AttributeType::kMap) {
    writer.begin_map();
    for (const storage::NamedAttribute& member : value.map()) {
      steps.push_back(PathElement::member(member.name));
      const std::string name(member.name);
      write_part(writer, plainly_chosen(member.value, paths, steps), &name, any);
      steps.pop_back();
    }
    writer.end_map();
  } else if (value.type() == storage::AttributeType::kList) {
    writer.begin_list();
    std::uint32_t index = 0;
    for (const storage::AttributeView element : value.list()) {
      steps.push_back(PathElement::element(index++));
      write_part(writer, plainly_chosen(element, paths, steps), nullptr, any);
      steps.pop_back();
    }
    writer.end_list();
  }
  return any ? storage::AttributeValue(std::move(bytes)) : storage::AttributeValue();
}

storage::Item plainly_projected(storage::ItemView from, const std::vector<PathView>& paths) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  bool any = false;
  for (const storage::NamedAttribute& member : from) {
    std::vector<PathElement> steps = {PathElement::member(member.name)};
    const std::string name(member.name);
    write_part(writer, plainly_chosen(member.value, paths, steps), &name, any);
  }
  writer.end_item();
  return storage::Item(std::move(bytes));
}

TEST(ProjectorTest, ChoosesTheSameAsATreeOfCopies) {
  RandomValues random(29);
  int chosen = 0;
  for (int i = 0; i < 5'000; ++i) {
    const storage::Item from = random.item(8, 3);
    RandomPath path(random);
    std::vector<Elements> paths(1 + random.below(6));
    for (Elements& elements : paths) elements = path.into(from.view());
    std::vector<PathView> views(paths.begin(), paths.end());
    if (!ExpressionRequest::message_of([&] { check_paths(views); }).empty()) continue;
    std::sort(views.begin(), views.end(), path_less);
    storage::Effort effort;
    const storage::Item result = project(from, views, effort);
    ASSERT_TRUE(storage::is_valid_item(result.bytes()));
    ASSERT_EQ(result.bytes(), plainly_projected(from, views).bytes()) << show(from.view());
    if (!result.view().empty()) ++chosen;
  }
  EXPECT_GT(chosen, 1'000);
}

}  // namespace
}  // namespace magneto::expressions
