#include "storage/table/item_reader.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

using ItemReaderTest = DatabaseTest;
INSTANTIATE_TEST_SUITE_P(Engines, ItemReaderTest, kEngineKinds, engine_kind_name);

TEST_P(ItemReaderTest, ReadsSeveralItemsAtOneMoment) {
  const TablePtr table = database().create_table(table_schema("t"));
  const Item key_a = make_item({{"pk", "a"}, {"sk", 1}});
  const Item key_b = make_item({{"pk", "b"}, {"sk", 1}});
  const std::string a = item_key(table->schema, key_a);
  const std::string b = item_key(table->schema, key_b);
  std::jthread writer([&](const std::stop_token& stop) {
    for (int i = 0; !stop.stop_requested(); ++i) {
      const auto put_a = [&](const StoredItem&) {
        return WriteDecision::put(make_item({{"pk", "a"}, {"sk", 1}, {"v", i}}));
      };
      const auto put_b = [&](const StoredItem&) {
        return WriteDecision::put(make_item({{"pk", "b"}, {"sk", 1}, {"v", i}}));
      };
      const std::vector<ItemWrite> writes{{table, a, put_a}, {table, b, put_b}};
      database().write_all(writes);
    }
  });
  const std::vector<std::pair<const Table*, std::string_view>> keys{{table.get(), b},
                                                                    {table.get(), a}};
  for (int i = 0; i < 2000; ++i) {
    const auto items = database().get_all(keys);
    ASSERT_EQ(static_cast<bool>(items[0]), static_cast<bool>(items[1]));
    if (items[0]) {
      EXPECT_EQ(items[0].view().find("v"), items[1].view().find("v"));
      EXPECT_EQ(items[0].view().find("pk").scalar_bytes(), "b");
    }
  }
}

TEST_P(ItemReaderTest, ReadsEachItemForItself) {
  const TablePtr table = database().create_table(table_schema("t"));
  const auto item = [](int i) { return make_item({{"pk", "p"}, {"sk", i}}); };
  PackedStrings packed;
  for (int i = 0; i < 50; ++i) {
    if (i % 3 != 0) put(database(), table, item(i));
    packed.add([&](std::string& out) { out += item_key(table->schema, item(i)); });
  }
  std::vector<std::string_view> keys = packed.views();
  keys.push_back(keys[1]);
  const std::vector<StoredItem> items = database().get_each(*table, keys);
  ASSERT_EQ(items.size(), keys.size());
  for (int i = 0; i < 50; ++i) {
    const StoredItem& found = items[static_cast<std::size_t>(i)];
    ASSERT_EQ(static_cast<bool>(found), i % 3 != 0) << i;
    EXPECT_EQ(found.view().bytes(), found ? item(i).bytes() : "") << i;
  }
  EXPECT_EQ(items.back().view().bytes(), item(1).bytes());
  EXPECT_TRUE(database().get_each(*table, {}).empty());
}

}  // namespace
}  // namespace magneto::storage
