#include "expressions/item_edit.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "tests/support/literal_values.h"
#include "tests/support/random_values.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;
using storage::AttributeValue;

using Elements = std::vector<PathElement>;

std::string edited(const storage::Item& from,
                   std::initializer_list<std::pair<Elements, AttributeValue>> edits) {
  std::vector<Edit> list;
  for (const auto& [path, value] : edits) list.push_back({path, value});
  return show(apply_edits(from, list).view());
}

const PathElement kA = PathElement::member("a");
const PathElement kB = PathElement::member("b");
const PathElement kL = PathElement::member("l");

PathElement at(std::uint32_t index) { return PathElement::element(index); }

TEST(ItemEditTest, MergesIntoSortedMembers) {
  const storage::Item from = item({{"b", n("2")}, {"l", list({n("1")})}});
  EXPECT_EQ(edited(from, {{{kA}, n("1")}, {{kB}, {}}}), "{a: 1, l: [1]}");
  EXPECT_EQ(edited(from, {{{PathElement::member("z")}, n("9")}, {{kB}, n("3")}}),
            "{b: 3, l: [1], z: 9}");
  EXPECT_EQ(edited(from, {{{kA}, {}}}), "{b: 2, l: [1]}");
  EXPECT_EQ(edited(item({}), {{{kB}, n("1")}, {{kA}, n("0")}}), "{a: 0, b: 1}");
}

TEST(ItemEditTest, EditsInsideDocuments) {
  const storage::Item from =
      item({{"a", map({{"b", n("1")}, {"l", list({n("1"), n("2"), n("3")})}})}});
  EXPECT_EQ(edited(from, {{{kA, kB}, {}}, {{kA, kL, at(0)}, {}}, {{kA, kL, at(2)}, s("x")}}),
            "{a: {l: [2, \"x\"]}}");
  EXPECT_EQ(
      edited(from, {{{kA, kL, at(9)}, n("9")}, {{kA, kL, at(4)}, n("4")}, {{kA, kL, at(7)}, {}}}),
      "{a: {b: 1, l: [1, 2, 3, 4, 9]}}");
}

TEST(ItemEditTest, WritesCanonicalItems) {
  RandomValues random(7);
  for (int round = 0; round < 500; ++round) {
    const storage::Item from = random.item(8, 3);
    std::map<std::string, AttributeValue> expected;
    for (const auto& attribute : from.view()) {
      expected[std::string(attribute.name)] = AttributeValue(attribute.value);
    }
    std::vector<std::string> names;
    std::vector<AttributeValue> values;
    for (int i = 0; i < 4; ++i) {
      std::string name = random.text(2);
      if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) continue;
      names.push_back(name);
      values.push_back(random.one_in(3) ? AttributeValue() : random.value(2));
    }
    std::vector<Elements> paths;
    for (const std::string& name : names) paths.push_back({PathElement::member(name)});
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < names.size(); ++i) {
      edits.push_back({paths[i], values[i]});
      if (values[i]) {
        expected[names[i]] = values[i];
      } else {
        expected.erase(names[i]);
      }
    }
    const storage::Item result = apply_edits(from, edits);
    auto next = expected.begin();
    for (const auto& attribute : result.view()) {
      ASSERT_NE(next, expected.end());
      EXPECT_EQ(attribute.name, next->first);
      EXPECT_EQ(attribute.value, next->second.view());
      ++next;
    }
    EXPECT_EQ(next, expected.end());
    EXPECT_EQ(result.view().size(), expected.size());
  }
}

}  // namespace
}  // namespace magneto::expressions
