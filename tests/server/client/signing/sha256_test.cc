#include "server/client/signing/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server::client {
namespace {

// FIPS 180-2, appendix B.
TEST(Sha256, HasTheDigestsOfTheStandard) {
  EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4231, cases 1, 2, 6 and 7.
TEST(HmacKey, SignsAsTheStandardSays) {
  EXPECT_EQ(to_hex(HmacKey(std::string(20, '\x0b')).sign("Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(to_hex(HmacKey("Jefe").sign("what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const HmacKey longer_than_a_block(std::string(131, '\xaa'));
  EXPECT_EQ(to_hex(longer_than_a_block.sign("Test Using Larger Than Block-Size Key - "
                                            "Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(to_hex(longer_than_a_block.sign(
                "This is a test using a larger than block-size key and a larger than block-size "
                "data. The key needs to be hashed before being used by the HMAC algorithm.")),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(EqualInConstantTime, ComparesWholeTexts) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abcd"));
  EXPECT_FALSE(equal_in_constant_time("abc", ""));
}

}  // namespace
}  // namespace magneto::server::client
