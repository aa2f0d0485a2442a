#include "expressions/path_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "storage/model/value_writer.h"
#include "tests/expressions/random_path.h"
#include "tests/support/literal_values.h"
#include "tests/support/random_values.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;
using storage::AttributeType;
using storage::AttributeView;
using storage::Effort;

class PathTableTest : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PathTableTest, FindsWhatOneLookupAfterTheOtherFinds) {
  RandomValues random(GetParam());
  for (int i = 0; i < 300; ++i) {
    RandomPath paths(random);
    const storage::Item item = random.item(12, 5);
    std::vector<Elements> elements(random.below(40) + 1);
    std::vector<PathTable::Entry> entries;
    for (Elements& path : elements) {
      path = paths.into(item);
      entries.push_back({path, static_cast<std::uint32_t>(entries.size())});
    }
    Effort effort;
    const auto values = PathTable(entries, entries.size()).find_all(item, effort);
    ASSERT_EQ(values.by_slot.size(), elements.size());
    EXPECT_TRUE(std::ranges::is_sorted(values.found));
    for (std::uint32_t k = 0; k < elements.size(); ++k) {
      EXPECT_EQ(std::ranges::binary_search(values.found, k), static_cast<bool>(values.by_slot[k]));
      EXPECT_EQ(values.by_slot[k], find(item, elements[k], effort)) << path_text(elements[k]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PathTableTest, ::testing::Range<std::uint64_t>(1, 6));

// Lists of as many elements as an item holds, one inside the other.
storage::Item deep_lists(std::size_t elements) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("l");
  writer.begin_list();
  for (std::size_t i = 0; i < elements; ++i) writer.null();
  writer.begin_list();
  for (std::size_t i = 0; i < elements; ++i) writer.null();
  writer.end_list();
  writer.end_list();
  writer.end_item();
  return storage::Item(std::move(bytes));
}

TEST(PathTableSteps, GrowWithTheItemAndThePathsNotWithTheirProduct) {
  constexpr std::uint32_t kElements = 50'000;
  constexpr std::uint32_t kPaths = 2'000;
  const storage::Item item = deep_lists(kElements);
  std::vector<Elements> elements;
  for (std::uint32_t i = 0; i < kPaths; ++i) {
    elements.push_back({PathElement::member("l"), PathElement::element(kElements),
                        PathElement::element(kElements - 1 - i)});
  }
  std::vector<PathTable::Entry> entries;
  for (const Elements& path : elements) {
    entries.push_back({path, static_cast<std::uint32_t>(entries.size())});
  }
  Effort effort;
  const auto values = PathTable(entries, entries.size()).find_all(item, effort);
  EXPECT_EQ(values.by_slot.front(), null());
  EXPECT_EQ(values.by_slot.back(), null());
  EXPECT_LE(effort.spent(), 2 * kElements + 4 * kPaths);

  Effort singly;
  EXPECT_EQ(find(item, elements.front(), singly), null());
  EXPECT_GE(singly.spent(), 2 * kElements - 1);
}

TEST(PathTableSteps, AreCountedWhileItIsWalked) {
  const storage::Item item = deep_lists(50'000);
  const Elements path = {PathElement::member("l"), PathElement::element(50'000),
                         PathElement::element(1)};
  Effort effort(10'000);
  EXPECT_THROW(PathTable({{path, 0}}, 1).find_all(item, effort), storage::NeedsWorker);
}

}  // namespace
}  // namespace magneto::expressions
