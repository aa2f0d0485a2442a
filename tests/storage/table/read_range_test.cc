#include "storage/table/read_range.h"

#include <gtest/gtest.h>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

ReadRange range_of(const char* lower, const char* upper) {
  return ReadRange(KeyRange{lower, upper});
}
EntryKey key_at(const char* key) { return EntryKey(std::string(key)); }

TEST(ReadRangeTest, ContinuesBehindTheKey) {
  ReadRange range = range_of("b", "f");
  range.continue_after(key_at("c"), Direction::kForward);
  EXPECT_EQ(range.keys().lower, std::string("c\0", 2));
  EXPECT_EQ(range.keys().upper, "f");
}

TEST(ReadRangeTest, ContinuesBeforeTheKeyWhenWalkingBackwards) {
  ReadRange range = range_of("b", "f");
  range.continue_after(key_at("c"), Direction::kBackward);
  EXPECT_EQ(range.keys().lower, "b");
  EXPECT_EQ(range.keys().upper, "c");
}

TEST(ReadRangeTest, IsNeverWidened) {
  ReadRange forward = range_of("b", "f");
  forward.continue_after(key_at("a"), Direction::kForward);
  EXPECT_EQ(forward.keys().lower, "b");
  ReadRange backward = range_of("b", "f");
  backward.continue_after(key_at("g"), Direction::kBackward);
  EXPECT_EQ(backward.keys().upper, "f");
}

TEST(ReadRangeTest, HasItsBeginningAndNotItsEnd) {
  const ReadRange range = range_of("b", "f");
  EXPECT_TRUE(range.contains(key_at("b")));
  EXPECT_TRUE(range.contains(key_at("e")));
  EXPECT_FALSE(range.contains(key_at("a")));
  EXPECT_FALSE(range.contains(key_at("f")));
  EXPECT_FALSE(range.empty());
  EXPECT_TRUE(range_of("b", "b").empty());
  EXPECT_TRUE(range_of("c", "b").empty());
}

TEST(ReadRangeTest, RangesAreComparedAndJoined) {
  ReadRange range = range_of("b", "f");
  EXPECT_TRUE(range.begins_before(range_of("c", "d")));
  EXPECT_FALSE(range.begins_before(range));
  EXPECT_TRUE(range.ends_before(range_of("f", "g")));
  EXPECT_FALSE(range.ends_before(range_of("e", "g")));
  range.intersect(range_of("c", "g"));
  EXPECT_EQ(range.keys().lower, "c");
  EXPECT_EQ(range.keys().upper, "f");
  range.extend_to(range_of("a", "d"));
  EXPECT_EQ(range.keys().upper, "f");
  range.extend_to(range_of("d", "h"));
  EXPECT_EQ(range.keys().upper, "h");
  EXPECT_EQ(range.keys().lower, "c");
}

using TableReadRangeTest = DatabaseTest;
INSTANTIATE_TEST_SUITE_P(Engines, TableReadRangeTest, kEngineKinds, engine_kind_name);

TEST_P(TableReadRangeTest, KnowsTableAndIndex) {
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
  const TablePtr table = database().create_table(schema);
  const Index* index = table->find_index("g");
  const Item item = make_item({{"pk", "a"}, {"sk", 1}, {"g", "x"}});
  const EntryKey in_table(*table, nullptr, item);
  const EntryKey in_index(*table, index, item);
  const ReadRange all = ReadRange::of_segment(*table, nullptr, 0, 1);
  EXPECT_TRUE(all.contains(in_table));
  EXPECT_FALSE(all.contains(in_index));
  EXPECT_TRUE(ReadRange::of_segment(*table, index, 0, 1).contains(in_index));
  KeyCondition condition;
  condition.partition = {item.view().find("g")};
  EXPECT_TRUE(ReadRange::matching(*table, index, condition).contains(in_index));
  condition.partition = {item.view().find("pk")};
  EXPECT_TRUE(ReadRange::matching(*table, nullptr, condition).contains(in_table));
  EXPECT_FALSE(ReadRange::matching(*table, index, condition).contains(in_index));
}

}  // namespace
}  // namespace magneto::storage
