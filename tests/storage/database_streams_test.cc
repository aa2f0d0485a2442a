// Streams of tables: the records of writes, and the effects of changes to their tables.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "storage/encoding/keyspace.h"
#include "tests/storage/database_fixture.h"
#include "tests/storage/stream/stream_replay.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using ConstStream = std::shared_ptr<const StreamLog>;

class DatabaseStreamsTest : public DatabaseTest {
 protected:
  static TableSchema streamed_schema(std::string_view name = "t") {
    TableSchema schema = table_schema(name);
    schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
    return schema;
  }
  TablePtr update(absl::FunctionRef<void(TableSchema&)> change) {
    return database().update_table("t", change);
  }
  TablePtr enable() {
    return update([](TableSchema& schema) { schema.stream = {true, "NEW_AND_OLD_IMAGES", ""}; });
  }
  TablePtr disable() {
    return update([](TableSchema& schema) { schema.stream.enabled = false; });
  }
  ConstStream stream(std::string_view table_name = "t") {
    const auto streams = database().list_streams(table_name, "", 10);
    EXPECT_FALSE(streams.empty());
    return streams.empty() ? nullptr : streams.back();
  }
  std::map<std::string, std::string> items() {
    std::map<std::string, std::string> found;
    ItemCursor cursor =
        database().scan(*database().find_table("t"), nullptr, {}, Direction::kForward);
    while (cursor.next()) {
      const Item key =
          make_item({{"pk", std::string(cursor.item().find("pk").scalar_bytes())},
                     {"sk", static_cast<int>(*cursor.item().find("sk").number().to_integer())}});
      found.emplace(describe_item(key), describe_item(cursor.item()));
    }
    return found;
  }
  static void read_all(StreamReplay& replay, const StreamLog& log) {
    while (replay.read(log)) continue;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, DatabaseStreamsTest, kEngineKinds, engine_kind_name);

TEST_P(DatabaseStreamsTest, OneRecordForEachChangeAndNoneForWhatChangesNothing) {
  const TablePtr table = database().create_table(streamed_schema());
  const Item item = make_item({{"pk", "a"}, {"sk", 1}, {"v", 1}});
  const std::string key = item_key(table->schema, item);
  StreamReplay replay;
  put(database(), table, item);
  put(database(), table, item);
  database().write({table, key, [](const StoredItem&) { return WriteDecision::keep(); }});
  database().write({table, key, [](const StoredItem&) { return WriteDecision::reject(); }});
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}, {"v", 2}}));
  remove(database(), table, item);
  remove(database(), table, item);
  read_all(replay, *stream());
  EXPECT_EQ(replay.records(), 3U);
  EXPECT_TRUE(replay.items().empty());
}

TEST_P(DatabaseStreamsTest, ATransactionLeavesARecordForEachItemItChanges) {
  const TablePtr table = database().create_table(streamed_schema());
  const TablePtr plain = database().create_table(table_schema("plain"));
  const Item first = make_item({{"pk", "a"}, {"sk", 1}});
  const Item second = make_item({{"pk", "b"}, {"sk", 1}});
  put(database(), table, first);
  const auto put_first = [&](const StoredItem&) { return WriteDecision::put(first); };
  const auto put_second = [&](const StoredItem&) { return WriteDecision::put(second); };
  const auto reject = [](const StoredItem&) { return WriteDecision::reject(); };
  const std::vector<ItemWrite> refused{{table, item_key(table->schema, second), put_second},
                                       {plain, item_key(plain->schema, first), reject}};
  database().write_all(refused);
  const std::vector<ItemWrite> writes{{table, item_key(table->schema, first), put_first},
                                      {table, item_key(table->schema, second), put_second},
                                      {plain, item_key(plain->schema, first), put_first}};
  database().write_all(writes);
  StreamReplay replay;
  read_all(replay, *stream());
  EXPECT_EQ(replay.records(), 2U);
  EXPECT_EQ(replay.items(), items());
}

TEST_P(DatabaseStreamsTest, ADeletionByTheServiceIsTold) {
  const TablePtr table = database().create_table(streamed_schema());
  const Item item = make_item({{"pk", "a"}, {"sk", 1}});
  put(database(), table, item);
  const auto remove = [](const StoredItem&) { return WriteDecision::remove(); };
  database().write({table, item_key(table->schema, item), remove, true});
  std::vector<bool> by_service;
  for (const StreamShard& shard : stream()->schema().shards) {
    std::optional<StreamCursor> cursor;
    ASSERT_EQ(stream()->read(shard.number, 0, cursor), StreamLog::Access::kGiven);
    while (cursor->next()) by_service.push_back(cursor->record().by_time_to_live);
  }
  EXPECT_EQ(by_service, (std::vector<bool>{false, true}));
}

TEST_P(DatabaseStreamsTest, AFailedWriteLeavesNoRecord) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  open_with(faults);
  const TablePtr table = database().create_table(streamed_schema());
  faults->commits = true;
  EXPECT_THROW(put(database(), table, make_item({{"pk", "a"}, {"sk", 1}})), EngineError);
  faults->commits = false;
  put(database(), table, make_item({{"pk", "a"}, {"sk", 2}}));
  StreamReplay replay;
  read_all(replay, *stream());
  EXPECT_EQ(replay.records(), 1U);
  EXPECT_EQ(replay.items(), items());
}

TEST_P(DatabaseStreamsTest, ADisabledStreamCanBeReadForADayAndTheNextOneIsNew) {
  TablePtr table = database().create_table(streamed_schema());
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}}));
  const std::string first = stream()->arn();
  EXPECT_EQ(disable()->schema.stream.label, table->schema.stream.label);
  put(database(), table, make_item({{"pk", "a"}, {"sk", 2}}));  // by the old version
  clock_.advance(hours(1));
  table = enable();
  put(database(), table, make_item({{"pk", "a"}, {"sk", 3}}));
  EXPECT_EQ(database().list_streams("t", "", 10).size(), 2U);
  const ConstStream old = database().find_stream(first);
  EXPECT_EQ(database().stream_status(*old), StreamStatus::kDisabled);
  EXPECT_EQ(database().stream_status(*stream()), StreamStatus::kEnabled);
  EXPECT_EQ(stream()->arn(), table->schema.arn() + "/stream/" + table->schema.stream.label);
  EXPECT_LT(old->arn(), stream()->arn());
  StreamReplay replay;
  read_all(replay, *old);
  EXPECT_EQ(replay.records(), 1U);
  EXPECT_EQ(replay.ended_shards(), 4U);

  reopen();
  EXPECT_EQ(database().list_streams("t", "", 10).size(), is_durable() ? 2U : 0U);
  if (!is_durable()) return;
  clock_.advance(hours(22));
  database().settle();
  EXPECT_NE(database().find_stream(first), nullptr);
  clock_.advance(hours(2));
  EXPECT_EQ(database().find_stream(first), nullptr);
  database().settle();
  EXPECT_EQ(database().list_streams("", "", 10).size(), 1U);
}

TEST_P(DatabaseStreamsTest, TheStreamOfADeletedTableCanBeReadForADay) {
  TablePtr table = database().create_table(streamed_schema());
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}}));
  const ConstStream old = stream();
  database().delete_table("t");
  EXPECT_TRUE(old->is_closed());
  table = database().create_table(streamed_schema());
  EXPECT_EQ(database().list_streams("t", "", 10).size(), 2U);
  EXPECT_LT(old->arn(), stream()->arn());
  StreamReplay replay;
  read_all(replay, *old);
  EXPECT_EQ(replay.records(), 1U);
  clock_.advance(hours(24) + minutes(1));
  EXPECT_EQ(database().list_streams("t", "", 10).size(), 1U);
}

TEST_P(DatabaseStreamsTest, StatusesPassWithTheDelay) {
  options_.control_plane_delay = minutes(10);
  database().create_table(streamed_schema());
  EXPECT_EQ(database().stream_status(*stream()), StreamStatus::kEnabling);
  clock_.advance(minutes(11));
  EXPECT_TRUE(eventually(
      [&] { return database().find_table("t")->schema.status == ResourceStatus::kActive; }));
  EXPECT_EQ(database().stream_status(*stream()), StreamStatus::kEnabled);
  disable();
  EXPECT_EQ(database().stream_status(*stream()), StreamStatus::kDisabling);
  clock_.advance(minutes(11));
  EXPECT_EQ(database().stream_status(*stream()), StreamStatus::kDisabled);
}

TEST_P(DatabaseStreamsTest, AStreamThatCouldNotBeClosedIsClosedLater) {
  if (!is_durable()) return;
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  const auto fails = std::make_shared<std::atomic<bool>>(false);
  faults->fails = [fails](const WriteBatch& batch) {  // to store a stream without its table
    return *fails && batch.size() == 1 && batch.operations()[0].key.starts_with(kStreamPrefix);
  };
  options_.report_warning = [](std::string_view) {};
  open_with(faults);
  database().create_table(streamed_schema());
  *fails = true;
  disable();
  EXPECT_TRUE(database().find_table("t")->stream == nullptr);
  EXPECT_FALSE(stream()->is_closed());
  *fails = false;
  EXPECT_TRUE(eventually([&] { return stream()->is_closed(); }));
}

TEST_P(DatabaseStreamsTest, ShardsSplitWhenTheTablesUnitsAskForIt) {
  TableSchema schema = streamed_schema();
  schema.billing = BillingMode::kProvisioned;
  schema.provisioned = {5, 5, 0, std::nullopt, std::nullopt};
  const TablePtr table = database().create_table(std::move(schema));
  for (int i = 0; i < 50; ++i) {
    put(database(), table, make_item({{"pk", "a" + std::to_string(i)}, {"sk", 1}, {"v", 1}}));
  }
  update([](TableSchema& changed) { changed.provisioned.write_units = 3'500; });
  database().settle();
  for (int i = 0; i < 50; ++i) {
    put(database(), table, make_item({{"pk", "a" + std::to_string(i)}, {"sk", 1}, {"v", 2}}));
  }
  EXPECT_EQ(stream()->schema().shards.size(), 1U + 2U + 4U);
  reopen();
  if (!is_durable()) return;
  EXPECT_EQ(stream()->schema().shards.size(), 1U + 2U + 4U);
  StreamReplay replay;
  read_all(replay, *stream());
  EXPECT_EQ(replay.records(), 100U);
  EXPECT_EQ(replay.ended_shards(), 3U);
  EXPECT_EQ(replay.items(), items());
}

TEST_P(DatabaseStreamsTest, AReplayUnderManyWritersEndsInTheStateOfTheTable) {
  constexpr int kThreads = 6;
  const int writes_of_a_thread = is_durable() ? 500 : 2'500;
  const TablePtr table = database().create_table(streamed_schema());
  const ConstStream log = stream();
  std::atomic<std::uint64_t> changes{0};
  StreamReplay replay;
  {
    std::jthread reader([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) replay.read(*log, 7);
    });
    std::jthread mover([&] {
      for (int turn = 0; turn < 6; ++turn) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        clock_.advance(hours(turn == 5 ? 3 : 4));
        database().settle();
        if (turn == 3) table->stream->split(8);
      }
    });
    std::vector<std::jthread> writers;
    for (unsigned seed = 0; seed < kThreads; ++seed) {
      writers.emplace_back([&, seed] {
        std::mt19937 random(seed);
        const auto item = [&] {
          return make_item({{"pk", "p" + std::to_string(random() % 5)},
                            {"sk", static_cast<int>(random() % 2)},
                            {"v", static_cast<int>(random() % 3)}});
        };
        for (int i = 0; i < writes_of_a_thread; ++i) {
          const Item one = item();
          const Item other = item();
          const std::string key = item_key(table->schema, one);
          const std::string other_key = item_key(table->schema, other);
          const auto put_one = [&](const StoredItem&) { return WriteDecision::put(one); };
          const auto put_other = [&](const StoredItem&) { return WriteDecision::put(other); };
          std::vector<WriteOutcome> outcomes;
          if (random() % 3 == 0) {
            outcomes.push_back(remove(database(), table, one));
          } else if (random() % 3 == 0 && key != other_key) {
            const std::vector<ItemWrite> both{{table, key, put_one}, {table, other_key, put_other}};
            outcomes = database().write_all(both);
          } else {
            outcomes.push_back(put(database(), table, one));
          }
          for (const WriteOutcome& outcome : outcomes) {
            if (outcome.old_item.view().bytes() != outcome.new_item.bytes()) ++changes;
          }
        }
      });
    }
  }
  read_all(replay, *log);
  EXPECT_EQ(replay.records(), changes);
  EXPECT_EQ(replay.items(), items());
  EXPECT_GT(replay.ended_shards(), 8U);
}

TEST_P(DatabaseStreamsTest, StreamsSwitchedUnderWritersHoldAllOfTheirTime) {
  const TablePtr first = database().create_table(table_schema("t"));
  std::atomic<bool> done{false};
  {
    std::vector<std::jthread> writers;
    writers.reserve(3);
    for (int writer = 0; writer < 3; ++writer) {
      writers.emplace_back([&, writer] {
        for (int i = 0; !done; ++i) {
          const TablePtr table = i % 2 == 0 ? first : database().find_table("t");
          put(database(), table,
              make_item({{"pk", "w" + std::to_string(writer)}, {"sk", writer}, {"v", i}}));
        }
      });
    }
    for (int turn = 0; turn < 20; ++turn) {
      enable();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      disable();
    }
    done = true;
  }
  const auto streams = database().list_streams("t", "", 100);
  EXPECT_EQ(streams.size(), 20U);
  // Versions of each writer's item follow each other without a gap in one stream, and do not
  // overlap in two.
  std::map<std::string, std::int64_t> last;
  for (const ConstStream& log : streams) {
    EXPECT_TRUE(log->is_closed());
    std::map<std::string, std::int64_t> within;
    for (const StreamShard& shard : log->schema().shards) {
      std::optional<StreamCursor> cursor;
      ASSERT_EQ(log->read(shard.number, 0, cursor), StreamLog::Access::kGiven);
      while (cursor->next()) {
        const StreamRecord record = cursor->record();
        const std::string key = describe_item(record.keys);
        const std::int64_t version = *record.new_image.find("v").number().to_integer();
        if (within.contains(key)) {
          EXPECT_EQ(version, within[key] + 1) << key;
        }
        EXPECT_GT(version, last.contains(key) ? last[key] : -1) << key;
        within[key] = version;
        last[key] = version;
      }
      EXPECT_TRUE(cursor->shard_has_ended());
    }
  }
}

}  // namespace
}  // namespace magneto::storage
