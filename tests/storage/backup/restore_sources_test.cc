// The source of a restore to a point in time stays until it was read. Its delay ends with any
// change of the clock.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "storage/model/effort.h"
#include "tests/storage/backup/backup_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::days;
using std::chrono::hours;
using Mode = CopyGate::Mode;

class RestoreSourcesTest : public BackupTest {
 protected:
  TablePtr table(std::string_view name) { return database().find_table(name); }
  ResourceStatus status(std::string_view name) { return table(name)->schema.status; }

  void make_source() {
    database().create_table(plain_schema("t"));
    ASSERT_TRUE(eventually([&] { return status("t") == ResourceStatus::kActive; }));
    database().update_table("t", [](TableSchema& schema) {
      schema.point_in_time_recovery.enabled = true;
      schema.point_in_time_recovery.recovery_days = 35;
    });
    fill(table("t"), 0, kSeveralChunks);
    was_ = items_of(database(), "t");
  }
  void begin_restore() {
    EXPECT_EQ(database().restore_table(*table("t"), std::nullopt, plain_schema("r")).outcome,
              BackupOutcome::kDone);
  }
  // Makes the source and begins a restore. The restore is held up after its first commit.
  void begin_held() {
    open_gated();
    make_source();
    gate_.set(Mode::kHold, table("t")->history->number() + 1, 1);
    begin_restore();
    gate_.await_one();
  }
  void expect_whole() {
    ASSERT_NE(table("r"), nullptr);
    ASSERT_TRUE(eventually([&] { return status("r") == ResourceStatus::kActive; }));
    expect_consistent(database(), "r");
    EXPECT_EQ(items_of(database(), "r"), was_);
  }

  void delete_source() { database().delete_table("t"); }
  void end_history() {
    database().update_table("t", [](TableSchema& schema) { schema.point_in_time_recovery = {}; });
  }

  std::vector<std::string> was_;
};
INSTANTIATE_TEST_SUITE_P(Engines, RestoreSourcesTest, kEngineKinds, engine_kind_name);

TEST_P(RestoreSourcesTest, ADeletionWaitsUntilItWasRead) {
  begin_held();
  std::thread deletion([&] { delete_source(); });
  gate_.set(Mode::kPass);
  deletion.join();
  expect_whole();
  EXPECT_EQ(table("t"), nullptr);
}

TEST_P(RestoreSourcesTest, SoDoesTheEndOfItsHistory) {
  begin_held();
  std::thread end([&] { end_history(); });
  gate_.set(Mode::kPass);
  end.join();
  expect_whole();
  EXPECT_EQ(table("t")->history, nullptr);
}

// Neither has happened then, so the next process continues.
TEST_P(RestoreSourcesTest, AKillMeanwhileLosesNoRestore) {
  if (!is_durable()) return;
  for (const bool deletes : {true, false}) {
    database_.reset();
    begin_held();
    std::atomic<bool> stopping{false};
    std::thread change([&] {
      const Effort effort(Effort::kUnlimited, &stopping);
      EXPECT_THROW(deletes ? delete_source() : end_history(), NeedsWorker);
    });
    stopping = true;
    change.join();
    kill_and_open();
    expect_whole();
    EXPECT_NE(table("t")->history, nullptr);
    delete_source();
    database().delete_table("r");
    database().settle();
  }
}

TEST_P(RestoreSourcesTest, TheNextProcessMayBeFarAhead) {
  if (!is_durable()) return;
  begin_held();
  kill_and_open(days(40));
  expect_whole();
}

// A restore that has all its items only waits for the delay.
TEST_P(RestoreSourcesTest, ItsSourceIsNotNeededForTheDelay) {
  options_.control_plane_delay = hours(1);
  open_gated();
  database().create_table(plain_schema("t"));
  clock_.advance(hours(2));
  make_source();
  clock_.advance(hours(2));
  begin_restore();
  ASSERT_TRUE(
      eventually([&] { return table("r")->schema.restored->moment == RestoreOrigin::kFilled; }));
  delete_source();
  clock_.advance(hours(-3));
  if (is_durable()) kill_and_open();
  EXPECT_EQ(status("r"), ResourceStatus::kCreating);
  clock_.advance(hours(2));
  expect_whole();
}

// The delay does not become longer, wherever the clock is set back to.
TEST_P(RestoreSourcesTest, TheDelayEndsWhereTheClockIsSetBack) {
  options_.control_plane_delay = hours(1);
  open();
  database().create_table(plain_schema("t"));
  clock_.advance(hours(2));
  make_source();
  clock_.advance(hours(2));
  begin_restore();
  const BackupPtr backup = back_up();
  database().settle();
  clock_.advance(hours(-30));
  EXPECT_EQ(status("r"), ResourceStatus::kCreating);
  EXPECT_FALSE(found(backup)->schema->is_complete);
  clock_.advance(hours(1));
  expect_whole();
  EXPECT_TRUE(eventually([&] { return found(backup)->schema->is_complete; }));
}

}  // namespace
}  // namespace magneto::storage
