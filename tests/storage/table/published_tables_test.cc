#include "storage/table/published_tables.h"

#include <gtest/gtest.h>

#include <thread>

namespace magneto::storage {
namespace {

TablePtr make_table(std::string name, std::uint32_t number, std::uint32_t database = 0) {
  auto table = std::make_shared<Table>();
  table->schema.database = database;
  table->schema.name = std::move(name);
  table->schema.number = number;
  return table;
}

TEST(PublishedTablesTest, FindsWhatIsPublished) {
  PublishedTables tables;
  EXPECT_EQ(tables.find(0, "a"), nullptr);
  tables.publish(make_table("a", 1));
  tables.publish(make_table("b", 2));
  EXPECT_EQ(tables.find(0, "a")->schema.number, 1U);
  tables.publish(make_table("a", 3));
  EXPECT_EQ(tables.find(0, "a")->schema.number, 3U);
  tables.withdraw({0, "a"});
  EXPECT_EQ(tables.find(0, "a"), nullptr);
  EXPECT_EQ(tables.find(0, "b")->schema.number, 2U);
  tables.withdraw({0, "a"});
}

TEST(PublishedTablesTest, DatabasesHaveTablesOfTheirOwn) {
  PublishedTables tables;
  for (std::uint32_t database = 0; database < 100; ++database) {
    tables.publish(make_table("a", 1'000 + database, database));
  }
  tables.withdraw({50, "a"});
  for (std::uint32_t database = 0; database < 101; ++database) {
    const TablePtr found = tables.find(database, "a");
    if (database == 50 || database == 100) {
      EXPECT_EQ(found, nullptr);
    } else {
      EXPECT_EQ(found->schema.number, 1'000 + database);
    }
  }
}

TEST(PublishedTablesTest, AFoundTableOutlivesItsReplacementAndTheMap) {
  TablePtr found;
  std::weak_ptr<const Table> watched;
  {
    PublishedTables tables;
    {
      const TablePtr table = make_table("a", 1);
      watched = table;
      tables.publish(table);
    }
    found = tables.find(0, "a");
    tables.publish(make_table("a", 2));
  }
  EXPECT_EQ(found->schema.number, 1U);
  EXPECT_FALSE(watched.expired());
  found.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(PublishedTablesTest, EveryThreadSeesAChangeOnceItIsPublished) {
  PublishedTables tables;
  std::atomic<std::uint32_t> published{1};
  tables.publish(make_table("a", 1));
  std::vector<std::jthread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        const std::uint32_t least = published.load();
        EXPECT_GE(tables.find(0, "a")->schema.number, least);
      }
    });
  }
  for (std::uint32_t i = 2; i < 2000; ++i) {
    tables.publish(make_table("a", i));
    published = i;
  }
}

}  // namespace
}  // namespace magneto::storage
