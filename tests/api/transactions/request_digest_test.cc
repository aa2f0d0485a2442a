#include "api/transactions/request_digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "api/validation/parameter_shapes.h"

namespace magneto::api {
namespace {

constexpr MemberShape kPutMembers[] = {
    kItem,
    {"TableName", &kStringShape},
    kExpressionAttributeNames,
    kExpressionAttributeValues,
    {"Flag", &kBooleanShape},
    {"Count", &kIntegerShape},
};
constexpr Shape kPutShape = structure_shape("Put", kPutMembers);
constexpr MemberShape kActionMembers[] = {{"Put", &kPutShape}};
constexpr Shape kActionShape = structure_shape("Action", kActionMembers);
constexpr Shape kActionsShape = list_shape(kActionShape);

storage::Digest digest(std::string text, const Shape& shape = kActionsShape) {
  json::Document document;
  const auto value = document.parse(text);
  EXPECT_TRUE(value) << text;
  storage::Effort effort;
  return digest_request(*value, shape, effort);
}

storage::Digest digest_value(std::string_view text) {
  return digest("{\"v\":" + std::string(text) + "}", kAttributeMapShape);
}

TEST(RequestDigest, MembersMayStandInAnyOrder) {
  EXPECT_EQ(
      digest(
          R"([{"Put":{"TableName":"t","Item":{"a":{"S":"x"},"b":{"M":{"c":{"N":"1"},"d":{"BOOL":true}}}},
                 "ExpressionAttributeNames":{"#a":"a","#b":"b"},"ExpressionAttributeValues":{":a":{"S":"1"},":b":{"S":"2"}}}}])"),
      digest(
          R"([{"Put":{"ExpressionAttributeValues":{":b":{"S":"2"},":a":{"S":"1"}},"ExpressionAttributeNames":{"#b":"b","#a":"a"},
                 "Item":{"b":{"M":{"d":{"BOOL":true},"c":{"N":"1"}}},"a":{"S":"x"}},"TableName":"t"}}])"));
}

TEST(RequestDigest, NullAndUnknownMembersDoNotCount) {
  const storage::Digest plain = digest(R"([{"Put":{"TableName":"t"}}])");
  EXPECT_EQ(plain, digest(R"([{"Put":{"TableName":"t","Item":null}}])"));
  EXPECT_EQ(plain, digest(R"([{"Put":{"TableName":"t","Unknown":{"a":[1,null]}}}])"));
  EXPECT_EQ(plain, digest(R"([{"Unknown":1,"Put":{"TableName":"t"}}])"));
  EXPECT_EQ(digest_value(R"({"S":"a"})"), digest_value(R"({"S":"a","N":null,"X":1})"));
}

TEST(RequestDigest, OfNamesGivenTwiceTheLastCounts) {
  EXPECT_EQ(digest(R"([{"Put":{"TableName":"t"}}])"),
            digest(R"([{"Put":{"TableName":"u","TableName":"t"}}])"));
  EXPECT_NE(digest(R"([{"Put":{"TableName":"t"}}])"),
            digest(R"([{"Put":{"TableName":"t","TableName":"u"}}])"));
  EXPECT_EQ(digest(R"([{"Put":{}}])"), digest(R"([{"Put":{"TableName":"t","TableName":null}}])"));
  EXPECT_EQ(digest_value(R"({"S":"a"})"), digest_value(R"({"S":"b","S":"a","S":null})"));
  EXPECT_EQ(digest(R"({"a":{"S":"1"},"b":{"S":"2"}})", kAttributeMapShape),
            digest(R"({"a":{"S":"0"},"b":{"S":"2"},"a":{"S":"1"}})", kAttributeMapShape));
}

TEST(RequestDigest, TextsCountAsTheyAreRead) {
  EXPECT_EQ(digest_value(R"({"S":"A"})"), digest_value(R"({"\u0053":"\u0041"})"));
  EXPECT_EQ(digest_value(R"({"BOOL":true})"), digest_value(R"({"BOOL":"yes"})"));
  EXPECT_EQ(digest(R"([{"Put":{"Flag":"0"}}])"), digest(R"([{"Put":{"Flag":false}}])"));
  EXPECT_EQ(digest(R"([{"Put":{"Count":1}}])"), digest(R"([{"Put":{"Count":1.5}}])"));
}

// Captured facts 2, "Transactions" (DynamoDB Local).
TEST(RequestDigest, NumbersListsAndSetsCountAsWritten) {
  EXPECT_NE(digest_value(R"({"N":"1"})"), digest_value(R"({"N":"1.0"})"));
  EXPECT_NE(digest_value(R"({"SS":["a","b"]})"), digest_value(R"({"SS":["b","a"]})"));
  EXPECT_NE(digest_value(R"({"L":[{"S":"a"},{"S":"b"}]})"),
            digest_value(R"({"L":[{"S":"b"},{"S":"a"}]})"));
  EXPECT_NE(digest(R"([{"Put":{"TableName":"t"}},{"Put":{"TableName":"u"}}])"),
            digest(R"([{"Put":{"TableName":"u"}},{"Put":{"TableName":"t"}}])"));
}

TEST(RequestDigest, DifferentMeaningsDiffer) {
  const std::vector<std::string> values{
      R"({"S":""})", R"({"S":"a"})", R"({"N":"1"})", R"({"B":"YQ=="})", R"({"BOOL":true})",
      R"({"BOOL":false})", R"({"NULL":true})", R"({"SS":["a"]})", R"({"NS":["1"]})",
      R"({"BS":["YQ=="]})", R"({"L":[]})", R"({"M":{}})", R"({"L":[{"L":[]}]})",
      R"({"L":[{"L":[]},{"L":[]}]})", R"({"L":[{"L":[{"L":[]}]}]})", R"({"M":{"a":{"S":"b"}}})",
      R"({"M":{"a":{"S":"bc"}}})", R"({"M":{"ab":{"S":"c"}}})",
      R"({"M":{"a":{"S":"b"},"c":{"S":"d"}}})", R"({"M":{"a":{"S":"d"},"c":{"S":"b"}}})",
      R"({"SS":["a","b"]})", R"({"SS":["ab"]})", R"({"S":"ab"})",
      // Values that a form without lengths would confuse.
      R"({"S":"a}"})", R"({"SS":["a]s"]})", R"({"SS":["a","]"]})"};
  std::set<storage::Digest> digests;
  for (const std::string& value : values) digests.insert(digest_value(value));
  EXPECT_EQ(digests.size(), values.size());
}

TEST(RequestDigest, LongTextsAndManyMembers) {
  const std::string text(10'000, 'x');
  EXPECT_EQ(digest_value("{\"S\":\"" + text + "\"}"), digest_value("{\"S\":\"" + text + "\"}"));
  EXPECT_NE(digest_value("{\"S\":\"" + text + "\"}"), digest_value("{\"S\":\"" + text + "y\"}"));
  std::vector<std::string> members;
  for (int i = 0; i < 3'000; ++i) {
    members.push_back("\"n" + std::to_string(i) + "\":{\"N\":\"" + std::to_string(i) + "\"}");
  }
  std::mt19937 random(1);
  std::set<storage::Digest> digests;
  for (int round = 0; round < 5; ++round) {
    std::string map;
    for (const std::string& member : members) map += (map.empty() ? "{" : ",") + member;
    digests.insert(digest(map + "}", kAttributeMapShape));
    std::ranges::shuffle(members, random);
  }
  EXPECT_EQ(digests.size(), 1U);
}

TEST(RequestDigest, CountsItsWork) {
  std::string text = "{\"v\":{\"S\":\"" + std::string(100'000, 'x') + "\"}}";
  json::Document document;
  const auto value = document.parse(text);
  storage::Effort effort(1'000);
  EXPECT_THROW(digest_request(*value, kAttributeMapShape, effort), storage::NeedsWorker);
}

}  // namespace
}  // namespace magneto::api
