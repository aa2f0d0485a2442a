#include "storage/table/catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <thread>

#include "storage/encoding/keyspace.h"
#include "tests/storage/database_fixture.h"
#include "tests/support/faulty_engine.h"

namespace magneto::storage {
namespace {

class CatalogTest : public EngineTest {
 protected:
  CatalogTest() { load(); }
  void load(std::uint32_t partitions = 0) {
    changes_ = std::make_unique<ChangeLog>(*engine_);
    catalog_ = std::make_unique<Catalog>(*engine_, clock_, *changes_, partitions);
    catalog_->load();
  }
  void restart() {
    catalog_.reset();
    reopen();
    load();
  }

  Clock clock_;
  std::unique_ptr<ChangeLog> changes_;
  std::unique_ptr<Catalog> catalog_;
};
INSTANTIATE_TEST_SUITE_P(Engines, CatalogTest, kEngineKinds, engine_kind_name);

std::vector<std::string> names_of(const std::vector<Catalog::Dropped>& dropped) {
  std::vector<std::string> names;
  for (const auto& each : dropped) {
    names.push_back(std::to_string(each.table_number) + "/" + std::to_string(each.index_number));
  }
  return names;
}

TEST_P(CatalogTest, GivesIdsAndNumbers) {
  TableSchema schema = table_schema("a");
  schema.indexes = {index_schema("i", IndexKind::kLocal, {string_key("pk")}, {string_key("x")}),
                    index_schema("j", IndexKind::kGlobal, {string_key("x")}, {})};
  const TablePtr a = catalog_->create(schema);
  const TablePtr b = catalog_->create(table_schema("b"));
  EXPECT_NE(a->schema.id, b->schema.id);
  EXPECT_EQ(a->schema.id[14], '4');  // a random UUID
  EXPECT_NE(std::string_view("89ab").find(a->schema.id[19]), std::string_view::npos);
  EXPECT_NE(a->schema.number, b->schema.number);
  EXPECT_EQ(a->schema.indexes[0].number, 1);
  EXPECT_EQ(a->schema.indexes[1].number, 2);
  EXPECT_EQ(a->find_index("j"), a->indexes[1].get());
  EXPECT_EQ(a->find_index("k"), nullptr);
}

TEST_P(CatalogTest, CreatesNoTableIfWhatItNeedsCannotBegin) {
  int begun = 0;
  catalog_->before_create([&] {
    if (++begun == 1) throw std::runtime_error("no thread");
  });
  EXPECT_THROW(catalog_->create(table_schema("a")), std::runtime_error);
  EXPECT_TRUE(catalog_->tables().empty());
  EXPECT_NE(catalog_->create(table_schema("a")), nullptr);
  EXPECT_EQ(begun, 2);
}

TEST_P(CatalogTest, PartitionsFollowTheUnits) {
  const auto partitions = [&](std::string_view name, BillingMode billing, std::int64_t read,
                              std::int64_t write) {
    TableSchema schema = table_schema(name);
    schema.billing = billing;
    schema.provisioned.read_units = read;
    schema.provisioned.write_units = write;
    return catalog_->create(schema)->partitions.size();
  };
  EXPECT_EQ(partitions("a", BillingMode::kPayPerRequest, 0, 0), 4U);
  EXPECT_EQ(partitions("b", BillingMode::kProvisioned, 5, 5), 1U);
  EXPECT_EQ(partitions("c", BillingMode::kProvisioned, 3000, 1), 2U);
  EXPECT_EQ(partitions("d", BillingMode::kProvisioned, 6000, 3000), 5U);
  EXPECT_EQ(partitions("e", BillingMode::kProvisioned, 1LL << 62, 1LL << 62), 64U);
  load(3);
  EXPECT_EQ(partitions("f", BillingMode::kPayPerRequest, 0, 0), 3U);
}

TEST_P(CatalogTest, SurvivesARestart) {
  TableSchema schema = table_schema("a");
  schema.indexes = {index_schema("i", IndexKind::kGlobal, {string_key("x")}, {})};
  schema.tags = {{"k", "v"}};
  const TablePtr a = catalog_->create(schema);
  const std::string id = a->schema.id;
  catalog_->create(table_schema("b"));
  catalog_->edit({0, "b"}, [](TableSchema& changed) {
    changed.deletion_protection = true;
    return true;
  });
  restart();
  if (!engine_->is_durable()) {
    EXPECT_EQ(catalog_->size(0), 0U);
    return;
  }
  EXPECT_EQ(catalog_->list(0, "", 10), (std::vector<std::string>{"a", "b"}));
  const TablePtr found = catalog_->find(0, "a");
  EXPECT_EQ(found->schema.id, id);
  EXPECT_EQ(found->schema.tags, schema.tags);
  EXPECT_EQ(found->indexes[0]->schema.name, "i");
  EXPECT_TRUE(catalog_->find(0, "b")->schema.deletion_protection);
}

TEST_P(CatalogTest, NumbersAreNeverGivenOutTwice) {
  std::set<std::uint32_t> numbers;
  for (int i = 0; i < 3; ++i) {
    const TablePtr table = catalog_->create(table_schema("t"));
    EXPECT_EQ(numbers.insert(table->schema.number).second, engine_->is_durable() || i == 0);
    catalog_->erase({0, "t"}, table->schema.number);
    restart();
  }
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("i", IndexKind::kGlobal, {string_key("x")}, {})};
  catalog_->create(schema);
  for (int i = 0; i < 3; ++i) {
    const auto edited = catalog_->edit({0, "t"}, [](TableSchema& changed) {
      changed.indexes = {index_schema("i", IndexKind::kGlobal, {string_key("x")}, {})};
      return true;
    });
    EXPECT_EQ(edited.table->schema.indexes[0].number, i + 2);
  }
}

TEST_P(CatalogTest, WhatIsDroppedIsKnownUntilForgotten) {
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("i", IndexKind::kGlobal, {string_key("x")}, {}),
                    index_schema("j", IndexKind::kGlobal, {string_key("y")}, {})};
  const TablePtr table = catalog_->create(schema);
  const std::string number = std::to_string(table->schema.number);
  const auto edited = catalog_->edit({0, "t"}, [](TableSchema& changed) {
    changed.indexes.erase(changed.indexes.begin());
    return true;
  });
  EXPECT_TRUE(*table->indexes[0]->dropped);
  EXPECT_FALSE(*edited.table->indexes[0]->dropped);
  EXPECT_EQ(edited.table->indexes[0]->statistics, table->indexes[1]->statistics);
  catalog_->erase({0, "t"}, table->schema.number);
  EXPECT_TRUE(*table->indexes[1]->dropped);
  EXPECT_EQ(catalog_->find(0, "t"), nullptr);
  restart();
  if (!engine_->is_durable()) {
    EXPECT_TRUE(catalog_->dropped().empty());
    return;
  }
  EXPECT_EQ(catalog_->find(0, "t"), nullptr);
  EXPECT_EQ(names_of(catalog_->dropped()),
            (std::vector<std::string>{number + "/0", number + "/1", number + "/2"}));
  for (const auto& dropped : catalog_->dropped()) catalog_->forget(dropped);
  EXPECT_TRUE(catalog_->dropped().empty());
}

// A record that this catalog wrote is not taken for one of another server.
TEST_P(CatalogTest, AnEditPublishesOneVersion) {
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("i", IndexKind::kGlobal, {string_key("x")}, {})};
  schema.stream = {true, "NEW_IMAGE", ""};
  schema.tags = {{"b", "1"}, {"a", "2"}};
  catalog_->create(std::move(schema));
  for (int round = 0; round < 2; ++round) {
    const std::uint64_t before = catalog_->changes();
    catalog_->edit({0, "t"}, [](TableSchema& edited) {
      edited.deletion_protection = !edited.deletion_protection;
      return true;
    });
    EXPECT_EQ(catalog_->changes(), before + 1);
    if (engine_->is_durable()) restart();
  }
}

TEST_P(CatalogTest, AnEditThatThrowsOrDeclinesChangesNothing) {
  const TablePtr table = catalog_->create(table_schema("t"));
  EXPECT_THROW(catalog_->edit({0, "t"},
                              [](TableSchema& schema) -> bool {
                                schema.deletion_protection = true;
                                throw std::invalid_argument("no");
                              }),
               std::invalid_argument);
  const auto declined = catalog_->edit({0, "t"}, [](TableSchema& schema) {
    schema.deletion_protection = true;
    return false;
  });
  EXPECT_EQ(declined.table, nullptr);
  EXPECT_EQ(declined.previous, table);
  EXPECT_FALSE(catalog_->find(0, "t")->schema.deletion_protection);
  EXPECT_FALSE(table->superseded);
  EXPECT_EQ(catalog_->edit({0, "u"}, [](TableSchema&) { return true; }).previous, nullptr);
}

TEST_P(CatalogTest, OnlyTheTableWithTheNumberIsErased) {
  const TablePtr table = catalog_->create(table_schema("t"));
  EXPECT_EQ(catalog_->erase({0, "t"}, table->schema.number + 1), nullptr);
  EXPECT_EQ(catalog_->current(*table)->schema.id, table->schema.id);
  EXPECT_NE(catalog_->erase({0, "t"}, table->schema.number), nullptr);
  EXPECT_EQ(catalog_->current(*table), nullptr);
  catalog_->create(table_schema("t"));
  EXPECT_EQ(catalog_->current(*table), nullptr);
}

TEST_P(CatalogTest, OneOfManyCreatorsWins) {
  std::atomic<int> created{0};
  {
    std::vector<std::jthread> creators;
    for (int i = 0; i < 8; ++i) {
      creators.emplace_back([&] {
        if (catalog_->create(table_schema("t")) != nullptr) ++created;
      });
    }
  }
  EXPECT_EQ(created, 1);
}

TEST(CatalogFaultTest, AChangeThatCannotBeStoredIsNotSeen) {
  const TempDirectory directory;
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  FaultyEngine engine(open_engine(EngineKind::kRocksdb, directory), faults);
  Clock clock;
  ChangeLog changes(engine);
  Catalog catalog(engine, clock, changes, 0);
  catalog.load();
  const TablePtr table = catalog.create(table_schema("t"));
  faults->commits = true;
  EXPECT_THROW(catalog.create(table_schema("u")), EngineError);
  EXPECT_THROW(catalog.erase({0, "t"}, table->schema.number), EngineError);
  EXPECT_THROW(catalog.edit({0, "t"}, [](TableSchema&) { return true; }), EngineError);
  faults->commits = false;
  EXPECT_EQ(catalog.find(0, "u"), nullptr);
  EXPECT_EQ(catalog.find(0, "t")->schema.id, table->schema.id);
  EXPECT_FALSE(table->superseded);
  EXPECT_GT(catalog.create(table_schema("u"))->schema.number, table->schema.number);
}

TableSchema streamed_schema() {
  TableSchema schema = table_schema("t");
  schema.stream = {true, "KEYS_ONLY", ""};
  return schema;
}

TEST_P(CatalogTest, AStreamLastsWhileItIsEnabled) {
  const TablePtr first = catalog_->create(streamed_schema());
  ASSERT_NE(first->stream, nullptr);
  EXPECT_EQ(first->stream->description().label, first->schema.stream.label);
  EXPECT_EQ(catalog_->streams().find(0, first->stream->arn()), first->stream);

  const auto edit = [&](auto change) {
    return catalog_->edit({0, "t"}, [&](TableSchema& schema) {
      change(schema);
      return true;
    });
  };
  EXPECT_EQ(edit([](TableSchema&) {}).table->stream, first->stream);
  const TablePtr without = edit([](TableSchema& schema) { schema.stream.enabled = false; }).table;
  EXPECT_EQ(without->stream, nullptr);
  EXPECT_EQ(without->schema.stream.label, first->schema.stream.label);
  EXPECT_FALSE(first->stream->is_closed());
  const TablePtr second = edit([](TableSchema& schema) {
                            schema.stream = {true, "NEW_IMAGE", ""};
                          }).table;
  EXPECT_NE(second->stream, first->stream);
  EXPECT_GT(second->schema.stream.label, first->schema.stream.label);
  EXPECT_EQ(catalog_->streams().all().size(), 2U);
}

TEST_P(CatalogTest, AStreamThatNoTableHasIsClosedByARestart) {
  if (!engine_->is_durable()) return;
  catalog_->create(streamed_schema());
  for (const bool enabled : {false, true}) {
    catalog_->edit({0, "t"}, [&](TableSchema& schema) {
      schema.stream = {enabled, "KEYS_ONLY", enabled ? "" : schema.stream.label};
      return true;
    });
  }
  const std::string arn = catalog_->find(0, "t")->stream->arn();
  restart();
  EXPECT_EQ(catalog_->find(0, "t")->stream->arn(), arn);
  const auto streams = catalog_->streams().all();
  ASSERT_EQ(streams.size(), 2U);
  EXPECT_TRUE(streams[0]->is_closed());
  EXPECT_FALSE(streams[1]->is_closed());
}

TEST_P(CatalogTest, ATableOfADirectoryWithoutStreamsGetsOne) {
  if (!engine_->is_durable()) return;
  catalog_->create(streamed_schema());
  {
    const TreePtr system = engine_->open_tree(ColumnFamily::kSystem, "");
    WriteBatch batch;
    batch.remove(system, stream_key(0, 1));
    engine_->commit(batch);
  }
  restart();
  ASSERT_NE(catalog_->find(0, "t")->stream, nullptr);
  const std::string given = catalog_->find(0, "t")->stream->arn();
  EXPECT_EQ(catalog_->streams().find(0, given), catalog_->find(0, "t")->stream);
  restart();
  EXPECT_EQ(catalog_->find(0, "t")->stream->arn(), given);
}

TEST_P(CatalogTest, DatabasesHaveTablesOfTheirOwn) {
  const auto create = [&](std::uint32_t database, std::string_view name) {
    TableSchema schema = table_schema(name);
    schema.database = database;
    return catalog_->create(std::move(schema));
  };
  const TablePtr main = create(0, "t");
  const TablePtr other = create(7, "t");
  create(9, "u");
  EXPECT_EQ(create(7, "t"), nullptr);
  EXPECT_NE(main->schema.number, other->schema.number);
  EXPECT_EQ(catalog_->find(7, "t"), other);
  EXPECT_EQ(catalog_->find(9, "t"), nullptr);
  EXPECT_EQ(catalog_->current(*other), other);
  EXPECT_EQ(catalog_->list(7, "", 10), std::vector<std::string>{"t"});
  EXPECT_EQ(catalog_->list(8, "", 10), std::vector<std::string>());
  EXPECT_EQ(catalog_->size(9), 1U);
  EXPECT_EQ(catalog_->tables().size(), 3U);
  EXPECT_EQ(catalog_->databases_with("t"), (std::vector<std::uint32_t>{0, 7}));
  EXPECT_EQ(catalog_->databases_with(""), (std::vector<std::uint32_t>{0, 7, 9}));
  EXPECT_EQ(catalog_->edit({8, "t"}, [](TableSchema&) { return true; }).table, nullptr);
  EXPECT_EQ(catalog_->erase({7, "t"}, main->schema.number), nullptr);
  EXPECT_NE(catalog_->erase({7, "t"}, other->schema.number), nullptr);
  EXPECT_EQ(catalog_->find(7, "t"), nullptr);
  EXPECT_EQ(catalog_->find(0, "t"), main);
  EXPECT_EQ(catalog_->databases_with(""), (std::vector<std::uint32_t>{0, 9}));
  if (!engine_->is_durable()) return;
  restart();
  EXPECT_EQ(catalog_->find(9, "u")->schema.database, 9U);
  EXPECT_EQ(catalog_->find(7, "t"), nullptr);
  EXPECT_EQ(catalog_->databases_with(""), (std::vector<std::uint32_t>{0, 9}));
}

TEST_P(CatalogTest, WantsPartitionsForUnitsAndSize) {
  TableSchema schema = table_schema("t");
  schema.billing = BillingMode::kProvisioned;
  schema.provisioned = {1, 1, 0, std::nullopt, std::nullopt};
  const TablePtr table = catalog_->create(std::move(schema));
  EXPECT_EQ(catalog_->wanted_partitions(*table), 1U);
  table->statistics->size_bytes = (std::int64_t{20} << 30) + 1;
  EXPECT_EQ(catalog_->wanted_partitions(*table), 3U);
  const TablePtr grown = catalog_
                             ->edit({0, "t"},
                                    [](TableSchema& changed) {
                                      changed.provisioned.write_units = 4'500;
                                      return true;
                                    })
                             .table;
  EXPECT_EQ(catalog_->wanted_partitions(*grown), 5U);
  EXPECT_EQ(grown->schema.partition_count, 1U);
}

}  // namespace
}  // namespace magneto::storage
