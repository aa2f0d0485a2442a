#include "storage/encoding/keyspace.h"

#include <gtest/gtest.h>

#include "tests/support/random_values.h"

namespace magneto::storage {
namespace {

using namespace std::string_literals;

TEST(Keyspace, IntegersAreBigEndian) {
  std::string bytes;
  append_uint16(bytes, 0x0102);
  append_uint32(bytes, 0xF3040506);
  append_uint64(bytes, 0xF708090A0B0C0D0E);
  EXPECT_EQ(bytes, "\x01\x02\xF3\x04\x05\x06\xF7\x08\x09\x0A\x0B\x0C\x0D\x0E");
  EXPECT_EQ(read_uint16(bytes), 0x0102);
  EXPECT_EQ(read_uint32(std::string_view(bytes).substr(2)), 0xF3040506);
  EXPECT_EQ(read_uint64(std::string_view(bytes).substr(6)), 0xF708090A0B0C0D0E);
}

TEST(Keyspace, KeysAreAsDrawn) {
  EXPECT_EQ(tree_prefix(258, 3), "\0\0\x01\x02\0\x03"s);
  EXPECT_EQ(queue_key(1), "\0\0\0\0\0\0\0\x01"s);
  EXPECT_EQ(table_record_key(0, "orders"), "table/orders");
  EXPECT_EQ(dropped_record_key(1, 2), "dropped/\0\0\0\x01\0\x02"s);
  EXPECT_EQ(counter_key("table"), "counter/table");
  EXPECT_EQ(statistics_key(1, 0), "statistics/\0\0\0\x01\0\0"s);
  EXPECT_EQ(stream_key(0, 258), "stream/\0\0\x01\x02"s);
  EXPECT_EQ(table_record_key(258, "orders"), "table/\0\0\0\x01\x02orders"s);
  EXPECT_EQ(stream_key(3, 258), "stream/\0\0\x01\x02\0\0\0\x03"s);
  EXPECT_EQ(database_key(258), "database/\0\0\x01\x02"s);
  EXPECT_EQ(shard_prefix(1, 2), "\0\0\0\x01\0\0\0\x02"s);
  EXPECT_EQ(stream_record_key(1, 2, 3), shard_prefix(1, 2) + "\0\0\0\0\0\0\0\x03"s);
}

TEST(Keyspace, DatabasesReadBackFromKeysAndKeysCutShort) {
  EXPECT_EQ(database_of_table(table_record_key(0, "orders")), 0U);
  EXPECT_EQ(database_of_table(table_record_key(258, "orders")), 258U);
  EXPECT_EQ(database_of_stream(stream_key(0, 7)), 0U);
  EXPECT_EQ(database_of_stream(stream_key(258, 7)), 258U);
  EXPECT_EQ(database_in(database_key(258)), 258U);
  EXPECT_EQ(database_of_table("table/\0\0\0"s), 0U);
  EXPECT_EQ(database_of_table("table/"), 0U);
  EXPECT_EQ(database_of_stream("stream/\0"s), 0U);
  EXPECT_EQ(database_in("database/\0\0"s), 0U);
}

TEST(Keyspace, SequenceNumbersAndHashesReadBack) {
  EXPECT_EQ(sequence_of(stream_record_key(1, 2, 0x0102030405060708)), 0x0102030405060708U);
  EXPECT_EQ(leading_hash(tree_prefix(1, 0) + "\x01\x02\x03\x04\x05"), 0x01020304U);
  EXPECT_EQ(leading_hash(tree_prefix(1, 0) + "\x01\x02"), 0x01020000U);
  EXPECT_EQ(leading_hash(tree_prefix(1, 0)), 0U);
  EXPECT_EQ(leading_hash("ab"), 0U);
}

TEST(Keyspace, ExpiryKeysOrderItemsByExpiryAndHoldTheirKeys) {
  const std::string item_key = tree_prefix(258, 0) + "item";
  const std::string prefix = tree_prefix(258, 7);
  const std::string key = expiry_key(prefix, 0x0102030405, item_key);
  EXPECT_EQ(key, prefix + "\0\0\0\x01\x02\x03\x04\x05item"s);
  EXPECT_EQ(expiry_in(key), 0x0102030405);
  EXPECT_EQ(item_key_in(key), item_key);
  EXPECT_LT(key, expiry_bound(prefix, 0x0102030406));
  EXPECT_GE(key, expiry_bound(prefix, 0x0102030405));
}

TEST(Keyspace, PrefixSuccessorIsTheFirstBeyond) {
  EXPECT_EQ(prefix_successor("ab"), "ac");
  EXPECT_EQ(prefix_successor("a\xFF"), "b");
  EXPECT_EQ(prefix_successor("a\xFF\xFF"), "b");
  EXPECT_EQ(prefix_successor("\x7F"), "\x80");
  EXPECT_EQ(prefix_successor("\xFF\xFF"), "");
  EXPECT_EQ(prefix_successor(""), "");
  testing::RandomValues random(8);
  for (int round = 0; round < 20'000; ++round) {
    const std::string prefix = random.bytes(3);
    const std::string text = random.one_in(2) ? prefix + random.bytes(3) : random.bytes(4);
    const std::string successor = prefix_successor(prefix);
    const bool inside = text >= prefix && (successor.empty() || text < successor);
    ASSERT_EQ(inside, text.starts_with(prefix));
  }
}

}  // namespace
}  // namespace magneto::storage
