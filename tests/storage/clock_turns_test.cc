// The effects of setting a clock, in stores with their own threads and in guests.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "storage/background/shared_thread.h"
#include "tests/storage/database_fixture.h"
#include "tests/storage/stream/stream_replay.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ConstStream = std::shared_ptr<const StreamLog>;

constexpr hours kYear{24 * 365};

class ClockTurnsTest : public testing::TestWithParam<bool> {
 protected:
  ClockTurnsTest() {
    if (GetParam()) options_.background = &threads_;
  }
  Database& database() {
    if (database_ == nullptr) database_ = main_of(Databases::open(options_, clock_));
    return *database_;
  }
  static testing::AssertionResult eventually(const std::function<bool()>& condition) {
    for (int i = 0; i < 120'000; ++i) {
      if (condition()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(milliseconds(1));
    }
    return testing::AssertionFailure() << "it did not happen";
  }
  static TableSchema schema() {
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
    schema.stream = {true, "KEYS_ONLY", ""};
    return schema;
  }
  void write(int i) {
    put(database(), database().find_table("t"), make_item({{"pk", "p"}, {"sk", i}, {"g", "g"}}));
  }
  void write(int i, std::int64_t expiry) {
    put(database(), database().find_table("t"),
        make_item({{"pk", "p"}, {"sk", i}, {"g", "g"}, {"ttl", expiry}}));
  }
  bool has(int i) {
    return static_cast<bool>(
        get(database(), database().find_table("t"), make_item({{"pk", "p"}, {"sk", i}})));
  }
  std::int64_t in(seconds time) {
    return std::chrono::floor<seconds>(clock_.now() + time).time_since_epoch().count();
  }
  std::size_t index_size() {
    const TablePtr table = database().find_table("t");
    return contents(database(), *table, table->indexes[0].get()).size();
  }
  ConstStream stream() { return database().list_streams("t", "", 10).back(); }
  std::size_t readable_records() {
    std::size_t count = 0;
    for (const StreamShard& shard : stream()->schema().shards) {
      std::optional<StreamCursor> cursor;
      const auto access = stream()->read(shard.number, stream()->horizon(), cursor);
      if (access != StreamLog::Access::kGiven) continue;
      while (cursor->next()) ++count;
    }
    return count;
  }
  std::vector<std::uint64_t> sequences() {
    std::vector<std::uint64_t> found;
    for (const StreamShard& shard : stream()->schema().shards) {
      std::optional<StreamCursor> cursor;
      if (stream()->read(shard.number, 0, cursor) != StreamLog::Access::kGiven) continue;
      while (cursor->next()) found.push_back(cursor->sequence());
    }
    return found;
  }

  BackgroundThreads threads_;
  Clock clock_;
  DatabaseOptions options_;
  MainDatabase database_;
};
INSTANTIATE_TEST_SUITE_P(Stores, ClockTurnsTest, testing::Bool(), [](const auto& tested) {
  return std::string(tested.param ? "Guest" : "OwnThreads");
});

TEST_P(ClockTurnsTest, AfterADayTheRecordsOfStreamsAreGoneAndShardsHaveRolledOver) {
  options_.partitions = 1;
  database().create_table(schema());
  for (int i = 0; i < 10; ++i) write(i);
  EXPECT_EQ(readable_records(), 10U);
  clock_.advance(hours(25));
  EXPECT_EQ(readable_records(), 0U);
  EXPECT_TRUE(eventually([&] { return stream()->schema().shards.size() == 2; }));
  write(100);
  EXPECT_EQ(readable_records(), 1U);
  clock_.advance(hours(25));
  EXPECT_TRUE(eventually([&] {
    const std::vector<StreamShard> shards = stream()->schema().shards;
    return shards.size() == 2 && shards[0].number == 2;
  }));
}

TEST_P(ClockTurnsTest, AStreamOfADeletedTableGoesAfterADay) {
  database().create_table(schema());
  write(1);
  database().delete_table("t");
  EXPECT_EQ(database().list_streams("t", "", 10).size(), 1U);
  clock_.advance(hours(25));
  EXPECT_TRUE(eventually([&] { return database().list_streams("t", "", 10).empty(); }));
}

TEST_P(ClockTurnsTest, YearsLaterAllIsDeletedThatHasExpiredSince) {
  database().create_table(schema());
  enable_time_to_live(database(), "t", "ttl");
  write(1, in(hours(1)));
  write(2, in(3 * kYear));
  write(3, in(20 * kYear));
  write(4, in(-6 * kYear));  // too old for DynamoDB to delete it
  write(5);
  clock_.advance(10 * kYear);
  EXPECT_TRUE(eventually([&] { return !has(1) && !has(2); }));
  EXPECT_TRUE(has(3));
  EXPECT_TRUE(has(4));
  EXPECT_TRUE(has(5));
  database().settle();  // so that nothing looks back to before the turn any more
  write(6, in(-6 * kYear));
  clock_.advance(-10 * kYear);
  clock_.freeze();
  write(7, in(seconds(1)));
  database().settle();
  EXPECT_TRUE(has(6));
  EXPECT_TRUE(has(7));
  clock_.advance(seconds(3));
  EXPECT_TRUE(eventually([&] { return !has(7); }));
}

TEST_P(ClockTurnsTest, AnItemExpiresByARunningClock) {
  database().create_table(schema());
  enable_time_to_live(database(), "t", "ttl");
  clock_.set(std::chrono::sys_days(std::chrono::year(2100) / 1 / 1));
  write(1, in(seconds(1)));
  write(2, in(seconds(1000)));
  EXPECT_TRUE(eventually([&] { return !has(1); }));
  EXPECT_TRUE(has(2));
  write(3, in(seconds(-5)));
  EXPECT_TRUE(eventually([&] { return !has(3); }));
}

TEST_P(ClockTurnsTest, NeverDoSequenceNumbersOrShardsGoBack) {
  options_.partitions = 1;
  database().create_table(schema());
  clock_.advance(10 * kYear);
  database().settle();  // its shard rolls over now
  const std::uint32_t shard = stream()->schema().shards.back().number;
  write(1);
  const Clock::TimePoint then = clock_.now();
  clock_.advance(-20 * kYear);
  for (int i = 2; i < 10; ++i) write(i);
  const std::vector<std::uint64_t> numbers = sequences();
  ASSERT_EQ(numbers.size(), 9U);
  EXPECT_TRUE(std::ranges::is_sorted(numbers));
  // Each record has the time of its creation, and all are kept for a day.
  std::optional<StreamCursor> cursor;
  ASSERT_EQ(stream()->read(shard, 0, cursor), StreamLog::Access::kGiven);
  ASSERT_TRUE(cursor->next());
  EXPECT_LT(std::chrono::abs(cursor->made() - then), minutes(1));
  ASSERT_TRUE(cursor->next());
  EXPECT_LT(std::chrono::abs(cursor->made() - clock_.now()), minutes(1));
  clock_.advance(hours(23));
  EXPECT_EQ(readable_records(), 9U);
  clock_.advance(hours(2));
  EXPECT_EQ(readable_records(), 0U);
  EXPECT_TRUE(eventually([&] { return stream()->schema().shards.size() == 2; }));
  const std::vector<StreamShard> shards = stream()->schema().shards;
  EXPECT_LT(shards[0].opened, shards[1].opened);
  EXPECT_LT(shards[0].first_sequence, shards[1].first_sequence);
  clock_.advance(hours(24));
  EXPECT_TRUE(eventually([&] { return stream()->schema().shards[0].number == shard + 1; }));
}

TEST_P(ClockTurnsTest, AStreamMadeAfterTheClockWasSetBackIsTheLatest) {
  clock_.advance(1'000 * kYear);
  database().create_table(schema());
  const std::string first = stream()->arn();
  clock_.reset();
  database().update_table("t", [](TableSchema& changed) { changed.stream.enabled = false; });
  EXPECT_EQ(database().stream_status(*stream()), StreamStatus::kDisabled);
  database().update_table("t", [](TableSchema& changed) {
    changed.stream = {true, "KEYS_ONLY", ""};
  });
  EXPECT_LT(first, stream()->arn());
  clock_.advance(hours(25));
  EXPECT_TRUE(eventually([&] { return database().list_streams("t", "", 10).size() == 1; }));
}

TEST_P(ClockTurnsTest, ALaggingIndexIsHeldByAFrozenClock) {
  options_.global_index_delay = minutes(1);
  database().create_table(schema());
  clock_.freeze();
  write(1);
  database().settle();  // without the held changes
  EXPECT_EQ(index_size(), 0U);
  clock_.advance(seconds(59));
  write(2);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(index_size(), 0U);
  clock_.advance(seconds(2));
  EXPECT_TRUE(eventually([&] { return index_size() == 1; }));
  // Set back, it waits no longer than it was to.
  clock_.advance(-10 * kYear);
  write(3);
  EXPECT_EQ(index_size(), 1U);
  clock_.advance(seconds(61));
  EXPECT_TRUE(eventually([&] { return index_size() == 3; }));
  expect_consistent(database(), "t");
}

TEST_P(ClockTurnsTest, ALaggingIndexIsFilledWhenItsEntriesAreThere) {
  options_.global_index_delay = minutes(1);
  clock_.freeze();
  database().create_table(table_schema("t"));
  for (int i = 0; i < 100; ++i) write(i);
  database().update_table("t", [](TableSchema& changed) { changed.indexes = schema().indexes; });
  std::this_thread::sleep_for(milliseconds(30));
  const auto status = [&] { return database().find_table("t")->schema.indexes[0].status; };
  EXPECT_EQ(status(), ResourceStatus::kCreating);
  // An entry waits from when it is made, which may be after an advance.
  EXPECT_TRUE(eventually([&] {
    clock_.advance(seconds(61));
    return status() == ResourceStatus::kActive;
  }));
  EXPECT_EQ(index_size(), 100U);
  expect_consistent(database(), "t");
}

TEST_P(ClockTurnsTest, PassingStatusesEndAtOnceAndNotLaterThanMeant) {
  options_.control_plane_delay = hours(1);
  clock_.freeze();
  const auto status = [&] { return database().find_table("t")->schema.status; };
  database().create_table(schema());
  clock_.advance(minutes(59));
  database().settle();
  EXPECT_EQ(status(), ResourceStatus::kCreating);
  clock_.advance(-20 * kYear);
  clock_.advance(minutes(61));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  EXPECT_EQ(database().stream_status(*stream()), StreamStatus::kEnabled);
}

TEST_P(ClockTurnsTest, WorksAtTheEndsOfTime) {
  clock_.freeze();
  for (const Clock::TimePoint time : {Clock::kFirst, Clock::kLast}) {
    clock_.set(time);
    database().settle();
    database().create_table(schema());
    enable_time_to_live(database(), "t", "ttl");
    write(1);
    write(2, 1);
    write(3, in(hours(1)));
    database().settle();
    EXPECT_TRUE(has(1));
    EXPECT_TRUE(has(2));
    EXPECT_TRUE(has(3));
    EXPECT_GE(readable_records(), 3U);
    expect_consistent(database(), "t");
    database().delete_table("t");
    EXPECT_TRUE(stream()->is_closed());
  }
  clock_.reset();
  database().settle();
}

TEST_P(ClockTurnsTest, IsTurnedWhileAllWorks) {
  options_.control_plane_delay = milliseconds(5);
  options_.global_index_delay = milliseconds(5);
  database().create_table(schema());
  EXPECT_TRUE(eventually(
      [&] { return database().find_table("t")->schema.status == ResourceStatus::kActive; }));
  enable_time_to_live(database(), "t", "ttl");
  std::atomic<bool> end{false};
  std::jthread turner([&] {
    for (int i = 0; !end; ++i) {
      if (i % 7 == 0) clock_.freeze();
      clock_.advance(i % 3 == 0 ? -hours(5) : hours(7));
      if (i % 7 == 3) clock_.unfreeze();
      if (i % 50 == 0) clock_.reset();
      std::this_thread::sleep_for(milliseconds(1));
    }
    clock_.reset();
  });
  for (int i = 0; i < 2'000; ++i) {
    if (i % 3 == 0) {
      write(i);
    } else {
      write(i, in(hours(i % 20)));
    }
  }
  end = true;
  turner.join();
  EXPECT_TRUE(std::ranges::is_sorted(sequences()) || stream()->schema().shards.size() > 1);
  clock_.advance(hours(24 * 60));
  EXPECT_TRUE(eventually([&] {
    database().settle();
    return index_size() == 667;
  }));
  expect_consistent(database(), "t");
}

}  // namespace
}  // namespace magneto::storage
