#include "storage/background/statistics_keeper.h"

#include <gtest/gtest.h>

#include "storage/encoding/keyspace.h"
#include "storage/model/item_size.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class StatisticsKeeperTest : public EngineTest {
 protected:
  StatisticsKeeperTest() { start(); }

  void start() {
    changes_ = std::make_unique<ChangeLog>(*engine_);
    catalog_ = std::make_unique<Catalog>(*engine_, clock_, *changes_, 2);
    catalog_->load();
    keeper_ = std::make_unique<StatisticsKeeper>(*engine_, *catalog_);
    keeper_->load();
  }
  void restart() {
    table_ = nullptr;
    keeper_.reset();
    catalog_.reset();
    reopen();
    start();
    table_ = catalog_->find(0, "t");
  }
  // Writes items without counting them, as if the counts had been lost.
  void write_uncounted(int first, int end) {
    WriteBatch batch;
    for (int i = first; i < end; ++i) {
      const Item item = make_item({{"pk", "p" + std::to_string(i)}, {"sk", 1}});
      const std::string key = item_key(table_->schema, item);
      batch.put(table_->partitions.tree_of(key), key, encode_item(item));
      bytes_ += static_cast<std::int64_t>(item_size(item));
    }
    engine_->commit(batch);
  }

  Clock clock_;
  CountPauses pauses_;
  std::unique_ptr<ChangeLog> changes_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<StatisticsKeeper> keeper_;
  TablePtr table_;
  std::int64_t bytes_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Engines, StatisticsKeeperTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(StatisticsKeeperTest, ACleanCloseKeepsTheNumbers) {
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
  table_ = catalog_->create(std::move(schema));
  table_->statistics->item_count = 5;
  table_->statistics->size_bytes = 500;
  table_->indexes[0]->statistics->item_count = 3;
  keeper_->close("");
  restart();
  EXPECT_FALSE(keeper_->needs_recount());
  EXPECT_EQ(table_->statistics->item_count, 5);
  EXPECT_EQ(table_->statistics->size_bytes, 500);
  EXPECT_EQ(table_->indexes[0]->statistics->item_count, 3);
  restart();  // without closing
  EXPECT_TRUE(keeper_->needs_recount());
}

TEST_P(StatisticsKeeperTest, TheIdOfACloseIsThereAtTheNextStartAlone) {
  EXPECT_EQ(keeper_->last_close(), "");
  keeper_->close("the id");
  restart();
  EXPECT_FALSE(keeper_->needs_recount());
  EXPECT_EQ(keeper_->last_close(), "the id");
  restart();  // without closing
  EXPECT_EQ(keeper_->last_close(), "");
}

TEST_P(StatisticsKeeperTest, WithoutACleanCloseEverythingIsCountedFromTheStateAtTheOpening) {
  table_ = catalog_->create(table_schema("t"));
  const TablePtr neighbour = catalog_->create(table_schema("u"));
  write_uncounted(0, 100);
  table_->statistics->item_count = 7;  // as last saved
  neighbour->statistics->item_count = 9;
  keeper_->save();
  restart();
  ASSERT_TRUE(keeper_->needs_recount());
  EXPECT_EQ(table_->statistics->item_count, 7);
  const std::int64_t bytes_at_opening = bytes_;
  write_uncounted(100, 150);             // after the opening: writers count their writes,
  table_->statistics->item_count += 50;  // like this
  keeper_->recount(pauses_, {});
  EXPECT_FALSE(keeper_->needs_recount());
  EXPECT_EQ(table_->statistics->item_count, 150);
  EXPECT_EQ(table_->statistics->size_bytes, bytes_at_opening);
  EXPECT_EQ(catalog_->find(0, "u")->statistics->item_count, 0);
  keeper_->close("");
  restart();
  EXPECT_FALSE(keeper_->needs_recount());
  EXPECT_EQ(table_->statistics->item_count, 150);
}

TEST_P(StatisticsKeeperTest, AnInterruptedCountIsDueAgain) {
  table_ = catalog_->create(table_schema("t"));
  write_uncounted(0, 10);
  restart();
  std::stop_source stop;
  stop.request_stop();
  keeper_->recount(pauses_, stop.get_token());
  keeper_->close("");
  restart();
  ASSERT_TRUE(keeper_->needs_recount());
  keeper_->recount(pauses_, {});
  EXPECT_EQ(table_->statistics->item_count, 10);
}

TEST_P(StatisticsKeeperTest, OnlyWhatChangedIsWritten) {
  table_ = catalog_->create(table_schema("t"));
  const TreePtr system = engine_->open_tree(ColumnFamily::kSystem, "");
  const std::string key = statistics_key(table_->schema.number, 0);
  keeper_->save();
  EXPECT_TRUE(engine_->get(*system, key));
  WriteBatch batch;
  batch.remove(system, key);
  engine_->commit(batch);
  keeper_->save();
  EXPECT_FALSE(engine_->get(*system, key));
  table_->statistics->size_bytes += 1;
  keeper_->save();
  EXPECT_TRUE(engine_->get(*system, key));
}

}  // namespace
}  // namespace magneto::storage
