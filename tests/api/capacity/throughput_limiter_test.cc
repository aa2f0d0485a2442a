#include "api/capacity/throughput_limiter.h"

#include <gtest/gtest.h>

#include <chrono>

namespace magneto::api {
namespace {

using std::chrono::seconds;
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
class ThroughputLimiterTest : public testing::Test {
 protected:
  ThroughputLimiterTest() {
    table_.schema.provisioned = units(10, 10);
    table_.statistics = std::make_shared<Statistics>();
    table_.indexes = {local_, global_};
  }

  bool allows(UnitUse use, const Index* index = nullptr) {
    return limiter_.throttled(table_, index, use).empty();
  }
  void consume(double table, UnitUse use) { limiter_.consume(table_, {table, {}}, use); }

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
  EXPECT_EQ(limiter_.throttled(table_, local_.get(), UnitUse::kRead), Throttled{nullptr});
  EXPECT_FALSE(allows(UnitUse::kRead));
  EXPECT_TRUE(allows(UnitUse::kRead, global_.get()));
  limiter_.consume(table_, {0, {{global_.get(), 2000}}}, UnitUse::kRead);
  EXPECT_EQ(limiter_.throttled(table_, global_.get(), UnitUse::kRead), Throttled{global_.get()});
}

TEST_F(ThroughputLimiterTest, AWriteNeedsUnitsOfTheTableAndOfGlobalIndexes) {
  limiter_.consume(table_, {1, {{global_.get(), 2000}}}, UnitUse::kWrite);
  EXPECT_EQ(limiter_.throttled(table_, nullptr, UnitUse::kWrite), Throttled{global_.get()});
  consume(2000, UnitUse::kWrite);
  EXPECT_EQ(limiter_.throttled(table_, nullptr, UnitUse::kWrite),
            (Throttled{nullptr, global_.get()}));
  global_->schema.status = storage::ResourceStatus::kDeleting;
  EXPECT_EQ(limiter_.throttled(table_, nullptr, UnitUse::kWrite), Throttled{nullptr});
}

TEST_F(ThroughputLimiterTest, OnDemandTablesAreNotLimited) {
  consume(5000, UnitUse::kWrite);
  table_.schema.billing = storage::BillingMode::kPayPerRequest;
  EXPECT_TRUE(allows(UnitUse::kWrite));
  consume(5000, UnitUse::kWrite);
  table_.schema.billing = storage::BillingMode::kProvisioned;
  clock_.advance(seconds(505));
  EXPECT_TRUE(allows(UnitUse::kWrite));
}

// Also one that lies where another has been.
TEST_F(ThroughputLimiterTest, ANewTableBeginsWithTheUnitsOfASecond) {
  for (int i = 0; i < 1000; ++i) {
    table_.statistics = std::make_shared<Statistics>();
    ASSERT_TRUE(allows(UnitUse::kWrite)) << i;
    consume(10'000, UnitUse::kWrite);
    ASSERT_FALSE(allows(UnitUse::kWrite)) << i;
  }
}

}  // namespace
}  // namespace magneto::api
