#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "storage/engine/local_disk.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "tests/support/engines.h"

// Any damage in a closed data directory: its data is served unchanged, or an error names a file of
// the directory. Wrong or missing data is never served.
namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

constexpr int kItems = 5'000;
constexpr int kInLog = 50;  // the last ones, written only to the log

std::string key(int number) { return "t" + std::to_string(100'000 + number); }
std::string value(int number) { return std::string(1'000, static_cast<char>('a' + number % 26)); }

void overwrite(const fs::path& file, std::streamoff at) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(at);
  stream.write("\xff\xff\xff\xff", 4);
}
bool is_log(const fs::path& file) { return file.extension() == ".log"; }
void damage_first_block(const fs::path& table) { overwrite(table, 100); }

class RocksdbDamageTest : public testing::Test {
 protected:
  RocksdbDamageTest() {
    put(0, kItems);
    // A close with five logs writes tables in their place, and each start adds a log.
    while (count_logs() > 2) put(kItems, kItems);
    put(kItems, kItems + kInLog);
    list_files();
  }

  std::ptrdiff_t count_logs() const {
    return std::count_if(fs::recursive_directory_iterator(original_), {}, is_log);
  }

  void list_files() {
    files_.clear();
    for (const auto& entry : fs::recursive_directory_iterator(original_)) {
      if (entry.is_regular_file() && entry.file_size() > 0) files_.push_back(entry.path());
    }
  }

  std::unique_ptr<Engine> open(const std::string& path) {
    return open_rocksdb_engine({.directory = path, .memory_budget = 1});
  }
  void put(int first, int end) {
    items_ = end;
    const auto engine = open(original_);
    const TreePtr items = engine->open_tree(ColumnFamily::kItems, "t");
    for (int i = first; i < end; ++i) {
      WriteBatch batch;
      batch.put(items, key(i), value(i));
      engine->commit(batch);
    }
  }
  bool names_a_file(const std::string& sentence) const {
    const std::string copy = directory_.file("copy");
    if (sentence.find(copy + "/rocksdb/") != std::string::npos) return true;
    if (sentence.find(copy) == std::string::npos) return false;
    if (sentence.find("was written by a newer Magneto") != std::string::npos) return true;
    for (const fs::path& file : files_) {
      if (sentence.find(file.filename().string()) != std::string::npos) return true;
    }
    return false;
  }
  fs::path any_file() { return files_[random_() % files_.size()]; }

  // Damages a copy of the directory and opens it.
  template <typename Damage>
  void expect_named_or_harmless(const fs::path& file, const Damage& damage) {
    const std::string copy = directory_.file("copy");
    fs::remove_all(copy);
    fs::copy(original_, copy, fs::copy_options::recursive);
    damage(copy / fs::relative(file, original_));
    try {
      const auto engine = open(copy);
      const TreePtr items = engine->open_tree(ColumnFamily::kItems, "t");
      const auto cursor = engine->scan(*items, {}, {}, Direction::kForward);
      for (int i = 0; i < items_; ++i) {
        ASSERT_TRUE(cursor->next()) << "nothing from " << i << " on";
        ASSERT_EQ(cursor->key(), key(i));
        ASSERT_EQ(cursor->value(), value(i));
        ASSERT_EQ(engine->get(*items, key(i)).bytes(), value(i));
      }
      EXPECT_FALSE(cursor->next());
    } catch (const EngineError& error) {
      ++named_;
      const std::string sentence = error.what();
      EXPECT_TRUE(names_a_file(sentence)) << sentence;
      EXPECT_EQ(sentence.find("999999.sst"), std::string::npos) << sentence;
      // A manifest, which names tables, is not to blame for them.
      if (file.extension() == ".sst") {
        EXPECT_NE(sentence.find(file.filename().string()), std::string::npos) << sentence;
      }
    }
  }

  TempDirectory directory_;
  const std::string original_ = directory_.file("data");
  std::vector<fs::path> files_;
  std::mt19937 random_{20'260'101};
  int items_ = 0;
  std::size_t named_ = 0;
};

TEST_F(RocksdbDamageTest, AFlippedBitIsNamedOrHarmless) {
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    const fs::path file = any_file();
    const auto at = static_cast<std::streamoff>(random_() % fs::file_size(file));
    const auto bit = static_cast<char>(1 << random_() % 8);
    SCOPED_TRACE(file.filename().string() + " at " + std::to_string(at) + " bit " +
                 std::to_string(bit));
    expect_named_or_harmless(file, [&](const fs::path& path) {
      std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(at);
      const char byte = static_cast<char>(stream.get());
      stream.seekp(at);
      stream.put(static_cast<char>(byte ^ bit));
    });
  }
  EXPECT_GT(named_, 10);
}

TEST_F(RocksdbDamageTest, AFileCutShortIsNamedOrHarmless) {
  for (int i = 0; i < 30 && !HasFailure(); ++i) {
    const fs::path file = any_file();
    const std::uintmax_t size = random_() % fs::file_size(file);
    SCOPED_TRACE(file.filename().string() + " cut to " + std::to_string(size));
    expect_named_or_harmless(file, [&](const fs::path& path) { fs::resize_file(path, size); });
  }
  EXPECT_GT(named_, 10);
}

TEST_F(RocksdbDamageTest, AMissingFileIsNamedOrHarmless) {
  for (const fs::path& file : files_) {
    SCOPED_TRACE(file.filename().string());
    expect_named_or_harmless(file, [&](const fs::path& path) { fs::remove(path); });
  }
  EXPECT_GT(named_, 3);
}

// A killed process leaves such a file while it writes a table.
TEST_F(RocksdbDamageTest, AnUnfinishedTableIsNotToBlameForAnotherFile) {
  for (const fs::path& file : files_) {
    if (!is_log(file)) continue;
    expect_named_or_harmless(file, [&](const fs::path& path) {
      std::ofstream(path.parent_path() / "999999.sst") << std::string(100, 'x');
      overwrite(path, 100);
    });
  }
  EXPECT_GT(named_, 0U);
}

// Keys written in order fill tables that do not overlap. The lower levels have several of them.
class RocksdbLevelsDamageTest : public RocksdbDamageTest {
 protected:
  RocksdbLevelsDamageTest() {
    put(items_, 5 * kItems);
    list_tables();
  }

  void list_tables() {
    list_files();
    std::erase_if(files_, [](const fs::path& file) { return file.extension() != ".sst"; });
  }
};

TEST_F(RocksdbLevelsDamageTest, TheFirstBlockOfAnyTableIsNamed) {
  for (const fs::path& table : files_) {
    SCOPED_TRACE(table.filename().string());
    expect_named_or_harmless(table, damage_first_block);
  }
  EXPECT_GT(files_.size(), 2);
  EXPECT_EQ(named_, files_.size());
}

// RocksDB does not say which table has this damage: neither at the start, when it opens the first
// 16, nor when it opens another to read it.
TEST_F(RocksdbLevelsDamageTest, ThePropertiesOfAnyTableAreNamed) {
  put(items_, 9 * kItems);
  list_tables();
  for (const fs::path& table : files_) {
    SCOPED_TRACE(table.filename().string());
    expect_named_or_harmless(table, [](const fs::path& path) {
      std::ifstream stream(path, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
      const std::size_t at = bytes.rfind("merge.operands");  // within the name of a property
      ASSERT_NE(at, std::string::npos);
      overwrite(path, static_cast<std::streamoff>(at));
    });
  }
  EXPECT_GT(files_.size(), 16);
  EXPECT_EQ(named_, files_.size());
}

// The merge would remove the damaged table, with its lost data, from the directory.
TEST_F(RocksdbLevelsDamageTest, AMergeStopsAtTheFirstBlock) {
  const fs::path oldest = *std::ranges::min_element(files_);  // has come to the lowest level
  expect_named_or_harmless(oldest, [&](const fs::path& path) {
    damage_first_block(path);
    const auto engine = open(directory_.file("copy"));
    const TreePtr items = engine->open_tree(ColumnFamily::kItems, "t");
    WriteBatch batch;
    for (int i = 0; i < items_; i += 7) batch.put(items, key(i), value(i));
    engine->commit(batch);
    EXPECT_THROW(engine->local_disk()->reclaim(*items), EngineError);
  });
  EXPECT_EQ(named_, 1);
}

// The record that a killed process left half-written looks the same as one whose length is damaged;
// after a clean end it is known that there was none.
TEST_F(RocksdbDamageTest, TheLastRecordOfALogIsNotTakenForATornOne) {
  for (const fs::path& file : files_) {
    if (!is_log(file)) continue;
    const std::uintmax_t size = fs::file_size(file);
    for (const std::uintmax_t from_end : {1U, 500U, 1'000U, 1'030U, 1'040U, 1'050U}) {
      SCOPED_TRACE(from_end);
      expect_named_or_harmless(file, [&](const fs::path& path) {
        overwrite(path, static_cast<std::streamoff>(size - from_end));
      });
    }
  }
}

}  // namespace
}  // namespace magneto::storage
