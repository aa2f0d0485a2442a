#include "api/insights/insights.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

class InsightsTest : public testing::Test {
 protected:
  static void count(Insights& insights, const CountedKeys& place, const std::string& key,
                    std::size_t times = 1) {
    const std::vector<KeyUse> notes(
        times, {0, KeyRule::kAccessedPartition, 0, static_cast<std::uint32_t>(key.size())});
    insights.count({&place, 1}, notes, key);
  }

  static std::vector<Insights::Top> top(const Insights& insights, const CountedKeys& place,
                                        std::size_t limit = 100) {
    return insights.top(place, KeyRule::kAccessedPartition, limit);
  }

  Insights insights_;
  CountedKeys place_{std::make_shared<storage::Statistics>(), 1};
};

TEST_F(InsightsTest, AddsUpWhatThreadsCount) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 40; ++i) {
    threads.emplace_back([this, i] {
      for (int k = 0; k < 1'000; ++k) count(insights_, place_, "hot");
      count(insights_, place_, "of-" + std::to_string(i), 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto all = top(insights_, place_);
  ASSERT_EQ(all.size(), 41U);
  EXPECT_EQ(all[0].key, "hot");
  EXPECT_EQ(all[0].count, 40'000U);
  EXPECT_EQ(all[0].error, 0U);
  EXPECT_EQ(all[1].count, 3U);
  EXPECT_EQ(top(insights_, place_, 2).size(), 2U);
  EXPECT_EQ(insights_.uncounted(), 0U);
}

// A key that is rare in one shard may have been forgotten there.
TEST_F(InsightsTest, TellsHowFarSumsMayBeOff) {
  std::map<std::string, std::uint64_t> exact;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 400; ++k) exact[std::to_string(k * (i + 1))] += static_cast<unsigned>(k);
    threads.emplace_back([this, i] {
      for (int k = 0; k < 400; ++k) {
        count(insights_, place_, std::to_string(k * (i + 1)), static_cast<std::size_t>(k));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Insights::Top& one : top(insights_, place_, 1'000)) {
    EXPECT_GE(one.count, exact[one.key]) << one.key;
    EXPECT_LE(one.count - one.error, exact[one.key]) << one.key;
  }
}

TEST_F(InsightsTest, KeepsToItsMemory) {
  std::vector<CountedKeys> places;
  for (int i = 0; i < 3'000; ++i) places.push_back({std::make_shared<storage::Statistics>(), 1});
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      count(insights_, places[i], std::string(2'000, 'x') + std::to_string(k));
    }
  }
  // One thread uses one shard.
  EXPECT_LE(insights_.bytes(), Insights::kShardBytes);
  EXPECT_GT(insights_.uncounted(), 0U);
  // Forgotten places make room for others.
  places.erase(places.begin(), places.begin() + 2'000);
  for (int i = 0; i < 2'000; ++i) count(insights_, places.back(), "key");
  EXPECT_EQ(top(insights_, places.back()).at(0).key, "key");
  insights_.clear();
  EXPECT_EQ(insights_.bytes(), 0U);
  EXPECT_EQ(insights_.uncounted(), 0U);
  count(insights_, places.back(), "key");
  EXPECT_EQ(top(insights_, places.back()).at(0).count, 1U);
}

TEST_F(InsightsTest, ForgetsWhatIsDroppedDisabledOrEnabledAnew) {
  count(insights_, place_, "a", 5);
  const CountedKeys later{place_.owner, 2};
  EXPECT_TRUE(top(insights_, later).empty());
  count(insights_, later, "b");
  EXPECT_TRUE(top(insights_, place_).empty());
  EXPECT_EQ(top(insights_, later).at(0).key, "b");
  insights_.forget(*place_.owner);
  EXPECT_TRUE(top(insights_, later).empty());
  EXPECT_EQ(insights_.bytes(), 0U);
  for (int i = 0; i < 10'000; ++i) {
    count(insights_, {std::make_shared<storage::Statistics>(), 1}, "of a dropped table");
  }
  EXPECT_EQ(insights_.uncounted(), 0U);
}

// The counts of each operation, as the report shows them.
class CountedRequests : public testing::Test {
 protected:
  void enable(const std::string& more = "") {
    service_.succeed("UpdateContributorInsights",
                     R"({"TableName":"tab","ContributorInsightsAction":"ENABLE")" + more + "}");
  }
  void create(const std::string& more = R"("BillingMode":"PAY_PER_REQUEST")") {
    service_.succeed(
        "CreateTable",
        R"({"TableName":"tab","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
        R"({"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"}],)"
        R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
        R"("GlobalSecondaryIndexes":[{"IndexName":"ByG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],)"
        R"("Projection":{"ProjectionType":"ALL"}}],)" +
            more + "}");
  }
  void put(const std::string& pk, int sk, const std::string& g = "x") {
    service_.succeed("PutItem", R"({"TableName":"tab","Item":)" + item(pk, sk, g) + "}");
  }
  static std::string key(const std::string& pk, int sk) {
    return R"({"pk":{"S":")" + pk + R"("},"sk":{"N":")" + std::to_string(sk) + R"("}})";
  }
  static std::string item(const std::string& pk, int sk, const std::string& g) {
    return R"({"pk":{"S":")" + pk + R"("},"sk":{"N":")" + std::to_string(sk) + R"("},"g":{"S":")" +
           g + R"("}})";
  }
  std::string report(const InsightsQuery& query = {}) {
    std::string text;
    json::Writer writer(text);
    service_.service().write_insights(query, writer);
    return text;
  }
  // The part of a report about the table alone.
  static std::string table(const std::string& partitions, const std::string& keys) {
    return R"({"insights":[{"table":"tab","accessed":{"partition_keys":[)" + partitions +
           R"(],"keys":[)" + keys + R"(]},"throttled":{"partition_keys":[],"keys":[]}}],)" +
           R"("complete":true,"uncounted":0})";
  }
  static std::string counted(const std::string& key, int count) {
    return R"({"key":)" + key + R"(,"count":)" + std::to_string(count) + R"(,"error":0})";
  }
  static std::string pk(const std::string& value, int count) {
    return counted(R"({"pk":{"S":")" + value + R"("}})", count);
  }
  static std::string whole(const std::string& value, int sk, int count) {
    return counted(key(value, sk), count);
  }

  TestService service_;
};

TEST_F(CountedRequests, CountsNothingUntilTheyAreEnabled) {
  create();
  put("a", 1);
  EXPECT_EQ(report(), R"({"insights":[],"complete":true,"uncounted":0})");
  enable();
  EXPECT_EQ(report(), table("", ""));
}

TEST_F(CountedRequests, CountsEachItemReadOrWritten) {
  create();
  enable();
  const auto expect = [this](const std::string& partitions, const std::string& keys) {
    EXPECT_EQ(report(), table(partitions, keys));
    service_.service().clear_insights();
  };
  const std::string tab = R"("TableName":"tab",)";
  put("a", 1);
  put("a", 1);
  expect(pk("a", 2), whole("a", 1, 2));
  service_.succeed("UpdateItem", "{" + tab + R"("Key":)" + key("a", 2) + "}");
  service_.succeed("DeleteItem", "{" + tab + R"("Key":)" + key("a", 3) + "}");
  expect(pk("a", 2), whole("a", 2, 1) + "," + whole("a", 3, 1));
  // A missing item counts the same.
  service_.succeed("GetItem", "{" + tab + R"("Key":)" + key("a", 2) + "}");
  service_.succeed("GetItem", "{" + tab + R"("Key":)" + key("none", 2) + "}");
  expect(pk("a", 1) + "," + pk("none", 1), whole("a", 2, 1) + "," + whole("none", 2, 1));
  service_.fail("PutItem", "{" + tab +
                               R"J("ConditionExpression":"attribute_exists(nope)","Item":)J" +
                               item("a", 1, "x") + "}");
  expect(pk("a", 1), whole("a", 1, 1));
  // The second is dropped by the filter.
  service_.succeed("Query", "{" + tab +
                                R"("KeyConditionExpression":"pk = :a","FilterExpression":"g = :x",)"
                                R"("ExpressionAttributeValues":{":a":{"S":"a"},":x":{"S":"x"}}})");
  expect(pk("a", 2), whole("a", 1, 1) + "," + whole("a", 2, 1));
  service_.succeed("Scan", R"({"TableName":"tab"})");
  expect(pk("a", 2), whole("a", 1, 1) + "," + whole("a", 2, 1));
}

TEST_F(CountedRequests, CountsBatchesTransactionsAndStatements) {
  create();
  enable();
  const auto expect_two = [this] {
    EXPECT_EQ(report(), table(pk("a", 2), whole("a", 1, 1) + "," + whole("a", 2, 1)));
    service_.service().clear_insights();
  };
  const auto expect_one = [this] {
    EXPECT_EQ(report(), table(pk("a", 1), whole("a", 1, 1)));
    service_.service().clear_insights();
  };
  service_.succeed("BatchWriteItem", R"({"RequestItems":{"tab":[{"PutRequest":{"Item":)" +
                                         item("a", 1, "x") + R"(}},{"DeleteRequest":{"Key":)" +
                                         key("a", 2) + "}}]}}");
  expect_two();
  service_.succeed("BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" + key("a", 1) + "," +
                                       key("a", 2) + "]}}}");
  expect_two();
  const std::string writes = R"({"TransactItems":[{"Put":{"TableName":"tab","Item":)" +
                             item("a", 1, "x") +
                             R"(}},{"ConditionCheck":{"TableName":"tab","Key":)" + key("a", 2) +
                             R"(,"ConditionExpression":)";
  service_.succeed("TransactWriteItems", writes + R"J("attribute_not_exists(pk)"}}]})J");
  expect_two();
  service_.fail("TransactWriteItems", writes + R"J("attribute_exists(pk)"}}]})J");
  expect_two();
  service_.succeed("TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"tab","Key":)" +
                                           key("a", 1) + R"(}},{"Get":{"TableName":"tab","Key":)" +
                                           key("a", 2) + "}}]}");
  expect_two();
  const std::string select = R"({"Statement":"SELECT * FROM tab WHERE pk='a' AND sk=)";
  service_.succeed("ExecuteTransaction",
                   R"({"TransactStatements":[)" + select + "1\"}," + select + "2\"}]}");
  expect_two();
  service_.succeed("BatchExecuteStatement",
                   R"({"Statements":[)" + select + "1\"}," + select + "2\"}]}");
  expect_two();
  service_.succeed("ExecuteStatement", select + "1\"}");
  expect_one();
  service_.succeed("ExecuteStatement", R"({"Statement":"SELECT * FROM tab WHERE pk='a'"})");
  expect_one();
  service_.succeed("ExecuteStatement", R"({"Statement":"SELECT * FROM tab"})");
  expect_one();
  service_.succeed("ExecuteStatement",
                   R"({"Statement":"UPDATE tab SET v=1 WHERE pk='a' AND sk=1"})");
  expect_one();
}

TEST_F(CountedRequests, CountsGlobalIndexesByTheirOwnKeys) {
  create();
  enable(R"(,"IndexName":"ByG")");
  const auto expect = [this](const std::string& list) {
    EXPECT_EQ(report(),
              R"({"insights":[{"table":"tab","index":"ByG","accessed":{"partition_keys":[)" + list +
                  R"(]},"throttled":{"partition_keys":[]}}],)" +
                  R"("complete":true,"uncounted":0})");
    service_.service().clear_insights();
  };
  const auto g = [](const std::string& value, int count) {
    return counted(R"({"g":{"S":")" + value + R"("}})", count);
  };
  put("a", 1, "x");
  put("a", 2, "x");
  expect(g("x", 2));
  put("a", 1, "y");  // an entry goes, another one comes
  expect(g("x", 1) + "," + g("y", 1));
  service_.succeed("DeleteItem", R"({"TableName":"tab","Key":)" + key("a", 1) + "}");
  expect(g("y", 1));
  service_.succeed("Scan", R"({"TableName":"tab","IndexName":"ByG"})");
  expect(g("x", 1));
  service_.succeed("Scan", R"({"TableName":"tab"})");
  expect("");
}

// A call that leaves its thread is made again from its start.
TEST_F(CountedRequests, CountsACallThatIsMadeAgainOnce) {
  create();
  for (int i = 0; i < 300; ++i) put("a", i, std::string(200, 'x'));
  enable();
  const std::string query = R"({"TableName":"tab"})";
  EXPECT_FALSE(service_.try_call("Scan", query, 4'000).has_value());
  EXPECT_EQ(report(), table("", ""));
  service_.succeed("Scan", query);
  EXPECT_NE(report({.table = "tab", .keys = 1}).find(R"("count":300,"error":0)"), std::string::npos)
      << report();
}

TEST_F(CountedRequests, ReportsOnlyWhatIsAskedFor) {
  create();
  enable();
  enable(R"(,"IndexName":"ByG","ContributorInsightsMode":"THROTTLED_KEYS")");
  put("a", 1);
  put("b", 1);
  EXPECT_EQ(report({.table = "other"}), R"({"insights":[],"complete":true,"uncounted":0})");
  EXPECT_EQ(report({.table = "tab", .keys = 1}),
            R"({"insights":[{"table":"tab","accessed":{"partition_keys":[)" + pk("a", 1) +
                R"(],"keys":[)" + whole("a", 1, 1) +
                R"(]},"throttled":{"partition_keys":[],"keys":[]}},)"
                R"({"table":"tab","index":"ByG","throttled":{"partition_keys":[]}}],)"
                R"("complete":true,"uncounted":0})");
  service_.succeed("UpdateContributorInsights",
                   R"({"TableName":"tab","ContributorInsightsAction":"DISABLE"})");
  enable();
  EXPECT_EQ(report({.table = "tab"}).find(R"("count")"), std::string::npos);
}

}  // namespace
}  // namespace magneto::api
