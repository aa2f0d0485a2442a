#include "storage/encoding/partition_hash.h"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/number.h"

namespace magneto::storage {
namespace {

std::uint64_t number_hash(std::string_view text) {
  NumberError error{};
  return partition_hash(Number::parse(text, error).value().bytes());
}

// Captured facts, "Partition hash, scan order and number key bytes".
TEST(PartitionHash, IsDynamoDbs) {
  EXPECT_EQ(partition_hash("a"), 0xf6558e516275dee2U);
  EXPECT_EQ(partition_hash("b"), 0x6521acb651d76797U);
  EXPECT_EQ(partition_hash("user#1"), 0x8b542929238862feU);
  EXPECT_EQ(partition_hash("\xC3\xA9"), 0x1062807ac84fe65aU);
  EXPECT_EQ(number_hash("0"), 0xce212d751674ab5dU);
  EXPECT_EQ(number_hash("1"), 0xc3a0310aed78739bU);
  EXPECT_EQ(number_hash("-1"), 0x0267df4c95559d50U);
  EXPECT_EQ(number_hash("123.45"), 0x570d78365b99211cU);
  EXPECT_EQ(partition_hash(std::string_view("\0\1", 2)), 0x3f284e8aa6c1a030U);
}

TEST(PartitionHash, TakesSeveralPartsOneAfterAnother) {
  const std::array<std::string_view, 3> parts = {"us", "er#", "1"};
  EXPECT_EQ(partition_hash(parts), partition_hash("user#1"));
  const std::string text(10'000, 'x');
  const std::array<std::string_view, 2> halves = {std::string_view(text).substr(0, 77),
                                                  std::string_view(text).substr(77)};
  EXPECT_EQ(partition_hash(halves), partition_hash(text));
}

// Keys of each size around the one block that several are digested in, in groups of each size.
TEST(PartitionHash, IsTheSameForSeveralKeysAtOnce) {
  std::vector<std::string> texts;
  for (std::size_t size = 0; size < 130; ++size) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(size * 31 + i * 7);
    texts.push_back(text);
    if (size % 5 == 0) texts.push_back(text);
  }
  for (std::size_t first = 0; first < texts.size(); ++first) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 16U, 17U, 40U}) {
      std::vector<std::string_view> keys;
      for (std::size_t i = 0; i < count; ++i) keys.push_back(texts[(first + i) % texts.size()]);
      const std::vector<std::uint64_t> hashes = partition_hashes(keys);
      ASSERT_EQ(hashes.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(hashes[i], partition_hash(std::span(&keys[i], 1))) << keys[i].size();
      }
    }
  }
}

}  // namespace
}  // namespace magneto::storage
