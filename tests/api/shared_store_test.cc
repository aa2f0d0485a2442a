#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "storage/engine/memory/memory_engine.h"
#include "tests/api/test_service.h"
#include "tests/support/forwarding_engine.h"

// How the service answers over an engine that other servers can reach, or that limits keys.
namespace magneto::api {
namespace {

constexpr std::size_t kLongestKey = 300;

class LimitedEngine final : public storage::ForwardingEngine {
 public:
  explicit LimitedEngine(std::atomic<bool>& is_current)
      : ForwardingEngine(storage::make_memory_engine()), is_current_(is_current) {}

  std::size_t max_key_bytes() const override { return kLongestKey; }
  bool is_current() const override { return is_current_; }
  void commit(const storage::WriteBatch& batch) override {
    for (const auto& operation : batch.operations()) {
      if (operation.is_delete) continue;
      EXPECT_LE(operation.key.size(), kLongestKey);
    }
    ForwardingEngine::commit(batch);
  }

 private:
  std::atomic<bool>& is_current_;
};

class SharedStoreTest : public testing::Test {
 protected:
  SharedStoreTest() {
    service_.succeed("CreateTable", R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                              {"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"gsi",
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"KEYS_ONLY"}}]})");
    service_.succeed("UpdateTimeToLive", R"({"TableName":"tab",
      "TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  }

  static std::string item(const std::string& key, const std::string& more = "") {
    return R"({"pk":{"S":")" + key + R"("})" + more + "}";
  }
  void expect_refused(std::string_view operation, const std::string& body) {
    const std::string answer = service_.fail(operation, body);
    EXPECT_NE(answer.find("ValidationException"), std::string::npos) << operation << answer;
    EXPECT_NE(answer.find("more than the 286 that PostgreSQL can hold"), std::string::npos)
        << operation << answer;
  }

  std::atomic<bool> is_current_{true};
  TestService service_{std::make_unique<LimitedEngine>(is_current_)};
};

// The encoded key has the number of the tree, the hash and two bytes at the end besides the text.
std::string key_of_length(std::size_t encoded) { return std::string(encoded - 16, 'k'); }

TEST_F(SharedStoreTest, RefusesKeysThatTheEngineCannotHoldInEveryWrite) {
  const std::string fits = key_of_length(kLongestKey - 14);
  const std::string longer = fits + "k";
  service_.succeed("PutItem", R"({"TableName":"tab","Item":)" +
                                  item(fits, R"(,"ttl":{"N":"4000000000"})") + "}");
  expect_refused("PutItem", R"({"TableName":"tab","Item":)" + item(longer) + "}");
  expect_refused("UpdateItem", R"({"TableName":"tab","Key":)" + item(longer) + "}");
  expect_refused("BatchWriteItem",
                 R"({"RequestItems":{"tab":[{"PutRequest":{"Item":)" + item(longer) + "}}]}}");
  expect_refused("TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"tab","Item":)" +
                                           item("a") + R"(}},{"Put":{"TableName":"tab","Item":)" +
                                           item(longer) + "}}]}");
  expect_refused("ExecuteStatement",
                 R"({"Statement":"INSERT INTO tab VALUE {'pk':')" + longer + R"('}"})");
  EXPECT_NE(service_.succeed("Scan", R"({"TableName":"tab"})").find(R"("Count":1)"),
            std::string::npos);
  // Keys that do not exist can be read and deleted, however long they are.
  service_.succeed("GetItem", R"({"TableName":"tab","Key":)" + item(longer) + "}");
  service_.succeed("DeleteItem", R"({"TableName":"tab","Key":)" + item(longer) + "}");
}

TEST_F(SharedStoreTest, RefusesKeysOfIndexEntriesToo) {
  const auto put = [](std::size_t length) {
    return R"({"TableName":"tab","Item":)" +
           item("a", R"(,"g":{"S":")" + std::string(length, 'g') + R"("})") + "}";
  };
  std::size_t longest = 0;
  while (service_.call("PutItem", put(longest + 1)).status == 200) ++longest;
  EXPECT_GT(longest, 200U);
  EXPECT_LT(longest, kLongestKey);
  expect_refused("PutItem", put(longest + 1));
  const std::string found =
      service_.succeed("GetItem", R"({"TableName":"tab","Key":)" + item("a") + "}");
  EXPECT_NE(found.find(std::string(longest, 'g') + '"'), std::string::npos);
  EXPECT_EQ(found.find(std::string(longest + 1, 'g')), std::string::npos);
}

TEST_F(SharedStoreTest, LeavesItemsWithTooLongEntriesOutOfANewIndex) {
  const std::string longest(280, 'n');
  service_.succeed("PutItem", R"({"TableName":"tab","Item":)" +
                                  item("a", R"(,"n":{"S":")" + longest + R"("})") + "}");
  service_.succeed("PutItem",
                   R"({"TableName":"tab","Item":)" + item("b", R"(,"n":{"S":"n"})") + "}");
  service_.succeed("UpdateTable", R"({"TableName":"tab",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                              {"AttributeName":"g","AttributeType":"S"},
                              {"AttributeName":"n","AttributeType":"S"}],
      "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"new",
        "KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"KEYS_ONLY"}}}]})");
  service_.database().settle();
  EXPECT_EQ(service_.succeed("DescribeTable", R"({"TableName":"tab"})").find("CREATING"),
            std::string::npos);
  const std::string entries = service_.succeed("Scan", R"({"TableName":"tab","IndexName":"new"})");
  EXPECT_NE(entries.find(R"("Count":1,)"), std::string::npos) << entries;
  EXPECT_NE(entries.find(R"("S":"b")"), std::string::npos) << entries;
  // The item stays as it is, and can lose the attribute.
  service_.succeed("UpdateItem", R"({"TableName":"tab","Key":)" + item("a") +
                                     R"(,"UpdateExpression":"REMOVE n"})");
}

TEST_F(SharedStoreTest, AnswersNothingFromAStoreThatAnotherServerMayHaveChanged) {
  const auto status = [&](std::string_view operation, std::string body) {
    const TestService::Answer answer = service_.call(operation, std::move(body));
    if (answer.status == 503) {
      EXPECT_NE(answer.body.find("ServiceUnavailable"), std::string::npos) << answer.body;
    }
    return answer.status;
  };
  const std::string get = R"({"TableName":"tab","Key":)" + item("a") + "}";
  is_current_ = false;
  EXPECT_EQ(status("GetItem", get), 503);
  EXPECT_EQ(status("PutItem", R"({"TableName":"tab","Item":)" + item("a") + "}"), 503);
  EXPECT_EQ(status("GetItem", R"({"TableName":"none","Key":)" + item("a") + "}"), 503);
  EXPECT_EQ(status("ListTables", "{}"), 503);
  is_current_ = true;
  EXPECT_EQ(status("GetItem", get), 200);
}

}  // namespace
}  // namespace magneto::api
