#include "server/http/table_labels.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

namespace magneto::server::http {
namespace {

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
