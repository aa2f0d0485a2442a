#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// RocksDB calls this function, which storage/engine/rocksdb/rocksdb_checksum.cc defines.
namespace rocksdb::crc32c {
// NOLINTNEXTLINE(readability-identifier-naming): RocksDB's name
std::uint32_t Extend(std::uint32_t crc, const char* data, std::size_t size);
}  // namespace rocksdb::crc32c

namespace magneto::storage {
namespace {

std::uint32_t crc32c(std::string_view bytes) {
  return rocksdb::crc32c::Extend(0, bytes.data(), bytes.size());
}

std::uint32_t crc32c_by_bits(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
  }
  return ~crc;
}

// RFC 3720, B.4.
TEST(RocksdbChecksum, IsCrc32c) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(RocksdbChecksum, HoldsForAllSizesAndPieces) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(crc32c(bytes), crc32c_by_bits(bytes)) << i;
    const std::size_t half = bytes.size() / 2;
    EXPECT_EQ(rocksdb::crc32c::Extend(crc32c(bytes.substr(0, half)), bytes.data() + half,
                                      bytes.size() - half),
              crc32c(bytes))
        << i;
    bytes += static_cast<char>(i * 37);
  }
}

}  // namespace
}  // namespace magneto::storage
