#include <gtest/gtest.h>

#include "tests/api/test_service.h"

// 16 MB of items in one answer of BatchGetItem (AWS API reference, BatchGetItem).
namespace magneto::api {
namespace {

std::string key(int number) { return R"({"pk":{"S":"k)" + std::to_string(number) + R"("}})"; }

class BatchSize : public testing::Test {
 protected:
  BatchSize() {
    service_.create_table("large", false);
    service_.create_table("small", false);
    for (int i = 10; i < 55; ++i) {
      service_.succeed("PutItem", R"({"TableName":"large","Item":{"pk":{"S":"k)" +
                                      std::to_string(i) + R"("},"b":{"S":")" +
                                      std::string(399'994, 'x') + R"("}}})");
    }
    service_.succeed("PutItem", R"({"TableName":"small","Item":{"pk":{"S":"k1"}}})");
  }

  static std::string keys(int first, int end) {
    std::string list;
    for (int i = first; i < end; ++i) list += (i == first ? "" : ",") + key(i);
    return "[" + list + "]";
  }

  TestService service_;
};

// 41 items of 400,000 bytes fit, and nothing after them is read, in whatever table it is.
TEST_F(BatchSize, LeavesWhatIsOver16MegabytesUnprocessed) {
  const std::string answer = service_.succeed(
      "BatchGetItem",
      R"({"RequestItems":{"large":{"Keys":)" + keys(10, 54) +
          R"(,"ConsistentRead":true,"ProjectionExpression":"#p",)"
          R"("ExpressionAttributeNames":{"#p":"pk"}},"small":{"Keys":[{"pk":{"S":"k1"}}]}},)"
          R"("ReturnConsumedCapacity":"TOTAL"})");
  const std::string items = keys(10, 51);
  EXPECT_EQ(answer, R"({"Responses":{"large":)" + items +
                        R"(,"small":[]},"UnprocessedKeys":{"large":{"Keys":)" + keys(51, 54) +
                        R"(,"ConsistentRead":true,"ExpressionAttributeNames":{"#p":"pk"},)"
                        R"("ProjectionExpression":"#p"},"small":{"Keys":[{"pk":{"S":"k1"}}]}},)"
                        R"("ConsumedCapacity":[{"TableName":"large","CapacityUnits":4018},)"
                        R"({"TableName":"small","CapacityUnits":0}]})");
}

TEST_F(BatchSize, AnswersAllThatFits) {
  const std::string answer =
      service_.succeed("BatchGetItem", R"({"RequestItems":{"large":{"Keys":)" + keys(10, 51) +
                                           R"(,"ProjectionExpression":"pk"}}})");
  EXPECT_EQ(answer, R"({"Responses":{"large":)" + keys(10, 51) + R"(},"UnprocessedKeys":{}})");
}

}  // namespace
}  // namespace magneto::api
