#include "storage/engine/memory/record.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/memory/key_head.h"

namespace magneto::storage {
namespace {

const std::string kTwoBytes("\0\1", 2);
const std::string kOneByte("\0", 1);
const std::string kHash = "hashhash";
constexpr std::size_t kHeader = 8;
constexpr std::size_t kLongHeader = 16;  // for large sizes and places

std::string run(const std::string& bytes) { return static_cast<char>(bytes.size()) + bytes; }

std::string key_of(const Record* record, std::string_view key) {
  std::string own;
  record->append_key(key_head(key), own);
  return own;
}

// The bytes that the record of the key and the value takes.
std::size_t kept(const std::string& key, const std::string& value) {
  Record* const record = Record::create(key, value);
  EXPECT_EQ(key_of(record, key), key);
  EXPECT_EQ(record->value(), value);
  EXPECT_EQ(record->compare_key(key), 0);
  EXPECT_FALSE(record->is_tombstone());
  const std::size_t size = record->size();
  record->release();
  return size;
}

void expect_only_value_kept(const std::string& key, const std::string& value,
                            std::size_t header = kHeader) {
  EXPECT_EQ(kept(key, value), RecordMemory::bytes_of(header + value.size()));
}
void expect_key_kept(const std::string& key, const std::string& value,
                     std::size_t header = kHeader) {
  EXPECT_EQ(kept(key, value), RecordMemory::bytes_of(header + key.size() + value.size()));
}

TEST(Record, AKeyWhosePartsAreInTheValueTakesNoBytes) {
  const std::string value = "before" + run("partition") + "between" + run("sort") + "after";
  expect_only_value_kept(kHash + "partition" + kTwoBytes, value);
  expect_only_value_kept(kHash + "partition" + kTwoBytes + "sort" + kTwoBytes, value);
  expect_only_value_kept(kHash + "sort" + kTwoBytes + "partition" + kTwoBytes, value);
  expect_only_value_kept(kHash + "partition" + kOneByte + "sort" + kTwoBytes, value);
  expect_only_value_kept(kHash + "partition" + kTwoBytes + "sort" + kOneByte, value);
  expect_only_value_kept(kHash + "sort" + kOneByte + "sort" + kOneByte, value);
}

TEST(Record, AnyOtherKeyIsKept) {
  const std::string value = "before" + run("partition") + "between" + run("sort") + "after";
  for (const std::string& key : std::vector<std::string>{
           "", "short", kHash, kHash + "partition", kHash + kTwoBytes, kHash + "other" + kTwoBytes,
           kHash + "partition" + kTwoBytes + "sort",
           kHash + "partition" + kTwoBytes + "other" + kTwoBytes,
           kHash + "partition" + kTwoBytes + kTwoBytes,
           kHash + "other" + kTwoBytes + "sort" + kTwoBytes,
           kHash + "partition" + kTwoBytes + "sort" + kTwoBytes + "partition" + kTwoBytes,
           kHash + "between" + kTwoBytes,      // no length before it
           kHash + "par" + kTwoBytes,          // a shorter run
           kHash + "partition\7" + kTwoBytes,  // a longer one
       }) {
    expect_key_kept(key, value);
    expect_key_kept(key, "");
  }
}

TEST(Record, LongPartsAndDistantOnesAreKept) {
  const std::string longest(127, 'x');
  expect_only_value_kept(kHash + longest + kTwoBytes, run(longest));
  const std::string longer(128, 'x');
  expect_key_kept(kHash + longer + kTwoBytes, "\x80\1" + longer);
  const std::string near(4'000, 'y');
  expect_only_value_kept(kHash + "part" + kTwoBytes, near + run("part"), kLongHeader);
  const std::string distant(4'200, 'y');
  expect_key_kept(kHash + "part" + kTwoBytes, distant + run("part"));
  // Many bytes that could be lengths are not all looked at.
  const std::string lengths(1'000, '\4');
  expect_key_kept(kHash + "part" + kTwoBytes, lengths + run("part"));
}

// On both sides of each limit of the short header.
TEST(Record, LargeSizesAndPlacesHaveALongHeader) {
  const std::string key = kHash + "part" + kTwoBytes + "sort" + kOneByte;
  const std::string both = run("part") + run("sort");
  const auto filled = [](std::size_t size) { return std::string(size, 'y'); };
  expect_only_value_kept(key, both + filled(1'023 - both.size()));
  expect_only_value_kept(key, both + filled(1'024 - both.size()), kLongHeader);
  expect_only_value_kept(key, both + filled(100'000), kLongHeader);
  expect_only_value_kept(key, filled(511 - 6) + both);
  expect_only_value_kept(key, filled(511 - 5) + both, kLongHeader);
  expect_only_value_kept(key, run("sort") + filled(511 - 6) + run("part"));
  expect_only_value_kept(key, run("sort") + filled(511 - 5) + run("part"), kLongHeader);
  expect_key_kept(filled(4'095), filled(10));
  expect_key_kept(filled(4'096), filled(10), kLongHeader);
  expect_key_kept(filled(70'000), "", kLongHeader);
  expect_key_kept(filled(4'095), filled((1U << 18) - 1));
  expect_key_kept(filled(10), filled(1U << 18), kLongHeader);
}

// The places in one value are looked at first in the next one.
TEST(Record, KeysAreFoundAtOtherPlacesThanBefore) {
  const std::string key = kHash + "part" + kTwoBytes + "sort" + kTwoBytes;
  for (int round = 0; round < 2; ++round) {
    expect_only_value_kept(key, "123" + run("part") + run("sort"));
    expect_only_value_kept(key, "1" + run("sort") + "12" + run("part"));
    expect_only_value_kept(key, run("part") + "1" + run("sort"));
    expect_only_value_kept(kHash + "sort" + kTwoBytes, run("part") + run("sort"));
    expect_key_kept(key, "123" + run("part") + run("sor"));
    expect_key_kept(key, "123\5part" + run("sort"));
    expect_key_kept(key, "12");
  }
}

// An escaped zero is not in the value.
TEST(Record, PartsWithZerosAreKept) {
  const std::string part("a\0b", 3);
  const std::string escaped(
      "a\0\xff"
      "b",
      4);
  expect_key_kept(kHash + escaped + kTwoBytes, run(part));
  // A number, then text that begins like the second byte of a terminator.
  const std::string number = "\xc1\x02";
  expect_only_value_kept(kHash + number + kOneByte + "text" + kTwoBytes, run(number) + run("text"));
  expect_key_kept(kHash + number + kOneByte + "\1text" + kTwoBytes, run(number) + run("\1text"));
}

// All keys with one head compare with each other as memcmp compares them, whether kept or not.
TEST(Record, KeysAreInOrder) {
  std::vector<std::string> tails = {""};
  for (const std::string& a : {std::string("a"), std::string("ab"), std::string("b"),
                               std::string("\1"), std::string("\xff")}) {
    for (const std::string& end : {kOneByte, kTwoBytes}) {
      tails.push_back(a);
      tails.push_back(a + end);
      tails.push_back(a + std::string("\0\2", 2));
      for (const std::string& b : {std::string("a"), std::string("abc"), std::string("\2")}) {
        tails.push_back(a + end + b);
        tails.push_back(a + end + b + kOneByte);
        tails.push_back(a + end + b + kTwoBytes);
        tails.push_back(a + end + b + kTwoBytes + "more");
      }
    }
  }
  std::string value;
  for (const char* part : {"a", "ab", "b", "\1", "\xff", "abc", "\2"}) value += run(part);
  const std::string long_value = value + std::string(2'000, 'y');
  const auto sign = [](int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
  for (const std::string& tail : tails) {
    Record* const with_places = Record::create(kHash + tail, value);
    Record* const with_long_places = Record::create(kHash + tail, long_value);
    Record* const with_key = Record::create(kHash + tail, "");
    Record* const tombstone = Record::create_tombstone(kHash + tail);
    for (const std::string& other : tails) {
      const int order = sign((kHash + tail).compare(kHash + other));
      EXPECT_EQ(sign(with_places->compare_key(kHash + other)), order);
      EXPECT_EQ(sign(with_long_places->compare_key(kHash + other)), order);
      EXPECT_EQ(sign(with_key->compare_key(kHash + other)), order);
      EXPECT_EQ(sign(tombstone->compare_key(kHash + other)), order);
    }
    with_places->release();
    with_long_places->release();
    with_key->release();
    tombstone->release();
  }
}

TEST(Record, ATombstoneKeepsItsKey) {
  const std::string key = kHash + "part" + kTwoBytes;
  Record* const record = Record::create_tombstone(key);
  EXPECT_TRUE(record->is_tombstone());
  EXPECT_EQ(key_of(record, key), key);
  EXPECT_EQ(record->compare_key(key), 0);
  EXPECT_EQ(record->size(), RecordMemory::bytes_of(kHeader + key.size()));
  record->release();
}

TEST(Record, AHolderKeepsIt) {
  const std::size_t before = RecordMemory::slab_bytes();
  Record* const record = Record::create("key", "value");
  record->pin();
  record->release();
  EXPECT_EQ(record->value(), "value");
  EXPECT_GE(RecordMemory::slab_bytes(), before);
  record->release();
  EXPECT_EQ(RecordMemory::slab_bytes(), before);
}

}  // namespace
}  // namespace magneto::storage
