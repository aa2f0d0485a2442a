#include "storage/model/narrow.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "storage/model/table_schema.h"

namespace magneto::storage {
namespace {

TEST(Narrow, KeepsWhatFits) {
  static_assert(narrow<std::uint16_t>(std::size_t{65'535}) == 65'535);
  EXPECT_EQ(narrow<std::uint32_t>(std::int64_t{4'294'967'295}), 4'294'967'295U);
  EXPECT_EQ(narrow<std::int32_t>(std::int64_t{-1}), -1);
  EXPECT_EQ(narrow<std::uint8_t>(std::size_t{255}), 255);
}

TEST(Narrow, ThrowsForWhatDoesNotFit) {
  EXPECT_THROW(narrow<std::uint16_t>(std::size_t{65'536}), std::length_error);
  EXPECT_THROW(narrow<std::uint32_t>(std::size_t{1} << 32), std::length_error);
  EXPECT_THROW(narrow<std::uint32_t>(std::int64_t{-1}), std::length_error);
  EXPECT_THROW(narrow<std::int32_t>(std::numeric_limits<std::uint32_t>::max()), std::length_error);
}

// Numbers tell the trees of a table's indexes apart; 0 is the table's own.
TEST(Narrow, NumbersOfIndexesAreNeverGivenOutAgain) {
  TableSchema schema;
  for (std::uint32_t number = 1; number <= 65'535; ++number) {
    ASSERT_EQ(schema.take_index_number(), number);
  }
  EXPECT_THROW(schema.take_index_number(), std::length_error);
  EXPECT_THROW(schema.take_index_number(), std::length_error);
}

}  // namespace
}  // namespace magneto::storage
