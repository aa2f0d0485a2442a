#include "storage/index/index_entry.h"

#include <gtest/gtest.h>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/item_size.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class IndexEntryTest : public testing::Test {
 protected:
  IndexEntryTest() { table_.number = 7; }

  EntryChange change(const IndexSchema& index, ItemView before, ItemView after) const {
    const std::string key = item_key(table_, red_);
    IndexKeyEncoder keys(table_, key, red_);
    return entry_change(keys, index, ProjectedAttributes(table_, index), before, after);
  }

  static IndexSchema by_color(ProjectionType projection, std::vector<std::string> included = {}) {
    IndexSchema index = index_schema("by_color", IndexKind::kGlobal, {string_key("color")},
                                     {number_key("size")}, projection, std::move(included));
    index.number = 3;
    return index;
  }

  TableSchema table_ = table_schema("t");
  const Item red_ =
      make_item({{"pk", "a"}, {"sk", 1}, {"color", "red"}, {"size", 5}, {"v", "one"}, {"w", "x"}});
  const Item red_other_w_ =
      make_item({{"pk", "a"}, {"sk", 1}, {"color", "red"}, {"size", 5}, {"v", "one"}, {"w", "y"}});
  const Item blue_ =
      make_item({{"pk", "a"}, {"sk", 1}, {"color", "blue"}, {"size", 5}, {"v", "one"}, {"w", "x"}});
  const Item colorless_ = make_item({{"pk", "a"}, {"sk", 1}, {"size", 5}, {"v", "one"}});
};

TEST_F(IndexEntryTest, ANewItemIsPut) {
  const IndexSchema index = by_color(ProjectionType::kAll);
  const EntryChange made = change(index, {}, red_);
  EXPECT_EQ(made.delete_key, "");
  EXPECT_EQ(made.put_key, *index_key(table_, index, red_));
  EXPECT_EQ(decode_item(made.value).bytes(), red_.bytes());
  EXPECT_EQ(made.old_size, 0U);
  EXPECT_EQ(made.new_size, item_size(red_));
  EXPECT_FALSE(made.moved());
}

TEST_F(IndexEntryTest, ADeletedItemIsDeleted) {
  const IndexSchema index = by_color(ProjectionType::kAll);
  const EntryChange made = change(index, red_, {});
  EXPECT_EQ(made.delete_key, *index_key(table_, index, red_));
  EXPECT_EQ(made.put_key, "");
  EXPECT_EQ(made.old_size, item_size(red_));
  EXPECT_EQ(made.new_size, 0U);
}

TEST_F(IndexEntryTest, AnotherIndexKeyMovesTheEntry) {
  const IndexSchema index = by_color(ProjectionType::kAll);
  const EntryChange made = change(index, red_, blue_);
  EXPECT_TRUE(made.moved());
  EXPECT_EQ(made.delete_key, *index_key(table_, index, red_));
  EXPECT_EQ(made.put_key, *index_key(table_, index, blue_));
}

TEST_F(IndexEntryTest, AnItemWithoutAKeyAttributeHasNoEntry) {
  const IndexSchema index = by_color(ProjectionType::kAll);
  EXPECT_TRUE(change(index, {}, colorless_).empty());
  EXPECT_TRUE(change(index, colorless_, {}).empty());
  EXPECT_EQ(change(index, colorless_, red_).put_key, *index_key(table_, index, red_));
  EXPECT_EQ(change(index, red_, colorless_).delete_key, *index_key(table_, index, red_));
  const Item wrong_type = make_item({{"pk", "a"}, {"sk", 1}, {"color", "red"}, {"size", "large"}});
  EXPECT_TRUE(change(index, {}, wrong_type).empty());
}

TEST_F(IndexEntryTest, AnUnchangedStoredViewIsNoChange) {
  EXPECT_TRUE(change(by_color(ProjectionType::kAll), red_, red_).empty());
  EXPECT_FALSE(change(by_color(ProjectionType::kAll), red_, red_other_w_).empty());
  EXPECT_TRUE(change(by_color(ProjectionType::kKeysOnly), red_, red_other_w_).empty());
  EXPECT_TRUE(change(by_color(ProjectionType::kInclude, {"v"}), red_, red_other_w_).empty());
  EXPECT_FALSE(change(by_color(ProjectionType::kInclude, {"w"}), red_, red_other_w_).empty());
}

TEST_F(IndexEntryTest, AnEntryHoldsWhatIsProjected) {
  const auto entry = [&](const IndexSchema& index) {
    return describe_item(decode_item(change(index, {}, red_).value));
  };
  EXPECT_EQ(entry(by_color(ProjectionType::kKeysOnly)), "color=red pk=a size=5 sk=1");
  EXPECT_EQ(entry(by_color(ProjectionType::kInclude, {"w", "absent"})),
            "color=red pk=a size=5 sk=1 w=x");
  EXPECT_EQ(entry(by_color(ProjectionType::kInclude, {"w", "w", "pk"})),
            "color=red pk=a size=5 sk=1 w=x");
}

TEST_F(IndexEntryTest, SizesAreThoseOfTheProjectedItems) {
  const IndexSchema index = by_color(ProjectionType::kInclude, {"w"});
  const Item longer = make_item(
      {{"pk", "a"}, {"sk", 1}, {"color", "red"}, {"size", 5}, {"v", "one"}, {"w", "xyz"}});
  const EntryChange made = change(index, red_, longer);
  EXPECT_FALSE(made.moved());
  EXPECT_EQ(made.new_size, made.old_size + 2);
  EXPECT_EQ(made.new_size, decode_item_size(made.value));
}

}  // namespace
}  // namespace magneto::storage
