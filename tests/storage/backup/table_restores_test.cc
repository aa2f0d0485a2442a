// Tables restored from backups, on both engines: whole or not at all, in all circumstances.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "storage/table/memory_budget.h"
#include "tests/storage/backup/backup_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using Mode = CopyGate::Mode;

class TableRestoresTest : public BackupTest {
 protected:
  // A complete backup of a table of kSeveralChunks items, and the number of the next table.
  BackupPtr complete_backup() {
    open_gated();
    make_table(kSeveralChunks);
    before_ = items_of(database(), "t");
    const BackupPtr backup = back_up();
    database().settle();
    next_number_ = backup->schema->number + 1;
    return found(backup);
  }
  TablePtr begin(const BackupPtr& backup, std::string_view name = "r") {
    RestoreResult restored = database().restore_table(backup, plain_schema(name));
    EXPECT_EQ(restored.outcome, BackupOutcome::kDone);
    return restored.table;
  }
  void expect_whole(Database& database, std::string_view name = "r") {
    expect_consistent(database, name);
    const TablePtr table = database.find_table(name);
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->schema.status, ResourceStatus::kActive);
    EXPECT_FALSE(table->schema.restored->in_progress);
    for (const auto& index : table->indexes) {
      EXPECT_EQ(index->schema.status, ResourceStatus::kActive);
    }
    EXPECT_EQ(items_of(database, name), before_);
  }

  std::vector<std::string> before_;
  std::uint32_t next_number_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Engines, TableRestoresTest, kEngineKinds, engine_kind_name);

TEST_P(TableRestoresTest, TheTableIsThereWhileItIsFilled) {
  const BackupPtr backup = complete_backup();
  gate_.set(Mode::kHold, next_number_, 1);
  begin(backup);
  gate_.await_one();
  const TablePtr table = database().find_table("r");
  EXPECT_EQ(table->schema.status, ResourceStatus::kCreating);
  EXPECT_TRUE(table->schema.restored->in_progress);
  EXPECT_EQ(table->schema.restored->backup_arn, backup->schema->arn());
  EXPECT_EQ(table->schema.restored->table_arn, backup->schema->table.arn());
  EXPECT_EQ(table->schema.restored->time, backup->schema->created_seconds());
  EXPECT_EQ(database().delete_backup(backup->schema->arn()).outcome, BackupOutcome::kInUse);
  EXPECT_EQ(database().restore_table(backup, plain_schema("r")).outcome,
            BackupOutcome::kTableExists);
  gate_.set(Mode::kPass);
  expect_whole(database());
  EXPECT_EQ(database().delete_backup(backup->schema->arn()).outcome, BackupOutcome::kDone);
}

TEST_P(TableRestoresTest, SeveralGoOnAtOnce) {
  complete_backup();
  back_up();
  back_up();
  database().settle();
  std::vector<std::string> names;
  for (const BackupPtr& backup : database().list_backups({}, 3)) {
    begin(backup, names.emplace_back("r" + std::to_string(names.size())));
  }
  ASSERT_EQ(names.size(), 3U);
  for (const std::string& name : names) expect_whole(database(), name);
}

TEST_P(TableRestoresTest, OneAtATimeIsFromABackup) {
  const BackupPtr backup = complete_backup();
  gate_.set(Mode::kHold, next_number_, 1);
  begin(backup);
  gate_.await_one();
  const auto again = [&] { return database().restore_table(backup, plain_schema("s")).outcome; };
  EXPECT_EQ(again(), BackupOutcome::kInUse);
  EXPECT_EQ(database().find_table("s"), nullptr);
  gate_.set(Mode::kPass);
  expect_whole(database());
  EXPECT_EQ(again(), BackupOutcome::kDone);
  expect_whole(database(), "s");
}

TEST_P(TableRestoresTest, OneThatWasCutOffGoesOnAfterTheStart) {
  if (!is_durable()) return;  // nothing is left of it there
  BackupPtr backup = complete_backup();
  for (const int chunks : {0, 1, 2, 3}) {
    gate_.set(Mode::kHold, next_number_++, chunks);
    begin(backup);
    gate_.await_one();
    kill_and_open();
    expect_whole(database());
    EXPECT_EQ(database().delete_backup(backup->schema->arn() + "x").outcome,
              BackupOutcome::kNoBackup);
    database().delete_table("r");
    database().settle();
    database_.reset();
    open_gated();
    backup = found(backup);
  }
  EXPECT_EQ(database().delete_backup(backup->schema->arn()).outcome, BackupOutcome::kDone);
}

// A start ends the passing status of a table, except that of a restore.
TEST_P(TableRestoresTest, ItIsCreatingForTheControlPlaneDelay) {
  options_.control_plane_delay = hours(1);
  complete_backup();
  clock_.advance(hours(2));
  ASSERT_TRUE(eventually([&] {
    return database().find_table("t")->schema.status == ResourceStatus::kActive &&
           database().list_backups({}, 1).front()->schema->is_complete;
  }));
  begin(database().list_backups({}, 1).front());
  database().settle();
  const auto status = [&] { return database().find_table("r")->schema.status; };
  EXPECT_EQ(status(), ResourceStatus::kCreating);
  if (is_durable()) {
    reopen();
    database().settle();
    EXPECT_EQ(status(), ResourceStatus::kCreating);
  }
  clock_.advance(hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  expect_whole(database());
}

TEST_P(TableRestoresTest, OneThatCannotBeFilledIsRemoved) {
  const BackupPtr backup = complete_backup();
  gate_.set(Mode::kFail, next_number_, 1);
  const TablePtr table = begin(backup);
  database().settle();
  EXPECT_EQ(database().find_table("r"), nullptr);
  EXPECT_TRUE(has_warning("table r was not restored and is removed: the disk is on fire"));
  gate_.set(Mode::kPass);
  begin(backup);
  expect_whole(database());
  EXPECT_EQ(database().delete_backup(backup->schema->arn()).outcome, BackupOutcome::kDone);
  database().settle();
  if (!is_durable()) return;
  database_.reset();
  EXPECT_EQ(keys_under(table->schema.number), 0);
  EXPECT_EQ(records("dropped/"), 0);
}

TEST_P(TableRestoresTest, FullMemoryEndsIt) {
  const BackupPtr backup = complete_backup();
  database().room().set(1'000);
  begin(backup);
  database().settle();
  EXPECT_EQ(database().find_table("r"), nullptr);
  EXPECT_TRUE(has_warning("table r was not restored"));
  database().room().set(MemoryBudget::kPlenty);
  begin(backup);
  expect_whole(database());
}

// As a reset does it.
TEST_P(TableRestoresTest, ItEndsWithItsTable) {
  const BackupPtr backup = complete_backup();
  gate_.set(Mode::kHold, next_number_, 1);
  const TablePtr table = begin(backup);
  gate_.await_one();
  database().delete_table("r");
  database().create_table(plain_schema("r"));
  gate_.set(Mode::kPass);
  database().settle();
  EXPECT_TRUE(items_of(database(), "r").empty());
  EXPECT_EQ(database().delete_backup(backup->schema->arn()).outcome, BackupOutcome::kDone);
  database().settle();
  if (!is_durable()) return;
  database_.reset();
  EXPECT_EQ(keys_under(table->schema.number), 0);
}

TEST_P(TableRestoresTest, WithoutItsBackupItIsRemoved) {
  const BackupPtr backup = complete_backup();
  const BackupPtr idle = back_up("idle");
  database().settle();
  gate_.set(Mode::kHold, ++next_number_, 1);
  begin(backup);
  gate_.await_one();
  databases().forget_backups(false);
  EXPECT_EQ(found(idle), nullptr);
  EXPECT_NE(found(backup), nullptr);
  databases().forget_backups(true);
  EXPECT_EQ(found(backup), nullptr);
  gate_.set(Mode::kPass);
  database().settle();
  EXPECT_EQ(database().find_table("r"), nullptr);
  EXPECT_TRUE(has_warning("table r was not restored and is removed: its backup"));
}

TEST_P(TableRestoresTest, AForkGoesOnWithIt) {
  const BackupPtr backup = complete_backup();
  gate_.set(Mode::kHold, next_number_, 2);
  begin(backup);
  gate_.await_one();
  // Freezing waits for the commit that is held up.
  StoreSnapshotPtr frozen;
  std::jthread freezer([&] { frozen = databases().snapshot(); });
  gate_.set(Mode::kPass);
  freezer.join();
  const auto forked = Databases::fork(frozen, options_, clock_);
  expect_whole(forked->main());
  expect_whole(database());
}

}  // namespace
}  // namespace magneto::storage
