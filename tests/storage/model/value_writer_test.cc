#include "storage/model/value_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "storage/encoding/item_encoding.h"
#include "tests/support/random_values.h"

namespace magneto::storage {
namespace {

using testing::RandomValues;

using Members = std::vector<std::pair<std::string, AttributeValue>>;

std::string write_item(const Members& members) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  for (const auto& [name, value] : members) {
    writer.name(name);
    writer.value(value);
  }
  writer.end_item();
  return bytes;
}

TEST(ValueWriter, WritesTheDrawnBytes) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_list();
  writer.string("a");
  writer.number(Number());
  writer.begin_map();
  writer.name("x");
  writer.boolean(true);
  writer.end_map();
  writer.set(AttributeType::kBinarySet, {"b"});
  writer.null();
  writer.end_list();
  const std::string map("\x0A\x08\0\0\0\x01\0\0\0\x01x\x04\x01", 13);
  const std::string set(
      "\x08\x06\0\0\0\x01\0\0\0\x01"
      "b",
      11);
  const std::string body = std::string(
                               "\x05\0\0\0\x01\x01"
                               "a\x02\x01\x80",
                               10) +
                           map + set + "\x05";
  EXPECT_EQ(bytes, std::string("\x09", 1) + static_cast<char>(body.size()) +
                       std::string("\0\0\0", 3) + body);
}

TEST(ValueWriter, AppendsToWhatIsThere) {
  std::string bytes = "front";
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("b");
  writer.null();
  writer.name("a");
  writer.null();
  writer.end_item();
  EXPECT_EQ(bytes, "front" + write_item({{"a", AttributeValue(std::string("\x05"))},
                                         {"b", AttributeValue(std::string("\x05"))}}));
}

TEST(ValueWriter, ANameWrittenTwiceKeepsItsLastValue) {
  const AttributeValue one = AttributeValue::string("1");
  const AttributeValue two = AttributeValue::string("2");
  EXPECT_EQ(write_item({{"a", one}, {"a", two}}), write_item({{"a", two}}));
  EXPECT_EQ(write_item({{"a", one}, {"b", one}, {"a", two}}), write_item({{"a", two}, {"b", one}}));
  EXPECT_EQ(write_item({{"b", one}, {"a", two}, {"b", two}, {"a", one}}),
            write_item({{"a", one}, {"b", two}}));
}

TEST(ValueWriter, SortsAndDeduplicatesSets) {
  std::string mixed;
  ValueWriter(mixed).set(AttributeType::kStringSet, {"b", "a", "b", "ab"});
  std::string sorted;
  ValueWriter(sorted).set(AttributeType::kStringSet, {"a", "ab", "b"});
  EXPECT_EQ(mixed, sorted);
  EXPECT_EQ(AttributeView(mixed).set().size(), 3U);
}

// Writes the members of maps in another order; the bytes must not show it.
void write_shuffled(ValueWriter& writer, AttributeView value, RandomValues& random);

void write_shuffled_members(ValueWriter& writer, MapView map, RandomValues& random) {
  std::vector<NamedAttribute> members;
  for (const NamedAttribute& member : map) members.push_back(member);
  for (std::size_t i = members.size(); i > 1; --i)
    std::swap(members[i - 1], members[random.below(i)]);
  for (const NamedAttribute& member : members) {
    if (random.one_in(4)) {
      writer.name(member.name);
      random.write_value(writer, 3);
    }
    writer.name(member.name);
    write_shuffled(writer, member.value, random);
  }
}

void write_shuffled(ValueWriter& writer, AttributeView value, RandomValues& random) {
  if (value.type() == AttributeType::kMap) {
    writer.begin_map();
    write_shuffled_members(writer, value.map(), random);
    writer.end_map();
  } else if (value.type() == AttributeType::kList) {
    writer.begin_list();
    for (const AttributeView element : value.list()) write_shuffled(writer, element, random);
    writer.end_list();
  } else if (is_set(value.type())) {
    std::vector<std::string_view> members;
    for (const std::string_view member : value.set()) members.insert(members.begin(), member);
    members.push_back(members[random.below(members.size())]);
    writer.set(value.type(), std::move(members));
  } else {
    writer.value(value);
  }
}

TEST(ValueWriterProperty, EqualItemsAreEqualBytesWhateverTheOrder) {
  RandomValues random(5);
  for (int round = 0; round < 1'000; ++round) {
    const Item item = random.item(12, 5);
    ASSERT_TRUE(is_valid_item(item.bytes()));
    std::string shuffled;
    ValueWriter writer(shuffled);
    writer.begin_item();
    write_shuffled_members(writer, item, random);
    writer.end_item();
    ASSERT_EQ(shuffled, item.bytes());
  }
}

TEST(ValueWriterProperty, ItemsReadBackAsWritten) {
  RandomValues random(6);
  for (int round = 0; round < 500; ++round) {
    Members members;
    std::map<std::string, AttributeValue> last;
    for (std::uint64_t left = random.below(20); left > 0; --left) {
      members.emplace_back(random.text(3), random.value(4));
      last[members.back().first] = members.back().second;
    }
    const std::string bytes = write_item(members);
    const ItemView item(bytes);
    ASSERT_EQ(item.size(), last.size());
    auto expected = last.begin();
    for (const NamedAttribute& member : item) {
      ASSERT_EQ(member.name, expected->first);
      ASSERT_EQ(member.value, expected->second.view());
      ASSERT_EQ(item.find(member.name), member.value);
      ++expected;
    }
  }
}

}  // namespace
}  // namespace magneto::storage
