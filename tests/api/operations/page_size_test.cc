#include <gtest/gtest.h>

#include "tests/api/test_service.h"

// Pages of 1 MB (AWS developer guide, "Paginating table query results").
namespace magneto::api {
namespace {

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

class PageSize : public testing::Test {
 protected:
  PageSize() { service_.create_table("pages", true); }

  // Items p/0, p/1 ... with `size` bytes of padding each.
  void put(int count, std::size_t size) {
    for (int i = 0; i < count; ++i) {
      service_.succeed("PutItem", R"({"TableName":"pages","Item":{"pk":{"S":"p"},"sk":{"S":")" +
                                      std::to_string(i) + R"("},"b":{"S":")" +
                                      std::string(size, 'x') + R"("}}})");
    }
  }

  std::string query(const std::string& more) {
    return service_.succeed("Query", R"({"TableName":"pages","KeyConditionExpression":"pk = :p",)"
                                     R"("ProjectionExpression":"sk",)"
                                     R"("ExpressionAttributeValues":{":p":{"S":"p"}})" +
                                         more + "}");
  }

  TestService service_;
};

// The item with which 1 MB is reached is the last of its page.
TEST_F(PageSize, EndsAfterTheItemThatReachesOneMegabyte) {
  put(5, 350'000);
  EXPECT_EQ(query(""), R"({"Items":[{"sk":{"S":"0"}},{"sk":{"S":"1"}},{"sk":{"S":"2"}}],"Count":3,)"
                       R"("ScannedCount":3,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"S":"2"}}})");
  EXPECT_EQ(query(R"(,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"2"}})"),
            R"({"Items":[{"sk":{"S":"3"}},{"sk":{"S":"4"}}],"Count":2,"ScannedCount":2})");
  EXPECT_EQ(
      query(R"(,"ScanIndexForward":false,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"3"}})"),
      R"({"Items":[{"sk":{"S":"2"}},{"sk":{"S":"1"}},{"sk":{"S":"0"}}],"Count":3,)"
      R"("ScannedCount":3,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"S":"0"}}})");
}

// What counts is read, not returned: a filter that matches nothing gives empty pages with a key.
TEST_F(PageSize, CountsBeforeTheFilter) {
  put(4, 350'000);
  const std::string answer = service_.succeed(
      "Query",
      R"({"TableName":"pages","KeyConditionExpression":"pk = :p","FilterExpression":"c = :p",)"
      R"("ExpressionAttributeValues":{":p":{"S":"p"}},"ReturnConsumedCapacity":"TOTAL"})");
  EXPECT_EQ(answer,
            R"({"Items":[],"Count":0,"ScannedCount":3,"LastEvaluatedKey":{"pk":{"S":"p"},)"
            R"("sk":{"S":"2"}},"ConsumedCapacity":{"TableName":"pages","CapacityUnits":128.5}})");
}

// 1,048,576 bytes exactly: 16 items of 65,536.
TEST_F(PageSize, IsOneMegabyteToTheByte) {
  const std::size_t overhead = 2 + 1 + 2 + 1 + 1;  // pk "p", sk "0", b
  put(10, 104'857 - overhead);                     // 1,048,570 bytes
  EXPECT_EQ(count_of(query(""), "LastEvaluatedKey"), 0u);
  service_.succeed("UpdateItem", R"({"TableName":"pages","Key":{"pk":{"S":"p"},"sk":{"S":"9"}},)"
                                 R"("UpdateExpression":"SET c = :c",)"
                                 R"("ExpressionAttributeValues":{":c":{"S":"12345"}}})");
  EXPECT_EQ(count_of(query(""), "LastEvaluatedKey"), 1u);
}

TEST_F(PageSize, OfAScanIsOneMegabyteToo) {
  put(4, 350'000);
  const std::string first = service_.succeed(
      "Scan",
      R"({"TableName":"pages","ProjectionExpression":"sk","Select":"SPECIFIC_ATTRIBUTES"})");
  EXPECT_NE(first.find(R"("ScannedCount":3,"LastEvaluatedKey")"), std::string::npos) << first;
  const std::string rest =
      service_.succeed("Scan", R"({"TableName":"pages","ProjectionExpression":"sk",)"
                               R"("ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"2"}}})");
  EXPECT_EQ(rest, R"({"Items":[{"sk":{"S":"3"}}],"Count":1,"ScannedCount":1})");
}

}  // namespace
}  // namespace magneto::api
