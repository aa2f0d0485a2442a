// Backups on both engines: their contents, their creation, and events during it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "storage/backup/backup_catalog.h"
#include "storage/table/memory_budget.h"
#include "tests/storage/backup/backup_fixture.h"
#include "tests/support/full_disk.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using Mode = CopyGate::Mode;

class BackupsTest : public BackupTest {};
INSTANTIATE_TEST_SUITE_P(Engines, BackupsTest, kEngineKinds, engine_kind_name);

TEST_P(BackupsTest, HoldsWhatTheTableHadWhenItWasAskedFor) {
  const TablePtr table = make_table(kSeveralChunks);
  const std::vector<std::string> before = items_of(database(), "t");
  const BackupPtr backup = back_up();
  for (int i = 0; i < kSeveralChunks; i += 3) {
    remove(database(), table, item("k" + std::to_string(i), 0));
  }
  fill(table, kSeveralChunks, kSeveralChunks + 100);
  put(database(), table, item("k1", 4'711));
  database().settle();
  const BackupSchema schema = *found(backup)->schema;
  EXPECT_TRUE(schema.is_complete);
  EXPECT_EQ(schema.items, kSeveralChunks);
  EXPECT_EQ(schema.table.id, table->schema.id);
  EXPECT_TRUE(schema.table.tags.empty());
  restore(backup, "restored");
  EXPECT_EQ(items_of(database(), "restored"), before);
  EXPECT_EQ(database().find_table("restored")->stream, nullptr);
  EXPECT_NE(items_of(database(), "t"), before);
  expect_consistent(database(), "t");
}

TEST_P(BackupsTest, AnEmptyTableCanBeBackedUpAndRestored) {
  make_table(0);
  const BackupPtr backup = back_up();
  database().settle();
  EXPECT_EQ(found(backup)->schema->items, 0);
  restore(backup, "restored");
  EXPECT_TRUE(items_of(database(), "restored").empty());
}

// Transactions move units between accounts, so every moment has the same sum.
TEST_P(BackupsTest, IsOfOneMoment) {
  constexpr int kAccounts = 1'200;
  const TablePtr table = database().create_table(plain_schema("t"));
  for (int i = 0; i < kAccounts; ++i) put(database(), table, item("k" + std::to_string(i), 100));
  std::atomic<bool> stop = false;
  const auto move = [&](unsigned seed) {
    std::mt19937 random(seed);
    while (!stop) {
      const int from = static_cast<int>(random() % kAccounts);
      const int to = (from + 1 + static_cast<int>(random() % (kAccounts - 1))) % kAccounts;
      const auto change = [&](int account, int by) {
        return [account, by](const StoredItem& current) {
          const auto n = static_cast<int>(*current.view().find("n").number().to_integer());
          return WriteDecision::put(item("k" + std::to_string(account), n + by));
        };
      };
      const auto take = change(from, -1);
      const auto give = change(to, 1);
      const std::string from_key = item_key(table->schema, item("k" + std::to_string(from), 0));
      const std::string to_key = item_key(table->schema, item("k" + std::to_string(to), 0));
      const std::vector<ItemWrite> writes{{table, from_key, take}, {table, to_key, give}};
      database().write_all(writes);
    }
  };
  std::vector<std::jthread> movers;
  for (unsigned seed = 0; seed < 2; ++seed) movers.emplace_back(move, seed);
  std::vector<BackupPtr> backups;
  for (int i = 0; i < 4; ++i) {
    backups.push_back(back_up());
    ASSERT_TRUE(eventually([&] { return found(backups.back())->schema->is_complete; }));
  }
  stop = true;
  movers.clear();
  for (const BackupPtr& backup : backups) {
    restore(backup, "restored");
    std::int64_t sum = 0;
    ItemCursor cursor =
        database().scan(*database().find_table("restored"), nullptr, {}, Direction::kForward);
    while (cursor.next()) sum += *cursor.item().find("n").number().to_integer();
    EXPECT_EQ(sum, 100 * kAccounts);
    database().delete_table("restored");
  }
}

TEST_P(BackupsTest, WhileOneIsMadeWritesGoOnAndItIsInUse) {
  open_gated();
  const TablePtr table = make_table(kSeveralChunks);
  gate_.set(Mode::kHold, table->schema.number + 1, 1);
  const BackupPtr backup = back_up();
  gate_.await_one();
  EXPECT_FALSE(found(backup)->schema->is_complete);
  EXPECT_EQ(found(backup)->schema->items, kSeveralChunks);
  EXPECT_EQ(database().delete_backup(backup->schema->arn()).outcome, BackupOutcome::kInUse);
  EXPECT_EQ(database().restore_table(backup, plain_schema("no")).outcome, BackupOutcome::kNoBackup);
  EXPECT_EQ(database().find_table("no"), nullptr);
  put(database(), table, item("new", 1));
  EXPECT_EQ(listed(), std::vector<std::string>{"backup"});
  gate_.set(Mode::kPass);
  database().settle();
  EXPECT_TRUE(found(backup)->schema->is_complete);
  EXPECT_EQ(found(backup)->schema->items, kSeveralChunks);
  EXPECT_EQ(database().delete_backup(backup->schema->arn()).outcome, BackupOutcome::kDone);
}

TEST_P(BackupsTest, TheTableMayBeDeletedUnderIt) {
  open_gated();
  const TablePtr table = make_table(kSeveralChunks);
  const std::vector<std::string> before = items_of(database(), "t");
  gate_.set(Mode::kHold, table->schema.number + 1, 1);
  const BackupPtr backup = back_up();
  gate_.await_one();
  // Closing its stream waits for the commit that is held up.
  std::jthread deleter([this] { database().delete_table("t"); });
  ASSERT_TRUE(eventually([&] { return database().find_table("t") == nullptr; }));
  gate_.set(Mode::kPass);
  deleter.join();
  database().create_table(full_schema());
  database().settle();
  restore(backup, "restored");
  EXPECT_EQ(items_of(database(), "restored"), before);
  EXPECT_TRUE(items_of(database(), "t").empty());
}

TEST_P(BackupsTest, OfADeletedTableThereIsNone) {
  const TablePtr table = make_table(1);
  database().delete_table("t");
  EXPECT_EQ(database().create_backup(table, "late").outcome, BackupOutcome::kNoTable);
  EXPECT_TRUE(listed().empty());
}

TEST_P(BackupsTest, OutlivesItsTableAndARestart) {
  const TablePtr table = make_table(100);
  const std::vector<std::string> before = items_of(database(), "t");
  const BackupPtr backup = back_up();
  database().settle();
  const BackupSchema schema = *found(backup)->schema;
  database().delete_table("t");
  database().settle();
  if (is_durable()) reopen();
  ASSERT_NE(found(backup), nullptr);
  EXPECT_EQ(found(backup)->schema->items, schema.items);
  EXPECT_EQ(found(backup)->schema->bytes, schema.bytes);
  EXPECT_EQ(found(backup)->schema->created, schema.created);
  EXPECT_EQ(found(backup)->schema->table.stream.view_type, "NEW_AND_OLD_IMAGES");
  restore(backup, "t");
  EXPECT_EQ(items_of(database(), "t"), before);
}

TEST_P(BackupsTest, OneThatWasCutOffIsGoneAfterTheStart) {
  if (!is_durable()) return;  // nothing is left of it there
  open_gated();
  const TablePtr table = make_table(kSeveralChunks);
  for (const int chunks : {0, 1, 2}) {
    const BackupPtr whole = back_up("whole");
    database().settle();
    gate_.set(Mode::kHold, whole->schema->number + 1, chunks);
    const BackupPtr half = back_up("half");
    gate_.await_one();
    kill_and_open();
    database().settle();
    EXPECT_EQ(found(half), nullptr);
    EXPECT_TRUE(has_warning("the backup half of table t was removed"));
    restore(whole, "restored");
    database().delete_table("restored");
    database().settle();
    database_.reset();
    EXPECT_EQ(keys_under(half->schema->number), 0);
    EXPECT_EQ(keys_under(whole->schema->number), static_cast<std::size_t>(kSeveralChunks));
    EXPECT_EQ(records("dropped/"), 0);
    open_gated();
  }
  EXPECT_EQ(listed(), (std::vector<std::string>{"whole", "whole", "whole"}));
}

TEST_P(BackupsTest, ADeletedOneIsGoneAndItsSpaceFreed) {
  make_table(kSeveralChunks);
  const BackupPtr first = back_up("first");
  const BackupPtr second = back_up("second");
  database().settle();
  const BackupResult deleted = database().delete_backup(first->schema->arn());
  EXPECT_EQ(deleted.outcome, BackupOutcome::kDone);
  EXPECT_EQ(deleted.backup->schema->name, "first");
  EXPECT_EQ(database().delete_backup(first->schema->arn()).outcome, BackupOutcome::kNoBackup);
  EXPECT_EQ(database().restore_table(first, plain_schema("no")).outcome, BackupOutcome::kNoBackup);
  EXPECT_EQ(listed(), std::vector<std::string>{"second"});
  database().settle();
  if (!is_durable()) return;
  database_.reset();
  EXPECT_EQ(keys_under(first->schema->number), 0);
  EXPECT_EQ(keys_under(second->schema->number), static_cast<std::size_t>(kSeveralChunks));
  EXPECT_EQ(records("dropped/"), 0);
}

TEST_P(BackupsTest, OneThatCannotBeWrittenIsRemovedAndWritesGoOn) {
  open_gated();
  const TablePtr table = make_table(kSeveralChunks);
  gate_.set(Mode::kFail, table->schema.number + 1, 1);
  const BackupPtr backup = back_up();
  database().settle();
  EXPECT_EQ(found(backup), nullptr);
  EXPECT_TRUE(has_warning("the backup backup of table t was removed: the disk is on fire"));
  put(database(), table, item("new", 1));
  gate_.set(Mode::kPass);
  const BackupPtr again = back_up();
  database().settle();
  EXPECT_EQ(found(again)->schema->items, kSeveralChunks + 1);
}

TEST_P(BackupsTest, AFullDiskEndsItAndNothingElse) {
  if (!is_durable()) return;
  open_gated();
  const TablePtr table = database().create_table(table_schema("t"));
  for (int i = 0; i < 400; ++i) {
    put(database(), table,
        make_item({{"pk", "k" + std::to_string(i)}, {"sk", 1}, {"v", std::string(100'000, 'x')}}));
  }
  gate_.set(Mode::kHold, table->schema.number + 1, 1);
  const BackupPtr backup = back_up();
  gate_.await_one();
  {
    const FullDisk full(directory_.file("data"));
    gate_.set(Mode::kPass);
    ASSERT_TRUE(eventually([&] { return found(backup) == nullptr; }));
  }
  EXPECT_TRUE(has_warning("No space left on device"));
  ASSERT_TRUE(eventually([&] {
    try {
      put(database(), table, item("new", 1));
      return true;
    } catch (const EngineError&) {
      return false;  // the engine begins again soon
    }
  }));
  const BackupPtr again = back_up();
  database().settle();
  EXPECT_EQ(found(again)->schema->items, 401);
  EXPECT_EQ(listed().size(), 1);
}

TEST_P(BackupsTest, FullMemoryEndsItAndGivesBackWhatItTook) {
  make_table(kSeveralChunks);
  database().room().set(1'000);
  const BackupPtr backup = back_up();
  database().settle();
  EXPECT_EQ(found(backup), nullptr);
  EXPECT_TRUE(has_warning("the backup backup of table t was removed"));
  database().room().set(MemoryBudget::kPlenty);
  const BackupPtr again = back_up();
  database().settle();
  EXPECT_TRUE(found(again)->schema->is_complete);
}

TEST_P(BackupsTest, ManySmallOnesAreListedInTheirOrder) {
  constexpr int kBackups = 1'000;
  const TablePtr table = make_table(3);
  const TablePtr other = database().create_table(plain_schema("other"));
  clock_.freeze();
  std::vector<std::string> expected;
  for (int i = 0; i < kBackups; ++i) {
    const TablePtr& of = i % 4 == 3 ? other : table;
    const std::string name = "b" + std::to_string(i);
    ASSERT_EQ(database().create_backup(of, name).outcome, BackupOutcome::kDone);
    if (i % 2 == 0) clock_.advance(milliseconds(1));  // some at the same time
    if (i % 400 == 399) database().settle();
    expected.push_back(name);
  }
  database().settle();
  std::vector<std::string> all = listed();
  EXPECT_EQ(all.size(), expected.size());
  std::vector<std::string> paged;
  BackupFilter filter;
  for (;;) {
    const std::vector<BackupPtr> page = database().list_backups(filter, 7);
    if (page.empty()) break;
    for (const BackupPtr& backup : page) {
      EXPECT_TRUE(backup->schema->is_complete);
      paged.push_back(backup->schema->name);
    }
    filter.exclusive_start = page.back()->schema->id;
    EXPECT_EQ(database().delete_backup(page.back()->schema->arn()).outcome, BackupOutcome::kDone);
  }
  EXPECT_EQ(paged, all);
  std::ranges::sort(all);
  std::ranges::sort(expected);
  EXPECT_EQ(all, expected);
  EXPECT_EQ(listed({.table_name = "other"}).size() + listed({.table_name = "t"}).size(),
            listed().size());
  for (const BackupPtr& backup : database().list_backups({}, kBackups)) {
    EXPECT_EQ(database().delete_backup(backup->schema->arn()).outcome, BackupOutcome::kDone);
  }
  EXPECT_TRUE(listed().empty());
  database().settle();
  if (!is_durable()) return;
  database_.reset();
  EXPECT_EQ(records("backup/"), 0);
  EXPECT_EQ(records("dropped/"), 0);
}

TEST_P(BackupsTest, AreListedByTableAndTime) {
  clock_.freeze();
  make_table(1);
  const double begin = clock_.epoch_seconds();
  back_up("first");
  clock_.advance(std::chrono::seconds(10));
  back_up("second");
  using Names = std::vector<std::string>;
  EXPECT_EQ(listed({.from = begin}), (Names{"first", "second"}));
  EXPECT_EQ(listed({.before = begin + 10}), Names{"first"});
  EXPECT_EQ(listed({.from = begin + 10}), Names{"second"});
  EXPECT_EQ(listed({.table_name = "other"}), Names{});
  const std::string arn = database().find_table("t")->schema.arn();
  EXPECT_EQ(listed({.table_arn = arn}), (Names{"first", "second"}));
  EXPECT_EQ(listed({.table_arn = arn + "x"}), Names{});
  EXPECT_EQ(listed({}, 1), Names{"first"});
}

TEST_P(BackupsTest, ThereAreAtMostSoMany) {
  if (is_durable()) return;  // the same, but slow
  const TablePtr table = make_table(1);
  for (std::size_t i = 0; i < kMaxBackups; ++i) {
    ASSERT_EQ(database().create_backup(table, "backup").outcome, BackupOutcome::kDone);
    if (i % 400 == 399) database().settle();
  }
  EXPECT_EQ(database().create_backup(table, "backup").outcome, BackupOutcome::kTooMany);
  database().settle();
  databases().forget_backups(false);
  EXPECT_TRUE(listed().empty());
  back_up();
}

TEST_P(BackupsTest, AtMostSoManyAreMadeAtATime) {
  options_.control_plane_delay = hours(1);
  make_table(1);
  clock_.advance(hours(2));
  database().settle();
  const auto make = [&] {
    return database().create_backup(database().find_table("t"), "backup").outcome;
  };
  const auto make_most = [&] {
    for (std::size_t i = 0; i < BackupCatalog::kMostBeingMade; ++i) {
      ASSERT_EQ(make(), BackupOutcome::kDone);
    }
    EXPECT_EQ(make(), BackupOutcome::kTooMany);
  };
  make_most();
  databases().forget_backups(true);
  make_most();
  if (is_durable()) {
    reopen();
    ASSERT_TRUE(eventually([&] { return listed().empty(); }));
    make_most();
  }
  clock_.advance(hours(2));
  EXPECT_TRUE(eventually([&] { return make() == BackupOutcome::kDone; }));
}

TEST_P(BackupsTest, IsBeingMadeForTheControlPlaneDelay) {
  options_.control_plane_delay = hours(1);
  make_table(1);
  clock_.advance(hours(2));
  database().settle();
  const BackupPtr backup = back_up();
  database().settle();
  EXPECT_FALSE(found(backup)->schema->is_complete);
  clock_.advance(hours(2));
  EXPECT_TRUE(eventually([&] { return found(backup)->schema->is_complete; }));
}

TEST_P(BackupsTest, BelongsToItsDatabase) {
  make_table(1);
  Database& other = databases().make("other");
  const TablePtr table = other.create_table(full_schema());
  put(other, table, item("theirs", 1));
  const BackupResult theirs = other.create_backup(table, "theirs");
  const BackupPtr ours = back_up("ours");
  other.delete_table("t");
  databases().settle({});
  databases().forget_streams();
  EXPECT_EQ(listed(), std::vector<std::string>{"ours"});
  EXPECT_EQ(database().find_backup(theirs.backup->schema->arn()), nullptr);
  EXPECT_EQ(other.find_backup(ours->schema->arn()), nullptr);
  EXPECT_EQ(database().delete_backup(theirs.backup->schema->arn()).outcome,
            BackupOutcome::kNoBackup);
  if (is_durable()) reopen();
  Database* const again = databases().find("other");
  ASSERT_NE(again, nullptr);
  const BackupPtr found = again->find_backup(theirs.backup->schema->arn());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(again->restore_table(found, plain_schema("r")).outcome, BackupOutcome::kDone);
  again->settle();
  EXPECT_EQ(items_of(*again, "r").size(), 1);
  EXPECT_EQ(database().find_table("r"), nullptr);
}

TEST_P(BackupsTest, AForkHasThoseThatWereComplete) {
  const TablePtr table = make_table(kSeveralChunks);
  const std::vector<std::string> before = items_of(database(), "t");
  const BackupPtr backup = back_up("first");
  database().settle();
  const auto forked = Databases::fork(databases().snapshot(), options_, clock_);
  Database& child = forked->main();
  const BackupPtr own = child.find_backup(backup->schema->arn());
  ASSERT_NE(own, nullptr);
  put(child, child.find_table("t"), item("new", 1));
  EXPECT_EQ(child.create_backup(child.find_table("t"), "second").outcome, BackupOutcome::kDone);
  EXPECT_EQ(child.restore_table(own, plain_schema("restored")).outcome, BackupOutcome::kDone);
  expect_consistent(child, "restored");
  EXPECT_EQ(items_of(child, "restored"), before);
  const std::vector<BackupPtr> all = child.list_backups({}, 10);
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[1]->schema->items, kSeveralChunks + 1);
  EXPECT_EQ(child.restore_table(all[1], plain_schema("more")).outcome, BackupOutcome::kDone);
  expect_consistent(child, "more");
  EXPECT_EQ(items_of(child, "more"), items_of(child, "t"));
  EXPECT_EQ(child.delete_backup(own->schema->arn()).outcome, BackupOutcome::kDone);
  child.settle();
  EXPECT_EQ(listed(), std::vector<std::string>{"first"});
  restore(backup, "restored");
  EXPECT_EQ(items_of(database(), "restored"), before);
}

TEST_P(BackupsTest, AForkOfWhatHasAnotherBackupIsAnother) {
  make_table(0);
  database().settle();
  const StoreSnapshotPtr first = databases().snapshot();
  back_up();
  database().settle();
  const StoreSnapshotPtr second = databases().snapshot();
  EXPECT_TRUE(first->backups.empty());
  EXPECT_EQ(second->backups.size(), 1);
}

}  // namespace
}  // namespace magneto::storage
