#include "api/java_hash_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "storage/model/number.h"

namespace magneto::api {
namespace {

using Names = std::vector<std::string_view>;

storage::Number number(std::string_view text) {
  storage::NumberError error{};
  return storage::Number::parse(text, error).value();
}

std::uint32_t number_hash(std::string_view text) { return java_number_hash(number(text).bytes()); }

// The numbers as a set gives them back.
std::vector<std::string> ordered_numbers(const std::vector<std::string>& texts) {
  std::vector<storage::Number> numbers;
  for (const std::string& text : texts) numbers.push_back(number(text));
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string_view> bytes;
  for (const storage::Number& n : numbers) bytes.push_back(n.bytes());
  std::vector<std::string> ordered;
  for (const std::string_view n : numbers_in_hash_order(bytes)) {
    ordered.push_back(storage::Number::from_bytes(n).to_string());
  }
  return ordered;
}

TEST(JavaHashOrder, HashesNames) {
  EXPECT_EQ(java_hash(""), 0U);
  EXPECT_EQ(java_hash("h"), 0x68U);
  EXPECT_EQ(java_hash("PK"), 0x9fbU);
  EXPECT_EQ(java_hash("unused"), 0xcdec05d6U);
  // Units of UTF-16: two bytes, three bytes, a pair.
  EXPECT_EQ(java_hash("\xc3\xa9"), 0xe9U);
  EXPECT_EQ(java_hash("\xe2\x82\xac"), 0x20acU);
  EXPECT_EQ(java_hash("\xf0\x9f\x98\x80"), 31U * 0xd83d + 0xde00);
}

TEST(JavaHashOrder, HashesNumbers) {
  EXPECT_EQ(number_hash("0"), 0U);
  EXPECT_EQ(number_hash("1"), 0x1fU);
  EXPECT_EQ(number_hash("2"), 0x3eU);
  EXPECT_EQ(number_hash("3"), 0x5dU);
  EXPECT_EQ(number_hash("20"), 0x3dU);
  EXPECT_EQ(number_hash("100"), 0x1dU);
  EXPECT_EQ(number_hash("0.5"), 0x9cU);
  EXPECT_EQ(number_hash("2.50"), 31U * 25 + 1);
  EXPECT_EQ(number_hash("-1"), 0xffffffe1U);
  EXPECT_EQ(number_hash("-2.5"), 1U - 31U * 25);
  EXPECT_EQ(number_hash(std::string(38, '9')), 0xe689784eU);
  // More than 32 bits: the low word plus 31 times the high one.
  EXPECT_EQ(number_hash("4294967297"), 31U * (1 + 31 * 1));
  EXPECT_EQ(number_hash("1e-130"), 31U + 130);
  EXPECT_EQ(number_hash("-1e125"), 0U - 31U - 125);
}

TEST(JavaHashOrder, OrdersNumbers) {
  using Numbers = std::vector<std::string>;
  EXPECT_EQ(ordered_numbers({"1", "2", "3"}), (Numbers{"3", "2", "1"}));
  EXPECT_EQ(ordered_numbers({"100", "20", "3"}), (Numbers{"3", "20", "100"}));
  EXPECT_EQ(ordered_numbers({"7"}), (Numbers{"7"}));
}

TEST(JavaHashOrder, OrdersNames) {
  EXPECT_EQ(names_in_hash_order(Names{"PK", "h", "a", "unused"}, FirstTable::kForCount),
            (Names{"h", "a", "unused", "PK"}));
  EXPECT_EQ(names_in_hash_order(Names{"PK", "h", "a", "h"}, FirstTable::kSixteen),
            (Names{"a", "h", "PK"}));
  EXPECT_EQ(names_in_hash_order(Names{"orderId", "customerId", "status", "createdAt", "notUsed"},
                                FirstTable::kForCount),
            (Names{"customerId", "createdAt", "notUsed", "orderId", "status"}));
  for (const FirstTable first : {FirstTable::kForCount, FirstTable::kSixteen}) {
    EXPECT_EQ(names_in_hash_order(Names{"zz", "aa", "mm"}, first), (Names{"zz", "aa", "mm"}));
    EXPECT_EQ(names_in_hash_order(Names{"b"}, first), (Names{"b"}));
    EXPECT_EQ(names_in_hash_order(Names{}, first), (Names{}));
  }
}

// Java's table, entry by entry.
class Table {
 public:
  explicit Table(std::size_t buckets) : buckets_(buckets) {}

  void add(std::size_t position, std::uint32_t hash) {
    std::vector<Entry>& bucket = buckets_[bucket_of(hash)];
    bucket.push_back({position, hash});
    if (bucket.size() > 8 && buckets_.size() < 64) grow();
    if (++count_ > buckets_.size() * 3 / 4) grow();
  }

  std::vector<std::size_t> order() const {
    std::vector<std::size_t> positions;
    for (const std::vector<Entry>& bucket : buckets_) {
      for (const Entry& entry : bucket) positions.push_back(entry.position);
    }
    return positions;
  }

 private:
  struct Entry {
    std::size_t position;
    std::uint32_t hash;
  };

  std::size_t bucket_of(std::uint32_t hash) const {
    return (hash ^ (hash >> 16)) & (buckets_.size() - 1);
  }

  void grow() {
    const std::vector<std::vector<Entry>> before = std::move(buckets_);
    buckets_.assign(before.size() * 2, {});
    for (const std::vector<Entry>& bucket : before) {
      for (const Entry& entry : bucket) buckets_[bucket_of(entry.hash)].push_back(entry);
    }
  }

  std::vector<std::vector<Entry>> buckets_;
  std::size_t count_ = 0;
};

TEST(JavaHashOrder, IsThatOfATableFilledOneByOne) {
  std::mt19937 random(7);
  for (std::size_t count = 0; count < 150; ++count) {
    // Hash codes of all kinds, and those that share few buckets.
    for (const std::uint32_t mask : {0xffffffffU, 0xffffffe0U, 0x00000040U, 0x00030003U}) {
      std::vector<std::uint32_t> hashes(count);
      for (std::uint32_t& hash : hashes) hash = static_cast<std::uint32_t>(random()) & mask;
      for (const bool for_count : {true, false}) {
        Table table(for_count ? std::bit_ceil(count) : 16);
        for (std::size_t i = 0; i < count; ++i) table.add(i, hashes[i]);
        EXPECT_EQ(java_hash_order(hashes, for_count ? FirstTable::kForCount : FirstTable::kSixteen),
                  table.order())
            << count << " entries, mask " << mask;
      }
    }
  }
}

}  // namespace
}  // namespace magneto::api
