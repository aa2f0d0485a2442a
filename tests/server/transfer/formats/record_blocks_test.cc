#include "server/transfer/formats/record_blocks.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "server/body_encoding.h"
#include "server/transfer/formats/format.h"
#include "tests/support/engines.h"

namespace magneto::server {
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
}  // namespace magneto::server
