#include "storage/background/table_statuses.h"

#include <gtest/gtest.h>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

TableSchema status_schema() {
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}),
                    index_schema("h", IndexKind::kGlobal, {string_key("h")}, {})};
  schema.number_new_indexes();
  return schema;
}

TEST(TableStatusesTest, ANewTablePassesWithItsIndexes) {
  TableSchema schema = status_schema();
  EXPECT_FALSE(is_passing(schema));
  set_all_statuses(schema, ResourceStatus::kCreating);
  EXPECT_TRUE(is_passing(schema));
  EXPECT_EQ(schema.indexes[1].status, ResourceStatus::kCreating);
  finish_passing(schema);
  EXPECT_FALSE(is_passing(schema));
  EXPECT_EQ(schema.status, ResourceStatus::kActive);
  EXPECT_EQ(schema.indexes[1].status, ResourceStatus::kActive);
  EXPECT_FALSE(schema.indexes[1].backfilling);
}

TEST(TableStatusesTest, AnAddedIndexIsFilledThen) {
  TableSchema schema = status_schema();
  schema.indexes.push_back(index_schema("i", IndexKind::kGlobal, {string_key("i")}, {}));
  begin_passing(schema);
  EXPECT_EQ(schema.status, ResourceStatus::kUpdating);
  EXPECT_EQ(schema.indexes[2].status, ResourceStatus::kCreating);
  EXPECT_EQ(schema.indexes[2].number, 3U);
  EXPECT_FALSE(schema.indexes[2].backfilling);
  finish_passing(schema);
  EXPECT_EQ(schema.status, ResourceStatus::kActive);
  EXPECT_EQ(schema.indexes[2].status, ResourceStatus::kCreating);
  EXPECT_TRUE(schema.indexes[2].backfilling);
  EXPECT_EQ(schema.indexes[0].status, ResourceStatus::kActive);
  EXPECT_FALSE(is_passing(schema));
}

TEST(TableStatusesTest, IndexesThatGoAreGoneThen) {
  TableSchema schema = status_schema();
  schema.indexes[0].status = ResourceStatus::kDeleting;
  begin_passing(schema);
  EXPECT_EQ(schema.status, ResourceStatus::kUpdating);
  finish_passing(schema);
  ASSERT_EQ(schema.indexes.size(), 1U);
  EXPECT_EQ(schema.indexes[0].name, "h");
  EXPECT_NE(schema.find_numbered_index(2), nullptr);
  EXPECT_EQ(schema.find_numbered_index(1), nullptr);
}

TEST(TableStatusesTest, ATableThatIsBeingDeletedStaysSo) {
  TableSchema schema = status_schema();
  schema.status = ResourceStatus::kDeleting;
  schema.indexes[0].status = ResourceStatus::kDeleting;
  begin_passing(schema);
  EXPECT_EQ(schema.status, ResourceStatus::kDeleting);
  finish_passing(schema);
  EXPECT_EQ(schema.status, ResourceStatus::kDeleting);
}

TEST(TableStatusesTest, TimeToLiveHasAQueueWhileItIsOn) {
  TableSchema schema = status_schema();
  TimeToLive& time_to_live = schema.time_to_live;
  begin_passing(schema);
  EXPECT_EQ(time_to_live.queue_number, 0U);
  time_to_live = {.status = TimeToLiveStatus::kEnabling, .attribute = "ttl"};
  begin_passing(schema);
  EXPECT_EQ(schema.status, ResourceStatus::kActive);
  EXPECT_TRUE(is_passing(time_to_live));
  EXPECT_EQ(time_to_live.queue_number, 3U);
  EXPECT_TRUE(time_to_live.backfilling);
  begin_passing(schema);  // a change of something else
  EXPECT_EQ(time_to_live.queue_number, 3U);
  finish_passing(time_to_live);
  EXPECT_EQ(time_to_live.status, TimeToLiveStatus::kEnabled);
  time_to_live.status = TimeToLiveStatus::kDisabling;
  begin_passing(schema);
  EXPECT_EQ(time_to_live.queue_number, 0U);
  EXPECT_FALSE(time_to_live.backfilling);
  finish_passing(time_to_live);
  EXPECT_EQ(time_to_live.status, TimeToLiveStatus::kDisabled);
  EXPECT_EQ(time_to_live.attribute, "");
}

}  // namespace
}  // namespace magneto::storage
