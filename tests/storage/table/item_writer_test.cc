#include "storage/table/item_writer.h"

#include <gtest/gtest.h>

#include "storage/encoding/keyspace.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/index/change_record.h"
#include "storage/model/item_size.h"
#include "tests/storage/database_fixture.h"
#include "tests/support/faulty_engine.h"

namespace magneto::storage {
namespace {

// The writer with a catalog and with a queue that is never emptied.
class ItemWriterTest : public EngineTest {
 protected:
  ItemWriterTest() {
    TableSchema schema = table_schema("t");
    schema.indexes = {
        index_schema("local", IndexKind::kLocal, {string_key("pk")}, {number_key("l")}),
        index_schema("global", IndexKind::kGlobal, {string_key("g")}, {}, ProjectionType::kInclude,
                     {"v"})};
    table_ = catalog_.create(std::move(schema));
  }

  WriteOutcome put(const Item& item) {
    return writer_.write({table_, item_key(table_->schema, item),
                          [&](const StoredItem&) { return WriteDecision::put(item); }});
  }
  WriteOutcome remove(const Item& item) {
    return writer_.write({table_, item_key(table_->schema, item),
                          [&](const StoredItem&) { return WriteDecision::remove(); }});
  }
  // Records of the change log; there are none in memory.
  std::vector<std::string> logged() {
    std::vector<std::string> records;
    const TreePtr tree = engine_->open_tree(ColumnFamily::kQueue, "");
    const auto cursor = engine_->scan(*tree, {}, {}, Direction::kForward);
    while (cursor->next()) records.emplace_back(cursor->value());
    return records;
  }
  static std::string effects(const WriteOutcome& outcome) {
    std::string text;
    for (const IndexEffect& effect : outcome.index_effects) {
      text += effect.index->schema.name + (effect.old_size != 0 ? " old" : "") +
              (effect.new_size != 0 ? " new" : "") + (effect.moved ? " moved; " : "; ");
    }
    return text;
  }

  Clock clock_;
  ChangeLog changes_{*engine_};
  Catalog catalog_{*engine_, clock_, changes_, 0};
  ItemClaims claims_;
  ExpiryTimer timer_;
  IndexDelay lag_{std::chrono::milliseconds(0)};
  ItemWriter writer_{*engine_, catalog_, changes_, claims_, timer_, lag_, clock_};
  TablePtr table_;
};
INSTANTIATE_TEST_SUITE_P(Engines, ItemWriterTest, kEngineKinds, engine_kind_name);

Item item_of(int local, const char* global, const char* v, const char* w) {
  return make_item({{"pk", "a"}, {"sk", 1}, {"l", local}, {"g", global}, {"v", v}, {"w", w}});
}

TEST_P(ItemWriterTest, TellsWhatAWriteDidToEachIndex) {
  EXPECT_EQ(effects(put(item_of(1, "x", "v", "w"))), "local new; global new; ");
  EXPECT_EQ(effects(put(item_of(1, "x", "v", "w"))), "");
  EXPECT_EQ(effects(put(item_of(1, "x", "v", "w2"))), "local old new; ");
  EXPECT_EQ(effects(put(item_of(1, "x", "v2", "w2"))), "local old new; global old new; ");
  EXPECT_EQ(effects(put(item_of(1, "y", "v2", "w2"))), "local old new; global old new moved; ");
  EXPECT_EQ(effects(put(item_of(2, "y", "v2", "w2"))), "local old new moved; ");
  EXPECT_EQ(effects(put(make_item({{"pk", "a"}, {"sk", 1}, {"l", 2}}))),
            "local old new; global old; ");
  EXPECT_EQ(effects(put(make_item({{"pk", "a"}, {"sk", 1}}))), "local old; ");
  EXPECT_EQ(effects(remove(item_of(0, "", "", ""))), "");
}

TEST_P(ItemWriterTest, EffectsHoldTheSizesOfTheProjectedItems) {
  const WriteOutcome outcome = put(item_of(1, "x", "v", "w"));
  EXPECT_EQ(outcome.index_effects[0].new_size, item_size(item_of(1, "x", "v", "w")));
  EXPECT_EQ(outcome.index_effects[1].new_size,
            item_size(make_item({{"pk", "a"}, {"sk", 1}, {"g", "x"}, {"v", "v"}})));
}

TEST_P(ItemWriterTest, LocalEntriesAreWrittenAndGlobalOnesWait) {
  put(item_of(1, "x", "v", "w"));
  const Index& local = *table_->indexes[0];
  const Index& global = *table_->indexes[1];
  EXPECT_EQ(local.statistics->item_count, 1);
  EXPECT_TRUE(ItemCursor(*engine_, local.store->partitions(), {}, Direction::kForward).next());
  EXPECT_FALSE(ItemCursor(*engine_, global.store->partitions(), {}, Direction::kForward).next());
  EXPECT_EQ(local.applier, nullptr);
  EXPECT_EQ(global.applier->pushed(), 1U);
  EXPECT_EQ(logged().size(), engine_->is_durable() ? 1U : 0U);
  EXPECT_FALSE(global.applier->apply_some(clock_.now() - std::chrono::hours(1)));
  EXPECT_TRUE(global.applier->apply_some(clock_.now()));
  EXPECT_TRUE(ItemCursor(*engine_, global.store->partitions(), {}, Direction::kForward).next());
  EXPECT_TRUE(logged().empty());
}

TEST_P(ItemWriterTest, AWriteByAnOldVersionUsesTheIndexesOfTheNewOne) {
  const TablePtr old = table_;
  catalog_.edit({0, "t"}, [](TableSchema& schema) {
    schema.indexes.erase(schema.indexes.begin() + 1);
    schema.indexes.push_back(index_schema("added", IndexKind::kGlobal, {string_key("w")}, {}));
    return true;
  });
  EXPECT_TRUE(old->superseded);
  const WriteOutcome outcome = put(item_of(1, "x", "v", "w"));
  EXPECT_EQ(effects(outcome), "local new; added new; ");
  EXPECT_EQ(outcome.table->indexes[1]->schema.name, "added");
}

TEST_P(ItemWriterTest, ATableThatIsGoneOrGoingIsNotWritten) {
  catalog_.edit({0, "t"}, [](TableSchema& schema) {
    schema.status = ResourceStatus::kDeleting;
    return true;
  });
  EXPECT_THROW(put(item_of(1, "x", "v", "w")), TableGone);
  EXPECT_NE(catalog_.erase({0, "t"}, table_->schema.number), nullptr);
  EXPECT_THROW(put(item_of(1, "x", "v", "w")), TableGone);
  catalog_.create(table_schema("t"));
  EXPECT_THROW(put(item_of(1, "x", "v", "w")), TableGone);
  EXPECT_TRUE(logged().empty());
  EXPECT_TRUE(changes_.busy().empty());
}

TEST_P(ItemWriterTest, AllWritesOfATransactionShareOneRecord) {
  const Item a = item_of(1, "x", "v", "w");
  const Item b = make_item({{"pk", "b"}, {"sk", 1}, {"g", "x"}});
  const auto put_a = [&](const StoredItem&) { return WriteDecision::put(a); };
  const auto put_b = [&](const StoredItem&) { return WriteDecision::put(b); };
  const std::vector<ItemWrite> writes{{table_, item_key(table_->schema, a), put_a},
                                      {table_, item_key(table_->schema, b), put_b}};
  const auto outcomes = writer_.write_all(writes);
  EXPECT_EQ(effects(outcomes[0]), "local new; global new; ");
  EXPECT_EQ(effects(outcomes[1]), "global new; ");
  EXPECT_EQ(table_->indexes[1]->applier->pushed(), 2U);
  if (!engine_->is_durable()) return;
  ASSERT_EQ(logged().size(), 1U);
  EXPECT_EQ(decode_change_record(logged()[0]).size(), 2U);
  EXPECT_EQ(table_->statistics->item_count, 2);
}

TEST_P(ItemWriterTest, KeepsTheExpiryQueueInStep) {
  catalog_.edit({0, "t"}, [](TableSchema& schema) {
    schema.time_to_live = {TimeToLiveStatus::kEnabled, "ttl", schema.next_index_number++, false};
    return true;
  });
  const ExpiryQueue& expiry = *catalog_.find(0, "t")->expiry;
  const auto queued = [&] {
    std::string text;
    const auto cursor = engine_->scan(*expiry.tree, {}, {}, Direction::kForward);
    while (cursor->next()) {
      const Item item = make_item({{"pk", text.empty() ? "a" : "b"}, {"sk", 1}});
      EXPECT_EQ(item_key_in(cursor->key()), item_key(table_->schema, item));
      text += std::to_string(expiry_in(cursor->key())) + " ";
    }
    return text;
  };
  put(make_item({{"pk", "a"}, {"sk", 1}, {"ttl", 100}}));
  EXPECT_EQ(queued(), "100 ");
  put(make_item({{"pk", "b"}, {"sk", 1}, {"ttl", 300}}));
  EXPECT_EQ(queued(), "100 300 ");
  put(make_item({{"pk", "a"}, {"sk", 1}, {"ttl", 200}}));
  EXPECT_EQ(queued(), "200 300 ");
  put(make_item({{"pk", "a"}, {"sk", 1}, {"ttl", 200}, {"v", 1}}));
  EXPECT_EQ(queued(), "200 300 ");
  remove(make_item({{"pk", "b"}, {"sk", 1}}));
  EXPECT_EQ(queued(), "200 ");
  put(make_item({{"pk", "a"}, {"sk", 1}, {"ttl", "200"}}));
  EXPECT_EQ(queued(), "");
}

TEST_P(ItemWriterTest, WithoutRoomOnlyWhatAddsNothingIsWritten) {
  put(item_of(1, "g", "vv", "ww"));
  writer_.room().set(0);
  EXPECT_THROW(put(item_of(1, "g", "vv", "www")), MemoryFull);
  EXPECT_THROW(put(make_item({{"pk", "b"}, {"sk", 1}})), MemoryFull);
  // The item has its size, the index an entry more.
  EXPECT_THROW(put(make_item({{"pk", "a"}, {"sk", 1}, {"l", 1}, {"g", "g"}, {"v", "vvvvv"}})),
               MemoryFull);
  EXPECT_EQ(put(item_of(1, "g", "vv", "wx")).new_size,
            item_size(item_of(1, "g", "vv", "ww").view()));
  put(item_of(1, "g", "v", "w"));
  remove(item_of(1, "g", "v", "w"));
  remove(make_item({{"pk", "b"}, {"sk", 1}}));
  EXPECT_THROW(put(item_of(1, "g", "v", "w")), MemoryFull);
  writer_.room().set(1);
  put(item_of(1, "g", "v", "w"));
  EXPECT_THROW(put(make_item({{"pk", "b"}, {"sk", 1}})), MemoryFull);  // it took more than that
  EXPECT_FALSE(writer_.room().is_full());
  // A writer that finds nothing left has it measured again.
  writer_.room().set_meter([this] { writer_.room().set(1); });
  put(make_item({{"pk", "b"}, {"sk", 1}}));
  writer_.room().set_meter([this] { writer_.room().set(0); });
  EXPECT_THROW(put(make_item({{"pk", "c"}, {"sk", 1}})), MemoryFull);
  EXPECT_TRUE(writer_.room().is_full());
  writer_.room().set(MemoryBudget::kPlenty);
  put(make_item({{"pk", "d"}, {"sk", 1}}));
  EXPECT_TRUE(writer_.room().is_plenty());
}

// Entries for a lagging index are kept beside those that they replace.
TEST_P(ItemWriterTest, WithoutRoomALaggingIndexGetsNoNewEntry) {
  put(item_of(1, "g", "v", "w"));
  writer_.room().set(0);
  put(item_of(1, "g", "x", "w"));
  lag_.set(std::chrono::milliseconds(1));
  EXPECT_THROW(put(item_of(1, "g", "y", "w")), MemoryFull);
  put(item_of(1, "g", "x", "z"));  // the global index has no w
  writer_.room().set(1);
  put(item_of(1, "g", "y", "z"));
  EXPECT_THROW(put(item_of(1, "g", "z", "z")), MemoryFull);  // it took more than that
  lag_.hold();
  EXPECT_THROW(put(item_of(1, "g", "z", "z")), MemoryFull);
  remove(item_of(1, "g", "y", "z"));
  lag_.set(std::nullopt);
  writer_.room().set(MemoryBudget::kPlenty);
  put(item_of(1, "g", "z", "z"));
}

// The item that a snapshot sees is kept beside its replacement.
TEST_P(ItemWriterTest, WhileASnapshotIsHeldWhatReplacesAddsAllOfItself) {
  put(item_of(1, "g", "vv", "ww"));
  writer_.room().set(0);
  put(item_of(1, "g", "vv", "wx"));
  SnapshotPtr held = engine_->snapshot();
  EXPECT_EQ(engine_->keeps_replaced(), !engine_->is_durable());
  if (engine_->keeps_replaced()) {
    EXPECT_THROW(put(item_of(1, "g", "vv", "wy")), MemoryFull);
    EXPECT_THROW(put(item_of(1, "g", "v", "w")), MemoryFull);
  }
  held.reset();
  EXPECT_FALSE(engine_->keeps_replaced());
  put(item_of(1, "g", "vv", "wy"));
  held = engine_->snapshot();
  remove(item_of(1, "g", "vv", "wy"));
}

// A stream keeps every change for a day, so no size of the item bounds it.
TEST_P(ItemWriterTest, WithoutRoomATableWithAStreamTakesDeletionsOnly) {
  TableSchema schema = table_schema("streamed");
  schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
  table_ = catalog_.create(std::move(schema));
  ASSERT_NE(table_->stream, nullptr);
  put(item_of(1, "g", "vv", "ww"));
  writer_.room().set(0);
  EXPECT_THROW(put(item_of(1, "g", "vv", "wx")), MemoryFull);
  EXPECT_THROW(put(item_of(1, "g", "v", "w")), MemoryFull);
  put(item_of(1, "g", "vv", "ww"));  // as it is
  remove(item_of(1, "g", "vv", "ww"));
}

TEST_P(ItemWriterTest, ATransactionWithoutRoomNamesTheWriteAndWritesNothing) {
  const Item small = item_of(1, "g", "v", "w");
  const Item other = make_item({{"pk", "b"}, {"sk", 1}});
  put(small);
  writer_.room().set(0);
  const auto remove_it = [&](const StoredItem&) { return WriteDecision::remove(); };
  const auto put_other = [&](const StoredItem&) { return WriteDecision::put(other); };
  const std::vector<ItemWrite> writes = {{table_, item_key(table_->schema, small), remove_it},
                                         {table_, item_key(table_->schema, other), put_other}};
  try {
    writer_.write_all(writes);
    ADD_FAILURE() << "it was written";
  } catch (const MemoryFull& full) {
    EXPECT_EQ(full.write(), 1U);
  }
  EXPECT_EQ(writer_.write_all(std::span(writes).first(1))[0].old_size, item_size(small.view()));
}

TEST(ItemWriterFaultTest, AFailedCommitChangesNothing) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  FaultyEngine engine(make_memory_engine(), faults);
  Clock clock;
  ChangeLog changes(engine);
  Catalog catalog(engine, clock, changes, 0);
  const ItemClaims claims;
  ExpiryTimer timer;
  const IndexDelay lag(std::nullopt);
  ItemWriter writer(engine, catalog, changes, claims, timer, lag, clock);
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("global", IndexKind::kGlobal, {string_key("g")}, {})};
  const TablePtr table = catalog.create(std::move(schema));
  const Item item = item_of(1, "x", "v", "w");
  const auto decide = [&](const StoredItem&) { return WriteDecision::put(item); };
  const ItemWrite write{table, item_key(table->schema, item), decide};
  faults->commits = true;
  EXPECT_THROW(writer.write(write), EngineError);
  EXPECT_EQ(table->statistics->item_count, 0);
  EXPECT_EQ(table->indexes[0]->applier->pushed(), 0U);
  faults->commits = false;
  EXPECT_FALSE(writer.write(write).old_item);
  EXPECT_EQ(table->indexes[0]->applier->pushed(), 1U);
}

}  // namespace
}  // namespace magneto::storage
