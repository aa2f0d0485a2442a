#include "storage/background/deleted_stamps.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "storage/encoding/keyspace.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/model/global_table.h"
#include "storage/table/replication.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;

constexpr std::int64_t kNothingWaits = std::numeric_limits<std::int64_t>::max();

class DeletedStampsTest : public testing::Test {
 protected:
  DeletedStampsTest() {
    table_.schema.number = 7;
    table_.schema.region = "eu-west-1";
    add_replica(table_.schema, {.region = "eu-west-2",
                                .database = 1,
                                .queue_number = 0,
                                .status = ReplicaStatus::kActive,
                                .settings = {}});
    table_.replication =
        open_replication(*engine_, table_.schema, std::make_shared<StampSource>(), nullptr);
  }

  static std::string key(const std::string& name) { return tree_prefix(7, 0) + "01234567" + name; }
  void stamp(const std::string& name, Clock::TimePoint time, bool is_deleted) {
    WriteBatch batch;
    const auto microseconds = static_cast<std::uint64_t>(time.time_since_epoch().count());
    stage_stamp(*table_.replication, key(name), {.time = microseconds, .region = "r"}, is_deleted,
                batch);
    engine_->commit(batch);
  }
  bool has(const std::string& name) {
    const WriteScopePtr scope = engine_->begin(key(name));
    return read_stamp(*scope, *table_.replication, key(name), false).stamp.time != 0;
  }

  const std::unique_ptr<Engine> engine_ = make_memory_engine();
  Table table_;
  const Clock::TimePoint now_ = Clock::kFirst + hours(1000);
};

TEST_F(DeletedStampsTest, GoAfterADayUnlessTheItemWasWrittenSince) {
  stamp("old", now_ - hours(25), true);
  stamp("again", now_ - hours(25), true);
  stamp("again", now_ - hours(24), false);
  stamp("new", now_ - hours(23), true);
  const auto next = forget_deleted(*engine_, table_, now_, kNothingWaits);
  EXPECT_EQ(next, now_ + hours(1));
  EXPECT_FALSE(has("old"));
  EXPECT_TRUE(has("again"));
  EXPECT_TRUE(has("new"));
  EXPECT_EQ(forget_deleted(*engine_, table_, now_ + hours(2), kNothingWaits), std::nullopt);
  EXPECT_FALSE(has("new"));
  EXPECT_TRUE(has("again"));
}

TEST_F(DeletedStampsTest, StayWhileOlderChangesWait) {
  stamp("old", now_ - hours(30), true);
  stamp("older", now_ - hours(50), true);
  const std::int64_t waiting = (now_ - hours(40)).time_since_epoch().count();
  const auto next = forget_deleted(*engine_, table_, now_, waiting);
  ASSERT_TRUE(next);
  EXPECT_GT(*next, now_);
  EXPECT_TRUE(has("old"));
  EXPECT_FALSE(has("older"));
}

}  // namespace
}  // namespace magneto::storage
