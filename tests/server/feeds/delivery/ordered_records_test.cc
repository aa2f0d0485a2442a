#include "server/feeds/delivery/ordered_records.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace magneto::server::feeds {
namespace {

using api::FeedRecord;
using Places = std::vector<std::size_t>;

TEST(OrderedRecordsTest, GiveTheFirstOfEachItem) {
  OrderedRecords records;
  EXPECT_TRUE(records.empty());
  EXPECT_TRUE(records.next_request().empty());
  records.set({{"a", "1"}, {"a", "2"}, {"b", "3"}, {"c", "4"}, {"b", "5"}});
  EXPECT_EQ(records.next_request(), (Places{0, 2, 3}));
  // "a" was not taken, and keeps its turn.
  records.remove(Places{2, 3});
  EXPECT_EQ(records.next_request(), (Places{0, 4}));
  records.remove(Places{0, 4});
  EXPECT_EQ(records.next_request(), (Places{1}));
  records.remove(Places{1});
  EXPECT_TRUE(records.empty());
}

TEST(OrderedRecordsTest, KeepToWhatARequestMayHold) {
  std::vector<FeedRecord> many(1'200);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = {std::to_string(i), "x"};
  OrderedRecords records;
  records.set(std::move(many));
  EXPECT_EQ(records.next_request().size(), 500U);

  std::vector<FeedRecord> large;
  for (int i = 0; i < 10; ++i) {
    large.push_back({std::string(1, static_cast<char>('a' + i)),
                     std::string(OrderedRecords::kLongestRecord - 1, 'x')});
  }
  records.set(std::move(large));
  EXPECT_EQ(records.next_request().size(), 5U);
}

TEST(OrderedRecordsTest, LeaveALongOneAlone) {
  const std::string text(OrderedRecords::kLongestRecord + 1, 'x');
  OrderedRecords records;
  records.set({{"a", "1"}, {"b", text}, {"b", "2"}, {"c", "3"}});
  EXPECT_EQ(records.next_request(), (Places{0, 3}));
  records.remove(Places{0, 3});
  EXPECT_EQ(records.next_request(), (Places{1}));
  EXPECT_TRUE(OrderedRecords::is_too_long(records.at(1)));
  records.remove(Places{1});
  EXPECT_EQ(records.next_request(), (Places{2}));
}

TEST(OrderedRecordsTest, KeepEachItemsOrderWhateverIsTaken) {
  std::mt19937 random(5);
  std::vector<FeedRecord> made;
  for (int i = 0; i < 400; ++i) made.push_back({std::to_string(random() % 20), std::to_string(i)});
  OrderedRecords records;
  records.set(made);
  std::map<std::string, int> last;
  std::size_t taken_of_all = 0;
  while (!records.empty()) {
    Places taken;
    for (const std::size_t place : records.next_request()) {
      if (random() % 3 == 0) continue;
      taken.push_back(place);
      const FeedRecord& record = records.at(place);
      const int number = std::stoi(record.data);
      const auto [before, is_first] = last.emplace(record.partition_key, number);
      EXPECT_TRUE(is_first || before->second < number);
      before->second = number;
      ++taken_of_all;
    }
    records.remove(taken);
  }
  EXPECT_EQ(taken_of_all, made.size());
}

}  // namespace
}  // namespace magneto::server::feeds
