#include "api/capacity/throughput_limiter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/literal_values.h"

namespace magneto::api {
namespace {

using std::chrono::seconds;
using testing::item;
using testing::s;
using enum ThroughputLimit;
using storage::Index;
using storage::Statistics;
using storage::Table;

storage::ProvisionedThroughput units(std::int64_t read, std::int64_t write) {
  storage::ProvisionedThroughput throughput;
  throughput.read_units = read;
  throughput.write_units = write;
  return throughput;
}

std::shared_ptr<Index> index_of(storage::IndexKind kind) {
  auto index = std::make_shared<Index>();
  index->schema.kind = kind;
  index->schema.provisioned = index->schema.has_own_throughput() ? units(10, 10) : units(0, 0);
  index->statistics = std::make_shared<Statistics>();
  return index;
}

// The clock also runs by itself, so buckets are emptied deeply or looked at from afar.
class ThroughputLimiterTest : public ::testing::Test {
 protected:
  ThroughputLimiterTest() {
    table_.schema.key.partition = {{"pk", storage::AttributeType::kString}};
    global_->schema.key.partition = {{"g", storage::AttributeType::kString}};
    global_->schema.number = 2;
    table_.schema.provisioned = units(10, 10);
    table_.statistics = std::make_shared<Statistics>();
    table_.indexes = {local_, global_};
  }

  bool allows(UnitUse use, const Index* index = nullptr) {
    return limiter_.throttled(table_, index, use).empty();
  }
  void consume(double table, UnitUse use) { limiter_.consume(table_, {table, {}}, use); }
  ThrottleCause empty_index() const { return {global_.get(), kProvisioned}; }
  static Throttled table_is(ThroughputLimit limit) { return {{nullptr, limit}}; }

  storage::Clock clock_;
  ThroughputLimiter limiter_{clock_};
  const std::shared_ptr<Index> local_ = index_of(storage::IndexKind::kLocal);
  const std::shared_ptr<Index> global_ = index_of(storage::IndexKind::kGlobal);
  Table table_;
};

TEST_F(ThroughputLimiterTest, ADebtIsPaidByTheUnitsOfEachSecond) {
  EXPECT_TRUE(allows(UnitUse::kWrite));
  consume(2010, UnitUse::kWrite);
  EXPECT_FALSE(allows(UnitUse::kWrite));
  EXPECT_TRUE(allows(UnitUse::kRead));
  clock_.advance(seconds(100));
  EXPECT_FALSE(allows(UnitUse::kWrite));
  clock_.advance(seconds(101));
  EXPECT_TRUE(allows(UnitUse::kWrite));
}

TEST_F(ThroughputLimiterTest, AClockThatWasSetBackTakesNothingAway) {
  EXPECT_TRUE(allows(UnitUse::kRead));
  clock_.advance(-seconds(1000));
  EXPECT_TRUE(allows(UnitUse::kRead));
  consume(2010, UnitUse::kRead);
  clock_.advance(seconds(202));
  EXPECT_TRUE(allows(UnitUse::kRead));
}

TEST_F(ThroughputLimiterTest, KeepsTheUnitsOfFiveMinutes) {
  EXPECT_TRUE(allows(UnitUse::kRead));
  clock_.advance(seconds(10'000));
  consume(2900, UnitUse::kRead);
  EXPECT_TRUE(allows(UnitUse::kRead));
  consume(2000, UnitUse::kRead);
  EXPECT_FALSE(allows(UnitUse::kRead));
}

TEST_F(ThroughputLimiterTest, LocalIndexesDrawFromTheTableAndGlobalOnesForThemselves) {
  limiter_.consume(table_, {0, {{local_.get(), 2000}}}, UnitUse::kRead);
  EXPECT_EQ(limiter_.throttled(table_, local_.get(), UnitUse::kRead), table_is(kProvisioned));
  EXPECT_FALSE(allows(UnitUse::kRead));
  EXPECT_TRUE(allows(UnitUse::kRead, global_.get()));
  limiter_.consume(table_, {0, {{global_.get(), 2000}}}, UnitUse::kRead);
  EXPECT_EQ(limiter_.throttled(table_, global_.get(), UnitUse::kRead), Throttled{empty_index()});
}

TEST_F(ThroughputLimiterTest, AWriteNeedsUnitsOfTheTableAndOfGlobalIndexes) {
  limiter_.consume(table_, {1, {{global_.get(), 2000}}}, UnitUse::kWrite);
  EXPECT_EQ(limiter_.throttled(table_, nullptr, UnitUse::kWrite), Throttled{empty_index()});
  consume(2000, UnitUse::kWrite);
  EXPECT_EQ(limiter_.throttled(table_, nullptr, UnitUse::kWrite),
            (Throttled{{nullptr, kProvisioned}, empty_index()}));
  global_->schema.status = storage::ResourceStatus::kDeleting;
  EXPECT_EQ(limiter_.throttled(table_, nullptr, UnitUse::kWrite), table_is(kProvisioned));
}

TEST_F(ThroughputLimiterTest, OnDemandTablesHaveNoDebtOfTheirProvisionedDays) {
  consume(5000, UnitUse::kWrite);
  table_.schema.billing = storage::BillingMode::kPayPerRequest;
  EXPECT_TRUE(allows(UnitUse::kWrite));
  consume(50'000, UnitUse::kWrite);
  EXPECT_EQ(limiter_.throttled(table_, nullptr, UnitUse::kWrite), table_is(kKeyRange));
  table_.schema.billing = storage::BillingMode::kProvisioned;
  clock_.advance(seconds(505));
  EXPECT_TRUE(allows(UnitUse::kWrite));
}

// Also a table at the address of an earlier one.
TEST_F(ThroughputLimiterTest, ANewTableBeginsWithTheUnitsOfASecond) {
  for (int i = 0; i < 1000; ++i) {
    table_.statistics = std::make_shared<Statistics>();
    ASSERT_TRUE(allows(UnitUse::kWrite)) << i;
    consume(10'000, UnitUse::kWrite);
    ASSERT_FALSE(allows(UnitUse::kWrite)) << i;
  }
}

// The clock stands, so that a second is one.
class HotKeys : public ThroughputLimiterTest {
 protected:
  HotKeys() {
    table_.schema.provisioned = units(30'000, 10'000);
    global_->schema.provisioned = units(30'000, 10'000);
    clock_.freeze();
  }

  static storage::Item key_of(int number) { return item({{"pk", s(std::to_string(number))}}); }

  Throttled found(UnitUse use, int number, const Index* index = nullptr) {
    const storage::Item key = key_of(number);
    return limiter_.throttled(table_, index, use, digest_of(table_.schema.key.partition, key));
  }
  bool write(int number, const std::string& g = {}) {
    if (!found(UnitUse::kWrite, number).empty()) return false;
    storage::WriteOutcome outcome = outcome_of(number, g);
    if (!limiter_.throttled_entries(table_, outcome.old_item.view(), outcome.new_item).empty()) {
      return false;
    }
    ConsumedCapacity capacity;
    add_write(outcome, capacity);
    limiter_.consume(table_, capacity, UnitUse::kWrite);
    limiter_.count_write(outcome, key_of(number), 1);
    return true;
  }
  storage::WriteOutcome outcome_of(int number, const std::string& g) {
    storage::WriteOutcome outcome;
    outcome.table = storage::TablePtr(storage::TablePtr(), &table_);
    outcome.new_size = 100;
    const std::string name = std::to_string(number);
    outcome.new_item = g.empty() ? item({{"pk", s(name)}}) : item({{"g", s(g)}, {"pk", s(name)}});
    if (!g.empty()) outcome.index_effects = {{global_.get(), 0, 100, false}};
    return outcome;
  }
};

TEST_F(HotKeys, OneKeyIsThrottledThoughTheTableHasUnits) {
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(write(7)) << i;
  EXPECT_EQ(found(UnitUse::kWrite, 7), table_is(kKeyRange));
  EXPECT_TRUE(found(UnitUse::kRead, 7).empty());
  EXPECT_TRUE(write(8));
  clock_.advance(seconds(1));
  EXPECT_TRUE(write(7));
}

TEST_F(HotKeys, SpreadKeysGetAllUnitsOfTheTable) {
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(write(i % 1'000)) << i;
  EXPECT_EQ(found(UnitUse::kWrite, 1), table_is(kProvisioned));
  EXPECT_EQ(limiter_.throttle_count(UnitUse::kWrite), 1);
}

TEST_F(HotKeys, AKeyOfAnIndexHasUnitsOfItsOwn) {
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(write(i, "hot")) << i;
  EXPECT_FALSE(write(1'000, "hot"));
  const storage::Item entry = item({{"g", s("hot")}});
  EXPECT_EQ(limiter_.throttled_entries(table_, {}, entry), (Throttled{{global_.get(), kKeyRange}}));
  EXPECT_EQ(limiter_.throttled_entries(table_, entry, {}), (Throttled{{global_.get(), kKeyRange}}));
  EXPECT_TRUE(write(1'000, "cold"));
  EXPECT_TRUE(write(1'000));
  global_->schema.status = storage::ResourceStatus::kDeleting;
  EXPECT_TRUE(limiter_.throttled_entries(table_, {}, entry).empty());
}

// The new key does not pay for the deletion.
TEST_F(HotKeys, AnEntryThatMovesCostsItsNewKeyWhatIsNew) {
  storage::WriteOutcome outcome = outcome_of(1, "new");
  outcome.index_effects = {{global_.get(), 1'000 * 1'024, 100, true}};
  limiter_.count_write(outcome, key_of(1), 1);
  const storage::Item entry = item({{"g", s("new")}});
  EXPECT_TRUE(limiter_.throttled_entries(table_, {}, entry).empty());
  outcome.index_effects = {{global_.get(), 100, 1'000 * 1'024, true}};
  limiter_.count_write(outcome, key_of(1), 1);
  EXPECT_FALSE(limiter_.throttled_entries(table_, {}, entry).empty());
}

TEST_F(HotKeys, ReadsOfLocalIndexesCountForTheTablesKeyThoseOfGlobalOnesForThemselves) {
  const KeyDigest key = digest_of(table_.schema.key.partition, key_of(7));
  limiter_.count_read(table_, local_.get(), key, 3'000);
  EXPECT_EQ(found(UnitUse::kRead, 7), table_is(kKeyRange));
  EXPECT_EQ(found(UnitUse::kRead, 7, local_.get()), table_is(kKeyRange));
  EXPECT_TRUE(found(UnitUse::kRead, 7, global_.get()).empty());
  limiter_.count_read(table_, global_.get(), key, 3'000);
  EXPECT_EQ(found(UnitUse::kRead, 7, global_.get()), (Throttled{{global_.get(), kKeyRange}}));
}

TEST_F(HotKeys, WhatHasNoKeyIsHeldToTheTableAlone) {
  limiter_.count_read(table_, nullptr, std::nullopt, 1e9);
  EXPECT_TRUE(allows(UnitUse::kRead));
  const storage::Item other = item({{"pk", testing::n("1")}});
  EXPECT_FALSE(digest_of(table_.schema.key.partition, other));
  EXPECT_FALSE(digest_of(table_.schema.key.partition, storage::Item()));
  EXPECT_FALSE(digest_of(std::span<const storage::AttributeView>()));
}

TEST_F(HotKeys, ThreadsShareTheUnits) {
  std::atomic<int> written{0};
  const auto work = [&] {
    for (int i = 0; i < 2'000; ++i) written += write(7) ? 1 : 0;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(written, 1'000);
  EXPECT_LT(written, 1'004);  // each thread may pass while the others write
  EXPECT_EQ(limiter_.throttle_count(UnitUse::kWrite), 8'000 - written);
}

}  // namespace
}  // namespace magneto::api
