#include "server/formats/body_encoding.h"

#include <gtest/gtest.h>

namespace magneto::server::formats {
namespace {

constexpr std::size_t kLimit = 1 << 20;
constexpr Coding kCodings[] = {Coding::kGzip, Coding::kDeflate};

std::string compressed(Coding coding, std::string_view text) {
  std::string out;
  EXPECT_TRUE(deflate_body(coding, text, out));
  return out;
}

TEST(BodyEncoding, GivesBackWhatWentIn) {
  for (const Coding coding : kCodings) {
    for (const std::size_t size : {0UL, 1UL, 4096UL, 300'000UL, kLimit}) {
      std::string text;
      for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(i * i >> 7);
      std::string out = "old";
      EXPECT_EQ(inflate_body(coding, compressed(coding, text), kLimit, out), Inflated::kDone)
          << size;
      EXPECT_EQ(out, text) << size;
    }
  }
}

// The output of another implementation: Python's zlib.compress and gzip.compress.
TEST(BodyEncoding, ReadsStreamsOfOthers) {
  using std::string_view_literals::operator""sv;
  std::string out;
  EXPECT_EQ(
      inflate_body(Coding::kDeflate, "\x78\x9c\xab\xae\x05\x00\x01\x75\x00\xf9"sv, kLimit, out),
      Inflated::kDone);
  EXPECT_EQ(out, "{}");
  // Without zlib's form, which some call deflate too.
  EXPECT_EQ(inflate_body(Coding::kDeflate, "\xab\xae\x05\x00"sv, kLimit, out),
            Inflated::kMalformed);
  EXPECT_EQ(inflate_body(Coding::kDeflate, compressed(Coding::kGzip, "{}"), kLimit, out),
            Inflated::kMalformed);
  EXPECT_EQ(inflate_body(Coding::kGzip, compressed(Coding::kDeflate, "{}"), kLimit, out),
            Inflated::kMalformed);
}

TEST(BodyEncoding, StopsAtTheLimit) {
  std::string out;
  for (const Coding coding : kCodings) {
    for (const std::size_t size : {kLimit + 1, 100 * kLimit}) {
      EXPECT_EQ(inflate_body(coding, compressed(coding, std::string(size, 'a')), kLimit, out),
                Inflated::kTooLarge);
      EXPECT_LE(out.capacity(), 2 * kLimit);
    }
  }
}

// Captured facts 2, HTTP.
TEST(BodyEncoding, TakesGzipMembersInARowForOneBody) {
  const std::string half = compressed(Coding::kGzip, std::string(kLimit / 2, 'a'));
  const std::string nothing = compressed(Coding::kGzip, "");
  std::string out;
  EXPECT_EQ(inflate_body(Coding::kGzip, nothing + half + nothing + half, kLimit, out),
            Inflated::kDone);
  EXPECT_EQ(out, std::string(kLimit, 'a'));
  EXPECT_EQ(inflate_body(Coding::kGzip, half + half + compressed(Coding::kGzip, "b"), kLimit, out),
            Inflated::kTooLarge);
  EXPECT_EQ(inflate_body(Coding::kGzip, half + half + half + half, kLimit, out),
            Inflated::kTooLarge);
  EXPECT_EQ(inflate_body(Coding::kGzip, half + half.substr(0, half.size() - 1), kLimit, out),
            Inflated::kMalformed);
  std::string letters;
  std::string members;
  for (int i = 0; i < 10'000; ++i) {
    letters += static_cast<char>('a' + i % 26);
    members += compressed(Coding::kGzip, letters.substr(letters.size() - 1));
  }
  EXPECT_EQ(inflate_body(Coding::kGzip, members, kLimit, out), Inflated::kDone);
  EXPECT_EQ(out, letters);
  const std::string body = compressed(Coding::kDeflate, "a");
  EXPECT_EQ(inflate_body(Coding::kDeflate, body + body, kLimit, out), Inflated::kMalformed);
}

TEST(BodyEncoding, RefusesWhatIsNoStream) {
  for (const Coding coding : kCodings) {
    const std::string stream = compressed(coding, "some text that is long enough to be cut");
    std::string out;
    EXPECT_EQ(inflate_body(coding, "", kLimit, out), Inflated::kMalformed);
    EXPECT_EQ(inflate_body(coding, "{}", kLimit, out), Inflated::kMalformed);
    EXPECT_EQ(inflate_body(coding, stream + "x", kLimit, out), Inflated::kMalformed);
    EXPECT_EQ(inflate_body(coding, stream + std::string(1, 0), kLimit, out), Inflated::kMalformed);
    for (std::size_t size = 0; size < stream.size(); ++size) {
      EXPECT_EQ(inflate_body(coding, stream.substr(0, size), kLimit, out), Inflated::kMalformed)
          << size;
    }
  }
}

TEST(BodyEncoding, TellsACutBodyFromALongOne) {
  std::string text(kLimit, 'a');
  for (std::size_t i = 0; i < text.size(); i += 3) text[i] = static_cast<char>(i * i >> 7);
  for (const Coding coding : kCodings) {
    const std::string stream = compressed(coding, text);
    std::string out;
    for (std::size_t cut = 1; cut < 40; ++cut) {
      EXPECT_EQ(inflate_body(coding, stream.substr(0, stream.size() - cut), kLimit, out),
                Inflated::kMalformed)
          << cut;
    }
    EXPECT_EQ(inflate_body(coding, stream, kLimit, out), Inflated::kDone);
    EXPECT_EQ(inflate_body(coding, stream, kLimit - 1, out), Inflated::kTooLarge);
  }
}

TEST(BodyEncoding, NoticesDamage) {
  for (const auto& [coding, place] :
       {std::pair(Coding::kGzip, 5), std::pair(Coding::kDeflate, 1)}) {
    std::string stream = compressed(coding, "some text");
    stream[stream.size() - static_cast<std::size_t>(place)] ^= 1;  // in the checksum
    std::string out;
    EXPECT_EQ(inflate_body(coding, stream, kLimit, out), Inflated::kMalformed);
  }
}

TEST(ReadCoding, KnowsWhatABodyMayBe) {
  EXPECT_EQ(read_coding(""), Coding::kIdentity);
  EXPECT_EQ(read_coding("identity"), Coding::kIdentity);
  EXPECT_EQ(read_coding("gzip"), Coding::kGzip);
  EXPECT_EQ(read_coding("GZip "), Coding::kGzip);
  EXPECT_EQ(read_coding("deflate"), Coding::kDeflate);
  for (const std::string_view unknown :
       {"br", "x-gzip", "gzip, gzip", "gzip;q=1", "*", "aws-chunked"}) {
    EXPECT_EQ(read_coding(unknown), std::nullopt) << unknown;
  }
}

// Captured facts 2, HTTP.
TEST(ChooseCoding, FollowsTheWeights) {
  const std::pair<std::string_view, Coding> lists[] = {
      {"gzip", Coding::kGzip},
      {"GZip", Coding::kGzip},
      {"deflate", Coding::kDeflate},
      {"", Coding::kIdentity},
      {"identity", Coding::kIdentity},
      {"br", Coding::kIdentity},
      {"gzipped", Coding::kIdentity},
      {",;, ;q=1", Coding::kIdentity},
      // The highest weight, then the first.
      {"gzip, deflate", Coding::kGzip},
      {"deflate, gzip", Coding::kDeflate},
      {"deflate;q=0.5, gzip;q=0.6", Coding::kGzip},
      {"gzip;q=0.5, deflate;q=0.6", Coding::kDeflate},
      {"deflate, gzip;q=0.5 , br", Coding::kDeflate},
      {"identity;q=1, gzip;q=0.1", Coding::kGzip},
      {"identity, deflate;q=0.001", Coding::kDeflate},
      {"gzip;q=0.2, deflate;q=0.3, gzip;q=0.4", Coding::kGzip},
      // Codings without a name.
      {"*", Coding::kGzip},
      {"br;q=0,*;q=0.1", Coding::kGzip},
      {"gzip;q=0, *", Coding::kDeflate},
      {"deflate;q=0, *", Coding::kGzip},
      {"gzip;q=0.5, *", Coding::kDeflate},
      {"*, deflate", Coding::kDeflate},
      {"*;q=0.5, deflate;q=0.5", Coding::kDeflate},
      {"*;q=0.6, deflate;q=0.5", Coding::kGzip},
      {"gzip;q=0, deflate;q=0, *", Coding::kIdentity},
      {"*, gzip;q=0.1, deflate;q=0.2", Coding::kDeflate},
      {"*;q=0", Coding::kIdentity},
      // Weights of any form.
      {"gzip;q=0", Coding::kIdentity},
      {"gzip; q=0.000", Coding::kIdentity},
      {"gzip;Q=0", Coding::kIdentity},
      {"gzip;q=-1", Coding::kIdentity},
      {"gzip;level=9;q=0", Coding::kIdentity},
      {"gzip;q=0.9, deflate;q=7", Coding::kDeflate},
      {"gzip, deflate;q=7", Coding::kGzip},
      {"gzip;q=0.9, deflate;q=x", Coding::kDeflate},
      {"gzip;q=0.9, deflate;q=", Coding::kDeflate},
      {"gzip;q=0.9, deflate;q=0.5x", Coding::kDeflate},
      {"gzip;q=0.9, deflate;q=nan", Coding::kDeflate},
      {"gzip;q=0.9, deflate;q=inf", Coding::kDeflate},
      {"gzip;q=0.0001", Coding::kGzip},
      {"gzip;q=1e-400", Coding::kGzip},
  };
  for (const auto& [list, coding] : lists) EXPECT_EQ(choose_coding(list), coding) << list;
  std::string long_list;
  for (int i = 0; i < 10'000; ++i) long_list += "x;q=0.5,";
  EXPECT_EQ(choose_coding(long_list + "deflate"), Coding::kDeflate);
}

}  // namespace
}  // namespace magneto::server::formats
