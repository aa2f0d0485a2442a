#include "server/feeds/event_sources/filter_pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server::feeds {
namespace {

bool matches(const std::string& pattern, std::string event) {
  api::json::Document document;
  const auto value = document.parse(event);
  if (!value) {
    ADD_FAILURE() << event;
    return false;
  }
  return FilterPattern(pattern).matches(*value);
}

// A record with the new image given.
std::string record(const std::string& image, const std::string& name = "INSERT") {
  return R"({"eventID":"1","eventName":")" + name +
         R"(","dynamodb":{"Keys":{"pk":{"S":"a"}},"NewImage":)" + image + "}}";
}

// AWS Lambda developer guide, "Using event filtering with a DynamoDB event source".
TEST(FilterPatternTest, MatchesAwssExamples) {
  const std::string lancaster = R"({"dynamodb":{"NewImage":{"City":{"S":["Lancaster"]}}}})";
  EXPECT_TRUE(matches(lancaster, record(R"({"City":{"S":"Lancaster"}})")));
  EXPECT_FALSE(matches(lancaster, record(R"({"City":{"S":"York"}})")));
  EXPECT_FALSE(matches(lancaster, record(R"({"Town":{"S":"Lancaster"}})")));

  const std::string keys = R"({"dynamodb":{"Keys":{"Age":{"N":["40"]}}}})";
  EXPECT_TRUE(matches(keys, R"({"dynamodb":{"Keys":{"Age":{"N":"40"}}}})"));

  const std::string no_image =
      R"({"eventName":["REMOVE"],"dynamodb":{"OldImage":{"x":{"S":[{"exists":false}]}}}})";
  EXPECT_TRUE(matches(no_image, record("{}", "REMOVE")));
  EXPECT_FALSE(
      matches(no_image, R"({"eventName":"REMOVE","dynamodb":{"OldImage":{"x":{"S":"a"}}}})"));

  const std::string expired =
      R"({"userIdentity":{"type":["Service"],"principalId":["dynamodb.amazonaws.com"]}})";
  EXPECT_TRUE(matches(
      expired, R"({"userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"}})"));
  EXPECT_FALSE(matches(expired, record("{}")));
}

// The same guide, "Filter rule syntax": one row each.
TEST(FilterPatternTest, HasEachComparisonOfTheGuide) {
  const auto user = [](const std::string& test, const std::string& value) {
    return matches(R"({"u":)" + test + "}", R"({"u":)" + value + "}");
  };
  EXPECT_TRUE(user("[null]", "null"));
  EXPECT_FALSE(user("[null]", "\"\""));
  EXPECT_TRUE(user(R"([""])", R"("")"));
  EXPECT_FALSE(user(R"([""])", R"("a")"));
  EXPECT_TRUE(user(R"(["Alice"])", R"("Alice")"));
  EXPECT_FALSE(user(R"(["Alice"])", R"("alice")"));
  EXPECT_TRUE(user(R"([{"equals-ignore-case":"alice"}])", R"("ALICE")"));
  EXPECT_TRUE(user(R"(["Paris","Lima"])", R"("Lima")"));
  EXPECT_TRUE(user(R"([{"anything-but":["Alice","Bo"]}])", R"("Carl")"));
  EXPECT_FALSE(user(R"([{"anything-but":["Alice","Bo"]}])", R"("Bo")"));
  EXPECT_FALSE(user(R"([{"anything-but":"Bo"}])", R"("Bo")"));
  EXPECT_TRUE(user(R"([{"anything-but":{"prefix":"A"}}])", R"("Bo")"));
  EXPECT_FALSE(user(R"([{"anything-but":{"prefix":"A"}}])", R"("Ada")"));
  EXPECT_TRUE(user(R"([{"numeric":["=",100]}])", "100.0"));
  EXPECT_TRUE(user(R"([{"numeric":[">",10,"<=",20]}])", "20"));
  EXPECT_FALSE(user(R"([{"numeric":[">",10,"<=",20]}])", "10"));
  EXPECT_TRUE(user(R"([{"exists":true}])", "1"));
  EXPECT_FALSE(user(R"([{"exists":true}])", R"({"S":"a"})"));  // no leaf
  EXPECT_TRUE(user(R"([{"exists":false}])", R"({"S":"a"})"));
  EXPECT_TRUE(user(R"([{"prefix":"us-"}])", R"("us-east-1")"));
  EXPECT_FALSE(user(R"([{"prefix":"us-"}])", R"("us")"));
  EXPECT_TRUE(user(R"([{"prefix":{"equals-ignore-case":"US-"}}])", R"("us-east-1")"));
  EXPECT_TRUE(user(R"([{"suffix":".png"}])", R"("a.png")"));
  EXPECT_FALSE(user(R"([{"suffix":".png"}])", R"("png")"));
  EXPECT_TRUE(user(R"([{"suffix":{"equals-ignore-case":".PNG"}}])", R"("a.png")"));
  EXPECT_TRUE(user("[5, true]", "true"));
  EXPECT_FALSE(user("[5, true]", R"("true")"));
  EXPECT_TRUE(user("[300]", "300"));
  EXPECT_FALSE(user("[300.0]", "300"));
  EXPECT_FALSE(user("[3.0e2]", "300"));
  EXPECT_FALSE(user("[300]", "300.0"));
  EXPECT_FALSE(user("[9007199254740993]", "9007199254740992"));
  EXPECT_TRUE(user(R"([{"anything-but":[300.0]}])", "300"));
  EXPECT_FALSE(user(R"([{"anything-but":[300]}])", "300"));
}

TEST(FilterPatternTest, TakesAllFieldsAndOneAlternative) {
  const std::string both = R"({"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":["a"]}}}})";
  EXPECT_TRUE(matches(both, record("{}")));
  EXPECT_FALSE(matches(both, record("{}", "MODIFY")));
  const std::string either =
      R"({"eventName":["INSERT"],"$or":[{"dynamodb":{"Keys":{"pk":{"S":["b"]}}}},{"eventID":["1"]}]})";
  EXPECT_TRUE(matches(either, record("{}")));
  EXPECT_FALSE(matches(either, R"({"eventName":"INSERT","eventID":"2"})"));
}

// Numbers of items are texts (the same guide: "DynamoDB numbers").
TEST(FilterPatternTest, NumbersOfItemsAreTexts) {
  EXPECT_TRUE(
      matches(R"({"dynamodb":{"NewImage":{"v":{"N":["5"]}}}})", record(R"({"v":{"N":"5"}})")));
  EXPECT_FALSE(matches(R"({"dynamodb":{"NewImage":{"v":{"N":[{"numeric":["=",5]}]}}}})",
                       record(R"({"v":{"N":"5"}})")));
}

TEST(FilterPatternTest, OfAListOneElementIsEnough) {
  const std::string tags = R"({"dynamodb":{"NewImage":{"tags":{"L":{"S":["new"]}}}}})";
  EXPECT_TRUE(matches(tags, record(R"({"tags":{"L":[{"S":"old"},{"S":"new"}]}})")));
  EXPECT_FALSE(matches(tags, record(R"({"tags":{"L":[{"S":"old"}]}})")));
  EXPECT_TRUE(matches(R"({"dynamodb":{"NewImage":{"s":{"SS":["a"]}}}})",
                      record(R"({"s":{"SS":["b","a"]}})")));
  EXPECT_TRUE(matches(R"({"x":[{"exists":false}]})", R"({"x":[]})"));
}

TEST(FilterPatternTest, IsTotalOverWrongKinds) {
  const char* const patterns[] = {R"({"a":{"b":["c"]}})", R"({"a":[{"prefix":"x"}]})",
                                  R"({"a":[{"numeric":["<",3]}]})",
                                  R"({"a":{"b":[{"anything-but":"c"}]}})"};
  const char* const events[] = {"1",
                                "null",
                                "[]",
                                R"({"a":null})",
                                R"({"a":1})",
                                R"({"a":[[]]})",
                                R"({"a":{"b":{}}})",
                                R"({"a":{"b":[{}]}})"};
  for (const char* const pattern : patterns) {
    for (const char* const event : events) {
      const bool is_small =
          std::string(pattern).find('<') != std::string::npos && std::string(event) == R"({"a":1})";
      EXPECT_EQ(matches(pattern, event), is_small) << pattern << event;
    }
  }
}

TEST(FilterPatternTest, RefusesWhatIsNone) {
  for (const char* const text : {"",
                                 "{",
                                 "[]",
                                 "1",
                                 "{}",
                                 R"({"a":{}})",
                                 R"({"a":[]})",
                                 R"({"a":"b"})",
                                 R"({"a":[["b"]]})",
                                 R"({"a":[{}]})",
                                 R"({"a":[{"prefix":1}]})",
                                 R"({"a":[{"prefix":"a","suffix":"b"}]})",
                                 R"({"a":[{"like":"b"}]})",
                                 R"({"a":[{"exists":"true"}]})",
                                 R"({"a":[{"numeric":[]}]})",
                                 R"({"a":[{"numeric":["="]}]})",
                                 R"({"a":[{"numeric":["=","5"]}]})",
                                 R"({"a":[{"numeric":["~",5]}]})",
                                 R"({"a":[{"numeric":["<",5,">",1]}]})",
                                 R"({"a":[{"numeric":[">",5,"<",5]}]})",
                                 R"({"a":[{"numeric":[">",9,"<=",5]}]})",
                                 R"({"a":[{"numeric":["=",5,"<",9]}]})",
                                 R"({"a":[{"numeric":[">",1,">=",2]}]})",
                                 R"({"a":["b"],"a":["c"]})",
                                 R"({"a":{"b":["b"],"b":["c"]}})",
                                 R"({"$or":[{"a":[1]},{"b":[1]}],"$or":[{"c":[1]},{"d":[1]}]})",
                                 R"({"a":[{"anything-but":[]}]})",
                                 R"({"a":[{"anything-but":{"exists":true}}]})",
                                 R"({"$or":[{"a":["b"]}]})",
                                 R"({"$or":[{"a":["b"]},7]})",
                                 R"({"a":[{"prefix":{"equals-ignore-case":1}}]})"}) {
    EXPECT_THROW(FilterPattern{text}, FilterPatternError) << text;
  }
  EXPECT_THROW(FilterPattern(R"({"a":[")" + std::string(FilterPattern::kMaxBytes, 'x') + "\"]}"),
               FilterPatternError);
  std::string deep;
  for (int i = 0; i < 600; ++i) deep += "{\"a\":";
  EXPECT_THROW(FilterPattern(deep + "1" + std::string(600, '}')), FilterPatternError);
}

}  // namespace
}  // namespace magneto::server::feeds
