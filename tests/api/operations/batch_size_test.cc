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

// 41 items of 400,000 bytes fit. No item after them is read, in any table.
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

// 16,777,216 bytes: 40 items of 409,600 and one of 393,216.
TEST_F(BatchSize, IsSixteenMegabytesToTheByte) {
  service_.create_table("exact", false);
  const auto put = [this](int number, std::size_t size) {
    service_.succeed("PutItem", R"({"TableName":"exact","Item":{"pk":{"S":"k)" +
                                    std::to_string(number) + R"("},"b":{"S":")" +
                                    std::string(size - 6, 'x') + R"("}}})");
  };
  const auto get = [this] {
    return service_.succeed("BatchGetItem", R"({"RequestItems":{"exact":{"Keys":)" + keys(10, 51) +
                                                R"(,"ProjectionExpression":"pk"}}})");
  };
  for (int i = 10; i < 50; ++i) put(i, 409'600);
  put(50, 393'216);
  EXPECT_EQ(get(), R"({"Responses":{"exact":)" + keys(10, 51) + R"(},"UnprocessedKeys":{}})");
  put(50, 393'217);
  EXPECT_EQ(get(), R"({"Responses":{"exact":)" + keys(10, 50) +
                       R"(},"UnprocessedKeys":{"exact":{"Keys":)" + keys(50, 51) +
                       R"(,"ProjectionExpression":"pk"}}})");
}

// All of 100 keys, the maximum, are answered.
TEST_F(BatchSize, TakesAHundredKeys) {
  const std::string answer = service_.succeed(
      "BatchGetItem", R"({"RequestItems":{"small":{"Keys":)" + keys(1, 101) + "}}}");
  EXPECT_EQ(answer, R"({"Responses":{"small":[{"pk":{"S":"k1"}}]},"UnprocessedKeys":{}})");
  EXPECT_NE(service_
                .fail("BatchGetItem", R"({"RequestItems":{"small":{"Keys":)" + keys(1, 51) +
                                          R"(},"large":{"Keys":)" + keys(1, 52) + "}}}")
                .find("Too many items requested for the BatchGetItem call"),
            std::string::npos);
}

// Keys without an item come first, so that many are read in one step when the large ones begin.
TEST_F(BatchSize, StopsAtTheSameItemHoweverManyAreReadInAStep) {
  const std::string answer =
      service_.succeed("BatchGetItem", R"({"RequestItems":{"large":{"Keys":)" + keys(1, 55) +
                                           R"(,"ProjectionExpression":"pk"}}})");
  EXPECT_EQ(answer, R"({"Responses":{"large":)" + keys(10, 51) +
                        R"(},"UnprocessedKeys":{"large":{"Keys":)" + keys(51, 55) +
                        R"(,"ProjectionExpression":"pk"}}})");
}

TEST_F(BatchSize, AnswersAllThatFits) {
  const std::string answer =
      service_.succeed("BatchGetItem", R"({"RequestItems":{"large":{"Keys":)" + keys(10, 51) +
                                           R"(,"ProjectionExpression":"pk"}}})");
  EXPECT_EQ(answer, R"({"Responses":{"large":)" + keys(10, 51) + R"(},"UnprocessedKeys":{}})");
}

}  // namespace
}  // namespace magneto::api
