#include "storage/database.h"

#include <gtest/gtest.h>

#include <set>

#include "storage/model/item_size.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

INSTANTIATE_TEST_SUITE_P(Engines, DatabaseTest, kEngineKinds, engine_kind_name);

TEST_P(DatabaseTest, CreatesFindsListsAndDeletesTables) {
  EXPECT_EQ(database().find_table("a"), nullptr);
  const TablePtr a = database().create_table(table_schema("a"));
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->schema.status, ResourceStatus::kActive);
  EXPECT_EQ(a->schema.id.size(), 36U);
  EXPECT_GT(a->schema.created, 1.0e9);
  EXPECT_EQ(a->schema.partition_count, 4U);
  EXPECT_EQ(database().create_table(table_schema("a")), nullptr);
  database().create_table(table_schema("c"));
  database().create_table(table_schema("b"));
  EXPECT_EQ(database().find_table("a")->schema.id, a->schema.id);
  EXPECT_EQ(database().table_count(), 3U);
  EXPECT_EQ(database().list_tables("", 100), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(database().list_tables("a", 1), (std::vector<std::string>{"b"}));
  EXPECT_EQ(database().list_tables("aa", 100), (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(database().list_tables("c", 100), std::vector<std::string>());

  const TablePtr deleted = database().delete_table("b");
  ASSERT_NE(deleted, nullptr);
  EXPECT_EQ(deleted->schema.status, ResourceStatus::kDeleting);
  EXPECT_EQ(database().find_table("b"), nullptr);
  EXPECT_EQ(database().delete_table("b"), nullptr);
  EXPECT_EQ(database().list_tables("", 100), (std::vector<std::string>{"a", "c"}));
}

TEST_P(DatabaseTest, WritesAndReadsItems) {
  const TablePtr table = database().create_table(table_schema("t"));
  const Item first = make_item({{"pk", "a"}, {"sk", 1}, {"v", "one"}});
  const Item second = make_item({{"pk", "a"}, {"sk", 1}, {"v", "another"}});

  WriteOutcome outcome = put(database(), table, first);
  EXPECT_FALSE(outcome.rejected);
  EXPECT_FALSE(outcome.old_item);
  EXPECT_EQ(outcome.old_size, 0U);
  EXPECT_EQ(outcome.new_size, item_size(first));
  EXPECT_EQ(outcome.new_item.bytes(), first.bytes());
  EXPECT_EQ(get(database(), table, first).view().bytes(), first.bytes());

  outcome = put(database(), table, second);
  EXPECT_EQ(outcome.old_item.view().bytes(), first.bytes());
  EXPECT_EQ(outcome.old_size, item_size(first));
  EXPECT_EQ(outcome.new_size, item_size(second));
  EXPECT_EQ(table->statistics->item_count, 1);
  EXPECT_EQ(table->statistics->size_bytes, static_cast<std::int64_t>(item_size(second)));

  outcome = put(database(), table, second);  // the same again
  EXPECT_EQ(outcome.old_size, item_size(second));
  EXPECT_EQ(outcome.new_size, item_size(second));
  EXPECT_EQ(outcome.new_item.bytes(), second.bytes());

  outcome = remove(database(), table, first);
  EXPECT_EQ(outcome.old_item.view().bytes(), second.bytes());
  EXPECT_EQ(outcome.new_size, 0U);
  EXPECT_FALSE(get(database(), table, first));
  EXPECT_EQ(table->statistics->item_count, 0);
  EXPECT_EQ(table->statistics->size_bytes, 0);
  EXPECT_FALSE(remove(database(), table, first).old_item);
}

TEST_P(DatabaseTest, RejectedAndKeptWritesChangeNothing) {
  const TablePtr table = database().create_table(table_schema("t"));
  const Item item = make_item({{"pk", "a"}, {"sk", 1}});
  put(database(), table, item);
  const std::string key = item_key(table->schema, item);
  WriteOutcome outcome =
      database().write({table, key, [](const StoredItem&) { return WriteDecision::reject(); }});
  EXPECT_TRUE(outcome.rejected);
  EXPECT_EQ(outcome.old_item.view().bytes(), item.bytes());
  EXPECT_EQ(outcome.new_size, 0U);
  outcome = database().write({table, key, [](const StoredItem&) { return WriteDecision::keep(); }});
  EXPECT_FALSE(outcome.rejected);
  EXPECT_EQ(outcome.old_size, item_size(item));
  EXPECT_EQ(outcome.new_size, 0U);
  EXPECT_THROW(database().write(
                   {table, key,
                    [](const StoredItem&) -> WriteDecision { throw std::invalid_argument("no"); }}),
               std::invalid_argument);
  EXPECT_EQ(get(database(), table, item).view().bytes(), item.bytes());
}

TEST_P(DatabaseTest, ScansInHashOrderBothWaysAndInSegments) {
  const TablePtr table = database().create_table(table_schema("t"));
  std::map<std::string, std::string> expected;
  for (int i = 0; i < 200; ++i) {
    const Item item = make_item({{"pk", "p" + std::to_string(i % 50)}, {"sk", i}});
    put(database(), table, item);
    expected.emplace(item_key(table->schema, item), describe_item(item));
  }
  EXPECT_EQ(contents(database(), *table, nullptr), Contents(expected.begin(), expected.end()));
  EXPECT_EQ(contents(database(), *table, nullptr, Direction::kBackward),
            Contents(expected.rbegin(), expected.rend()));
  for (const std::uint32_t segments : {1U, 3U, 7U, 4096U}) {
    std::vector<std::string> keys;
    for (std::uint32_t i = 0; i < segments; ++i) {
      ItemCursor cursor =
          database().scan(*table, nullptr, segment_range(table->schema.number, 0, i, segments),
                          Direction::kForward);
      while (cursor.next()) keys.emplace_back(cursor.key());
    }
    ASSERT_EQ(keys.size(), expected.size()) << segments;
    EXPECT_TRUE(std::equal(keys.begin(), keys.end(), expected.begin(),
                           [](const auto& key, const auto& entry) { return key == entry.first; }));
  }
}

TEST_P(DatabaseTest, QueriesARangeOfOnePartitionKey) {
  const TablePtr table = database().create_table(table_schema("t"));
  for (int i = 0; i < 20; ++i) put(database(), table, make_item({{"pk", "a"}, {"sk", i}}));
  const Item pk = make_item({{"pk", "a"}, {"low", 5}, {"high", 9}});
  KeyCondition condition;
  condition.partition = {pk.view().find("pk")};
  condition.sort_operator = SortOperator::kBetween;
  condition.low = pk.view().find("low");
  condition.high = pk.view().find("high");
  const KeyRange range = key_range(table->schema.number, 0, condition);
  std::string forward, backward;
  ItemCursor cursor = database().scan(*table, nullptr, range, Direction::kForward);
  while (cursor.next()) forward += cursor.item().find("sk").number().to_string();
  cursor = database().scan(*table, nullptr, range, Direction::kBackward);
  while (cursor.next()) backward += cursor.item().find("sk").number().to_string();
  EXPECT_EQ(forward, "56789");
  EXPECT_EQ(backward, "98765");
}

TEST_P(DatabaseTest, WriteAllIsAllOrNothing) {
  const TablePtr table = database().create_table(table_schema("t"));
  const TablePtr other = database().create_table(table_schema("o"));
  const Item a = make_item({{"pk", "a"}, {"sk", 1}});
  const Item b = make_item({{"pk", "b"}, {"sk", 1}});
  const auto put_a = [&](const StoredItem&) { return WriteDecision::put(a); };
  const auto put_b = [&](const StoredItem&) { return WriteDecision::put(b); };
  const auto reject = [](const StoredItem&) { return WriteDecision::reject(); };
  {
    const std::vector<ItemWrite> writes{{table, item_key(table->schema, a), put_a},
                                        {other, item_key(other->schema, b), reject},
                                        {other, item_key(other->schema, a), put_a}};
    const auto outcomes = database().write_all(writes);
    ASSERT_EQ(outcomes.size(), 3U);
    EXPECT_FALSE(outcomes[0].rejected);
    EXPECT_TRUE(outcomes[1].rejected);
    EXPECT_FALSE(outcomes[2].rejected);
    EXPECT_FALSE(get(database(), table, a));
    EXPECT_FALSE(get(database(), other, a));
  }
  const std::vector<ItemWrite> writes{{table, item_key(table->schema, a), put_a},
                                      {other, item_key(other->schema, b), put_b}};
  const auto outcomes = database().write_all(writes);
  EXPECT_EQ(outcomes[1].new_item.bytes(), b.bytes());
  const std::string key_a = item_key(table->schema, a);
  const std::string key_b = item_key(other->schema, b);
  const std::vector<std::pair<const Table*, std::string_view>> keys{{table.get(), key_a},
                                                                    {other.get(), key_b}};
  const auto items = database().get_all(keys);
  EXPECT_EQ(items[0].view().bytes(), a.bytes());
  EXPECT_EQ(items[1].view().bytes(), b.bytes());
}

TEST_P(DatabaseTest, AWriteToADeletedTableIsRefusedAndARecreatedOneIsEmpty) {
  const TablePtr old = database().create_table(table_schema("t"));
  const Item item = make_item({{"pk", "a"}, {"sk", 1}});
  put(database(), old, item);
  database().delete_table("t");
  EXPECT_THROW(put(database(), old, item), TableGone);
  const TablePtr table = database().create_table(table_schema("t"));
  EXPECT_NE(table->schema.id, old->schema.id);
  EXPECT_THROW(put(database(), old, item), TableGone);
  EXPECT_FALSE(get(database(), table, item));
  EXPECT_TRUE(contents(database(), *table, nullptr).empty());
  put(database(), table, item);
  database().settle();
  EXPECT_EQ(contents(database(), *table, nullptr).size(), 1U);
  EXPECT_TRUE(contents(database(), *old, nullptr).empty());
}

}  // namespace
}  // namespace magneto::storage
