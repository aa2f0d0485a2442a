#include "storage/engine/computed_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

using Blocks = std::vector<std::string>;

class ComputedFilesTest : public testing::Test {
 protected:
  bool write(std::string_view name, std::string_view close, const Blocks& blocks) const {
    const auto writer = files_.create(name, close, 1'000);
    if (writer == nullptr) return false;
    for (const std::string& block : blocks) {
      if (!writer->add(block)) return false;
    }
    return writer->finish();
  }
  // nullopt: there is no file with the id, or it is damaged.
  std::optional<Blocks> read(std::string_view name, std::string_view close) const {
    const auto reader = files_.open(name, close);
    if (reader == nullptr) return std::nullopt;
    Blocks blocks;
    for (;;) {
      switch (reader->next()) {
        case ComputedFiles::Reader::Result::kBlock:
          blocks.emplace_back(reader->block());
          break;
        case ComputedFiles::Reader::Result::kEnd:
          return blocks;
        case ComputedFiles::Reader::Result::kDamaged:
          EXPECT_EQ(reader->next(), ComputedFiles::Reader::Result::kDamaged);
          return std::nullopt;
      }
    }
  }
  std::string path(std::string_view name) const { return folder() + "/" + std::string(name); }
  std::string folder() const { return directory_.file("computed"); }
  std::string bytes(std::string_view name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void set_bytes(std::string_view name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  const TempDirectory directory_;
  const ComputedFiles files_{folder()};
  const std::string close_ = ComputedFiles::new_id();
};

TEST_F(ComputedFilesTest, ReadsWhatItWrote) {
  const Blocks blocks{"one", std::string(100'000, 'x'), "", std::string("a\0b", 3)};
  ASSERT_TRUE(write("f", close_, blocks));
  EXPECT_TRUE(files_.has("f", close_));
  EXPECT_EQ(read("f", close_), blocks);
  ASSERT_TRUE(write("f", close_, {}));
  EXPECT_EQ(read("f", close_), Blocks());
  EXPECT_EQ(names(), Blocks{"f"});
}

TEST_F(ComputedFilesTest, KnowsOnlyTheFileOfTheClose) {
  const std::string other = ComputedFiles::new_id();
  EXPECT_NE(other, close_);
  EXPECT_FALSE(files_.has("f", close_));
  ASSERT_TRUE(write("f", close_, {"one"}));
  for (const std::string& wrong : {other, std::string(), close_.substr(1), close_ + "x"}) {
    EXPECT_FALSE(files_.has("f", wrong));
    EXPECT_EQ(files_.open("f", wrong), nullptr);
    EXPECT_FALSE(files_.carry_over("f", wrong, other));
  }
  EXPECT_EQ(files_.create("f", "short", 1), nullptr);
  EXPECT_FALSE(files_.carry_over("f", close_, "short"));
  ASSERT_TRUE(files_.carry_over("f", close_, other));
  EXPECT_FALSE(files_.has("f", close_));
  EXPECT_EQ(read("f", other), Blocks{"one"});
}

TEST_F(ComputedFilesTest, NoticesEachChangedByte) {
  ASSERT_TRUE(write("f", close_, {"some bytes", std::string(200, 'y'), "the end"}));
  const std::string good = bytes("f");
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char change : {'\x01', '\x80', '\xFF'}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ change);
      set_bytes("f", bad);
      EXPECT_EQ(read("f", close_), std::nullopt) << i;
    }
  }
}

TEST_F(ComputedFilesTest, NoticesEachOtherLength) {
  ASSERT_TRUE(write("f", close_, {"some bytes", "the end"}));
  const std::string good = bytes("f");
  for (std::size_t length = 0; length < good.size(); ++length) {
    set_bytes("f", good.substr(0, length));
    EXPECT_EQ(read("f", close_), std::nullopt) << length;
    set_bytes("f", good.substr(0, length) + std::string(good.size() - length, '\0'));
    EXPECT_EQ(read("f", close_), std::nullopt) << length;
  }
  set_bytes("f", good + "x");
  EXPECT_EQ(read("f", close_), std::nullopt);
  set_bytes("f", good);
  EXPECT_NE(read("f", close_), std::nullopt);
}

TEST_F(ComputedFilesTest, NoticesBlocksOfOtherPlacesAndFiles) {
  ASSERT_TRUE(write("f", close_, {"block 1", "block 2"}));
  ASSERT_TRUE(write("g", close_, {"block 1", "block 2"}));
  const std::string good = bytes("f");
  constexpr std::size_t kBlock = 16 + 7;
  const std::size_t first = good.size() - 2 * kBlock;
  set_bytes("f", good.substr(0, first) + good.substr(first + kBlock) + good.substr(first, kBlock));
  EXPECT_EQ(read("f", close_), std::nullopt);
  set_bytes("f", good.substr(0, first) + bytes("g").substr(first));
  EXPECT_EQ(read("f", close_), std::nullopt);
}

TEST_F(ComputedFilesTest, LeavesNoUnfinishedFile) {
  ASSERT_TRUE(write("f", close_, {"old"}));
  {
    const auto writer = files_.create("f", close_, 1);
    ASSERT_NE(writer, nullptr);
    EXPECT_TRUE(writer->add("new"));
    EXPECT_FALSE(writer->add(std::string(ComputedFiles::kLongestBlock + 1, 'x')));
    EXPECT_FALSE(writer->add("later"));
    EXPECT_FALSE(writer->finish());
  }
  EXPECT_EQ(names(), Blocks{"f"});
  EXPECT_EQ(read("f", close_), Blocks{"old"});
}

TEST_F(ComputedFilesTest, WritesNothingWithoutRoom) {
  EXPECT_EQ(files_.create("f", close_, std::uint64_t{1} << 60), nullptr);
  std::filesystem::remove_all(folder());
  std::ofstream(folder()) << "a file in the folder's place";
  EXPECT_EQ(files_.create("f", close_, 1), nullptr);
  EXPECT_FALSE(files_.has("f", close_));
  files_.keep_only({});
  files_.remove("f");
}

TEST_F(ComputedFilesTest, RemovesAllOthers) {
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(write(name, close_, {name}));
  set_bytes("b.new", "what a killed process left");
  files_.remove("a");
  files_.remove("never there");
  EXPECT_EQ(names(), (Blocks{"b", "b.new", "c"}));
  const std::vector<std::string> kept{"b", "x"};
  files_.keep_only(kept);
  EXPECT_EQ(names(), Blocks{"b"});
  files_.keep_only({});
  EXPECT_EQ(names(), Blocks());
}

}  // namespace
}  // namespace magneto::storage
