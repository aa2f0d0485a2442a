#include "server/body_encoding.h"

#include <gtest/gtest.h>

namespace magneto::server {
namespace {

constexpr std::size_t kLimit = 1 << 20;

std::string compressed(std::string_view text) {
  std::string out;
  EXPECT_TRUE(deflate_gzip(text, out));
  return out;
}

TEST(Gzip, GivesBackWhatWentIn) {
  for (const std::size_t size : {0UL, 1UL, 4096UL, 300'000UL, kLimit}) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(i * i >> 7);
    std::string out = "old";
    EXPECT_EQ(inflate_gzip(compressed(text), kLimit, out), Inflated::kDone) << size;
    EXPECT_EQ(out, text) << size;
  }
}

TEST(Gzip, StopsAtTheLimit) {
  std::string out;
  EXPECT_EQ(inflate_gzip(compressed(std::string(kLimit + 1, 'a')), kLimit, out),
            Inflated::kTooLarge);
  EXPECT_LE(out.capacity(), 2 * kLimit);
  EXPECT_EQ(inflate_gzip(compressed(std::string(100 * kLimit, 'a')), kLimit, out),
            Inflated::kTooLarge);
  EXPECT_LE(out.capacity(), 2 * kLimit);
}

TEST(Gzip, RefusesWhatIsNoStream) {
  const std::string stream = compressed("some text that is long enough to be cut");
  std::string out;
  EXPECT_EQ(inflate_gzip("", kLimit, out), Inflated::kMalformed);
  EXPECT_EQ(inflate_gzip("{}", kLimit, out), Inflated::kMalformed);
  EXPECT_EQ(inflate_gzip(stream + "x", kLimit, out), Inflated::kMalformed);
  for (std::size_t size = 0; size < stream.size(); ++size) {
    EXPECT_EQ(inflate_gzip(stream.substr(0, size), kLimit, out), Inflated::kMalformed) << size;
  }
}

TEST(Gzip, NoticesDamage) {
  std::string stream = compressed("some text");
  stream[stream.size() - 5] ^= 1;  // in the checksum
  std::string out;
  EXPECT_EQ(inflate_gzip(stream, kLimit, out), Inflated::kMalformed);
}

TEST(AcceptsGzip, ReadsTheList) {
  EXPECT_TRUE(accepts_gzip("gzip"));
  EXPECT_TRUE(accepts_gzip("GZip"));
  EXPECT_TRUE(accepts_gzip("deflate, gzip;q=0.5 , br"));
  EXPECT_TRUE(accepts_gzip("gzip;q=1.0"));
  EXPECT_TRUE(accepts_gzip("*"));
  EXPECT_TRUE(accepts_gzip("br;q=0,*;q=0.1"));
  EXPECT_FALSE(accepts_gzip(""));
  EXPECT_FALSE(accepts_gzip("identity"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0"));
  EXPECT_FALSE(accepts_gzip("gzip; q=0.000"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0, *"));
  EXPECT_FALSE(accepts_gzip("*;q=0"));
  EXPECT_FALSE(accepts_gzip("gzipped"));
}

}  // namespace
}  // namespace magneto::server
