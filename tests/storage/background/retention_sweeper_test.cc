#include "storage/background/retention_sweeper.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "storage/encoding/keyspace.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class RetentionSweeperTest : public EngineTest {
 protected:
  TablePtr create(const char* name) {
    TableSchema schema = table_schema(name);
    schema.stream = {true, "KEYS_ONLY", ""};
    return catalog_.create(std::move(schema));
  }
  void add_record(const StreamPtr& stream) {
    StreamAppends appends;
    const Item item = make_item({{"pk", "a"}});
    appends.add(*stream, "key", stream->encode({}, item, false));
    WriteBatch batch;
    appends.draw(batch);
    engine_->commit(batch);
    appends.finish();
  }
  std::size_t stored_records() {
    std::size_t count = 0;
    for (std::uint32_t stream = 1; stream <= 2; ++stream) {
      for (std::uint32_t shard = 1; shard <= 40; ++shard) {
        const TreePtr tree =
            engine_->open_tree(ColumnFamily::kStreams, shard_prefix(stream, shard));
        const auto cursor = engine_->scan(*tree, {}, {}, Direction::kForward);
        while (cursor->next()) ++count;
      }
    }
    return count;
  }

  Clock clock_;
  ChangeLog changes_{*engine_};
  Catalog catalog_{*engine_, clock_, changes_, 2};
  Worker jobs_{"jobs", [](std::string_view warning) { ADD_FAILURE() << warning; }};
  RetentionSweeper sweeper_{catalog_, clock_, jobs_};
};
INSTANTIATE_TEST_SUITE_P(Engines, RetentionSweeperTest, kEngineKinds, engine_kind_name);

TEST_P(RetentionSweeperTest, RollsShardsOverAndRemovesThemAfterADay) {
  const TablePtr table = create("a");
  add_record(table->stream);
  for (int turn = 1; turn <= 6; ++turn) {
    clock_.advance(hours(4));
    sweeper_.sweep();
    EXPECT_EQ(table->stream->schema().shards.size(), 2U * static_cast<unsigned>(turn + 1));
  }
  EXPECT_EQ(stored_records(), 1U);  // 24 hours old, in a shard that closed 20 hours ago
  clock_.advance(hours(4));
  sweeper_.sweep();
  EXPECT_EQ(stored_records(), 0U);
  EXPECT_EQ(table->stream->schema().shards.size(), 14U);
}

TEST_P(RetentionSweeperTest, RemovesExpiredStreamsAndNoOthers) {
  const TablePtr gone = create("gone");
  const TablePtr kept = create("kept");
  add_record(gone->stream);
  add_record(kept->stream);
  catalog_.erase({0, "gone"}, gone->schema.number);
  gone->stream->close();
  clock_.advance(hours(24) - minutes(1));
  sweeper_.sweep();
  EXPECT_EQ(catalog_.streams().all().size(), 2U);
  EXPECT_EQ(stored_records(), 2U);
  clock_.advance(minutes(2));
  sweeper_.sweep();
  EXPECT_EQ(catalog_.streams().all(), (std::vector<StreamPtr>{kept->stream}));
  EXPECT_EQ(stored_records(), 1U);
}

TEST_P(RetentionSweeperTest, SplitsShardsOfATableThatHasGrown) {
  const TablePtr table = create("a");
  table->statistics->size_bytes = std::int64_t{25} << 30;
  sweeper_.sweep();
  EXPECT_EQ(table->stream->schema().shards.size(), 2U + 4U);
  sweeper_.sweep();
  EXPECT_EQ(table->stream->schema().shards.size(), 2U + 4U);
}

TEST_P(RetentionSweeperTest, SweepsByItself) {
  const TablePtr table = create("a");
  clock_.advance(hours(4));
  sweeper_.start();
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (table->stream->schema().shards.size() == 2 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(table->stream->schema().shards.size(), 4U);
  jobs_.stop();
}

}  // namespace
}  // namespace magneto::storage
