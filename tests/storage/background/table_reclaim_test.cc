#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <memory>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/memory/record_memory.h"
#include "tests/storage/database_fixture.h"

extern "C" std::size_t __sanitizer_get_current_allocated_bytes();

namespace magneto::storage {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
std::uint64_t allocated_memory() { return __sanitizer_get_current_allocated_bytes(); }
#else
std::uint64_t allocated_memory() {
  const struct mallinfo2 memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}
#endif

constexpr std::uint32_t kItems = 1'000'000;

// A table with a million items, put into its trees below the database.
class TableReclaimTest : public DatabaseTest {
 protected:
  TableReclaimTest() {
    auto engine = open_engine(GetParam(), directory_);
    engine_ = engine.get();
    database_ = main_of(Databases::open(options_, clock_, std::move(engine)));
  }

  // Bytes that the engine takes: of tables on disk, else in memory.
  std::uint64_t space() const {
    if (is_durable()) return engine_->statistics().disk->table_bytes;
    return allocated_memory() + RecordMemory::slab_bytes();
  }

  // The keys have extra bytes after the sort key's end, which no code reads.
  void fill(const Table& table) {
    constexpr std::uint32_t kInABatch = 1'000;
    const std::string padding(100, 'x');
    for (std::uint32_t begin = 0; begin < kItems; begin += kInABatch) {
      const Item item = make_item({{"pk", std::to_string(begin)}, {"sk", 1}, {"data", padding}});
      const std::string key = item_key(table.schema, item);
      const std::string value = encode_item(item);
      WriteBatch batch;
      for (std::uint32_t i = 0; i < kInABatch; ++i) {
        std::string whole_key = key;
        append_uint32(whole_key, i);
        batch.put(table.partitions.tree_of(key), std::move(whole_key), value);
      }
      engine_->commit(batch);
    }
  }

  Engine* engine_;
};
INSTANTIATE_TEST_SUITE_P(Engines, TableReclaimTest, kLocalEngineKinds, engine_kind_name);

TEST_P(TableReclaimTest, AMillionItemsAreDeletedAtOnceAndTheirSpaceComesBack) {
  using Time = std::chrono::steady_clock;
  TablePtr table = database().create_table(table_schema("t"));
  const TablePtr other = database().create_table(table_schema("other"));
  put(database(), other, make_item({{"pk", "a"}, {"sk", 1}}));
  const std::uint64_t before = space();
  fill(*table);
  const std::uint64_t filled = space();

  const Time::time_point begin = Time::now();
  table = database().delete_table("t");
  EXPECT_EQ(database().find_table("t"), nullptr);
  EXPECT_LT(Time::now() - begin, std::chrono::seconds(10));
  table.reset();
  // Meanwhile other calls are served, and a new table may have the name.
  put(database(), other, make_item({{"pk", "a"}, {"sk", 2}}));
  table = database().create_table(table_schema("t"));
  EXPECT_TRUE(contents(database(), *table, nullptr).empty());

  database().settle();
  EXPECT_TRUE(eventually([&] { return space() < before + (filled - before) / 4; }))
      << before << " " << filled << " " << space();
  EXPECT_EQ(contents(database(), *other, nullptr).size(), 2U);
}

}  // namespace
}  // namespace magneto::storage
