#include "api/insights/key_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace magneto::api {
namespace {

constexpr std::size_t kPlenty = 64 << 20;

using Exact = std::map<std::string, std::uint64_t>;

// Compares the guarantees of KeySummary with an exact count.
void expect_true(const KeySummary& summary, const Exact& exact) {
  std::map<std::string, KeySummary::Counted> counted;
  for (std::size_t i = 0; i < summary.size(); ++i) {
    const KeySummary::Counted one = summary.at(i);
    if (i > 0) {
      EXPECT_GE(summary.at(i - 1).count, one.count) << i;
    }
    EXPECT_TRUE(counted.emplace(one.key, one).second) << one.key;
  }
  EXPECT_LE(counted.size(), KeySummary::kMaxKeys);
  for (const auto& [key, count] : exact) {
    const auto found = counted.find(key);
    if (found == counted.end()) {
      EXPECT_LE(count, summary.floor()) << key;
      continue;
    }
    EXPECT_GE(found->second.count, count) << key;
    EXPECT_LE(found->second.count - found->second.error, count) << key;
  }
  for (const auto& [key, one] : counted) EXPECT_TRUE(exact.contains(key)) << key;
}

class KeySummaryTest : public testing::Test {
 protected:
  void add(const std::string& key) {
    summary_.add(key);
    ++exact_[key];
    ++total_;
  }

  KeyBudget room_{kPlenty};
  KeySummary summary_{room_};
  Exact exact_;
  std::uint64_t total_ = 0;
};

TEST_F(KeySummaryTest, IsExactForFewKeys) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    add("key-" + std::to_string(std::min(random() % KeySummary::kMaxKeys, random() % 200)));
  }
  expect_true(summary_, exact_);
  EXPECT_EQ(summary_.floor(), 0U);
  for (std::size_t i = 0; i < summary_.size(); ++i) {
    EXPECT_EQ(summary_.at(i).count, exact_[std::string(summary_.at(i).key)]);
    EXPECT_EQ(summary_.at(i).error, 0U);
  }
}

// As keys are used in the wild: the number r is used 1/r as often as the first.
TEST_F(KeySummaryTest, FindsTheMostFrequentOfManyKeys) {
  constexpr std::size_t kKeys = 50'000;
  std::vector<double> weights;
  for (std::size_t i = 1; i <= kKeys; ++i) weights.push_back(1 / static_cast<double>(i));
  std::discrete_distribution<std::size_t> distribution(weights.begin(), weights.end());
  std::mt19937 random(2);
  for (int i = 0; i < 300'000; ++i) add("user-" + std::to_string(distribution(random)));
  expect_true(summary_, exact_);
  EXPECT_LE(summary_.floor(), total_ / KeySummary::kMaxKeys);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(summary_.at(i).key, "user-" + std::to_string(i));
  }
}

// A key with more than its share of the counts is never lost between other keys.
TEST_F(KeySummaryTest, KeepsAFrequentKeyInAFloodOfOthers) {
  int other = 0;
  for (int i = 0; i < 2'000; ++i) {
    add("hot");
    for (std::size_t k = 0; k < KeySummary::kMaxKeys - 2; ++k) add(std::to_string(other++));
  }
  expect_true(summary_, exact_);
  bool is_there = false;
  for (std::size_t i = 0; i < summary_.size(); ++i) is_there |= summary_.at(i).key == "hot";
  EXPECT_TRUE(is_there);
}

// Each key comes again just after it was forgotten.
TEST_F(KeySummaryTest, StaysTrueWhereKeysComeInTurns) {
  for (int round = 0; round < 300; ++round) {
    for (std::size_t k = 0; k <= KeySummary::kMaxKeys; ++k) add(std::to_string(k));
  }
  expect_true(summary_, exact_);
  EXPECT_EQ(summary_.size(), KeySummary::kMaxKeys);
}

TEST_F(KeySummaryTest, HoldsKeysOfAnyLengthInItsBytes) {
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t length = random() % 4 == 0 ? 1 + random() % 3'000 : random() % 20;
    add(std::string(length, static_cast<char>('a' + random() % 3)));
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < summary_.size(); ++k) bytes += summary_.at(k).key.size();
    ASSERT_LE(bytes, KeySummary::kMaxKeyBytes);
    ASSERT_LE(kPlenty - room_.left(), KeySummary::kMaxKeys * KeySummary::cost(0) + bytes);
  }
  expect_true(summary_, exact_);
}

TEST_F(KeySummaryTest, CountsNothingOfAKeyThatNeverFits) {
  add("a");
  add(std::string(KeySummary::kMaxKeyBytes + 1, 'x'));
  EXPECT_EQ(summary_.size(), 0U);
  expect_true(summary_, exact_);
  add("b");
  EXPECT_EQ(summary_.size(), 1U);
  expect_true(summary_, exact_);
}

TEST(KeyBudgetTest, IsSharedAndGivenBack) {
  KeyBudget room(10 * KeySummary::cost(8));
  Exact first_exact;
  Exact second_exact;
  {
    KeySummary first(room);
    KeySummary second(room);
    std::mt19937 random(4);
    for (int i = 0; i < 5'000; ++i) {
      const std::string key = std::to_string(10'000'000 + random() % 30);
      (i % 2 == 0 ? first : second).add(key);
      ++(i % 2 == 0 ? first_exact : second_exact)[key];
      ASSERT_LE(first.size() + second.size(), 10U);
    }
    expect_true(first, first_exact);
    expect_true(second, second_exact);
  }
  EXPECT_EQ(room.left(), 10 * KeySummary::cost(8));
}

}  // namespace
}  // namespace magneto::api
