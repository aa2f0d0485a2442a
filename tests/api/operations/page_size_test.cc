#include <gtest/gtest.h>

#include <algorithm>

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

// Items that are read count, not items that are returned. So a filter without matches gives empty
// pages with a key.
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

// Items 00, 01 ... of a local index that has only keys, so that each item is fetched.
class FetchingPage : public testing::Test {
 protected:
  FetchingPage() {
    service_.succeed("CreateTable",
                     R"({"TableName":"pages","BillingMode":"PAY_PER_REQUEST",)"
                     R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
                     R"({"AttributeName":"sk","AttributeType":"S"},)"
                     R"({"AttributeName":"l","AttributeType":"S"}],)"
                     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
                     R"({"AttributeName":"sk","KeyType":"RANGE"}],)"
                     R"("LocalSecondaryIndexes":[{"IndexName":"local",)"
                     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
                     R"({"AttributeName":"l","KeyType":"RANGE"}],)"
                     R"("Projection":{"ProjectionType":"KEYS_ONLY"}}]})");
  }

  static std::string number(int i) { return (i < 10 ? "0" : "") + std::to_string(i); }
  static std::string shown(int i) { return R"({"sk":{"S":")" + number(i) + R"("}})"; }
  static std::string start(int i) {
    return R"({"pk":{"S":"p"},"sk":{"S":")" + number(i) + R"("},"l":{"S":"l)" + number(i) +
           R"("}})";
  }

  void put(int i, std::size_t size) {
    service_.succeed("PutItem", R"({"TableName":"pages","Item":{"pk":{"S":"p"},"sk":{"S":")" +
                                    number(i) + R"("},"l":{"S":"l)" + number(i) +
                                    R"("},"b":{"S":")" + std::string(size, 'x') + R"("}}})");
  }

  // No item has the second element of "b". So whole items are fetched, but little is answered.
  std::string query(const std::string& more) {
    return service_.succeed("Query", R"({"TableName":"pages","IndexName":"local",)"
                                     R"("KeyConditionExpression":"pk = :p",)"
                                     R"("ProjectionExpression":"sk, b[1]",)"
                                     R"("ExpressionAttributeValues":{":p":{"S":"p"}})" +
                                         more + "}");
  }
  static std::string page(int first, int end, bool is_full) {
    std::string items;
    for (int i = first; i < end; ++i) items += (i == first ? "" : ",") + shown(i);
    const std::string count = std::to_string(end - first);
    return R"({"Items":[)" + items + R"(],"Count":)" + count + R"(,"ScannedCount":)" + count +
           (is_full ? R"(,"LastEvaluatedKey":)" + start(end - 1) : "") + "}";
  }

  TestService service_;
};

TEST_F(FetchingPage, EndsAtItsLimitHoweverManyAreFetchedInAStep) {
  for (int i = 0; i < 70; ++i) put(i, 1);
  EXPECT_EQ(query(""), page(0, 70, false));
  for (const int limit : {1, 2, 7, 8, 9, 31, 32, 33, 39, 40, 41, 69, 70, 71}) {
    const std::string bound = R"(,"Limit":)" + std::to_string(limit);
    EXPECT_EQ(query(bound), page(0, std::min(limit, 70), limit <= 70));
    EXPECT_EQ(query(bound + R"(,"ExclusiveStartKey":)" + start(29)),
              page(30, std::min(30 + limit, 70), limit <= 40));
  }
}

// Items count with their entries, at any place in a step. The first items are small, so that many
// are fetched together.
TEST_F(FetchingPage, EndsAfterTheItemThatReachesOneMegabyte) {
  for (int i = 0; i < 40; ++i) put(i, i < 10 ? 1 : 300'000);
  EXPECT_EQ(query(""), page(0, 14, true));
  EXPECT_EQ(query(R"(,"ExclusiveStartKey":)" + start(13)), page(14, 18, true));
  EXPECT_EQ(query(R"(,"Limit":3,"ExclusiveStartKey":)" + start(13)), page(14, 17, true));
  EXPECT_EQ(query(R"(,"ExclusiveStartKey":)" + start(36)), page(37, 40, false));
}

TEST_F(FetchingPage, ChargesOnlyWhatItReads) {
  for (int i = 0; i < 40; ++i) put(i, i < 10 ? 1 : 300'000);
  const std::string answer =
      query(R"(,"Limit":11,"ConsistentRead":true,"ReturnConsumedCapacity":"INDEXES")");
  EXPECT_NE(answer.find(R"("Table":{"CapacityUnits":84})"), std::string::npos)
      << answer.substr(answer.size() - 300);
}

}  // namespace
}  // namespace magneto::api
