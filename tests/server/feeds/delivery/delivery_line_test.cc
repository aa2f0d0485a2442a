#include "server/feeds/delivery/delivery_line.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "api/deliveries/deliveries.h"
#include "api/json/base64.h"
#include "api/json/json_reader.h"
#include "api/service.h"
#include "server/feeds/delivery/messages.h"
#include "tests/support/scripted_server.h"

namespace magneto::server::feeds {
namespace {

constexpr const char* kArn = "arn:aws:kinesis:us-east-1:123456789012:stream/orders";
constexpr const char* kBusy = R"({"ErrorCode":"ProvisionedThroughputExceededException"})";

class Sends : public api::Deliveries {
 public:
  bool can_send() const override { return true; }
  void record_change() override {}
};

class DeliveryLineTest : public testing::Test {
 protected:
  void SetUp() override {
    call(
        "CreateTable",
        R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
        R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})");
    call("EnableKinesisStreamingDestination",
         std::string(R"({"TableName":"tab","StreamArn":")") + kArn + "\"}");
    auto feeds = api::find_feeds(*databases_, true);
    ASSERT_EQ(feeds.size(), 1U);
    feeds.front()->end_enabling(api::ChangeFeed::Found::kUsable);
    line_ = std::make_unique<DeliveryLine>(feeds.front(), positions_, log_);
  }

  void call(std::string_view operation, std::string body) {
    api::Caller caller;
    caller.region = "us-east-1";
    std::string answer;
    ASSERT_EQ(service_.call(api::find_operation(operation), caller, "test", body, answer), 200)
        << answer;
  }
  void put(const std::string& key, int value) {
    call("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":")" + key + R"("},"v":{"N":")" +
                        std::to_string(value) + "\"}}}");
  }

  // In place of Kinesis: takes the records that `takes_` accepts; "a1" is the item a with the value
  // 1.
  std::optional<std::string> answer(const std::string& request) {
    if (is_down_) return http_answer(500, "{}");
    api::json::Document document;
    std::string body = request.substr(request.find("\r\n\r\n") + 4);
    const auto parsed = document.parse(body);
    std::vector<std::string> names;
    for (const api::json::Value record : parsed->object().find("Records").array()) {
      names.push_back(name_of(record.object().find("Data").string()));
    }
    std::string results;
    std::string asked;
    for (const std::string& name : names) {
      const bool takes = takes_(name);
      if (takes) taken_.push_back(name);
      asked += name + " ";
      results +=
          (results.empty() ? "" : ",") + std::string(takes ? R"({"SequenceNumber":"1"})" : kBusy);
    }
    asked_.push_back(asked);
    return http_answer(200, "{\"Records\":[" + results + "]}");
  }
  static std::string name_of(std::string_view data) {
    std::string json;
    api::json::decode_base64(data, json);
    api::json::Document document;
    const auto parsed = document.parse(json);
    const auto image = parsed->object().find("dynamodb").object().find("NewImage").object();
    return std::string(image.find("pk").object().find("S").string()) +
           std::string(image.find("v").object().find("N").string());
  }

  // A request, once one is due.
  bool step() {
    std::this_thread::sleep_until(line_->due());
    return line_->step(client_);
  }

  // Another line in its place, as after a restart.
  void go_on_from(std::uint64_t kept) {
    const auto feed = api::find_feeds(*databases_, true).front();
    positions_.store(feed->id(), kept);
    line_ = std::make_unique<DeliveryLine>(feed, positions_, log_);
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ = storage::Databases::open({}, clock_);
  Sends sends_;
  api::Service service_{*databases_, {.report_elsewhere = {}, .deliveries = &sends_}};
  std::vector<std::string> warned_;
  std::vector<std::string> left_out_;
  DeliveryLine::Log log_{
      .warn = [this](std::string_view what) { warned_.emplace_back(what); },
      .warn_left_out = [this](std::string_view what) { left_out_.emplace_back(what); }};
  DeliveryPositions positions_{databases_->notes(), "deliveries", log_.warn};
  bool is_down_ = false;
  std::function<bool(const std::string&)> takes_ = [](const std::string&) { return true; };
  std::vector<std::string> taken_;
  std::vector<std::string> asked_;
  ScriptedServer server_{[this](const std::string& request) { return answer(request); }};
  KinesisClient client_{*client::parse_endpoint_url(server_.url()),
                        [](const char*) { return std::optional<std::string>(); },
                        [] { return false; }};
  std::unique_ptr<DeliveryLine> line_;
};

TEST_F(DeliveryLineTest, HoldsNothingWhileItWaits) {
  is_down_ = true;
  for (int i = 0; i < 20; ++i) put("k" + std::to_string(i), i);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(step());
    EXPECT_EQ(line_->held(), 0U);
  }
  is_down_ = false;
  EXPECT_TRUE(step());
  EXPECT_EQ(taken_.size(), 20U);
  EXPECT_FALSE(step());
  EXPECT_EQ(warned_.size(), 4U);
  EXPECT_TRUE(left_out_.empty());
}

TEST_F(DeliveryLineTest, SendsWhatWasTakenNoSecondTimeAndKeepsOrder) {
  for (const int value : {1, 2, 3}) {
    for (const char* const key : {"a", "b", "c"}) put(key, value);
  }
  takes_ = [](const std::string& name) { return name[0] == 'b'; };
  EXPECT_TRUE(step());
  EXPECT_EQ(line_->held(), 0U);
  EXPECT_TRUE(step());
  takes_ = [](const std::string&) { return true; };
  while (step()) {
  }
  EXPECT_EQ(asked_,
            (std::vector<std::string>{"a1 b1 c1 ", "a1 c1 b2 ", "a1 c1 b3 ", "a2 c2 ", "a3 c3 "}));
  EXPECT_EQ(taken_.size(), 9U);
}

TEST_F(DeliveryLineTest, GoesOnAfterItsRecordsAreReleased) {
  for (const int value : {1, 2, 3}) put("a", value);
  EXPECT_TRUE(step());
  EXPECT_GT(line_->held(), 0U);
  line_->release_records();
  EXPECT_EQ(line_->held(), 0U);
  put("a", 4);
  while (step()) {
  }
  EXPECT_EQ(taken_, (std::vector<std::string>{"a1", "a2", "a3", "a4"}));
}

// The first record is not taken for long, and more than a page follows it.
TEST_F(DeliveryLineTest, PassesNoMoreThanAPageOfWhatIsNotTaken) {
  constexpr std::size_t kMore = 20;
  constexpr std::size_t kPage = DeliveryLine::kPageRecords;
  for (std::size_t i = 0; i < kPage + kMore; ++i) put("k" + std::to_string(i) + "-", 1);
  takes_ = [](const std::string& name) { return name != "k0-1"; };
  EXPECT_TRUE(step());
  EXPECT_EQ(taken_.size(), kPage - 1);
  EXPECT_TRUE(step());
  EXPECT_EQ(asked_.back(), "k0-1 ");
  takes_ = [](const std::string&) { return true; };
  while (step()) {
  }
  EXPECT_EQ(taken_.size(), kPage + kMore);
}

TEST_F(DeliveryLineTest, ComesBackSoonAsLongAsSomeAreTaken) {
  constexpr int kRounds = 20;
  for (int i = 0; i < kRounds; ++i) put("a", i);
  for (int i = 0; i < kRounds; ++i) put("b", i);
  takes_ = [](const std::string& name) { return name[0] == 'a'; };
  for (int i = 0; i < kRounds; ++i) {
    EXPECT_TRUE(step());
    EXPECT_LE(line_->due() - DeliveryLine::Clock::now(), client::RetryDelays::kFirst);
  }
  EXPECT_EQ(taken_.size(), kRounds);
}

TEST_F(DeliveryLineTest, GoesOnAtTheEndWhereWhatItSentIsGone) {
  put("a", 1);
  clock_.advance(std::chrono::hours(1));
  go_on_from(line_->feed().end() + 1000);
  EXPECT_FALSE(step());
  clock_.advance(-std::chrono::hours(1));
  put("a", 2);
  EXPECT_TRUE(step());
  EXPECT_EQ(taken_, (std::vector<std::string>{"a2"}));
}

TEST_F(DeliveryLineTest, SendsAllAgainWhereTheClockIsBehindWhatItSent) {
  put("a", 1);
  go_on_from(line_->feed().position_of_now() + 1'000'000'000);
  put("a", 2);
  while (step()) {
  }
  EXPECT_EQ(taken_, (std::vector<std::string>{"a1", "a2"}));
}

TEST_F(DeliveryLineTest, TellsWhatIsLostApart) {
  is_down_ = true;
  put("old", 1);
  EXPECT_TRUE(step());
  EXPECT_TRUE(left_out_.empty());
  clock_.advance(std::chrono::hours(25));
  put("new", 1);
  EXPECT_TRUE(step());
  EXPECT_TRUE(step());
  ASSERT_EQ(left_out_.size(), 1U);
  const api::ChangeFeed& feed = line_->feed();
  EXPECT_EQ(left_out_.front(), messages::kRecordsTooOld(feed.table_arn(), feed.stream_arn()));
  line_->abandon();
  EXPECT_TRUE(line_->has_ended());
  ASSERT_EQ(left_out_.size(), 2U);
  EXPECT_EQ(left_out_.back(), messages::kClosedLineDropped(feed.table_arn(), feed.stream_arn()));
}

}  // namespace
}  // namespace magneto::server::feeds
