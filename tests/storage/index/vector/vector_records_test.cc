#include "storage/index/vector/vector_records.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace magneto::storage {
namespace {

TEST(VectorRecords, AreReadAsTheyWereWritten) {
  const std::vector<std::string> values{"red", "", std::string("\0x", 2)};
  const std::vector<float> vector{1.5F, -2, std::numeric_limits<float>::denorm_min()};
  std::string bytes;
  append_vector_record({.key = "key", .partition = "", .values = values, .vector = vector}, bytes);
  append_vector_record({.key = "k2", .partition = "p", .values = values, .vector = vector}, bytes);
  VectorRecordReader reader(3, 3);
  std::string_view left = bytes;
  for (const auto& [key, partition] : {std::pair{"key", ""}, {"k2", "p"}}) {
    ASSERT_TRUE(reader.take(left));
    const IndexedVectors::Entry entry = reader.entry();
    EXPECT_EQ(entry.key, key);
    EXPECT_EQ(entry.partition, partition);
    EXPECT_EQ(std::vector(entry.values.begin(), entry.values.end()), values);
    EXPECT_EQ(std::vector(entry.vector.begin(), entry.vector.end()), vector);
  }
  EXPECT_TRUE(left.empty());
  EXPECT_FALSE(reader.take(left));
}

TEST(VectorRecords, RefuseOtherBytes) {
  const std::vector<std::string> values{"red"};
  std::vector<float> vector{1, 2};
  std::string bytes;
  append_vector_record({.key = "key", .partition = "p", .values = values, .vector = vector}, bytes);
  VectorRecordReader reader(2, 1);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    // A copy of exactly that length, so that a sanitizer finds a read beyond it.
    const std::vector<char> part(bytes.begin(),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(length));
    std::string_view left(part.data(), part.size());
    EXPECT_FALSE(reader.take(left)) << length;
  }
  std::string long_run = bytes;
  long_run[3] = '\x7F';
  std::string_view left = long_run;
  EXPECT_FALSE(reader.take(left));
  vector[1] = std::numeric_limits<float>::infinity();
  bytes.clear();
  append_vector_record({.key = "key", .partition = "p", .values = values, .vector = vector}, bytes);
  left = bytes;
  EXPECT_FALSE(reader.take(left));
}

}  // namespace
}  // namespace magneto::storage
