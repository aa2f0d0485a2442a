#include "server/http/request_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace magneto::server::http {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

class RequestCountsTest : public testing::Test {
 protected:
  RequestCountsTest() { route_.operation = api::find_operation("GetItem"); }

  void note(nanoseconds duration, Route::Kind kind = Route::Kind::kOperation) {
    route_.kind = kind;
    counts_.note({.route = route_,
                  .request = request_,
                  .response = response_,
                  .id = "ID",
                  .bytes_in = 10,
                  .bytes_out = 100,
                  .duration = duration,
                  .descriptor = -1});
  }
  RequestTotals totals() const {
    RequestTotals totals;
    counts_.add_to(totals);
    return totals;
  }

  TableLabels labels_;
  RequestCounts counts_{labels_};
  Route route_;
  HttpRequest request_;
  HttpResponse response_;
};

// A bucket has what is not above its bound.
TEST_F(RequestCountsTest, PutsDurationsIntoBucketsOfTwiceTheLength) {
  const auto bucket = [this](nanoseconds duration) {
    const RequestTotals before = totals();
    note(duration);
    const RequestTotals after = totals();
    const auto count = [](const RequestTotals& totals, std::size_t i) {
      const auto found = totals.calls.find("GetItem");
      return found == totals.calls.end() ? 0 : found->second.by_result[0].buckets[i];
    };
    for (std::size_t i = 0; i < kDurationBuckets; ++i) {
      if (count(after, i) != count(before, i)) return i;
    }
    return kDurationBuckets;
  };
  EXPECT_EQ(bucket(nanoseconds(-1)), 0U);
  EXPECT_EQ(bucket(nanoseconds(0)), 0U);
  EXPECT_EQ(bucket(nanoseconds(1)), 0U);
  EXPECT_EQ(bucket(microseconds(16)), 0U);
  EXPECT_EQ(bucket(nanoseconds(16'001)), 1U);
  EXPECT_EQ(bucket(microseconds(32)), 1U);
  EXPECT_EQ(bucket(microseconds(33)), 2U);
  const std::uint64_t last_bound = std::uint64_t{1} << (kFirstBucket + kDurationBuckets - 2);
  EXPECT_EQ(bucket(microseconds(last_bound)), kDurationBuckets - 2);
  EXPECT_EQ(bucket(microseconds(last_bound + 1)), kDurationBuckets - 1);
  EXPECT_EQ(bucket(std::chrono::hours(100)), kDurationBuckets - 1);
}

TEST_F(RequestCountsTest, TellsResultsErrorsAndUnitsApart) {
  response_.report.add_read("a", 0.5);
  note(microseconds(1));
  response_.clear();
  response_.report.add_written("b", 2);
  response_.report.add_read("a", 1);
  note(microseconds(1));
  response_.clear();
  response_.status = 400;
  response_.report.set_error(api::ErrorType::kValidation);
  note(microseconds(1));
  response_.clear();
  response_.status = 503;
  note(microseconds(1));
  route_.operation = nullptr;
  note(microseconds(1));
  note(microseconds(1), Route::Kind::kHealth);
  const RequestTotals found = totals();
  const RequestTotals::Calls& calls = found.calls.at("GetItem");
  EXPECT_EQ(calls.by_result[0].buckets[0], 2U);
  EXPECT_EQ(calls.by_result[1].buckets[0], 1U);
  EXPECT_EQ(calls.by_result[2].buckets[0], 1U);
  EXPECT_EQ(calls.errors[static_cast<std::size_t>(api::ErrorType::kValidation)], 1U);
  EXPECT_EQ(found.calls.at("(unknown)").by_result[2].buckets[0], 1U);
  EXPECT_EQ(found.others[static_cast<std::size_t>(Route::Kind::kHealth)], 1U);
  EXPECT_EQ(found.units[labels_.place_of("a")].read, 1.5);
  EXPECT_EQ(found.units[labels_.place_of("b")].written, 2);
  EXPECT_EQ(found.bytes_in, 60U);
  EXPECT_EQ(found.bytes_out, 600U);
}

TEST_F(RequestCountsTest, ManyTablesShareAPlace) {
  for (int i = 0; i < 1'000; ++i) {
    response_.clear();
    response_.report.add_read("table" + std::to_string(i), 1);
    note(microseconds(1));
  }
  double sum = 0;
  const RequestTotals found = totals();
  for (const RequestTotals::Units& units : found.units) sum += units.read;
  EXPECT_EQ(sum, 1'000);
  EXPECT_EQ(found.units[TableLabels::kOthers].read, 1'000 - double{TableLabels::kMost});
}

// Mainly for the thread sanitizer.
TEST_F(RequestCountsTest, IsReadWhileItCounts) {
  constexpr std::uint64_t kCalls = 20'000;
  std::atomic<bool> done{false};
  std::thread reader([&] {
    std::uint64_t last = 0;
    while (!done) {
      const std::uint64_t now = totals().bytes_in;
      EXPECT_GE(now, last);
      last = now;
    }
  });
  for (std::uint64_t i = 0; i < kCalls; ++i) {
    response_.clear();
    response_.report.add_read("table" + std::to_string(i % 300), 1);
    note(microseconds(i));
  }
  done = true;
  reader.join();
  EXPECT_EQ(totals().bytes_in, 10 * kCalls);
}

// ---- the tables that are counted by name ----------------------------------------------------------

TEST(TableLabelsTest, GivesTheFirstNamesPlacesOfTheirOwnAndAllOthersOne) {
  TableLabels labels;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < 10'000; ++i) {
      const std::size_t place = labels.place_of("table" + std::to_string(i));
      EXPECT_EQ(place, std::min(i, TableLabels::kOthers));
    }
  }
  const std::vector<std::string> names = labels.names();
  ASSERT_EQ(names.size(), TableLabels::kMost);
  EXPECT_EQ(names.front(), "table0");
  EXPECT_EQ(names.back(), "table" + std::to_string(TableLabels::kMost - 1));
}

TEST(TableLabelsTest, ThreadsThatMeetTheSameNamesAgree) {
  TableLabels labels;
  constexpr std::size_t kNames = 2 * TableLabels::kMost;
  std::vector<std::vector<std::size_t>> found(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kNames; ++i) {
        found[t].push_back(labels.place_of(std::to_string((i * 7 + t) % kNames)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::size_t> places(kNames);
  for (std::size_t i = 0; i < kNames; ++i) places[i] = labels.place_of(std::to_string(i));
  for (std::size_t t = 0; t < found.size(); ++t) {
    for (std::size_t i = 0; i < kNames; ++i) {
      EXPECT_EQ(found[t][i], places[(i * 7 + t) % kNames]);
    }
  }
  std::set<std::size_t> own(places.begin(), places.end());
  EXPECT_EQ(own.size(), TableLabels::kMost + 1);
}

}  // namespace
}  // namespace magneto::server::http
