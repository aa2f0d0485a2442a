#include "storage/background/table_lifecycle.h"

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::milliseconds;

class TableLifecycleTest : public DatabaseTest {
 protected:
  ResourceStatus status() { return database().find_table("t")->schema.status; }
  ResourceStatus index_status() { return database().find_table("t")->schema.indexes.at(0).status; }
  // Nothing may be done before the clock has moved by the delay, but soon after that.
  void expect_delayed(const std::function<bool()>& done) {
    clock_.advance(std::chrono::minutes(59));
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_FALSE(done());
    clock_.advance(std::chrono::minutes(2));
    EXPECT_TRUE(eventually(done));
  }
  static TableSchema indexed_schema() {
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
    return schema;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, TableLifecycleTest, kEngineKinds, engine_kind_name);

using DurableTableLifecycleTest = TableLifecycleTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableTableLifecycleTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(TableLifecycleTest, StatusesLastAsLongAsTheDelay) {
  options_.control_plane_delay = std::chrono::hours(1);
  const TablePtr created = database().create_table(indexed_schema());
  EXPECT_EQ(created->schema.status, ResourceStatus::kCreating);
  EXPECT_EQ(created->schema.indexes[0].status, ResourceStatus::kCreating);
  EXPECT_FALSE(created->schema.indexes[0].backfilling);
  expect_delayed([&] { return status() == ResourceStatus::kActive; });
  EXPECT_EQ(index_status(), ResourceStatus::kActive);

  const TablePtr updated = database().update_table("t", [](TableSchema& schema) {
    schema.deletion_protection = true;
    schema.status = ResourceStatus::kUpdating;
    schema.indexes[0].status = ResourceStatus::kUpdating;
  });
  EXPECT_EQ(updated->schema.status, ResourceStatus::kUpdating);
  EXPECT_EQ(status(), ResourceStatus::kUpdating);
  EXPECT_EQ(index_status(), ResourceStatus::kUpdating);
  expect_delayed([&] { return status() == ResourceStatus::kActive; });
  EXPECT_EQ(index_status(), ResourceStatus::kActive);
  EXPECT_TRUE(database().find_table("t")->schema.deletion_protection);

  EXPECT_EQ(database().delete_table("t")->schema.status, ResourceStatus::kDeleting);
  EXPECT_EQ(status(), ResourceStatus::kDeleting);
  EXPECT_EQ(database().list_tables("", 10).size(), 1U);
  EXPECT_EQ(database().create_table(indexed_schema()), nullptr);
  EXPECT_EQ(database().delete_table("t")->schema.status, ResourceStatus::kDeleting);
  expect_delayed([&] { return database().find_table("t") == nullptr; });
}

TEST_P(TableLifecycleTest, IndexesComeAndGoWithTheDelay) {
  options_.control_plane_delay = std::chrono::hours(1);
  const auto backfilling = [&] {
    return database().find_table("t")->schema.indexes[0].backfilling;
  };
  const TablePtr table = database().create_table(table_schema("t"));
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}, {"g", "x"}}));
  put(database(), table, make_item({{"pk", "b"}, {"sk", 1}, {"g", "x"}}));
  database().update_table("t",
                          [](TableSchema& schema) { schema.indexes = indexed_schema().indexes; });
  database().settle();
  EXPECT_EQ(status(), ResourceStatus::kUpdating);
  EXPECT_FALSE(backfilling());
  // Changes of items that the index has no entries of yet.
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}, {"g", "y"}, {"more", "text"}}));
  remove(database(), table, make_item({{"pk", "b"}, {"sk", 1}}));
  expect_delayed(backfilling);
  EXPECT_EQ(status(), ResourceStatus::kActive);
  database().settle();
  EXPECT_EQ(index_status(), ResourceStatus::kCreating);
  expect_delayed([&] { return index_status() == ResourceStatus::kActive; });
  EXPECT_FALSE(backfilling());
  expect_consistent(database(), "t");

  database().update_table(
      "t", [](TableSchema& schema) { schema.indexes[0].status = ResourceStatus::kDeleting; });
  EXPECT_EQ(status(), ResourceStatus::kUpdating);
  EXPECT_EQ(index_status(), ResourceStatus::kDeleting);
  expect_delayed([&] { return database().find_table("t")->indexes.empty(); });
  EXPECT_EQ(status(), ResourceStatus::kActive);
}

TEST_P(TableLifecycleTest, WithoutADelayPassingStatusesAreOnlyReturned) {
  database().create_table(indexed_schema());
  const TablePtr updated = database().update_table(
      "t", [](TableSchema& schema) { schema.indexes[0].status = ResourceStatus::kDeleting; });
  EXPECT_EQ(updated->schema.status, ResourceStatus::kUpdating);
  ASSERT_EQ(updated->indexes.size(), 1U);
  EXPECT_EQ(updated->indexes[0]->schema.status, ResourceStatus::kDeleting);
  EXPECT_EQ(status(), ResourceStatus::kActive);
  EXPECT_TRUE(database().find_table("t")->indexes.empty());
  const TablePtr tagged = database().update_table("t", [](TableSchema& schema) {
    schema.tags = {{"k", "v"}};
  });
  EXPECT_EQ(tagged->schema.status, ResourceStatus::kActive);
  EXPECT_EQ(database().update_table("u", [](TableSchema&) {}), nullptr);
  EXPECT_THROW(
      database().update_table("t", [](TableSchema&) { throw std::invalid_argument("no"); }),
      std::invalid_argument);
}

// Records its calls.
class Listener final : public TableFollowUp {
 public:
  void resume() override { heard_.emplace_back("resume"); }
  void follow(const Catalog::Edited& edited) override {
    heard_.push_back("follow " + state_of(*edited.previous) + " to " + state_of(*edited.table));
  }
  void drop(const Table& table) override { heard_.push_back("drop " + state_of(table)); }

  std::vector<std::string> take() { return std::exchange(heard_, {}); }

 private:
  // A table, and the status of its index if it has one.
  static std::string state_of(const Table& table) {
    if (table.indexes.empty()) return table.schema.name;
    const IndexSchema& index = table.indexes.front()->schema;
    return table.schema.name + (index.backfilling                           ? " filling"
                                : index.status == ResourceStatus::kActive   ? " active"
                                : index.status == ResourceStatus::kCreating ? " creating"
                                                                            : " leaving");
  }

  std::vector<std::string> heard_;
};

using FollowUpTest = EngineTest;
INSTANTIATE_TEST_SUITE_P(Engines, FollowUpTest, kEngineKinds, engine_kind_name);

TEST_P(FollowUpTest, SeesWhatChangesInATableAndItsEnd) {
  using Heard = std::vector<std::string>;
  const Clock clock;
  ChangeLog changes(*engine_);
  Catalog catalog(*engine_, clock, changes, 1);
  Worker timers("test", [](std::string_view warning) { ADD_FAILURE() << warning; });
  Listener listener;
  Listener other;
  ControlPlaneDelay none(milliseconds(0), clock, timers);
  TableLifecycle lifecycle(catalog, none, true, {&listener, &other});
  lifecycle.resume();
  EXPECT_EQ(listener.take(), Heard{"resume"});
  TableSchema schema = table_schema("t");
  lifecycle.create_table(schema);
  EXPECT_EQ(listener.take(), Heard{});
  lifecycle.update_table({0, "t"}, [](TableSchema& changed) {
    changed.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
  });
  EXPECT_EQ(listener.take(), Heard{"follow t to t filling"});
  EXPECT_THROW(lifecycle.update_table({0, "t"}, [](TableSchema&) { throw std::bad_alloc(); }),
               std::bad_alloc);
  lifecycle.update_table({0, "u"}, [](TableSchema&) {});
  EXPECT_EQ(listener.take(), Heard{});
  lifecycle.update_table({0, "t"}, [](TableSchema& changed) {
    changed.indexes[0].status = ResourceStatus::kDeleting;
  });
  EXPECT_EQ(listener.take(), Heard{"follow t filling to t"});
  lifecycle.delete_table({0, "t"});
  lifecycle.delete_table({0, "t"});
  EXPECT_EQ(listener.take(), Heard{"drop t"});
  EXPECT_EQ(other.take().size(), 4U);
}

// Follows nothing, each time for want of memory.
class Failing final : public TableFollowUp {
 public:
  void resume() override {}
  void follow(const Catalog::Edited& /*edited*/) override { throw std::bad_alloc(); }
  void drop(const Table& /*table*/) override { throw std::bad_alloc(); }
};

TEST_P(FollowUpTest, OneThatFailsTakesNoOthersTurn) {
  using Heard = std::vector<std::string>;
  const Clock clock;
  ChangeLog changes(*engine_);
  Catalog catalog(*engine_, clock, changes, 1);
  Worker timers("test", [](std::string_view warning) { ADD_FAILURE() << warning; });
  Failing failing;
  Listener listener;
  ControlPlaneDelay none(milliseconds(0), clock, timers);
  TableLifecycle lifecycle(catalog, none, true, {&failing, &listener});
  lifecycle.create_table(table_schema("t"));
  EXPECT_THROW(lifecycle.update_table({0, "t"}, [](TableSchema&) {}), std::bad_alloc);
  EXPECT_EQ(listener.take(), Heard{"follow t to t"});
  EXPECT_THROW(lifecycle.delete_table({0, "t"}), std::bad_alloc);
  EXPECT_EQ(listener.take(), Heard{"drop t"});
}

TEST_P(FollowUpTest, ResumesBeforeTransitionsAreFinished) {
  using Heard = std::vector<std::string>;
  Clock clock;
  ChangeLog changes(*engine_);
  Catalog catalog(*engine_, clock, changes, 1);
  TableSchema created = table_schema("created");
  created.status = ResourceStatus::kCreating;
  catalog.create(created);
  TableSchema deleted = table_schema("deleted");
  deleted.status = ResourceStatus::kDeleting;
  catalog.create(deleted);
  TableSchema updated = table_schema("updated");
  updated.status = ResourceStatus::kUpdating;
  updated.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
  updated.indexes[0].status = ResourceStatus::kCreating;
  catalog.create(updated);
  Worker timers("test", [](std::string_view warning) { ADD_FAILURE() << warning; });
  Listener listener;
  ControlPlaneDelay delay(std::chrono::hours(1), clock, timers);
  TableLifecycle lifecycle(catalog, delay, true, {&listener});
  lifecycle.resume();
  EXPECT_EQ(listener.take(), (Heard{"resume", "follow created to created", "drop deleted",
                                    "follow updated creating to updated filling"}));
}

TEST_P(DurableTableLifecycleTest, TransitionsEndWithARestart) {
  options_.control_plane_delay = std::chrono::hours(1);
  database().create_table(table_schema("created"));
  database().create_table(indexed_schema());
  database().create_table(table_schema("deleted"));
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  database().create_table(table_schema("late"));
  database().delete_table("deleted");
  database().update_table(
      "t", [](TableSchema& schema) { schema.indexes[0].status = ResourceStatus::kDeleting; });
  reopen();
  EXPECT_EQ(database().list_tables("", 10), (std::vector<std::string>{"created", "late", "t"}));
  EXPECT_EQ(database().find_table("late")->schema.status, ResourceStatus::kActive);
  EXPECT_EQ(status(), ResourceStatus::kActive);
  EXPECT_TRUE(database().find_table("t")->indexes.empty());
}

}  // namespace
}  // namespace magneto::storage
