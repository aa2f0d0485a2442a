#include "server/feeds/delivery/kinesis_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/scripted_server.h"

namespace magneto::server::feeds {
namespace {

using Kind = PutAnswer::Kind;

class KinesisClientTest : public testing::Test {
 protected:
  // Sets the endpoint's answer to any request.
  void answer(int status, std::string body) { answer_ = http_answer(status, body); }
  void answer_error(int status, const std::string& type) {
    answer(status, R"({"__type":"com.amazonaws.kinesis#)" + type + R"(","message":"no"})");
  }
  PutAnswer put() { return client_.put("orders", "eu-west-2", records_, {0, 2}); }
  PutAnswer look() { return client_.look_for("orders", "eu-west-2"); }

  std::optional<std::string> answer_ = http_answer(200, "{}");
  ScriptedServer server_{[this](const std::string&) { return answer_; }};
  bool is_over_ = false;
  OrderedRecords records_;
  KinesisClient client_{*client::parse_endpoint_url(server_.url()),
                        [](const char*) { return std::optional<std::string>(); },
                        [this] { return is_over_; }};

  void SetUp() override { records_.set({{"A1", "one"}, {"A1", "two"}, {"B2", "three"}}); }
};

TEST_F(KinesisClientTest, SendsWhatItIsToldAndReadsWhatWasTaken) {
  answer(200, R"({"FailedRecordCount":1,"Records":[{"SequenceNumber":"1","ShardId":"s"},)"
              R"({"ErrorCode":"InternalFailure","ErrorMessage":"later"}]})");
  const PutAnswer got = put();
  EXPECT_EQ(got.kind, Kind::kTaken);
  EXPECT_EQ(got.taken, (std::vector<bool>{true, false}));
  EXPECT_EQ(got.why, "InternalFailure (later)");
  ASSERT_EQ(server_.requests().size(), 1U);
  const std::string request = server_.requests().front();
  EXPECT_NE(request.find("X-Amz-Target: Kinesis_20131202.PutRecords\r\n"), std::string::npos);
  EXPECT_NE(request.find("/eu-west-2/kinesis/aws4_request"), std::string::npos);
  EXPECT_NE(request.find("\r\n\r\n"
                         R"({"StreamName":"orders","Records":[{"Data":"b25l","PartitionKey":"A1"},)"
                         R"({"Data":"dGhyZWU=","PartitionKey":"B2"}]})"),
            std::string::npos)
      << request;
}

TEST_F(KinesisClientTest, WaitsForTheFinalAnswer) {
  answer(200,
         R"({"FailedRecordCount":0,"Records":[{"SequenceNumber":"1"},{"SequenceNumber":"2"}]})");
  answer_->insert(0, kInterimAnswers);
  EXPECT_EQ(put().taken, (std::vector<bool>{true, true}));
}

TEST_F(KinesisClientTest, TakesNothingForTakenThatIsNoAnswer) {
  for (const char* const body :
       {"", "no JSON", "[]", "{}", R"({"Records":7})", R"({"Records":[]})",
        R"({"Records":[{"SequenceNumber":"1"}]})",
        R"({"Records":[{"SequenceNumber":"1"},{"SequenceNumber":"2"},{"SequenceNumber":"3"}]})"}) {
    answer(200, body);
    EXPECT_EQ(put().kind, Kind::kNotNow) << body;
  }
  answer(200, R"({"Records":[{"SequenceNumber":"1"},{}]})");
  EXPECT_EQ(put().taken, (std::vector<bool>{true, false}));
  answer(200, R"({"Records":[7,{"SequenceNumber":7}]})");
  EXPECT_EQ(put().taken, (std::vector<bool>{false, false}));
}

// The log gets these texts.
TEST_F(KinesisClientTest, WhatIsToldIsPlainText) {
  answer(503, "a\nb\x1B\xFF");
  EXPECT_TRUE(put().why.ends_with("a b \uFFFD)")) << put().why;
  answer(200, R"({"Records":[{"ErrorCode":"A\nB","ErrorMessage":")" + std::string(1'000, 'x') +
                  R"("},{}]})");
  EXPECT_EQ(put().why, "A B (" + std::string(295, 'x'));
}

TEST_F(KinesisClientTest, TellsWhatMayPassFromWhatIsRefused) {
  for (const char* const type : {"ProvisionedThroughputExceededException", "AccessDeniedException",
                                 "UnrecognizedClientException", "KMSThrottlingException"}) {
    answer_error(400, type);
    EXPECT_EQ(put().kind, Kind::kNotNow) << type;
  }
  for (const char* const type :
       {"ValidationException", "InvalidArgumentException", "SerializationException"}) {
    answer_error(400, type);
    EXPECT_EQ(put().kind, Kind::kRefused) << type;
  }
  answer_error(400, "ResourceNotFoundException");
  EXPECT_EQ(put().kind, Kind::kGone);
  answer(503, "<html>" + std::string(100'000, 'x'));
  const PutAnswer busy = put();
  EXPECT_EQ(busy.kind, Kind::kNotNow);
  EXPECT_LT(busy.why.size(), 400U);
  answer_ = std::nullopt;  // hangs up
  EXPECT_EQ(put().kind, Kind::kNotNow);
}

TEST_F(KinesisClientTest, ReadsNoAnswerThatIsTooLong) {
  answer_ = "HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n{";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(put().kind, Kind::kNotNow);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(KinesisClientTest, EndsSoonWhenAllIsOver) {
  answer_ = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";  // and nothing more
  is_over_ = true;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(put().kind, Kind::kNotNow);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(KinesisClientTest, LooksForAStream) {
  const auto stands = [](const std::string& status) {
    return R"({"StreamDescriptionSummary":{"StreamStatus":")" + status + "\"}}";
  };
  answer(200, stands("ACTIVE"));
  EXPECT_EQ(look().kind, Kind::kTaken);
  answer(200, stands("UPDATING"));
  EXPECT_EQ(look().kind, Kind::kTaken);
  answer(200, stands("CREATING"));
  EXPECT_EQ(look().kind, Kind::kNotNow);
  EXPECT_EQ(look().why, "the stream is CREATING");
  answer(200, stands("DELETING"));
  EXPECT_EQ(look().kind, Kind::kInactive);
  answer_error(400, "ResourceNotFoundException");
  EXPECT_EQ(look().kind, Kind::kRefused);
  answer_error(400, "AccessDeniedException");
  EXPECT_EQ(look().kind, Kind::kRefused);
  answer_error(400, "UnknownOperationException");  // it may be there all the same
  EXPECT_EQ(look().kind, Kind::kTaken);
  answer_error(500, "InternalFailure");
  EXPECT_EQ(look().kind, Kind::kNotNow);
  answer(200, "{}");
  EXPECT_EQ(look().kind, Kind::kNotNow);
}

}  // namespace
}  // namespace magneto::server::feeds
