#include "api/json/base64.h"

#include <gtest/gtest.h>

#include <utility>

namespace magneto::api::json {
namespace {

TEST(Base64, FollowsTheStandardsVectors) {
  // RFC 4648, section 10.
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    std::string encoded = "x";
    encode_base64(bytes, encoded);
    EXPECT_EQ(encoded, std::string("x") + text);
    EXPECT_TRUE(is_base64(text));
    std::string decoded = "y";
    decode_base64(text, decoded);
    EXPECT_EQ(decoded, std::string("y") + bytes);
  }
}

TEST(Base64, RoundTripsEveryByte) {
  for (int length = 0; length < 300; ++length) {
    std::string bytes;
    for (int i = 0; i < length; ++i) bytes += static_cast<char>(i * 7 + length);
    std::string text;
    encode_base64(bytes, text);
    ASSERT_TRUE(is_base64(text));
    std::string back;
    decode_base64(text, back);
    EXPECT_EQ(back, bytes);
  }
}

TEST(Base64, RefusesOtherForms) {
  for (const char* text :
       {"A",     "AA",   "AAA",  "=+/=",     "+/+=",     "AB==",    "AAB=",
        "A===",  "====", "A-_A", "AA=A",     "AA==AAAA", "AA A",    "\xFF\xFF\xFF\xFF",
        "AAA\n", "AA..", "AAA.", "====AAAA", "AAAA====", " AAAA   "}) {
    EXPECT_FALSE(is_base64(text)) << text;
  }
}

}  // namespace
}  // namespace magneto::api::json
