#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "storage/background/deleted_stamps.h"
#include "storage/background/replica_fill.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/global_table.h"
#include "storage/table/item_reader.h"
#include "tests/storage/database_fixture.h"
#include "tests/storage/shared_store.h"

namespace magneto::storage {
namespace {

// A stamp changes between the read and the commit of a scope, but the item does not. So only the
// read of the stamp can detect the change.
class StampConflictsTest : public testing::Test {
 protected:
  TablePtr create(std::uint32_t database) {
    TableSchema schema = table_schema("t");
    schema.database = database;
    schema.region = database == 0 ? "eu-west-1" : "eu-west-2";
    add_replica(schema, {.region = database == 0 ? "eu-west-2" : "eu-west-1",
                         .database = 1 - database,
                         .queue_number = 0,
                         .status = ReplicaStatus::kActive,
                         .settings = {}});
    return catalog_.create(std::move(schema));
  }
  WriteOutcome put(const TablePtr& table, int value, const Stamp* stamp = nullptr) {
    return writer_.write(
        {.table = table,
         .key = item_key(table->schema, item(value)),
         .decide = [&](const StoredItem&) { return WriteDecision::put(item(value)); },
         .stamp = stamp});
  }
  static Item item(int value) { return make_item({{"pk", "a"}, {"sk", 1}, {"v", value}}); }

  // The stamp of the item becomes this one before the next commit.
  void restamp_before_commit(std::uint64_t time, bool is_deleted = false) {
    store_.before_commit([this, time, is_deleted] {
      WriteBatch batch;
      stage_stamp(*table_->replication, key_, {.time = time, .region = "elsewhere"}, is_deleted,
                  batch);
      engine_.commit(batch);
    });
  }
  ItemStamp stamp_in(const Table& table) {
    const std::string key = item_key(table.schema, item(0));
    const WriteScopePtr scope = engine_.begin(key);
    return read_stamp(*scope, *table.replication, key, false);
  }

  SharedStore store_;
  const std::unique_ptr<Engine> owned_engine_ = store_.open();
  Engine& engine_ = *owned_engine_;
  Clock clock_;
  ChangeLog changes_{engine_};
  Catalog catalog_{engine_, clock_, changes_, 0};
  ItemClaims claims_;
  ExpiryTimer timer_;
  IndexDelay lag_{std::chrono::milliseconds(0)};
  ItemWriter writer_{engine_, catalog_, changes_, claims_, timer_, lag_, clock_};
  const TablePtr table_ = create(0);
  const std::string key_ = item_key(table_->schema, item(0));
  const std::uint64_t later_ =
      static_cast<std::uint64_t>((clock_.now() + std::chrono::hours(1)).time_since_epoch().count());
};

TEST_F(StampConflictsTest, AnOlderChangeFromAnotherRegionIsNotMade) {
  put(table_, 1);
  restamp_before_commit(later_);
  const Stamp older{.time = later_ - 1, .region = "eu-west-2"};
  EXPECT_TRUE(put(table_, 2, &older).kept);
  EXPECT_EQ(store_.conflicts(), 1);
  EXPECT_EQ(stamp_in(*table_).stamp.time, later_);
  EXPECT_EQ(describe_item(read_item(engine_, *table_, key_).view()), describe_item(item(1).view()));
}

TEST_F(StampConflictsTest, AWriteGetsAStampThatIsLaterThanTheOneThere) {
  put(table_, 1);
  restamp_before_commit(later_);
  put(table_, 2);
  EXPECT_EQ(store_.conflicts(), 1);
  EXPECT_GT(stamp_in(*table_).stamp.time, later_);
}

TEST_F(StampConflictsTest, AFillCopiesAnItemWithItsLastStamp) {
  const TablePtr target = create(1);
  put(table_, 1);
  ReplicaFill fill(engine_, writer_);
  ReplicaFill::Progress progress;
  restamp_before_commit(later_);
  fill.fill_some(table_, target, progress);
  EXPECT_EQ(store_.conflicts(), 1);
  EXPECT_EQ(stamp_in(*target).stamp.time, later_);
}

TEST_F(StampConflictsTest, TheStampOfAnItemThatIsWrittenAgainIsNotForgotten) {
  const Clock::TimePoint now = Clock::kFirst + std::chrono::hours(1000);
  const auto deleted =
      static_cast<std::uint64_t>((now - std::chrono::hours(25)).time_since_epoch().count());
  WriteBatch batch;
  stage_stamp(*table_->replication, key_, {.time = deleted, .region = "elsewhere"}, true, batch);
  engine_.commit(batch);
  restamp_before_commit(later_);
  forget_deleted(engine_, *table_, now, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(store_.conflicts(), 1);
  EXPECT_EQ(stamp_in(*table_).stamp.time, later_);
}

}  // namespace
}  // namespace magneto::storage
