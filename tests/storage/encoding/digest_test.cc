#include "storage/encoding/digest.h"

#include <gtest/gtest.h>

namespace magneto::storage {
namespace {

// FIPS 180-2, appendix B.1: SHA-256 of "abc".
TEST(DigestTest, IsTheFirstHalfOfSha256) {
  constexpr Digest kExpected{0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA,
                             0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23};
  EXPECT_EQ(digest_of("abc"), kExpected);
  DigestBuilder parts;
  parts.add("a");
  parts.add("");
  parts.add("bc");
  EXPECT_EQ(parts.finish(), kExpected);
}

}  // namespace
}  // namespace magneto::storage
