#include "storage/encoding/item_encoding.h"

#include <gtest/gtest.h>

#include <memory>

#include "storage/model/item_size.h"
#include "tests/support/random_values.h"

namespace magneto::storage {
namespace {

using namespace std::string_literals;
using testing::RandomValues;

// Bytes with nothing readable around them, so that a sanitizer sees any read outside.
class Isolated {
 public:
  explicit Isolated(std::string_view bytes)
      : bytes_(std::make_unique<char[]>(bytes.size())), size_(bytes.size()) {
    bytes.copy(bytes_.get(), size_);
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

// Reads everything and writes it again in canonical form.
void rewrite(ValueWriter& writer, AttributeView value) {
  if (value.type() == AttributeType::kMap) {
    writer.begin_map();
    for (const NamedAttribute& member : value.map()) {
      writer.name(member.name);
      rewrite(writer, member.value);
    }
    writer.end_map();
  } else if (value.type() == AttributeType::kList) {
    writer.begin_list();
    for (const AttributeView element : value.list()) rewrite(writer, element);
    writer.end_list();
  } else if (is_set(value.type())) {
    std::vector<std::string_view> members;
    for (const std::string_view member : value.set()) members.push_back(member);
    writer.set(value.type(), std::move(members));
  } else if (value.type() == AttributeType::kBoolean) {
    writer.boolean(value.boolean());
  } else if (value.type() == AttributeType::kNumber) {
    writer.number(value.number());
  } else {
    writer.value(value);
  }
}

std::string rewritten(ItemView item) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  for (const NamedAttribute& member : item) {
    writer.name(member.name);
    rewrite(writer, member.value);
  }
  writer.end_item();
  return bytes;
}

std::string damaged(RandomValues& random, std::string bytes) {
  for (std::uint64_t left = 1 + random.below(3); left > 0 && !bytes.empty(); --left) {
    const std::size_t at = random.below(bytes.size());
    switch (random.below(4)) {
      case 0:
        bytes[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] + (random.one_in(2) ? 1 : -1));
        break;
      case 2:
        bytes.resize(at);
        break;
      default:
        bytes.insert(at, random.bytes(4));
    }
  }
  return bytes;
}

TEST(ItemEncoding, ItemsReadBackWithTheirSize) {
  RandomValues random(13);
  for (int round = 0; round < 500; ++round) {
    const Item item = random.item(10, 5);
    const std::string stored = encode_item(item);
    ASSERT_EQ(decode_item(stored).bytes(), item.bytes());
    ASSERT_EQ(decode_item_size(stored), item_size(item));
    ASSERT_EQ(encode_item(item, item_size(item)), stored);
    ASSERT_TRUE(is_valid_stored_item(stored));
  }
}

TEST(ItemEncoding, SizeIsLittleEndian) {
  EXPECT_EQ(encode_item(ItemView("\0\0\0\0"s), 0x01020304), "\x04\x03\x02\x01\0\0\0\0"s);
  EXPECT_EQ(decode_item_size("\x04\x03\x02\x01\0\0\0\0"s), 0x01020304U);
}

TEST(ItemEncoding, RecognisesWhatIsNotCanonical) {
  const std::string null(1, static_cast<char>(AttributeType::kNull));
  EXPECT_TRUE(is_valid_item("\0\0\0\0"s));
  EXPECT_TRUE(is_valid_item("\2\0\0\0\1a"s + null + "\1b" + null));
  EXPECT_FALSE(is_valid_item(""));
  EXPECT_FALSE(is_valid_item("\0\0\0"s));
  EXPECT_FALSE(is_valid_item("\0\0\0\0x"s));
  EXPECT_FALSE(is_valid_item("\1\0\0\0"s));
  EXPECT_FALSE(is_valid_item("\2\0\0\0\1b"s + null + "\1a" + null));      // not in order
  EXPECT_FALSE(is_valid_item("\2\0\0\0\1a"s + null + "\1a" + null));      // twice
  EXPECT_FALSE(is_valid_item("\1\0\0\0\x81\0a"s + null));                 // a long form of 1
  EXPECT_FALSE(is_valid_item("\1\0\0\0\1a\x0B"s));                        // no such type
  EXPECT_FALSE(is_valid_item("\1\0\0\0\1a\x04\x02"s));                    // neither true nor false
  EXPECT_FALSE(is_valid_item("\1\0\0\0\1a\x02\x02\xC1\x01"s));            // a first pair of 0
  EXPECT_FALSE(is_valid_item("\1\0\0\0\1a\x09\x05\0\0\0\2\0\0\0\x05"s));  // one element, not two
  EXPECT_FALSE(is_valid_item("\1\0\0\0\1a\x09\xFF\xFF\xFF\xFF\0\0\0\0"s));
  EXPECT_FALSE(is_valid_stored_item("\1\0\0\0\0\0\0\0"s));  // another size
  EXPECT_FALSE(is_valid_stored_item("\0\0"s));
}

TEST(ItemEncoding, DepthNeedsNoStack) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("deep");
  for (int i = 0; i < 20'000; ++i) writer.begin_list();
  for (int i = 0; i < 20'000; ++i) writer.end_list();
  writer.end_item();
  EXPECT_TRUE(is_valid_item(bytes));
}

TEST(ItemEncodingProperty, DamagedItemsAreRecognisedOrCanonical) {
  RandomValues random(14);
  int recognised = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Isolated item(damaged(random, random.item(4, 4).bytes()));
    if (!is_valid_item(item.view())) {
      ++recognised;
      continue;
    }
    ASSERT_EQ(rewritten(ItemView(item.view())), item.view());
    item_size(ItemView(item.view()));
  }
  EXPECT_GT(recognised, 10'000);
}

}  // namespace
}  // namespace magneto::storage
