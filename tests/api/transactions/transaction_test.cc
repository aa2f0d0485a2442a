#include "api/transactions/transaction.h"

#include <gtest/gtest.h>

#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

std::string request(int number, bool with_token = true) {
  const std::string word = std::to_string(number);
  return (with_token ? R"({"ClientRequestToken":"token)" + word + R"(",)" : std::string("{")) +
         R"("TransactItems":[{"Update":{"TableName":"things","Key":{"pk":{"S":"a"}},)"
         R"("UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"1"}}}}]})";
}

TEST(Transaction, NewTokensAreRefusedWhenTheirMemoryIsFull) {
  storage::DatabaseOptions options;
  options.token_memory = 1'000;
  TestService service(options);
  service.create_table("things", false);
  int count = 0;
  while (service.call("TransactWriteItems", request(count)).status == 200) ++count;
  EXPECT_GE(count, 8);
  EXPECT_EQ(
      service.fail("TransactWriteItems", request(count)),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded","message":"Too )"
      R"(many client request tokens are remembered: each is for ten minutes. Try again later, )"
      R"(or without ClientRequestToken"})");
  // Repeats are known, and transactions without a token run.
  service.succeed("TransactWriteItems", request(0));
  service.succeed("TransactWriteItems", request(0, false));
  EXPECT_EQ(service.succeed("GetItem", R"({"TableName":"things","Key":{"pk":{"S":"a"}}})"),
            R"({"Item":{"n":{"N":")" + std::to_string(count + 1) + R"("},"pk":{"S":"a"}}})");
  service.clock().advance(storage::kTokenLifetime + std::chrono::seconds(1));
  service.succeed("TransactWriteItems", request(count));
}

}  // namespace
}  // namespace magneto::api
