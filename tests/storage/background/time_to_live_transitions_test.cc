#include "storage/background/time_to_live_transitions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "tests/storage/database_fixture.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

class TimeToLiveTransitionsTest : public DatabaseTest {
 protected:
  ResourceStatus status() { return database().find_table("t")->schema.status; }
  // Nothing may be done before the clock has moved by the delay, but soon after that.
  void expect_delayed(const std::function<bool()>& done) {
    clock_.advance(std::chrono::minutes(59));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(done());
    clock_.advance(std::chrono::minutes(2));
    EXPECT_TRUE(eventually(done));
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, TimeToLiveTransitionsTest, kEngineKinds, engine_kind_name);

using DurableTimeToLiveTransitionsTest = TimeToLiveTransitionsTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableTimeToLiveTransitionsTest,
                         testing::Values(EngineKind::kRocksdb), engine_kind_name);

TEST_P(TimeToLiveTransitionsTest, TimeToLiveIsEnablingAndDisablingForTheDelay) {
  const auto time_to_live = [&] { return database().find_table("t")->schema.time_to_live; };
  const auto becomes = [&](TimeToLiveStatus status) {
    return [&, status] { return time_to_live().status == status; };
  };
  options_.control_plane_delay = std::chrono::hours(1);
  const TablePtr table = database().create_table(table_schema("t"));
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  enable_time_to_live(database(), "t", "ttl");
  EXPECT_EQ(time_to_live().status, TimeToLiveStatus::kEnabling);
  const Item expired = make_item({{"pk", "a"}, {"sk", 1}, {"ttl", 1'700'000'000}});
  put(database(), table, expired);
  expect_delayed(becomes(TimeToLiveStatus::kEnabled));
  EXPECT_TRUE(eventually([&] { return !get(database(), table, expired); }));
  EXPECT_EQ(time_to_live().attribute, "ttl");
  disable_time_to_live(database(), "t");
  EXPECT_EQ(time_to_live().attribute, "ttl");
  put(database(), table, expired);
  expect_delayed(becomes(TimeToLiveStatus::kDisabled));
  EXPECT_TRUE(get(database(), table, expired));
  EXPECT_EQ(time_to_live().attribute, "");
}

TEST_P(DurableTimeToLiveTransitionsTest, TimeToLiveIsEnabledAndDisabledAfterARestart) {
  options_.control_plane_delay = std::chrono::hours(1);
  database().create_table(table_schema("t"));
  enable_time_to_live(database(), "t", "ttl");
  reopen();
  EXPECT_EQ(database().find_table("t")->schema.time_to_live.status, TimeToLiveStatus::kEnabled);
  disable_time_to_live(database(), "t");
  reopen();
  EXPECT_EQ(database().find_table("t")->schema.time_to_live.status, TimeToLiveStatus::kDisabled);
}

TEST_P(TimeToLiveTransitionsTest, AChangeOfSomethingElseDoesNotProlongIt) {
  options_.control_plane_delay = std::chrono::hours(1);
  database().create_table(table_schema("t"));
  enable_time_to_live(database(), "t", "ttl");
  clock_.advance(std::chrono::minutes(50));
  database().update_table("t", [](TableSchema& schema) { schema.tags = {{"k", "v"}}; });
  clock_.advance(std::chrono::minutes(11));
  EXPECT_TRUE(eventually([&] {
    return database().find_table("t")->schema.time_to_live.status == TimeToLiveStatus::kEnabled;
  }));
}

}  // namespace
}  // namespace magneto::storage
