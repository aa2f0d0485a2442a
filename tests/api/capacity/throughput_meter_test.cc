#include "api/capacity/throughput_meter.h"

#include <gtest/gtest.h>

#include <chrono>

namespace magneto::api {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using enum ThroughputLimit;

constexpr std::optional<ThroughputLimit> kFree = std::nullopt;

class OnDemandMeter : public ::testing::Test {
 protected:
  std::optional<ThroughputLimit> exceeded() { return meter_.exceeded(terms_, now_); }
  void take(double units) { meter_.take(terms_, now_, units); }

  ThroughputTerms terms_{.on_demand = true, .units = 4'000, .maximum = 0};
  storage::Clock::TimePoint now_{std::chrono::hours(500'000)};
  ThroughputMeter meter_;
};

TEST_F(OnDemandMeter, ASecondHasTheWarmThroughput) {
  take(3'999);
  EXPECT_EQ(exceeded(), kFree);
  take(1);
  EXPECT_EQ(exceeded(), kKeyRange);
  now_ += seconds(1);
  EXPECT_EQ(exceeded(), kFree);
  terms_.units = 10'000;
  take(9'999);
  EXPECT_EQ(exceeded(), kFree);
}

TEST_F(OnDemandMeter, UnusedSecondsLeaveNothingAndDebtsArePaid) {
  take(1);
  now_ += minutes(10);
  take(4'000);
  EXPECT_EQ(exceeded(), kKeyRange);
  take(8'000);
  now_ += seconds(2);
  EXPECT_EQ(exceeded(), kKeyRange);
  now_ += seconds(1);
  EXPECT_EQ(exceeded(), kFree);
}

TEST_F(OnDemandMeter, TwiceTheFormerPeakIsServed) {
  take(3'900);
  now_ += minutes(30);
  take(7'799);
  EXPECT_EQ(exceeded(), kFree);
  take(1);
  EXPECT_EQ(exceeded(), kKeyRange);
  now_ += minutes(30);
  take(15'599);
  EXPECT_EQ(exceeded(), kFree);
  now_ += minutes(600);  // a peak is not forgotten
  take(31'000);
  EXPECT_EQ(exceeded(), kFree);
}

TEST_F(OnDemandMeter, AnAccountHasItsLimit) {
  take(3'900);
  for (const double peak : {7'700, 15'300, 30'500}) {
    now_ += minutes(30);
    take(peak);
    EXPECT_EQ(exceeded(), kFree);
  }
  now_ += minutes(30);
  take(39'999);
  EXPECT_EQ(exceeded(), kFree);
  take(1);
  EXPECT_EQ(exceeded(), kAccount);
  terms_.units = 50'000;  // a warm throughput that AWS has allowed
  EXPECT_EQ(exceeded(), kFree);
  take(10'000);
  EXPECT_EQ(exceeded(), kAccount);
}

TEST_F(OnDemandMeter, AMaximumIsKept) {
  terms_.maximum = 10;
  take(9.5);
  EXPECT_EQ(exceeded(), kFree);
  take(0.5);
  EXPECT_EQ(exceeded(), kOnDemandMaximum);
  terms_.maximum = 20;
  EXPECT_EQ(exceeded(), kFree);
  terms_.maximum = 1e6;
  take(4'000);
  EXPECT_EQ(exceeded(), kKeyRange);
}

TEST_F(OnDemandMeter, ATurnedClockNeitherPaysNorCharges) {
  terms_.maximum = 100;
  take(5'000);
  now_ = storage::Clock::kLast;
  EXPECT_EQ(exceeded(), kFree);
  take(150);
  now_ = storage::Clock::kFirst;
  EXPECT_EQ(exceeded(), kOnDemandMaximum);  // for a second more, not for years
  now_ += seconds(2);
  EXPECT_EQ(exceeded(), kFree);
}

TEST(ProvisionedMeter, ATurnedClockNeitherPaysNorCharges) {
  const ThroughputTerms terms{.on_demand = false, .units = 10, .maximum = 0};
  storage::Clock::TimePoint now = storage::Clock::kFirst;
  ThroughputMeter meter;
  meter.take(terms, now, 15);
  EXPECT_EQ(meter.exceeded(terms, now), kProvisioned);
  now = storage::Clock::kLast;
  EXPECT_EQ(meter.exceeded(terms, now), kFree);
  meter.take(terms, now, 3'005);
  now = storage::Clock::kFirst;
  EXPECT_EQ(meter.exceeded(terms, now), kProvisioned);
  now += seconds(1);
  EXPECT_EQ(meter.exceeded(terms, now), kFree);
}

TEST(ThroughputTerms, AreThoseOfTheBillingMode) {
  storage::Table table;
  table.schema.provisioned.read_units = 5;
  table.schema.provisioned.write_units = 6;
  storage::Index index;
  index.schema.provisioned.read_units = 7;
  index.schema.warm.read_units_per_second = 13'000;
  index.schema.on_demand.max_read_units = 8;
  EXPECT_EQ(terms_of(table, nullptr, UnitUse::kRead).units, 5);
  EXPECT_EQ(terms_of(table, nullptr, UnitUse::kWrite).units, 6);
  EXPECT_EQ(terms_of(table, &index, UnitUse::kRead).units, 7);
  table.schema.billing = storage::BillingMode::kPayPerRequest;
  table.schema.on_demand.max_write_units = -1;
  EXPECT_EQ(terms_of(table, nullptr, UnitUse::kRead).units, 12'000);
  EXPECT_EQ(terms_of(table, nullptr, UnitUse::kWrite).units, 4'000);
  EXPECT_EQ(terms_of(table, nullptr, UnitUse::kWrite).maximum, 0);
  EXPECT_EQ(terms_of(table, &index, UnitUse::kRead).units, 13'000);
  EXPECT_EQ(terms_of(table, &index, UnitUse::kRead).maximum, 8);
}

}  // namespace
}  // namespace magneto::api
