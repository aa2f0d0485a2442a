#include "api/deliveries/change_feed.h"

#include <gtest/gtest.h>

#include <chrono>

#include "api/deliveries/deliveries.h"
#include "api/messages/delivery_messages.h"
#include "api/service.h"

namespace magneto::api {
namespace {

constexpr const char* kArn = "arn:aws:kinesis:eu-west-2:123456789012:stream/orders";

class Sends : public Deliveries {
 public:
  bool can_send() const override { return sends; }
  void record_change() override { ++changes; }

  bool sends = true;
  int changes = 0;
};

class ChangeFeedTest : public testing::Test {
 protected:
  std::string call(std::string_view operation, std::string body) {
    Caller caller;
    caller.region = "eu-west-2";
    std::string answer;
    status_ = service_.call(find_operation(operation), caller, "test", body, answer);
    return answer;
  }
  void create() {
    call(
        "CreateTable",
        R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
        R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})");
    ASSERT_EQ(status_, 200);
  }
  std::string change(std::string_view verb, std::string_view more = "") {
    return call(
        std::string(verb) + "KinesisStreamingDestination",
        std::string(R"({"TableName":"tab","StreamArn":")") + kArn + "\"" + std::string(more) + "}");
  }
  std::string describe() {
    return call("DescribeKinesisStreamingDestination", R"({"TableName":"tab"})");
  }
  bool stands(std::string_view status) {
    return describe().find("\"DestinationStatus\":\"" + std::string(status) + "\"") !=
           std::string::npos;
  }
  void put(const std::string& key, int value) {
    call("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":")" + key + R"("},"v":{"N":")" +
                        std::to_string(value) + "\"}}}");
    ASSERT_EQ(status_, 200);
  }
  std::vector<std::shared_ptr<ChangeFeed>> feeds() { return find_feeds(*databases_, true); }
  std::shared_ptr<ChangeFeed> enabled() {
    create();
    change("Enable");
    const auto found = feeds();
    if (found.size() != 1) {
      ADD_FAILURE() << found.size();
      return nullptr;
    }
    found.front()->end_enabling(ChangeFeed::Found::kUsable);
    return found.front();
  }
  static std::vector<std::string> texts(const FeedPage& page) {
    std::vector<std::string> found;
    for (const FeedRecord& record : page.records) found.push_back(record.data);
    return found;
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ = storage::Databases::open({}, clock_);
  Sends sends_;
  Service service_{*databases_, {.report_elsewhere = {}, .deliveries = &sends_}};
  int status_ = 0;
};

TEST_F(ChangeFeedTest, BeginsWhenADestinationIsEnabledAndEndsWhenItIsNot) {
  create();
  put("before", 1);
  EXPECT_TRUE(feeds().empty());
  change("Enable");
  EXPECT_EQ(sends_.changes, 1);
  EXPECT_TRUE(stands("ENABLING"));
  const auto found = feeds();
  ASSERT_EQ(found.size(), 1U);
  ChangeFeed& feed = *found.front();
  EXPECT_TRUE(feed.is_enabling());
  EXPECT_TRUE(feed.may_end_enabling());
  EXPECT_EQ(feed.stream_name(), "orders");
  EXPECT_EQ(feed.region(), "eu-west-2");
  EXPECT_EQ(feed.table_arn(), "arn:aws:dynamodb:eu-west-2:000000000000:table/tab");
  EXPECT_EQ(feed.id().size(), 16U);
  feed.end_enabling(ChangeFeed::Found::kUsable);
  EXPECT_TRUE(stands("ACTIVE"));
  put("a", 1);
  const FeedPage page = feed.read(0, 10, 1'000'000);
  ASSERT_EQ(page.records.size(), 1U);
  EXPECT_FALSE(feed.has_closed());
  change("Disable");
  EXPECT_EQ(sends_.changes, 2);
  EXPECT_TRUE(stands("DISABLED"));
  put("a", 2);
  EXPECT_TRUE(feed.has_closed());
  EXPECT_FALSE(feed.has_ended(0));
  EXPECT_TRUE(feed.has_ended(feed.read(page.next, 10, 1'000'000).next));
  EXPECT_TRUE(feeds().empty());
}

TEST_F(ChangeFeedTest, IsReadPageByPage) {
  const auto feed = enabled();
  EXPECT_EQ(feed->read(0, 10, 1'000'000).records.size(), 0U);
  for (int i = 0; i < 25; ++i) put("k" + std::to_string(i % 4), i);
  std::uint64_t position = 0;
  std::vector<std::string> all;
  while (!feed->is_at_end(position)) {
    const FeedPage page = feed->read(position, 10, 1'000'000);
    EXPECT_LE(page.records.size(), 10U);
    EXPECT_FALSE(page.has_lost);
    for (std::string& text : texts(page)) all.push_back(std::move(text));
    position = page.next;
  }
  EXPECT_EQ(all.size(), 25U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NE(all[i].find("\"v\":{\"N\":\"" + std::to_string(i) + "\"}"), std::string::npos)
        << all[i];
  }
  EXPECT_EQ(feed->read(0, 1'000, 1).records.size(), 1U);
  const FeedPage second = feed->read(feed->read(0, 1'000, 1).next, 1'000, 1);
  EXPECT_EQ(feed->read(second.records.front().position, 1'000, 1).records.front().data, all[1]);
  const FeedPage page = feed->read(0, 1'000, 1'000'000);
  EXPECT_EQ(page.records[0].partition_key, page.records[4].partition_key);
  EXPECT_NE(page.records[0].partition_key, page.records[1].partition_key);
  EXPECT_EQ(page.records[0].partition_key.size(), 32U);
}

TEST_F(ChangeFeedTest, IsReadOverShardsThatFollowEachOther) {
  const auto feed = enabled();
  for (int i = 0; i < 5; ++i) {
    put("k", i);
    clock_.advance(std::chrono::minutes(250));
    databases_->main().settle();
  }
  const FeedPage page = feed->read(0, 100, 1'000'000);
  EXPECT_EQ(page.records.size(), 5U);
  EXPECT_TRUE(feed->is_at_end(page.next));
  EXPECT_NEAR(feed->lag(0), 5 * 250 * 60, 60);
  EXPECT_EQ(feed->lag(page.next), 0);
}

TEST_F(ChangeFeedTest, TellsThatItHasLostWhatIsOlderThanADay) {
  const auto feed = enabled();
  put("old", 1);
  clock_.advance(std::chrono::hours(23));
  put("new", 1);
  EXPECT_EQ(feed->read(0, 100, 1'000'000).records.size(), 2U);
  clock_.advance(std::chrono::hours(2));
  const FeedPage page = feed->read(0, 100, 1'000'000);
  EXPECT_TRUE(page.has_lost);
  ASSERT_EQ(page.records.size(), 1U);
  EXPECT_NE(page.records.front().data.find("new"), std::string::npos);
}

TEST_F(ChangeFeedTest, OfAStreamThatCannotBeUsedIsNoMore) {
  create();
  change("Enable");
  const auto found = feeds();
  ASSERT_EQ(found.size(), 1U);
  found.front()->end_enabling(ChangeFeed::Found::kNoStream);
  EXPECT_TRUE(stands("ENABLE_FAILED"));
  EXPECT_NE(describe().find(messages::kNoUsableStream), std::string::npos);
  EXPECT_TRUE(feeds().empty());
  EXPECT_TRUE(found.front()->has_closed());
  change("Disable");
  EXPECT_EQ(status_, 400);
  change("Enable");
  EXPECT_EQ(status_, 200);
  EXPECT_EQ(feeds().size(), 1U);
  // A result for the former destination does not apply to this one.
  found.front()->end_enabling(ChangeFeed::Found::kNoStream);
  EXPECT_TRUE(stands("ENABLING"));
  feeds().front()->end_enabling(ChangeFeed::Found::kInactiveStream);
  EXPECT_TRUE(stands("ENABLE_FAILED"));
  EXPECT_NE(describe().find(messages::kStreamNotActive), std::string::npos);
}

TEST_F(ChangeFeedTest, OfATableWhoseDestinationWasEnabledWhereNothingIsSentBeginsLater) {
  sends_.sends = false;
  create();
  change("Enable");
  EXPECT_TRUE(stands("ACTIVE"));
  put("a", 1);
  EXPECT_TRUE(find_feeds(*databases_, false).empty());
  sends_.sends = true;
  const auto found = feeds();
  ASSERT_EQ(found.size(), 1U);
  put("b", 1);
  EXPECT_EQ(found.front()->read(0, 10, 1'000'000).records.size(), 1U);
}

TEST_F(ChangeFeedTest, HasTimesOfThePrecisionThatIsAskedFor) {
  const auto feed = enabled();
  put("a", 1);
  const std::string in_milliseconds = feed->read(0, 1, 1).records.front().data;
  EXPECT_EQ(in_milliseconds.find("Precision"), std::string::npos);
  change(
      "Update",
      R"(,"UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"})");
  ASSERT_EQ(status_, 200);
  const std::string in_microseconds = feeds().front()->read(0, 1, 1).records.front().data;
  EXPECT_NE(in_microseconds.find(R"("ApproximateCreationDateTimePrecision":"MICROSECOND")"),
            std::string::npos);
  EXPECT_NE(describe().find("MICROSECOND"), std::string::npos);
}

}  // namespace
}  // namespace magneto::api
