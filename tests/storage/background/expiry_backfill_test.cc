#include "storage/background/expiry_backfill.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "tests/storage/database_fixture.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

class ExpiryBackfillTest : public DatabaseTest {
 protected:
  static constexpr int kItems = 1'000;

  // One in three expires in an hour.
  Item item_of(int i, int version) const {
    std::vector<Field> fields{{"pk", "p" + std::to_string(i)}, {"sk", i}, {"v", version}};
    if (expires(i, version)) fields.push_back({"ttl", now_ + 3'600});
    return make_item(fields);
  }
  static bool expires(int i, int version) { return (i + version) % 3 == 0; }

  TablePtr filled_table() {
    TablePtr table = database().create_table(table_schema("t"));
    for (int i = 0; i < kItems; ++i) put(database(), table, item_of(i, 0));
    return table;
  }
  bool is_filled() { return !database().find_table("t")->schema.time_to_live.backfilling; }

  // Exactly the items that expire go.
  void expect_expired_items_go() {
    const TablePtr table = database().find_table("t");
    database().settle();
    std::map<int, bool> expected;
    for (int i = 0; i < kItems; ++i) {
      if (const StoredItem item = get(database(), table, item_of(i, 0))) {
        expected[i] = !item.view().find("ttl");
      }
    }
    clock_.advance(std::chrono::hours(2));
    database().settle();
    for (const auto& [i, stays] : expected) {
      EXPECT_EQ(static_cast<bool>(get(database(), table, item_of(i, 0))), stays) << i;
    }
    expect_consistent(database(), "t");
  }

  const std::int64_t now_ = expired_before(clock_.now(), {});
};
INSTANTIATE_TEST_SUITE_P(Engines, ExpiryBackfillTest, kEngineKinds, engine_kind_name);

using DurableExpiryBackfillTest = ExpiryBackfillTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableExpiryBackfillTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(ExpiryBackfillTest, CoversTheItemsThatWereThere) {
  filled_table();
  enable_time_to_live(database(), "t", "ttl");
  EXPECT_EQ(database().find_table("t")->schema.time_to_live.status, TimeToLiveStatus::kEnabled);
  EXPECT_TRUE(eventually([&] { return is_filled(); }));
  expect_expired_items_go();
  EXPECT_EQ(database().find_table("t")->statistics->item_count, kItems - (kItems + 2) / 3);
}

TEST_P(ExpiryBackfillTest, WhileWritesGoOn) {
  filled_table();
  std::vector<std::jthread> writers;
  std::atomic<int> writes{0};
  std::atomic<bool> end{false};
  for (unsigned seed = 0; seed < 2; ++seed) {
    writers.emplace_back([&, seed] {
      std::mt19937 random(seed);
      while (!end) {
        const TablePtr table = database().find_table("t");
        for (int turn = 0; turn < 50; ++turn, ++writes) {
          const int i = static_cast<int>(random() % kItems);
          const int version = static_cast<int>(random() % 100);
          if (version == 0) {
            remove(database(), table, item_of(i, 0));
          } else {
            put(database(), table, item_of(i, version));
          }
        }
      }
    });
  }
  for (int round = 0; round < 4; ++round) {
    const int before = writes;
    EXPECT_TRUE(eventually([&] { return writes > before + 50; }));
    enable_time_to_live(database(), "t", "ttl");
    if (round % 2 == 0) {
      EXPECT_TRUE(eventually([&] { return is_filled(); }));
    }
    if (round < 3) disable_time_to_live(database(), "t");
  }
  end = true;
  writers.clear();
  expect_expired_items_go();
}

TEST_P(DurableExpiryBackfillTest, BeginsAgainAfterARestart) {
  filled_table();
  enable_time_to_live(database(), "t", "ttl");
  reopen();  // at once: little of it is done
  EXPECT_TRUE(eventually([&] { return is_filled(); }));
  expect_expired_items_go();
}

TEST_P(ExpiryBackfillTest, IsTriedAgainAfterAFailure) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  std::atomic<int> warnings{0};
  options_.report_warning = [&](std::string_view) { ++warnings; };
  open_with(faults);
  filled_table();
  database().settle();
  faults->reads = true;
  enable_time_to_live(database(), "t", "ttl");
  EXPECT_TRUE(eventually([&] { return warnings > 0; }));
  faults->reads = false;
  EXPECT_TRUE(eventually([&] { return is_filled(); }));
  expect_expired_items_go();
}

}  // namespace
}  // namespace magneto::storage
