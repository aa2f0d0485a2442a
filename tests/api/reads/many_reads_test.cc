// Operations that read many items request them together from the engine.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/engine/memory/memory_engine.h"
#include "tests/api/test_service.h"
#include "tests/support/forwarding_engine.h"

namespace magneto::api {
namespace {

// Counts the reads.
class ListeningEngine final : public storage::ForwardingEngine {
 public:
  struct Heard {
    int single_reads = 0;
    std::vector<std::size_t> reads;        // of how many keys each
    std::vector<storage::ScanHint> hints;  // of items and indexes
  };

  explicit ListeningEngine(std::shared_ptr<Heard> heard)
      : ForwardingEngine(storage::make_memory_engine()), heard_(std::move(heard)) {}

  storage::PinnedValue get(const storage::Tree& tree, std::string_view key) const override {
    ++heard_->single_reads;
    return ForwardingEngine::get(tree, key);
  }
  void get(std::span<const storage::KeyRead> reads,
           std::span<storage::PinnedValue> values) const override {
    heard_->reads.push_back(reads.size());
    for (std::size_t i = 0; i < reads.size(); ++i) {
      values[i] = ForwardingEngine::get(*reads[i].tree, reads[i].key);
    }
  }
  std::unique_ptr<storage::Cursor> scan(const storage::Tree& tree, std::string_view lower,
                                        std::string_view upper, storage::Direction direction,
                                        storage::ScanHint hint) const override {
    if (tree.family() == storage::ColumnFamily::kItems ||
        tree.family() == storage::ColumnFamily::kIndexes) {
      heard_->hints.push_back(hint);
    }
    return ForwardingEngine::scan(tree, lower, upper, direction, hint);
  }

 private:
  const std::shared_ptr<Heard> heard_;
};

class ManyReads : public testing::Test {
 protected:
  ManyReads() {
    service_.succeed("CreateTable",
                     R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",)"
                     R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
                     R"({"AttributeName":"sk","AttributeType":"S"},)"
                     R"({"AttributeName":"l","AttributeType":"S"}],)"
                     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
                     R"({"AttributeName":"sk","KeyType":"RANGE"}],)"
                     R"("LocalSecondaryIndexes":[{"IndexName":"local",)"
                     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
                     R"({"AttributeName":"l","KeyType":"RANGE"}],)"
                     R"("Projection":{"ProjectionType":"KEYS_ONLY"}}]})");
    for (int i = 0; i < 100; ++i) {
      service_.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"p"},"sk":{"S":")" +
                                      std::to_string(i) + R"("},"l":{"S":"l"}}})");
    }
    *heard_ = {};
  }

  static std::string keys(int count) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      list += std::string(i == 0 ? "" : ",") + R"({"pk":{"S":"p"},"sk":{"S":")" +
              std::to_string(i) + R"("}})";
    }
    return list;
  }
  void query(const std::string& more) {
    service_.succeed("Query", R"({"TableName":"tab","KeyConditionExpression":"pk = :p",)"
                              R"("ExpressionAttributeValues":{":p":{"S":"p"}})" +
                                  more + "}");
  }

  using Counts = std::vector<std::size_t>;
  const std::shared_ptr<ListeningEngine::Heard> heard_ = std::make_shared<ListeningEngine::Heard>();
  TestService service_{std::make_unique<ListeningEngine>(heard_)};
};

TEST_F(ManyReads, BatchGetItemReadsInFewSteps) {
  service_.succeed("BatchGetItem", R"({"RequestItems":{"tab":{"Keys":[)" + keys(100) + "]}}}");
  EXPECT_EQ(heard_->reads, (Counts{8, 32, 32, 28}));
  EXPECT_EQ(heard_->single_reads, 0);
}

TEST_F(ManyReads, TransactGetItemsReadsInOneStep) {
  std::string gets;
  for (int i = 0; i < 100; ++i) {
    gets += std::string(i == 0 ? "" : ",") +
            R"({"Get":{"TableName":"tab","Key":{"pk":{"S":"p"},"sk":{"S":")" + std::to_string(i) +
            R"("}}}})";
  }
  service_.succeed("TransactGetItems", R"({"TransactItems":[)" + gets + "]}");
  EXPECT_EQ(heard_->reads, Counts{100});
  EXPECT_EQ(heard_->single_reads, 0);
}

TEST_F(ManyReads, ItemsBehindALocalIndexAreReadInFewSteps) {
  query(R"(,"IndexName":"local","Select":"ALL_ATTRIBUTES")");
  EXPECT_EQ(heard_->reads, (Counts{8, 32, 32, 28}));
  EXPECT_EQ(heard_->single_reads, 0);
  heard_->reads.clear();
  query(R"(,"IndexName":"local","Select":"ALL_ATTRIBUTES","Limit":10)");
  EXPECT_EQ(heard_->reads, (Counts{8, 2}));
}

TEST_F(ManyReads, AScanIsToldWhatThePageHolds) {
  query("");
  query(R"(,"Limit":7)");
  ASSERT_EQ(heard_->hints.size(), 2U);
  EXPECT_EQ(heard_->hints[0].entries, 0U);
  EXPECT_EQ(heard_->hints[0].bytes, storage::kPageSize);
  EXPECT_EQ(heard_->hints[1].entries, 7U);
  EXPECT_EQ(heard_->hints[1].bytes, storage::kPageSize);
}

}  // namespace
}  // namespace magneto::api
