#include "storage/background/ttl_sweeper.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <random>
#include <set>
#include <thread>

#include "tests/storage/database_fixture.h"
#include "tests/storage/stream/stream_replay.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class TtlSweeperTest : public DatabaseTest {
 protected:
  // The clock is frozen just after a whole second, however long a test takes.
  std::int64_t in(std::int64_t seconds_from_now) { return now_ + seconds_from_now; }
  void advance(std::chrono::seconds by) { clock_.advance(by); }

  TablePtr create(bool with_time_to_live = true) {
    TableSchema schema = table_schema("t");
    schema.indexes = {
        index_schema("local", IndexKind::kLocal, {string_key("pk")}, {number_key("l")}),
        index_schema("global", IndexKind::kGlobal, {string_key("g")}, {},
                     ProjectionType::kKeysOnly)};
    database().create_table(std::move(schema));
    if (with_time_to_live) enable_time_to_live(database(), "t", "ttl");
    return database().find_table("t");
  }
  static Item item_of(int i) {
    return make_item({{"pk", "p" + std::to_string(i)}, {"sk", i}, {"l", i}, {"g", "g"}});
  }
  static Item item_of(int i, std::int64_t expiry) {
    return make_item(
        {{"pk", "p" + std::to_string(i)}, {"sk", i}, {"l", i}, {"g", "g"}, {"ttl", expiry}});
  }
  void write(const Item& item) { put(database(), database().find_table("t"), item); }
  std::set<int> left() {
    database().settle();
    std::set<int> numbers;
    for (const auto& [key, text] : contents(database(), *database().find_table("t"), nullptr)) {
      numbers.insert(std::stoi(text.substr(text.find("sk=") + 3)));
    }
    return numbers;
  }

  std::int64_t align_clock() {
    const auto past_second = clock_.now().time_since_epoch() % seconds(1);
    clock_.advance(seconds(1) - past_second + std::chrono::milliseconds(1));
    clock_.freeze();
    return expired_before(clock_.now(), {});
  }

  const std::int64_t now_ = align_clock();
};
INSTANTIATE_TEST_SUITE_P(Engines, TtlSweeperTest, kEngineKinds, engine_kind_name);

using DurableTtlSweeperTest = TtlSweeperTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableTtlSweeperTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(TtlSweeperTest, DeletesWhatHasExpiredFromTableAndIndexes) {
  create();
  write(item_of(1, in(100)));
  write(item_of(2, in(200)));
  write(item_of(3));
  EXPECT_EQ(left(), (std::set<int>{1, 2, 3}));
  advance(seconds(150));
  EXPECT_EQ(left(), (std::set<int>{2, 3}));
  expect_consistent(database(), "t");
  advance(seconds(100));
  EXPECT_EQ(left(), (std::set<int>{3}));
  expect_consistent(database(), "t");
  advance(hours(24 * 365 * 20));
  EXPECT_EQ(left(), (std::set<int>{3}));
}

// Neither before its time nor out of order.
TEST_P(TtlSweeperTest, AnItemWithAFractionGoesWithTheNextSecond) {
  create();
  const auto with_fraction = [&](int i, std::string_view fraction) {
    NumberError error{};
    const std::string text = std::to_string(in(100)).append(fraction);
    write(make_item({{"pk", "p"}, {"sk", i}, {"ttl", *Number::parse(text, error)}}));
  };
  with_fraction(1, ".75");
  with_fraction(2, ".0000001");
  with_fraction(3, "");
  advance(seconds(100));
  EXPECT_EQ(left(), (std::set<int>{1, 2, 3}));
  advance(seconds(1));
  EXPECT_EQ(left(), (std::set<int>{1, 2}));
  advance(seconds(1));
  EXPECT_EQ(left(), std::set<int>());
  expect_consistent(database(), "t");
}

TEST_P(TtlSweeperTest, DoesSoByItself) {
  const TablePtr table = create();
  write(item_of(1, in(100)));
  write(item_of(2, in(-100)));
  EXPECT_TRUE(eventually([&] { return !get(database(), table, item_of(2)); }));
  EXPECT_TRUE(get(database(), table, item_of(1)));
  advance(seconds(150));
  EXPECT_TRUE(eventually([&] { return !get(database(), table, item_of(1)); }));
}

TEST_P(TtlSweeperTest, AWriteThatMovesTheExpiryWins) {
  create();
  write(item_of(1, in(100)));
  write(item_of(2, in(100)));
  write(item_of(3, in(100)));
  write(item_of(1, in(300)));
  write(item_of(2));
  write(item_of(3, in(50)));
  advance(seconds(75));
  EXPECT_EQ(left(), (std::set<int>{1, 2}));
  advance(seconds(75));
  EXPECT_EQ(left(), (std::set<int>{1, 2}));
  write(item_of(2, in(10)));
  EXPECT_EQ(left(), (std::set<int>{1}));
  advance(seconds(200));
  EXPECT_EQ(left(), std::set<int>());
}

TEST_P(TtlSweeperTest, WhatExpiredMoreThanFiveYearsAgoStays) {
  constexpr std::int64_t kDay = 86'400;
  create();
  write(item_of(1, in(-kDay * 365 * 5 - 3 * kDay)));
  write(item_of(2, in(-kDay * 365 * 5)));
  write(item_of(3, 0));
  EXPECT_EQ(left(), (std::set<int>{1, 3}));
}

// Whole seconds are compared, as on AWS: both sides of the limit, with a delay and without, over a
// restart and turns of the clock.
TEST_P(TtlSweeperTest, AnItemIsDueWhenThePresentSecondIsGreater) {
  for (const seconds delay : {seconds(0), seconds(10)}) {
    database_.reset();
    options_.time_to_live_delay = delay;
    const Clock::TimePoint begin = std::chrono::ceil<seconds>(clock_.now());
    clock_.set(begin, true);
    TableSchema schema = table_schema("of" + std::to_string(delay.count()));
    schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
    const std::string name = schema.name;
    database().create_table(std::move(schema));
    enable_time_to_live(database(), name, "ttl");
    const std::int64_t expiry = (begin + seconds(5)).time_since_epoch() / seconds(1);
    // Compares the table with its stream, which must agree.
    const auto is_there = [&] {
      database().settle();
      const TablePtr table = database().find_table(name);
      const bool has_item = !contents(database(), *table, nullptr).empty();
      StreamReplay replay;
      while (replay.read(*table->stream)) continue;
      EXPECT_EQ(replay.items().size(), has_item ? 1U : 0U);
      EXPECT_EQ(replay.records(), has_item ? 1U : 2U);
      return has_item;
    };
    put(database(), database().find_table(name), item_of(1, expiry));
    clock_.set(begin + seconds(5) + std::chrono::milliseconds(999));
    EXPECT_TRUE(is_there());
    clock_.set(begin + seconds(6) + delay - Clock::Duration(1));
    EXPECT_TRUE(is_there());
    if (is_durable()) {
      reopen();
      EXPECT_TRUE(is_there());
    }
    // Back and forth, it is not due before its time.
    clock_.advance(-hours(1));
    EXPECT_TRUE(is_there());
    clock_.set(begin + seconds(6) + delay);
    EXPECT_FALSE(is_there());
    clock_.unfreeze();
  }
}

TEST_P(TtlSweeperTest, ItemsStayForTheDelay) {
  options_.time_to_live_delay = hours(1);
  create();
  write(item_of(1, in(-10)));
  EXPECT_EQ(left(), (std::set<int>{1}));
  advance(hours(1));
  EXPECT_EQ(left(), std::set<int>());
}

TEST_P(TtlSweeperTest, TheTimeOfOtherTablesAndDisabledOnesDoesNotCount) {
  create(false);
  write(item_of(1, in(-10)));
  EXPECT_EQ(left(), (std::set<int>{1}));
  enable_time_to_live(database(), "t", "ttl");
  EXPECT_EQ(left(), std::set<int>());
  write(item_of(2, in(100)));
  disable_time_to_live(database(), "t");
  write(item_of(3, in(100)));
  advance(seconds(200));
  EXPECT_EQ(left(), (std::set<int>{2, 3}));
  enable_time_to_live(database(), "t", "sk");  // all of 1970
  EXPECT_EQ(left(), (std::set<int>{2, 3}));
  disable_time_to_live(database(), "t");
  enable_time_to_live(database(), "t", "ttl");
  EXPECT_EQ(left(), std::set<int>());
}

TEST_P(TtlSweeperTest, ADeletedAndMadeAnewTableKnowsNothingOfTheOldItems) {
  create();
  write(item_of(1, in(100)));
  database().delete_table("t");
  create();
  write(item_of(1));
  advance(seconds(200));
  EXPECT_EQ(left(), (std::set<int>{1}));
}

TEST_P(TtlSweeperTest, ManyItemsGoWhileWritesGoOn) {
  constexpr int kExpiringItems = 1'000;
  create();
  std::vector<std::jthread> writers;
  std::atomic<bool> end{false};
  for (unsigned seed = 0; seed < 2; ++seed) {
    writers.emplace_back([&, seed] {
      std::mt19937 random(seed);
      while (!end) {
        const int i = static_cast<int>(random() % kExpiringItems);
        write(random() % 2 == 0 ? item_of(i, in(-1)) : item_of(i, in(1'000'000)));
      }
    });
  }
  for (int i = 0; i < kExpiringItems; ++i) write(item_of(i, in(-1)));
  end = true;
  writers.clear();
  for (const int i : left()) {
    const StoredItem item = get(database(), database().find_table("t"), item_of(i));
    ASSERT_TRUE(item);
    EXPECT_EQ(item.view().find("ttl").number().to_integer(), in(1'000'000));
  }
  expect_consistent(database(), "t");
}

// The clock is a day ahead when a sweep begins, and back before its second chunk. No item that is
// not due any more is deleted.
TEST_P(TtlSweeperTest, AClockThatIsTurnedBackStopsASweep) {
  constexpr int kChunk = 32;
  std::promise<void> is_back;
  std::atomic<bool> turns_back{false};
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  faults->fails = [&](const WriteBatch& batch) {
    const bool is_chunk = batch.size() > 2 * kChunk;
    if (is_chunk && turns_back.exchange(false)) {
      advance(-hours(24));
      is_back.set_value();
    }
    return false;
  };
  open_with(faults);
  create();
  for (int i = 0; i < kChunk; ++i) write(item_of(i, in(100)));
  for (int i = kChunk; i < 2 * kChunk; ++i) write(item_of(i, in(2'000)));
  write(item_of(1'000, in(3 * 3'600)));
  database().settle();
  turns_back = true;
  advance(hours(24));
  is_back.get_future().wait();
  std::set<int> expected{1'000};
  for (int i = kChunk; i < 2 * kChunk; ++i) expected.insert(i);
  EXPECT_EQ(left(), expected);
  expect_consistent(database(), "t");
  advance(seconds(1'000));
  EXPECT_EQ(left(), expected);
  advance(seconds(2'000));
  EXPECT_EQ(left(), std::set<int>{1'000});
  advance(hours(3));
  EXPECT_EQ(left(), std::set<int>());
  expect_consistent(database(), "t");
  database_.reset();  // the last that commits
}

TEST_P(DurableTtlSweeperTest, TheQueueSurvivesARestart) {
  create();
  write(item_of(1, in(100)));
  write(item_of(2, in(500)));
  reopen();
  EXPECT_EQ(left(), (std::set<int>{1, 2}));
  advance(seconds(200));
  reopen();
  EXPECT_EQ(left(), (std::set<int>{2}));
  advance(seconds(400));
  EXPECT_EQ(left(), std::set<int>());
  expect_consistent(database(), "t");
}

TEST_P(TtlSweeperTest, IsTriedAgainAfterAFailure) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  std::atomic<int> warnings{0};
  options_.report_warning = [&](std::string_view) { ++warnings; };
  open_with(faults);
  create();
  write(item_of(1, in(100)));
  database().settle();
  faults->commits = true;
  advance(seconds(200));
  EXPECT_TRUE(eventually([&] { return warnings > 0; }));
  EXPECT_THROW(database().settle(), EngineError);
  faults->commits = false;
  EXPECT_TRUE(eventually([&] { return !get(database(), database().find_table("t"), item_of(1)); }));
}

}  // namespace
}  // namespace magneto::storage
