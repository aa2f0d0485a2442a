#include "storage/index/change_record.h"

#include <gtest/gtest.h>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"
#include "storage/model/item_size.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

EntryChange make_change() {
  const Item item = make_item({{"pk", "a"}, {"sk", 1}});
  EntryChange change;
  change.old_size = 17;
  change.new_size = static_cast<std::uint32_t>(item_size(item));
  change.delete_key = tree_prefix(9, 1) + "old";
  change.put_key = tree_prefix(9, 1) + "new";
  change.value = encode_item(item);
  return change;
}

TEST(ChangeRecordTest, GivesBackEachChange) {
  EntryChange deletion = make_change();
  deletion.put_key.clear();
  deletion.value.clear();
  deletion.new_size = 0;
  std::string record;
  begin_change_record(record);
  append_to_change_record(record, make_change());
  append_to_change_record(record, deletion);
  const std::vector<EntryChange> changes = decode_change_record(record);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].delete_key, make_change().delete_key);
  EXPECT_EQ(changes[0].put_key, make_change().put_key);
  EXPECT_EQ(changes[0].value, make_change().value);
  EXPECT_EQ(changes[0].old_size, 17U);
  EXPECT_EQ(changes[0].new_size, make_change().new_size);
  EXPECT_EQ(changes[1].delete_key, deletion.delete_key);
  EXPECT_TRUE(changes[1].put_key.empty());
  EXPECT_EQ(changes[1].new_size, 0U);
}

TEST(ChangeRecordTest, DamagedAndNewerRecordsAreRefused) {
  std::string good;
  begin_change_record(good);
  append_to_change_record(good, make_change());
  for (std::size_t size = 0; size < good.size(); ++size) {
    if (size == 1) continue;  // no changes
    EXPECT_THROW(decode_change_record(good.substr(0, size)), EngineError) << size;
  }
  std::string no_item = good;
  no_item.back() = static_cast<char>(no_item.back() + 100);
  EXPECT_THROW(decode_change_record(no_item), EngineError);
  std::string newer = good;
  newer[0] = 2;
  EXPECT_THROW(decode_change_record(newer), EngineError);
}

}  // namespace
}  // namespace magneto::storage
