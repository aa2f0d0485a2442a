#include "server/formats/record_blocks.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "server/formats/body_encoding.h"
#include "server/formats/format.h"
#include "server/formats/messages.h"
#include "tests/support/engines.h"

namespace magneto::server::formats {
namespace {

class RecordBlocksTest : public testing::Test {
 protected:
  std::string write(std::string_view text) {
    std::ofstream(path_, std::ios::trunc | std::ios::binary) << text;
    return path_;
  }

  // All blocks of the file; each must begin at the line that it says.
  std::string read(const std::string& expected, bool quoted = false) {
    ByteSource source(path_);
    RecordBlocks blocks(source, quoted);
    std::string text;
    count_ = 0;
    while (const auto block = blocks.next()) {
      ++count_;
      EXPECT_EQ(block->first_line,
                1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
      text += block->text;
      EXPECT_TRUE(block->text.back() == '\n' || text.size() >= expected.size());
    }
    EXPECT_FALSE(blocks.next());
    return text;
  }

  const storage::TempDirectory directory_;
  const std::string path_ = directory_.file("f");
  int count_ = 0;
};

std::string lines(std::size_t count, std::size_t longest) {
  std::mt19937 random(7);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::string(random() % longest, 'x') + "\n";
  return text;
}

TEST_F(RecordBlocksTest, CutsAtLineFeeds) {
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("a"), std::string("a\nb"), lines(30'000, 100),
        lines(5, 2 << 20), lines(30'000, 100) + "end"}) {
    write(text);
    EXPECT_EQ(read(text), text);
  }
  EXPECT_GT(count_, 2);
}

TEST_F(RecordBlocksTest, ReadsGzipOfSeveralMembers) {
  const std::string first = lines(20'000, 100);
  std::string member;
  std::string file;
  for (const std::string& part : {first, std::string("one more\n"), first}) {
    ASSERT_TRUE(deflate_body(Coding::kGzip, part, member));
    file += member;
  }
  write(file);
  EXPECT_EQ(read(first + "one more\n" + first), first + "one more\n" + first);
  for (const std::size_t size :
       {file.size() - 1, file.size() / 2, std::size_t{12}, std::size_t{2}}) {
    write(file.substr(0, size));
    EXPECT_THROW(read({}), TransferFileError) << size;
  }
  file[file.size() / 2] = static_cast<char>(file[file.size() / 2] + 1);
  write(file);
  EXPECT_THROW(read({}), TransferFileError);
}

TEST_F(RecordBlocksTest, ReadsZstdOfSeveralFrames) {
  const std::string first = lines(20'000, 100);
  const std::string zeros(20 << 20, '0');
  std::string file;
  for (const std::string& part : {first, std::string("one more\n"), zeros + "\n", first}) {
    std::string frame(::ZSTD_compressBound(part.size()), '\0');
    frame.resize(::ZSTD_compress(frame.data(), frame.size(), part.data(), part.size(), 3));
    file += frame;
  }
  write(file);
  ByteSource source(path_);
  std::string text;
  std::string piece(100'000, '\0');
  while (const std::size_t size = source.read(piece.data(), piece.size())) {
    text.append(piece, 0, size);
  }
  EXPECT_TRUE(text == first + "one more\n" + zeros + "\n" + first);
  for (const std::size_t size : {file.size() - 1, file.size() / 2, std::size_t{12}}) {
    write(file.substr(0, size));
    EXPECT_THROW(read({}), TransferFileError) << size;
  }
}

// Zeros after the last member, as from a program that writes whole blocks.
TEST_F(RecordBlocksTest, PassesOverZerosBehindGzip) {
  std::string member;
  ASSERT_TRUE(deflate_body(Coding::kGzip, "a\nb\n", member));
  for (const std::size_t zeros : {std::size_t{1}, std::size_t{300'000}}) {
    write(member + std::string(zeros, '\0'));
    EXPECT_EQ(read("a\nb\n"), "a\nb\n") << zeros;
    write(member + std::string(zeros, '\0') + member);
    EXPECT_THROW(read("a\nb\na\nb\n"), TransferFileError) << zeros;
  }
}

std::string zstd_frame(const std::string& text, int window_log = 0) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&::ZSTD_freeCCtx)> context(::ZSTD_createCCtx(),
                                                                       &::ZSTD_freeCCtx);
  ::ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window_log);
  std::string frame(::ZSTD_compressBound(text.size()), '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{frame.data(), frame.size(), 0};
  // The size of the content would make the window smaller.
  ::ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
  ZSTD_inBuffer half{text.data(), text.size() / 2, 0};
  ::ZSTD_compressStream2(context.get(), &out, &half, ZSTD_e_flush);
  in.pos = half.pos;
  EXPECT_EQ(::ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end), 0U);
  frame.resize(out.pos);
  return frame;
}

// As pzstd begins its files.
TEST_F(RecordBlocksTest, PassesOverSkippableFrames) {
  using std::string_literals::operator""s;
  const std::string skipped = "\x5F\x2A\x4D\x18\x03\0\0\0abc"s;
  write(skipped + zstd_frame("a\n") + skipped + zstd_frame("b\n"));
  EXPECT_EQ(read("a\nb\n"), "a\nb\n");
}

TEST_F(RecordBlocksTest, SaysThatAWindowIsTooWide) {
  write(zstd_frame("a\nb\n", 25));
  EXPECT_EQ(read("a\nb\n"), "a\nb\n");
  write(zstd_frame("a\nb\n", 27));
  try {
    read({});
    ADD_FAILURE() << "it was read";
  } catch (const TransferFileError& error) {
    EXPECT_EQ(error.what(), messages::kWideWindow(path_, 32));
  }
}

TEST_F(RecordBlocksTest, GivesWhatIsWholeBeforeADamage) {
  const std::string text = lines(20'000, 100);
  std::string member;
  ASSERT_TRUE(deflate_body(Coding::kGzip, "first\n", member));
  std::string second;
  ASSERT_TRUE(deflate_body(Coding::kGzip, text, second));
  std::string flipped = second;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x55);
  const std::string frame = zstd_frame("first\n");
  std::string other_sum = zstd_frame("second\n");
  other_sum.resize(other_sum.size() - 1);
  const std::string too_long(kMaxRecordBytes + 2 * RecordBlocks::kBlockBytes, 'x');
  for (const std::string& file : {member + second.substr(0, second.size() - 1), member + flipped,
                                  frame + other_sum, "first\n" + too_long + "\nlast\n"}) {
    write(file);
    ByteSource source(path_);
    RecordBlocks blocks(source, false);
    const auto block = blocks.next();
    ASSERT_TRUE(block);
    EXPECT_TRUE(block->text.starts_with("first\n"));
    EXPECT_TRUE(block->text.ends_with("\n"));
    EXPECT_THROW(while (blocks.next()){}, TransferFileError);
    EXPECT_THROW(blocks.next(), TransferFileError);
  }
}

TEST_F(RecordBlocksTest, DecompressesWhatIsWantedAlone) {
  std::string member;
  ASSERT_TRUE(deflate_body(Coding::kGzip, "a\n", member));
  for (const std::string& file : {member, zstd_frame("a\n"), std::string("a\n")}) {
    write(file);
    const bool is_gzip = file == member;
    const bool is_zstd = !is_gzip && file != "a\n";
    EXPECT_EQ(ByteSource(path_, Compression::kGzip).is_decompressed(), is_gzip);
    EXPECT_EQ(ByteSource(path_, Compression::kZstd).is_decompressed(), is_zstd);
    EXPECT_EQ(ByteSource(path_, Compression::kAny).is_decompressed(), is_gzip || is_zstd);
    EXPECT_FALSE(ByteSource(path_, Compression::kNone).is_decompressed());
  }
}

TEST_F(RecordBlocksTest, KeepsQuotedLineFeeds) {
  const std::string record = "\"a\nb\",\"" + std::string(1'000, '\n') + "\"\"\",c\n";
  std::string text;
  while (text.size() < 3 * RecordBlocks::kBlockBytes) text += record;
  write(text);
  ByteSource source(path_);
  RecordBlocks blocks(source, true);
  std::size_t size = 0;
  while (const auto block = blocks.next()) {
    EXPECT_EQ(block->text.size() % record.size(), 0U);
    size += block->text.size();
  }
  EXPECT_EQ(size, text.size());
}

// Returns the records of a text, and the number of invalid ones.
std::pair<std::vector<std::string>, int> records_of(std::string_view text) {
  std::vector<std::string> records;
  std::vector<CsvCell> cells;
  int bad = 0;
  while (!text.empty()) {
    const std::string_view before = text;
    std::size_t count = 0;
    bad += take_csv_record(text, cells, count) ? 1 : 0;
    records.emplace_back(before.substr(0, before.size() - text.size()));
  }
  return {records, bad};
}

TEST_F(RecordBlocksTest, CutsWhereTheReaderOfCsvBeginsARecord) {
  std::mt19937 random(5);
  for (int round = 0; round < 12; ++round) {
    const std::string_view letters = round % 2 == 0 ? "\",\r\nab,,\n" : "\"\"\"\r\n,abcdefghijk\n";
    std::string text;
    while (text.size() < 2 * RecordBlocks::kBlockBytes) text += letters[random() % letters.size()];
    write(text);
    ByteSource source(path_);
    RecordBlocks blocks(source, true);
    std::vector<std::string> records;
    int bad = 0;
    while (const auto block = blocks.next()) {
      const auto [some, some_bad] = records_of(block->text);
      records.insert(records.end(), some.begin(), some.end());
      bad += some_bad;
    }
    const auto [expected, expected_bad] = records_of(text);
    EXPECT_EQ(bad, expected_bad);
    EXPECT_GT(bad, 1'000);
    EXPECT_TRUE(records == expected) << round;
  }
}

TEST_F(RecordBlocksTest, ReadsOnBehindAQuoteWhereNoneMayBe) {
  std::string text = "a,5\" pipe\n";
  while (text.size() < kMaxRecordBytes + 4 * RecordBlocks::kBlockBytes) text += "abc,def\n";
  write(text);
  EXPECT_TRUE(read(text, true) == text);
}

TEST_F(RecordBlocksTest, LeavesTheMarkOfUtf8Out) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::string& text : {std::string(), std::string("a\n"), "\"a\nb\"\n" + mark + "\n"}) {
    write(mark + text);
    EXPECT_EQ(read(text, true), text);
  }
  for (const std::string& text : {mark.substr(0, 1), mark.substr(0, 2), mark.substr(1)}) {
    write(text);
    EXPECT_EQ(read(text), text);
  }
}

TEST_F(RecordBlocksTest, BoundsARecord) {
  write(std::string(kMaxRecordBytes - 1, 'x') + "\n");
  EXPECT_EQ(read({}).size(), kMaxRecordBytes);
  write("a\n" + std::string(kMaxRecordBytes + 2 * RecordBlocks::kBlockBytes, 'x') + "\n");
  EXPECT_THROW(read({}), TransferFileError);
}

TEST_F(RecordBlocksTest, SaysWhichFileCannotBeRead) {
  EXPECT_THROW(ByteSource(directory_.file("none")), TransferFileError);
  EXPECT_THROW(
      {
        ByteSource folder(directory_.path());
        char byte;
        folder.read(&byte, 1);
      },
      TransferFileError);
}

TEST(TakeLine, TakesEitherEnd) {
  std::string_view text = "a\r\n\nb\r";
  EXPECT_EQ(take_line(text), "a");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(take_line(text), "b");
  EXPECT_TRUE(text.empty());
}

}  // namespace
}  // namespace magneto::server::formats
