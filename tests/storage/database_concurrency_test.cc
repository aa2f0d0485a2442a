// Many threads on one database.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class DatabaseConcurrencyTest : public DatabaseTest {
 protected:
  static constexpr int kThreads = 6;

  int writes_of_a_thread() const { return is_durable() ? 300 : 1500; }

  static TableSchema indexed_schema() {
    TableSchema schema = table_schema("t");
    schema.indexes = {
        index_schema("l", IndexKind::kLocal, {string_key("pk")}, {number_key("n")}),
        index_schema("g", IndexKind::kGlobal, {number_key("n")}, {}, ProjectionType::kKeysOnly),
        index_schema("h", IndexKind::kGlobal, {string_key("h")}, {number_key("n")})};
    return schema;
  }

  // Runs `act` in many threads, a fixed number of times in each.
  void run_threads(const std::function<void(std::mt19937& random)>& act) {
    std::vector<std::jthread> threads;
    for (unsigned seed = 0; seed < kThreads; ++seed) {
      threads.emplace_back([&, seed] {
        std::mt19937 random(seed);
        for (int i = 0; i < writes_of_a_thread(); ++i) act(random);
      });
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, DatabaseConcurrencyTest, kEngineKinds, engine_kind_name);

TEST_P(DatabaseConcurrencyTest, NoUpdateOfAnItemIsLost) {
  const TablePtr table = database().create_table(indexed_schema());
  const Item key = make_item({{"pk", "a"}, {"sk", 1}});
  const std::string whole_key = item_key(table->schema, key);
  run_threads([&](std::mt19937&) {
    database().write(
        {table, whole_key, [&](const StoredItem& current) {
           const auto count = current ? *current.view().find("n").number().to_integer() : 0;
           return WriteDecision::put(make_item({{"pk", "a"}, {"sk", 1}, {"n", count + 1}}));
         }});
  });
  EXPECT_EQ(get(database(), table, key).view().find("n").number().to_integer(),
            kThreads * writes_of_a_thread());
  expect_consistent(database(), "t");
}

TEST_P(DatabaseConcurrencyTest, IndexesAgreeAfterManyWritersOnFewKeys) {
  const TablePtr table = database().create_table(indexed_schema());
  const auto random_item = [](std::mt19937& random) {
    return make_item({{"pk", "p" + std::to_string(random() % 3)},
                      {"sk", static_cast<int>(random() % 3)},
                      {"n", static_cast<int>(random() % 5)},
                      {"h", "h" + std::to_string(random() % 3)}});
  };
  std::jthread reader([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      for (const auto& index : table->indexes) contents(database(), *table, index.get());
    }
  });
  run_threads([&](std::mt19937& random) {
    const Item item = random_item(random);
    if (random() % 4 == 0) {
      remove(database(), table, item);
    } else if (random() % 4 == 0) {
      const Item other = random_item(random);
      const std::string key = item_key(table->schema, item);
      const std::string other_key = item_key(table->schema, other);
      if (key == other_key) return;
      const auto put_item = [&](const StoredItem&) { return WriteDecision::put(item); };
      const auto put_other = [&](const StoredItem&) { return WriteDecision::put(other); };
      const std::vector<ItemWrite> both{{table, key, put_item}, {table, other_key, put_other}};
      database().write_all(both);
    } else {
      put(database(), table, item);
    }
  });
  reader = {};
  expect_consistent(database(), "t");
}

TEST_P(DatabaseConcurrencyTest, ATableDeletedAndCreatedUnderWritersStaysConsistent) {
  database().create_table(indexed_schema());
  std::atomic<int> refused{0};
  {
    std::jthread creator([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        database().delete_table("t");
        std::this_thread::yield();
        const TablePtr table = database().create_table(indexed_schema());
        // No item that was written through an older version may appear here.
        const std::string id = table->schema.id;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ItemCursor cursor = database().scan(*table, nullptr, {}, Direction::kForward);
        while (cursor.next()) EXPECT_EQ(cursor.item().find("id").scalar_bytes(), id);
        cursor = database().scan(*table, table->indexes[2].get(), {}, Direction::kForward);
        while (cursor.next()) EXPECT_EQ(cursor.item().find("id").scalar_bytes(), id);
      }
    });
    run_threads([&](std::mt19937& random) {
      TablePtr table;
      while ((table = database().find_table("t")) == nullptr) std::this_thread::yield();
      const Item item = make_item({{"pk", "p" + std::to_string(random() % 20)},
                                   {"sk", 1},
                                   {"n", 1},
                                   {"h", "h"},
                                   {"id", table->schema.id}});
      try {
        put(database(), table, item);
      } catch (const TableGone&) {
        ++refused;
      }
    });
  }
  if (database().find_table("t") == nullptr) database().create_table(indexed_schema());
  expect_consistent(database(), "t");
  RecordProperty("refused", refused);
}

TEST_P(DatabaseConcurrencyTest, IndexesAddedAndDroppedUnderWritersStayConsistent) {
  const TablePtr first = database().create_table(indexed_schema());
  {
    std::jthread editor([&](const std::stop_token& stop) {
      for (int i = 0; !stop.stop_requested(); ++i) {
        database().update_table("t", [&](TableSchema& schema) {
          if (schema.indexes.size() > 5) {
            schema.indexes[2].status = ResourceStatus::kDeleting;
          } else {
            schema.indexes.push_back(index_schema("x" + std::to_string(i), IndexKind::kGlobal,
                                                  {number_key("n")}, {string_key("h")}));
          }
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    run_threads([&](std::mt19937& random) {
      const TablePtr table = random() % 2 == 0 ? first : database().find_table("t");
      put(database(), table,
          make_item({{"pk", "p" + std::to_string(random() % 10)},
                     {"sk", static_cast<int>(random() % 3)},
                     {"n", static_cast<int>(random() % 5)},
                     {"h", "h" + std::to_string(random() % 3)}}));
    });
  }
  expect_consistent(database(), "t");
}

}  // namespace
}  // namespace magneto::storage
