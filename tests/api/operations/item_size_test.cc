#include <gtest/gtest.h>

#include "tests/api/test_service.h"

// Item sizes to the byte (captured facts, "Item size limit by write surface" and "UpdateItem
// (UpdateExpression) statement-size rule").
namespace magneto::api {
namespace {

constexpr std::size_t kLimit = 409'600;
constexpr const char* kPutRefusal = "Item size has exceeded the maximum allowed size";
constexpr const char* kUpdateRefusal = "Item size to update has exceeded the maximum allowed size";

std::string padding(std::size_t size) { return std::string(size, 'x'); }

// An item {pk: "k", b: padding} of exactly `size` bytes.
std::string item_of(std::size_t size) {
  return R"({"pk":{"S":"k"},"b":{"S":")" + padding(size - 4) + R"("}})";
}

class ItemSize : public testing::Test {
 protected:
  ItemSize() { service_.create_table("sizes", false); }

  std::string update(const std::string& expression, const std::string& values,
                     const std::string& more = {}) {
    return R"({"TableName":"sizes","Key":{"pk":{"S":"k"}},"UpdateExpression":")" + expression +
           R"(","ExpressionAttributeValues":{)" + values + "}" + more + "}";
  }

  TestService service_;
};

TEST_F(ItemSize, PutItemTakes409600Bytes) {
  service_.succeed("PutItem", R"({"TableName":"sizes","Item":)" + item_of(kLimit) + "}");
  EXPECT_NE(service_.fail("PutItem", R"({"TableName":"sizes","Item":)" + item_of(kLimit + 1) + "}")
                .find(kPutRefusal),
            std::string::npos);
}

// The size is checked before the table is looked up.
TEST_F(ItemSize, PutItemChecksTheSizeFirst) {
  EXPECT_NE(service_.fail("PutItem", R"({"TableName":"none","Item":)" + item_of(kLimit + 1) + "}")
                .find(kPutRefusal),
            std::string::npos);
}

TEST_F(ItemSize, BatchWriteItemTakes409600Bytes) {
  const auto batch = [](std::size_t size) {
    return R"({"RequestItems":{"sizes":[{"PutRequest":{"Item":)" + item_of(size) + "}}]}}";
  };
  service_.succeed("BatchWriteItem", batch(kLimit));
  EXPECT_NE(service_.fail("BatchWriteItem", batch(kLimit + 1)).find(kPutRefusal),
            std::string::npos);
}

// With a key of one byte the statement's charge, 3 + 19 + 1 + padding, is the tighter limit: the
// finished item ends at 409,600 - 19 (captured facts, "statement-size rule").
TEST_F(ItemSize, UpdateItemChargesTheStatement) {
  const auto set = [this](std::size_t size) {
    return update("SET b = :v", R"(":v":{"S":")" + padding(size) + R"("})");
  };
  service_.succeed("UpdateItem", set(kLimit - 23));
  EXPECT_NE(service_.fail("UpdateItem", set(kLimit - 22)).find(kUpdateRefusal), std::string::npos);
}

TEST_F(ItemSize, UpdateItemLimitsTheFinishedItem) {
  service_.succeed("PutItem", R"({"TableName":"sizes","Item":)" + item_of(kLimit - 10) + "}");
  const auto set = [this](std::size_t size) {
    return update("SET c = :v", R"(":v":{"S":")" + padding(size) + R"("})");
  };
  service_.succeed("UpdateItem", set(9));
  EXPECT_NE(service_.fail("UpdateItem", set(10)).find(kUpdateRefusal), std::string::npos);
}

// The charge counts a value though the item would end up tiny, and is checked before the condition.
TEST_F(ItemSize, UpdateItemChargesBeforeTheCondition) {
  service_.succeed("PutItem", R"({"TableName":"sizes","Item":{"pk":{"S":"k"},"c":{"S":"small"}}})");
  const std::string answer =
      service_.fail("UpdateItem", update("SET d = if_not_exists(c, :v)",
                                         R"(":v":{"S":")" + padding(409'700) + R"("})",
                                         R"*(,"ConditionExpression":"attribute_not_exists(pk)")*"));
  EXPECT_NE(answer.find(kUpdateRefusal), std::string::npos) << answer.substr(0, 300);
}

}  // namespace
}  // namespace magneto::api
