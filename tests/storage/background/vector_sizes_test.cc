// The size of a table as DescribeTable shows it is always the sum of its items' charged sizes.
#include "storage/background/vector_sizes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/model/charged_sizes.h"
#include "storage/model/value_writer.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

constexpr std::uint32_t kDimensions = 4;

IndexSchema vector_index(const std::string& name, const std::string& attribute = "e") {
  IndexSchema index = index_schema(name, IndexKind::kVector, {}, {});
  index.vector = {attribute, kDimensions, DistanceFunction::kEuclidean, {}};
  return index;
}

// With vectors "e" and "f", one of them, or none.
Item random_item(int key, std::mt19937& random) {
  const char* const numbers[] = {"1", "-0.25", "123456.5", "1E-20", "3"};
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  for (const char* const name : {"e", "f"}) {
    if (random() % 4 == 0) continue;
    writer.name(name);
    writer.begin_list();
    NumberError error{};
    for (std::uint32_t i = 0; i < kDimensions; ++i) {
      writer.number(Number::parse(numbers[random() % 5], error).value());
    }
    writer.end_list();
  }
  writer.name("g");
  writer.string("g" + std::to_string(random() % 3));
  writer.name("note");
  writer.string(std::string(random() % 40, 'x'));
  writer.name("pk");
  writer.string("p" + std::to_string(key % 7));
  writer.name("sk");
  writer.number(Number::from_integer(key));
  writer.end_item();
  return Item(std::move(bytes));
}

class VectorSizesTest : public DatabaseTest {
 protected:
  static TableSchema bare_schema(std::string_view name = "t") {
    TableSchema schema = table_schema(name);
    schema.billing = BillingMode::kPayPerRequest;
    return schema;
  }
  static TableSchema vector_schema(std::string_view name = "t") {
    TableSchema schema = bare_schema(name);
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}),
                      vector_index("one")};
    return schema;
  }
  static void write(Database& database, std::mt19937& random, int writes, int keys = 40,
                    std::string_view name = "t") {
    const TablePtr table = database.find_table(name);
    for (int i = 0; i < writes; ++i) {
      const int key = static_cast<int>(random() % static_cast<unsigned>(keys));
      const Item item = random_item(key, random);
      if (random() % 4 == 0) {
        remove(database, table, item);
      } else if (random() % 4 == 0) {
        const Item other = random_item(key + keys, random);
        const auto put_item = [&](const StoredItem&) { return WriteDecision::put(item); };
        const auto put_other = [&](const StoredItem&) { return WriteDecision::put(other); };
        const std::vector<ItemWrite> both{{table, item_key(table->schema, item), put_item},
                                          {table, item_key(table->schema, other), put_other}};
        database.write_all(both);
      } else {
        put(database, table, item);
      }
    }
  }
  static std::int64_t charged(Database& database, std::string_view name = "t") {
    return database.find_table(name)->statistics->charged_bytes();
  }
  static std::int64_t expected(Database& database, std::string_view name = "t") {
    const TablePtr table = database.find_table(name);
    const ChargedSizes sizes(table->schema);
    std::int64_t bytes = 0;
    ItemCursor cursor = database.scan(*table, nullptr, {}, Direction::kForward);
    while (cursor.next()) {
      bytes += static_cast<std::int64_t>(sizes.of(cursor.item(), cursor.item_size()));
    }
    return bytes;
  }
  static void expect_sized(Database& database, std::string_view name = "t") {
    database.settle();
    const TablePtr table = database.find_table(name);
    EXPECT_EQ(charged(database, name), expected(database, name));
    EXPECT_EQ(table->statistics->sized_for, ChargedSizes(table->schema).fingerprint());
    // The entries of other indexes keep the numbers' sizes.
    for (const auto& index : table->indexes) {
      EXPECT_EQ(index->statistics->vector_bytes, 0) << index->schema.name;
      if (index->schema.kind == IndexKind::kVector) continue;
      std::int64_t bytes = 0;
      ItemCursor cursor = database.scan(*table, index.get(), {}, Direction::kForward);
      while (cursor.next()) bytes += static_cast<std::int64_t>(cursor.item_size());
      EXPECT_EQ(index->statistics->charged_bytes(), bytes) << index->schema.name;
    }
  }
  static void add_index(Database& database, const IndexSchema& index) {
    database.update_table("t", [&](TableSchema& schema) {
      schema.indexes.push_back(index);
      schema.indexes.back().status = ResourceStatus::kCreating;
    });
  }
  static void drop_index(Database& database, std::string_view name) {
    database.update_table("t", [&](TableSchema& schema) {
      for (IndexSchema& index : schema.indexes) {
        if (index.name == name) index.status = ResourceStatus::kDeleting;
      }
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, VectorSizesTest, kEngineKinds, engine_kind_name);

TEST_P(VectorSizesTest, CountsWhatIsPutReplacedAndDeleted) {
  std::mt19937 random(1);
  database().create_table(vector_schema());
  for (int round = 0; round < 10; ++round) {
    write(database(), random, 30);
    EXPECT_EQ(charged(database()), expected(database()));  // at once
  }
  expect_sized(database());
  EXPECT_NE(database().find_table("t")->statistics->vector_bytes, 0);
}

TEST_P(VectorSizesTest, AreCountedAnewWhenAVectorIndexIsAddedOrDropped) {
  std::mt19937 random(2);
  database().create_table(bare_schema());
  write(database(), random, 60);
  const auto difference = [&] {
    return database().find_table("t")->statistics->vector_bytes.load();
  };
  EXPECT_EQ(difference(), 0);
  add_index(database(), vector_index("one"));
  write(database(), random, 30);
  expect_sized(database());
  const std::int64_t of_one = difference();
  EXPECT_NE(of_one, 0);
  add_index(database(), vector_index("same"));  // of the same attribute
  expect_sized(database());
  EXPECT_EQ(difference(), of_one);
  add_index(database(), index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}));
  add_index(database(), vector_index("two", "f"));
  expect_sized(database());
  EXPECT_NE(difference(), of_one);
  write(database(), random, 30);
  drop_index(database(), "one");  // "same" still counts the attribute
  write(database(), random, 30);
  expect_sized(database());
  drop_index(database(), "same");
  expect_sized(database());
  drop_index(database(), "two");
  write(database(), random, 30);
  expect_sized(database());
  EXPECT_EQ(difference(), 0);
}

TEST_P(VectorSizesTest, AreRightAfterChangesOfIndexesUnderWriters) {
  database().create_table(bare_schema());
  {
    const std::jthread editor([&](const std::stop_token& stop) {
      for (int i = 0; i < 12 && !stop.stop_requested(); ++i) {
        add_index(database(), vector_index("one"));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        add_index(database(), vector_index("two", "f"));
        drop_index(database(), "one");
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (i != 11) drop_index(database(), "two");
      }
    });
    std::vector<std::jthread> writers;
    for (unsigned seed = 0; seed < 3; ++seed) {
      writers.emplace_back([&, seed] {
        std::mt19937 random(seed);
        for (int i = 0; i < 40; ++i) write(database(), random, 5);
      });
    }
  }
  expect_sized(database());
}

TEST_P(VectorSizesTest, AreThoseOfAForkToo) {
  std::mt19937 random(3);
  database().create_table(bare_schema());
  write(database(), random, 60);
  add_index(database(), vector_index("one"));
  const auto forked =
      Databases::fork(databases().snapshot(), options_, clock_);  // perhaps uncounted
  write(forked->main(), random, 20);
  expect_sized(forked->main());
  expect_sized(database());
  drop_index(forked->main(), "one");
  write(forked->main(), random, 20);
  expect_sized(forked->main());
  expect_sized(database());
  EXPECT_NE(charged(forked->main()), charged(database()));
}

TEST_P(VectorSizesTest, AreThoseOfBackupsAndRestoredTables) {
  std::mt19937 random(4);
  const TablePtr table = database().create_table(vector_schema());
  write(database(), random, 60);
  const BackupPtr backup = database().create_backup(table, "backup").backup;
  ASSERT_NE(backup, nullptr);
  EXPECT_EQ(backup->schema->bytes, charged(database()));
  database().settle();
  const BackupPtr whole = database().find_backup(backup->schema->arn());
  ASSERT_NE(whole, nullptr);
  EXPECT_TRUE(whole->schema->is_complete);
  EXPECT_EQ(whole->schema->bytes, charged(database()));
  ASSERT_EQ(database().restore_table(whole, vector_schema("same")).outcome, BackupOutcome::kDone);
  expect_sized(database(), "same");
  ASSERT_EQ(database().restore_table(whole, bare_schema("bare")).outcome, BackupOutcome::kDone);
  expect_sized(database(), "bare");
  EXPECT_EQ(charged(database(), "same"), charged(database()));
  EXPECT_EQ(database().find_table("bare")->statistics->vector_bytes, 0);
}

class StoredVectorSizesTest : public VectorSizesTest {
 protected:
  StoredVectorSizesTest() { start(); }

  void start() {
    database_ = main_of(Databases::open(options_, clock_, open_engine(GetParam(), directory_)));
  }
  void restart() {
    database_.reset();
    start();
  }
  using Change = std::function<void(const TreePtr& system, WriteBatch& batch)>;
  // Changes the records of the closed store, as a kill or an older version may leave them.
  void restart_after(const Change& change) {
    database_.reset();
    {
      const std::unique_ptr<Engine> engine = open_engine(GetParam(), directory_);
      WriteBatch batch;
      const TreePtr system = engine->open_tree(ColumnFamily::kSystem, "");
      change(system, batch);
      engine->commit(batch);
    }
    start();
  }
  bool has_record(std::uint32_t number) {
    database_.reset();
    const std::unique_ptr<Engine> engine = open_engine(GetParam(), directory_);
    const TreePtr system = engine->open_tree(ColumnFamily::kSystem, "");
    return static_cast<bool>(engine->get(*system, vector_statistics_key(number)));
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, StoredVectorSizesTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(StoredVectorSizesTest, AreKeptOverARestart) {
  std::mt19937 random(5);
  database().create_table(vector_schema());
  for (int round = 0; round < 3; ++round) {
    write(database(), random, 40);
    const std::int64_t before = charged(database());
    restart();
    EXPECT_EQ(charged(database()), before);  // before anything is counted
    expect_sized(database());
  }
}

TEST_P(StoredVectorSizesTest, AreCountedAfterARestartIfTheyWereNotBefore) {
  std::mt19937 random(6);
  database().create_table(bare_schema());
  write(database(), random, 60);
  for (int round = 0; round < 5; ++round) {
    add_index(database(), vector_index("one"));
    restart();  // perhaps before the count
    expect_sized(database());
    drop_index(database(), "one");
    restart();
    expect_sized(database());
  }
}

TEST_P(StoredVectorSizesTest, AreCountedAfterAKill) {
  std::mt19937 random(7);
  const std::uint32_t number = database().create_table(vector_schema())->schema.number;
  write(database(), random, 60);
  restart_after([number](const TreePtr& system, WriteBatch& batch) {
    batch.put(system, vector_statistics_key(number), std::string("\0\0\0\0\0\0\1\0", 8));
    batch.remove(system, counter_key("clean-close"));
  });
  write(database(), random, 20);
  expect_sized(database());
}

TEST_P(StoredVectorSizesTest, AreCountedWhereAnOlderVersionHasNotStoredThem) {
  std::mt19937 random(8);
  const std::uint32_t number = database().create_table(vector_schema())->schema.number;
  write(database(), random, 60);
  restart_after([number](const TreePtr& system, WriteBatch& batch) {
    batch.remove(system, vector_statistics_key(number));
  });
  write(database(), random, 20);
  expect_sized(database());
  EXPECT_TRUE(has_record(number));
}

TEST_P(StoredVectorSizesTest, AreStoredOnlyForTablesThatHaveVectors) {
  std::mt19937 random(9);
  std::uint32_t number = database().create_table(bare_schema())->schema.number;
  write(database(), random, 10);
  EXPECT_FALSE(has_record(number));
  start();
  add_index(database(), vector_index("one"));
  database().settle();
  EXPECT_TRUE(has_record(number));
  start();
  drop_index(database(), "one");
  database().settle();
  EXPECT_FALSE(has_record(number));
  start();
  database().delete_table("t");
  number = database().create_table(vector_schema())->schema.number;
  restart();
  database().delete_table("t");
  database().settle();
  EXPECT_FALSE(has_record(number));
}

}  // namespace
}  // namespace magneto::storage
