#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/api/authorization/authorized_service.h"

// Streams stay readable for a day, under their policies, after their table has a newer one or is
// deleted.
namespace magneto::api {
namespace {

class LeftStreamsTest : public AuthorizedService {
 protected:
  LeftStreamsTest() {
    allow(R"({"Effect":"Allow","Action":"dynamodb:*","Resource":"*"})");
    stream_ = newest_stream();
    iterator_ = iterator_of(stream_);
  }

  std::string text_behind(std::string_view name) const {
    const std::string member = std::string("\"").append(name) + "\":\"";
    const std::size_t begin = response_.find(member) + member.size();
    return response_.substr(begin, response_.find('"', begin) - begin);
  }
  std::string newest_stream() {
    EXPECT_EQ(call("ADMIN", "DescribeTable", R"({"TableName":"Orders"})"), 200) << response_;
    return text_behind("LatestStreamArn");
  }
  static std::string of(std::string_view stream) {
    return std::string(R"({"StreamArn":")").append(stream) + "\"";
  }
  std::string iterator_of(std::string_view stream) {
    EXPECT_EQ(call("ADMIN", "DescribeStream", of(stream) + "}"), 200) << response_;
    const std::string shard = text_behind("ShardId");
    EXPECT_EQ(
        call("ADMIN", "GetShardIterator",
             of(stream) + R"(,"ShardIteratorType":"TRIM_HORIZON","ShardId":")" + shard + "\"}"),
        200)
        << response_;
    return text_behind("ShardIterator");
  }
  void deny_reading(std::string_view stream) {
    put_policy(R"({"Effect":"Deny","Principal":"*","Resource":")" + std::string(stream) +
                   R"(","Action":["dynamodb:GetRecords","dynamodb:GetShardIterator",
                   "dynamodb:DescribeStream"]})",
               stream);
  }
  void switch_stream(bool on) {
    EXPECT_EQ(call("ADMIN", "UpdateTable",
                   on ? R"({"TableName":"Orders","StreamSpecification":
                            {"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})"
                      : R"({"TableName":"Orders","StreamSpecification":{"StreamEnabled":false}})"),
              200)
        << response_;
    databases_->main().settle();
  }
  void expect_readable(bool is_readable) {
    for (const char* const key : {"ANA", "ADMIN"}) {
      call(key, "DescribeStream", of(stream_) + "}");
      EXPECT_EQ(!is_denied(), is_readable) << key << response_;
      call(key, "GetShardIterator",
           of(stream_) +
               R"(,"ShardIteratorType":"LATEST","ShardId":"shardId-00000000000000000000-0"})");
      EXPECT_EQ(!is_denied(), is_readable) << key << response_;
      call(key, "GetRecords", R"({"ShardIterator":")" + iterator_ + R"("})");
      EXPECT_EQ(!is_denied(), is_readable) << key << response_;
    }
  }

  std::string stream_;
  std::string iterator_;
};

TEST_F(LeftStreamsTest, APolicyStaysWithTheStream) {
  expect_readable(true);
  deny_reading(stream_);
  expect_readable(false);
  switch_stream(false);
  expect_readable(false);
  switch_stream(true);
  EXPECT_NE(newest_stream(), stream_);
  EXPECT_TRUE(may("DescribeStream", of(newest_stream()) + "}")) << response_;
  expect_readable(false);
  EXPECT_EQ(call("ADMIN", "DeleteTable", R"({"TableName":"Orders"})"), 200) << response_;
  databases_->main().settle();
  expect_readable(false);
  EXPECT_EQ(call("ADMIN", "CreateTable", kMakeOrders), 200) << response_;
  expect_readable(false);
}

// The policy may be put or deleted while the stream is disabled.
TEST_F(LeftStreamsTest, TheLastPolicyCounts) {
  switch_stream(false);
  deny_reading(stream_);
  switch_stream(true);
  expect_readable(false);
  const std::string former = stream_;
  stream_ = newest_stream();
  iterator_ = iterator_of(stream_);
  deny_reading(stream_);
  EXPECT_EQ(call("ADMIN", "DeleteResourcePolicy", R"({"ResourceArn":")" + stream_ + R"("})"), 200)
      << response_;
  EXPECT_EQ(call("ADMIN", "DeleteTable", R"({"TableName":"Orders"})"), 200) << response_;
  databases_->main().settle();
  expect_readable(true);
  EXPECT_FALSE(may("DescribeStream", of(former) + "}"));
}

}  // namespace
}  // namespace magneto::api
