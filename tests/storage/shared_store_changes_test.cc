// Several servers over one store, all of which write while tables, streams and servers change.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/databases.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/narrow.h"
#include "tests/storage/database_fixture.h"
#include "tests/storage/shared_store.h"
#include "tests/storage/stream/stream_replay.h"

namespace magneto::storage {
namespace {

using Fault = SharedStore::Fault;
using std::chrono::minutes;
using std::chrono::seconds;

std::atomic<Clock::Duration> time_passed{Clock::Duration(0)};
Clock::TimePoint right() { return Clock::real_now() + time_passed.load(); }
Clock::TimePoint ahead() { return right() + seconds(3); }
Clock::TimePoint behind() { return right() - seconds(3); }

constexpr std::size_t kServersHere = 3;
constexpr std::array<Clock::RealTime, kServersHere> kClocks = {right, ahead, behind};

class SharedStoreChangesTest : public testing::Test {
 protected:
  SharedStoreChangesTest() { time_passed = Clock::Duration(0); }
  ~SharedStoreChangesTest() override { stop_writing(); }
  SharedStoreChangesTest(const SharedStoreChangesTest&) = delete;
  SharedStoreChangesTest& operator=(const SharedStoreChangesTest&) = delete;

  void open(Fault fault = Fault::kNone) {
    store_ = std::make_unique<SharedStore>(fault);
    open_servers();
  }
  void open_servers() {
    for (const Clock::RealTime now : kClocks) servers_.push_back(open_server(now));
  }
  std::unique_ptr<Databases> open_server(Clock::RealTime now = right) {
    return Databases::open(options_, clock_, store_->open(now));
  }
  Database& database(std::size_t server) { return servers_[server]->main(); }

  static TableSchema schema_of(const std::string& name) {
    TableSchema schema = table_schema(name);
    schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
    return schema;
  }
  static Item item(std::uint32_t number, std::uint32_t value) {
    return make_item({{"pk", "p" + std::to_string(number % 3)},
                      {"sk", static_cast<int>(number)},
                      {"g", "g" + std::to_string(value % 5)},
                      {"v", static_cast<int>(value)}});
  }

  // Some steps take long, so that what a broken store does has an effect.
  void let_some_wait() {
    store_->at_each_step([](SharedStore::Step) {
      thread_local std::mt19937 random(std::random_device{}());
      if (random() % 30 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
  }

  // Each server puts and deletes items of the table, until stop_writing(). Waits until each has written.
  void start_writing(std::uint32_t items) {
    is_writing_ = true;
    for (std::size_t server = 0; server < kServersHere; ++server) {
      writers_.emplace_back([this, server, items, &count = written_[server]] {
        std::mt19937 random(static_cast<std::uint32_t>(server));
        while (is_writing_) {
          const TablePtr table = database(server).find_table("t");
          if (table == nullptr) continue;
          const Item one =
              item(narrow<std::uint32_t>(random() % items), narrow<std::uint32_t>(random() % 1000));
          try {
            if (random() % 4 == 0) {
              remove(database(server), table, one);
            } else {
              put(database(server), table, one);
            }
            ++count;
          } catch (const TableGone&) {
          }
        }
      });
    }
    wait_for_writes();
  }
  // Until each server has made some more writes.
  void wait_for_writes() {
    constexpr int kWrites = 20;
    for (std::atomic<int>& count : written_) {
      const int target = count + kWrites;
      while (count < target) std::this_thread::yield();
    }
  }
  void stop_writing() {
    is_writing_ = false;
    for (std::thread& writer : writers_) writer.join();
    writers_.clear();
  }

  static testing::AssertionResult eventually(const std::function<bool()>& condition) {
    for (int i = 0; i < 3'000; ++i) {
      if (condition()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return testing::AssertionFailure() << "it did not happen";
  }
  bool is_active(std::size_t server, const std::string& index) {
    const TablePtr table = database(server).find_table("t");
    const Index* found = table == nullptr ? nullptr : table->find_index(index);
    return found != nullptr && found->schema.status == ResourceStatus::kActive;
  }
  std::map<std::string, std::string> items_of(std::size_t server) {
    std::map<std::string, std::string> items;
    const TablePtr table = database(server).find_table("t");
    ItemCursor cursor = database(server).scan(*table, nullptr, {}, Direction::kForward);
    while (cursor.next()) {
      const Item key = make_item({{"pk", std::string(cursor.item().find("pk").scalar_bytes())},
                                  {"sk", *cursor.item().find("sk").number().to_integer()}});
      items.emplace(describe_item(key), describe_item(cursor.item()));
    }
    return items;
  }
  // Makes and drops an index on one server after another, while all write. Returns how many entries
  // are missing or left over.
  std::size_t change_indexes(int times) {
    constexpr std::uint32_t kItems = 300;
    database(0).create_table(schema_of("t"));
    start_writing(kItems);
    std::size_t wrong = 0;
    for (int i = 0; i < times; ++i) {
      const std::size_t server = static_cast<std::size_t>(i) % kServersHere;
      database(server).update_table("t", [](TableSchema& schema) {
        schema.indexes.push_back(index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}));
      });
      EXPECT_TRUE(eventually([&] { return is_active(server, "g"); }));
      wait_for_writes();
      stop_writing();
      const std::size_t other = (server + 1) % kServersHere;
      const TablePtr table = database(server).find_table("t");
      const auto expected = expected_index(database(other), *table, *table->indexes[0]);
      const Contents found = contents(database(other), *table, table->indexes[0].get());
      const Contents wanted(expected.begin(), expected.end());
      wrong += found == wanted ? 0 : 1;
      start_writing(kItems);
      database(other).update_table("t", [](TableSchema& schema) {
        schema.indexes.front().status = ResourceStatus::kDeleting;
      });
    }
    stop_writing();
    return wrong;
  }

  std::size_t entries_of_a_write_while_an_index_is_made() {
    database(0).create_table(schema_of("t"));
    store_->before_commit([this] {
      database(0).update_table("t", [](TableSchema& schema) {
        schema.indexes.push_back(index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}));
      });
      EXPECT_TRUE(eventually([this] { return is_active(0, "g"); }));
    });
    put(database(1), database(1).find_table("t"), item(1, 1));
    store_->join();
    const TablePtr table = database(2).find_table("t");
    return contents(database(2), *table, table->indexes[0].get()).size();
  }

  Clock clock_;
  DatabaseOptions options_;
  std::unique_ptr<SharedStore> store_;
  std::vector<std::unique_ptr<Databases>> servers_;
  std::atomic<bool> is_writing_{false};
  std::array<std::atomic<int>, kServersHere> written_{};
  std::vector<std::thread> writers_;
};

// ---- indexes --------------------------------------------------------------------------------------

TEST_F(SharedStoreChangesTest, AnIndexHasAllEntriesThoughAllServersWriteWhileItIsMade) {
  open();
  EXPECT_EQ(change_indexes(12), 0U);
  for (std::size_t server = 0; server < kServersHere; ++server) {
    expect_consistent(database(server), "t");
  }
}

TEST_F(SharedStoreChangesTest, AWriteThatBeganBeforeAnIndexWasMadeHasItsEntry) {
  open();
  EXPECT_EQ(entries_of_a_write_while_an_index_is_made(), 1U);
}

TEST_F(SharedStoreChangesTest, AnEntryIsMissingIfServersDoNotWaitForEachOther) {
  open(Fault::kWaitsForNobody);
  EXPECT_EQ(entries_of_a_write_while_an_index_is_made(), 0U);
}

TEST_F(SharedStoreChangesTest, NoServerWritesToATableThatIsGone) {
  open();
  for (int i = 0; i < 10; ++i) {
    const std::size_t server = static_cast<std::size_t>(i) % kServersHere;
    const TablePtr table = database(server).create_table(schema_of("t"));
    ASSERT_NE(table, nullptr);
    start_writing(20);
    database((server + 1) % kServersHere).delete_table("t");
    for (std::size_t other = 0; other < kServersHere; ++other) {
      EXPECT_EQ(database(other).find_table("t"), nullptr);
      EXPECT_THROW(put(database(other), table, item(1, 1)), TableGone);
    }
    stop_writing();
    for (const auto& one : servers_) one->main().settle();
    EXPECT_TRUE(contents(database(server), *table, nullptr).empty());
  }
}

// ---- streams --------------------------------------------------------------------------------------

TEST_F(SharedStoreChangesTest, AStreamHasEachChangeOnceAndInOrderThoughClocksDiffer) {
  open();
  database(0).create_table(schema_of("t"));
  StreamReplay replay;
  start_writing(8);
  for (int i = 0; i < 300; ++i) replay.read(*database(2).find_table("t")->stream, 50);
  const std::unique_ptr<Databases> joined = open_server(behind);
  const TablePtr table = joined->main().find_table("t");
  for (std::uint32_t i = 0; i < 50; ++i) put(joined->main(), table, item(i % 8, i));
  for (int i = 0; i < 300; ++i) replay.read(*database(1).find_table("t")->stream, 50);
  stop_writing();
  while (replay.read(*database(0).find_table("t")->stream)) continue;
  EXPECT_EQ(replay.items(), items_of(1));
  EXPECT_GT(replay.records(), 50U);
}

// A reader that goes by the numbers alone passes records whose commits are in progress.
TEST_F(SharedStoreChangesTest, RecordsAreMissedIfCommitsInProgressAreIgnored) {
  open(Fault::kSettlesTooEarly);
  let_some_wait();
  database(0).create_table(schema_of("t"));
  std::set<std::uint64_t> read;
  std::map<std::uint32_t, std::uint64_t> positions;
  const auto read_on = [&] {
    const StreamPtr stream = database(0).find_table("t")->stream;
    for (const StreamShard& shard : stream->schema().shards) {
      std::optional<StreamCursor> cursor;
      const std::uint64_t end = stream->end();
      if (stream->read(shard.number, positions[shard.number], cursor) !=
          StreamLog::Access::kGiven) {
        continue;
      }
      while (cursor->next()) read.insert(cursor->sequence());
      positions[shard.number] = end;
    }
  };
  const auto count_all = [&] {
    std::size_t all = 0;
    const StreamPtr stream = database(0).find_table("t")->stream;
    for (const StreamShard& shard : stream->schema().shards) {
      std::optional<StreamCursor> cursor;
      EXPECT_EQ(stream->read(shard.number, 0, cursor), StreamLog::Access::kGiven);
      while (cursor->next()) ++all;
    }
    return all;
  };
  bool has_missed = false;
  for (int round = 0; round < 100 && !has_missed; ++round) {
    start_writing(8);
    for (int i = 0; i < 200; ++i) read_on();
    stop_writing();
    read_on();
    has_missed = read.size() < count_all();
  }
  EXPECT_TRUE(has_missed);
}

TEST_F(SharedStoreChangesTest, ShardsSplitAtATimeThatAllServersKnow) {
  open();
  database(0).create_table(schema_of("t"));
  const StreamPtr stream = database(1).find_table("t")->stream;
  const std::size_t shards = stream->schema().shards.size();
  StreamReplay replay;
  start_writing(30);
  stream->split(narrow<std::uint32_t>(2 * shards));
  EXPECT_EQ(database(2).find_table("t")->stream->schema().shards.size(), shards);
  wait_for_writes();
  replay.read(*stream, 100);
  EXPECT_EQ(replay.ended_shards(), 0U);
  time_passed = StreamLog::kNotice + seconds(30);
  wait_for_writes();
  stop_writing();
  for (std::size_t server = 0; server < kServersHere; ++server) {
    EXPECT_EQ(database(server).find_table("t")->stream->schema().shards.size(), 3 * shards);
  }
  while (replay.read(*database(2).find_table("t")->stream)) continue;
  EXPECT_EQ(replay.items(), items_of(0));
  EXPECT_EQ(replay.ended_shards(), shards);
}

// Changes that are made at the same time as the table's may be recorded, or not.
TEST_F(SharedStoreChangesTest, AStreamThatIsSwitchedOffEnds) {
  open();
  database(0).create_table(schema_of("t"));
  const StreamPtr stream = database(2).find_table("t")->stream;
  start_writing(10);
  database(1).update_table("t", [](TableSchema& schema) { schema.stream.enabled = false; });
  EXPECT_TRUE(eventually([&] { return stream->is_closed(); }));
  wait_for_writes();
  stop_writing();
  for (const StreamShard& shard : stream->schema().shards) {
    EXPECT_TRUE(eventually([&] {
      std::optional<StreamCursor> cursor;
      EXPECT_EQ(stream->read(shard.number, 0, cursor), StreamLog::Access::kGiven);
      while (cursor->next()) continue;
      return cursor->shard_has_ended();
    }));
  }
}

// ---- servers that come and go ----------------------------------------------------------------------

TEST_F(SharedStoreChangesTest, ExpiredItemsAreDeletedOnceWhicheverServerWroteThem) {
  open();
  database(2).create_table(schema_of("t"));
  database(1).update_table("t", [](TableSchema& schema) {
    schema.time_to_live.status = TimeToLiveStatus::kEnabling;
    schema.time_to_live.attribute = "v";
  });
  const TablePtr table = database(2).find_table("t");
  const auto expiry = static_cast<std::uint32_t>(clock_.epoch_seconds()) - 100;
  for (std::uint32_t i = 0; i < 20; ++i) put(database(2), table, item(i, expiry));
  EXPECT_TRUE(eventually([&] { return items_of(1).empty(); }));
  StreamReplay replay;
  while (replay.read(*table->stream)) continue;
  EXPECT_TRUE(replay.items().empty());
  EXPECT_EQ(replay.records(), 40U);
}

TEST_F(SharedStoreChangesTest, AnotherServerCompletesWhatALeaderLeaves) {
  options_.control_plane_delay = std::chrono::hours(1);
  open();
  database(0).create_table(schema_of("t"));
  EXPECT_EQ(database(1).find_table("t")->schema.status, ResourceStatus::kCreating);
  servers_.erase(servers_.begin());
  EXPECT_TRUE(eventually(
      [&] { return database(1).find_table("t")->schema.status == ResourceStatus::kActive; }));
  EXPECT_TRUE(eventually(
      [&] { return database(0).find_table("t")->schema.status == ResourceStatus::kActive; }));
}

TEST_F(SharedStoreChangesTest, ADatabaseOfAnotherServerIsFound) {
  open();
  Database& made = servers_[0]->make("name");
  made.create_table(schema_of("t"));
  ASSERT_NE(servers_[2]->find("name"), nullptr);
  EXPECT_NE(servers_[2]->find("name")->find_table("t"), nullptr);
}

// ---- one server and several ------------------------------------------------------------------------

TEST_F(SharedStoreChangesTest, AStoreCanBeUsedByOneServerAndBySeveral) {
  store_ = std::make_unique<SharedStore>();
  StreamReplay replay;
  const auto use_alone = [&](std::uint32_t value) {
    const auto alone = Databases::open(options_, clock_, store_->open_alone());
    TablePtr table = alone->main().find_table("t");
    if (table == nullptr) {
      TableSchema schema = schema_of("t");
      schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
      table = alone->main().create_table(std::move(schema));
    }
    for (std::uint32_t i = 0; i < 50; ++i) put(alone->main(), table, item(i, value + i));
    expect_consistent(alone->main(), "t");
    while (replay.read(*table->stream)) continue;
  };
  const auto use_shared = [&] {
    open_servers();
    start_writing(60);
    for (int i = 0; i < 20; ++i) replay.read(*database(1).find_table("t")->stream, 50);
    stop_writing();
    expect_consistent(database(2), "t");
    while (replay.read(*database(0).find_table("t")->stream)) continue;
    EXPECT_EQ(replay.items(), items_of(0));
    servers_.clear();
  };
  use_alone(100);
  use_shared();
  use_alone(200);
  use_shared();
  use_alone(300);
  EXPECT_GT(replay.records(), 250U);
}

TEST_F(SharedStoreChangesTest, AStoreWhoseItemsAreNotCountedIsRefused) {
  store_ = std::make_unique<SharedStore>();
  {
    const std::unique_ptr<Engine> engine = store_->open_alone();
    auto alone = Databases::open(options_, clock_, store_->open_alone());
    alone->main().create_table(schema_of("t"));
    alone.reset();
    WriteBatch batch;  // as if the server had been killed
    const TreePtr system = engine->open_tree(ColumnFamily::kSystem, "");
    batch.remove(system, counter_key("clean-close"));
    engine->commit(batch);
  }
  EXPECT_THROW(open_servers(), EngineError);
  Databases::open(options_, clock_, store_->open_alone())->main().settle();
  servers_.clear();
  open_servers();
  expect_consistent(database(1), "t");
}

}  // namespace
}  // namespace magneto::storage
