#include "server/tools/replay/answer_difference.h"

#include <gtest/gtest.h>

#include "server/tools/replay/recorded_call.h"
#include "server/tools/replay/renamed_values.h"

namespace magneto::server::tools {
namespace {

std::string differences(std::string expected, std::string found, bool exact = false,
                        std::string_view operation = "GetItem") {
  api::json::Document left;
  api::json::Document right;
  std::string text;
  for (const AnswerDifference& difference :
       find_differences(operation, *left.parse(expected), *right.parse(found), exact, 3)) {
    text += difference.path + ": " + difference.expected + " -> " + difference.found + "; ";
  }
  return text;
}

TEST(AnswerDifference, FindsPlaces) {
  EXPECT_EQ(differences(R"({"a":1,"b":[true,null]})", R"({"b":[true,null],"a":1.0})"), "");
  EXPECT_EQ(differences(R"({"Item":{"n":{"N":"1"}}})", R"({"Item":{"n":{"N":"2"}}})"),
            R"(Item.n.N: "1" -> "2"; )");
  EXPECT_EQ(differences(R"({"Items":[{"a":1}]})", R"({"Items":[{"a":1},{"b":2}]})"),
            R"(Items[1]:  -> {"b":2}; )");
  EXPECT_EQ(differences(R"({"a":1})", R"({"b":1})"), "a: 1 -> ; b:  -> 1; ");
  EXPECT_EQ(differences(R"({"a":"1"})", R"({"a":1})"), R"(a: "1" -> 1; )");
  EXPECT_EQ(differences(R"({"a":true,"b":"x"})", R"({"a":false,"b":"y"})"),
            R"(a: true -> false; b: "x" -> "y"; )");
  EXPECT_EQ(differences("{}", "[]"), ": {} -> []; ");
  EXPECT_EQ(differences("[1,2,3,4]", "[2,3,4,5]"), "[0]: 1 -> 2; [1]: 2 -> 3; [2]: 3 -> 4; ");
}

TEST(AnswerDifference, PassesOverWhatDiffersEachTime) {
  const std::string one = R"({"Table":{"TableId":"1","CreationDateTime":1,"TableName":"t"}})";
  const std::string two = R"({"Table":{"TableId":"2","CreationDateTime":2,"TableName":"t"}})";
  EXPECT_EQ(differences(one, two), "");
  EXPECT_EQ(differences(one, two, true),
            R"(Table.TableId: "1" -> "2"; Table.CreationDateTime: 1 -> 2; )");
  EXPECT_EQ(differences(one, R"({"Table":{"TableId":"2","TableName":"t"}})"),
            "Table.CreationDateTime: 1 -> ; ");
  // An item may have attributes of such names.
  EXPECT_EQ(differences(R"({"Item":{"TableId":{"S":"1"},"m":{"M":{"NextToken":{"S":"1"}}}}})",
                        R"({"Item":{"TableId":{"S":"2"},"m":{"M":{"NextToken":{"S":"2"}}}}})"),
            R"(Item.TableId.S: "1" -> "2"; Item.m.M.NextToken.S: "1" -> "2"; )");
}

TEST(AnswerDifference, KnowsNoOrderWhereDynamoDbHasNone) {
  EXPECT_EQ(differences(R"({"Item":{"s":{"SS":["a","b"]}}})", R"({"Item":{"s":{"SS":["b","a"]}}})"),
            "");
  EXPECT_EQ(differences(R"({"Item":{"s":{"L":[{"S":"a"},{"S":"b"}]}}})",
                        R"({"Item":{"s":{"L":[{"S":"b"},{"S":"a"}]}}})"),
            R"(Item.s.L[0].S: "a" -> "b"; Item.s.L[1].S: "b" -> "a"; )");
  const std::string one = R"({"Responses":{"t":[{"a":{"S":"1"}},{"a":{"S":"2"},"b":{"S":"3"}}]}})";
  const std::string two = R"({"Responses":{"t":[{"b":{"S":"3"},"a":{"S":"2"}},{"a":{"S":"1"}}]}})";
  EXPECT_EQ(differences(one, two, false, "BatchGetItem"), "");
  EXPECT_NE(differences(one, two, false, "Other"), "");
}

TEST(RenamedValues, FollowIteratorsAndTokens) {
  api::json::Document left;
  api::json::Document right;
  api::json::Document asked;
  std::string recorded = R"({"NextShardIterator":"old","Records":[{"eventID":"e1","x":"same"}]})";
  std::string found = R"({"NextShardIterator":"new","Records":[{"eventID":"f1","x":"other"}]})";
  std::string request = R"({"ShardIterator":"old","Limit":3,"Also":["e1","same",null,true]})";
  RenamedValues names;
  const auto value = asked.parse(request);
  EXPECT_EQ(names.rename(*value), request);
  names.learn(*left.parse(recorded), *right.parse(found));
  EXPECT_EQ(names.rename(*value),
            R"({"ShardIterator":"new","Limit":3,"Also":["f1","same",null,true]})");
  names.learn(*left.parse(recorded), api::json::Value());
}

TEST(RecordedCall, IsALineOfAJournal) {
  api::json::Document document;
  std::string line =
      R"({"number":7,"at":"1970-01-01T00:00:01.250Z","operation":"GetItem","status":400,)"
      R"("error":"ValidationException","faults":["f1"],"ran":false,"request":{"a":1},"response":{}})";
  const auto call = read_recorded_call(*document.parse(line));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->number, 7);
  EXPECT_EQ(call->at, std::chrono::milliseconds(1'250));
  EXPECT_EQ(call->status, 400);
  EXPECT_EQ(call->error, "ValidationException");
  EXPECT_TRUE(call->was_kept);
  EXPECT_TRUE(call->request);
  std::string cut = R"({"number":8,"at":"soon","operation":"GetItem","status":null,"error":null,)"
                    R"("faults":["f1"],"request":"text"})";
  const auto other = read_recorded_call(*document.parse(cut));
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->at);
  EXPECT_FALSE(other->status);
  EXPECT_FALSE(other->was_kept);
  EXPECT_FALSE(other->request);
  for (std::string none : {"[]", "{}", R"({"number":"7","operation":"x"})", R"({"number":1.5})"}) {
    EXPECT_FALSE(read_recorded_call(*document.parse(none))) << none;
  }
}

}  // namespace
}  // namespace magneto::server::tools
