#include "api/capacity/key_meters.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "absl/hash/hash.h"

namespace magneto::api {
namespace {

constexpr double kUnits = 1'000;

// Keys of one set.
constexpr std::uint64_t in_set(std::uint64_t number) {
  return 5 + number * KeyMeters::kShards * KeyMeters::kSets;
}

TEST(KeyMeters, ASecondHasItsUnits) {
  KeyMeters meters(kUnits);
  meters.count(1, 100, 999.5);
  EXPECT_FALSE(meters.is_spent(1, 100));
  meters.count(1, 100, 2'000);
  EXPECT_TRUE(meters.is_spent(1, 100));
  EXPECT_FALSE(meters.is_spent(2, 100));
  EXPECT_TRUE(meters.is_spent(1, 101));
  EXPECT_FALSE(meters.is_spent(1, 102));
}

TEST(KeyMeters, ATurnedClockNeitherPaysNorCharges) {
  KeyMeters meters(kUnits);
  constexpr std::int64_t kLastSecond = 253'402'300'799;
  meters.count(1, kLastSecond, 1'500);
  EXPECT_TRUE(meters.is_spent(1, 0));
  EXPECT_FALSE(meters.is_spent(1, 1));
  meters.count(1, 1, 1'000);
  EXPECT_FALSE(meters.is_spent(1, kLastSecond));
}

// If a set is full, its meters count more units than were used, never fewer.
TEST(KeyMeters, NoKeyOfAFullSetGoesBeyondItsUnits) {
  KeyMeters meters(kUnits);
  for (std::uint64_t i = 1; i <= KeyMeters::kWays; ++i) {
    meters.count(in_set(i), 1, 400 + static_cast<double>(i));
  }
  meters.count(in_set(100), 1, 1);  // in the place of the first one, with its 401 units
  meters.count(in_set(100), 1, 597);
  EXPECT_FALSE(meters.is_spent(in_set(100), 1));
  meters.count(in_set(100), 1, 1);
  EXPECT_TRUE(meters.is_spent(in_set(100), 1));
  for (std::uint64_t i = 2; i <= KeyMeters::kWays; ++i) meters.count(in_set(i), 1, 600);
  EXPECT_TRUE(meters.is_spent(in_set(1), 1));
  EXPECT_FALSE(meters.is_spent(in_set(1), 2));
}

// Ten million keys at five million units a second, and a hot one among them.
TEST(KeyMeters, ManyKeysNeitherHideTheHotOneNorAreTakenForIt) {
  KeyMeters meters(kUnits);
  constexpr std::uint64_t kMany = 10'000'000;
  constexpr std::uint64_t kInASecond = 5'000'000;
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < kMany; ++i) {
    const auto second = static_cast<std::int64_t>(i / kInASecond);
    const std::uint64_t key = absl::HashOf(i);
    if (meters.is_spent(key, second)) ++refused;
    meters.count(key, second, 1);
    if (i % (kInASecond / 1'000) == 0) meters.count(7, second, 1);
  }
  EXPECT_EQ(refused, 0);
  EXPECT_TRUE(meters.is_spent(7, 1));
  static_assert(KeyMeters::kKeys * 24 + sizeof(KeyMeters) < 1 << 20, "all that it ever takes");
}

}  // namespace
}  // namespace magneto::api
