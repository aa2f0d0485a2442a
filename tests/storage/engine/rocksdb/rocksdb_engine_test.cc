#include "storage/engine/rocksdb/rocksdb_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

class RocksdbEngineTest : public testing::Test {
 protected:
  void open() {
    engine_ = open_rocksdb_engine(options_);
    items_ = engine_->open_tree(ColumnFamily::kItems, "t");
  }
  void close() {
    items_.reset();
    engine_.reset();
  }
  void reopen() {
    close();
    open();
  }
  void put(std::string key, std::string value) {
    WriteBatch batch;
    batch.put(items_, std::move(key), std::move(value));
    engine_->commit(batch);
  }
  std::string get(const std::string& key) {
    const PinnedValue value = engine_->get(*items_, key);
    return value ? std::string(value.bytes()) : "(none)";
  }
  int count() {
    const auto cursor = engine_->scan(*items_, {}, {}, Direction::kForward);
    int entries = 0;
    while (cursor->next()) ++entries;
    return entries;
  }
  // Enough to make several tables with the smallest budget.
  static constexpr int kEntriesOfTables = 5'000;
  void fill(int entries) {
    for (int i = 0; i < entries; ++i) put("t" + std::to_string(i), std::string(1'000, 'v'));
  }
  // The sentence with which the directory is refused; empty when it is not.
  std::string refusal() {
    try {
      open();
      close();
      return "";
    } catch (const EngineError& error) {
      return error.what();
    }
  }
  // Leaves the closed directory as a killed process does: the log's last record is torn, and
  // nothing says how long the log was.
  void tear_log() const {
    fs::remove(options_.directory + "/files");
    const fs::path log = find_file(".log");
    fs::resize_file(log, fs::file_size(log) - 100);
  }
  bool has_file(const std::string& part) const { return !find_files(part).empty(); }
  // The last one whose name has the part.
  fs::path find_file(const std::string& part) const {
    const std::set<fs::path> found = find_files(part);
    EXPECT_FALSE(found.empty()) << part;
    return found.empty() ? fs::path() : *found.rbegin();
  }
  std::set<fs::path> find_files(const std::string& part) const {
    std::set<fs::path> found;
    for (const auto& entry : fs::directory_iterator(options_.directory + "/rocksdb")) {
      const std::string name = entry.path().filename().string();
      if (name.find(part) != std::string::npos && entry.file_size() > 0) found.insert(entry.path());
    }
    return found;
  }
  // Fills a directory, damages the file, and expects a refusal that names it.
  void expect_named(const std::string& part, const std::function<void(const fs::path&)>& damage,
                    int entries = kEntriesOfTables) {
    fs::remove_all(options_.directory);
    options_.memory_budget = 1;
    open();
    fill(entries);
    close();
    const fs::path file = find_file(part);
    damage(file);
    const std::string sentence = refusal();
    // RocksDB tries a missing table under its former extension too, and names that.
    EXPECT_NE(sentence.find(file.stem().string()), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(options_.directory), std::string::npos) << sentence;
  }

  TempDirectory directory_;
  RocksdbOptions options_{.directory = directory_.file("data")};
  std::unique_ptr<Engine> engine_;
  TreePtr items_;
};

void flip_byte(const fs::path& path, std::streamoff at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(at);
  const int byte = file.get();
  ASSERT_NE(byte, EOF);
  file.seekp(at);
  file.put(static_cast<char>(byte ^ 0x55));
}

void truncate_to_half(const fs::path& path) { fs::resize_file(path, fs::file_size(path) / 2); }
void remove_file(const fs::path& path) { fs::remove(path); }

// Each start adds a log, which every later start would read again.
TEST_F(RocksdbEngineTest, ManyStartsLeaveFewFiles) {
  std::size_t most = 0;
  for (int i = 0; i < 30; ++i) {
    open();
    EXPECT_EQ(count(), i);
    put("t" + std::to_string(i), "v");
    close();
    std::size_t logs = 0;
    for (const auto& entry : fs::directory_iterator(options_.directory + "/rocksdb")) {
      logs += entry.path().extension() == ".log" ? 1 : 0;
      EXPECT_FALSE(entry.path().filename().string().starts_with("OPTIONS")) << entry.path();
    }
    most = std::max(most, logs);
  }
  EXPECT_GE(most, 2U);  // a close writes no tables for a few changes
  EXPECT_LE(most, 5U);
}

TEST_F(RocksdbEngineTest, KeepsAllFamiliesOverReopening) {
  open();
  EXPECT_TRUE(engine_->is_durable());
  {
    const TreePtr indexes = engine_->open_tree(ColumnFamily::kIndexes, "t");
    const TreePtr queue = engine_->open_tree(ColumnFamily::kQueue, "");
    const TreePtr system = engine_->open_tree(ColumnFamily::kSystem, "");
    WriteBatch batch;
    batch.put(items_, "t1", "items");
    batch.put(items_, "t2", "deleted");
    batch.put(indexes, "t1", "indexes");
    batch.put(queue, "1", "queue");
    batch.put(system, "s", "system");
    engine_->commit(batch);
    batch.clear();
    batch.remove(items_, "t2");
    engine_->commit(batch);
  }
  reopen();
  EXPECT_EQ(get("t1"), "items");
  EXPECT_EQ(get("t2"), "(none)");
  EXPECT_EQ(engine_->get(*engine_->open_tree(ColumnFamily::kIndexes, "t"), "t1").bytes(),
            "indexes");
  EXPECT_EQ(engine_->get(*engine_->open_tree(ColumnFamily::kQueue, ""), "1").bytes(), "queue");
  EXPECT_EQ(engine_->get(*engine_->open_tree(ColumnFamily::kSystem, ""), "s").bytes(), "system");
}

TEST_F(RocksdbEngineTest, ManyReopeningsAddUp) {
  for (int i = 0; i < 6; ++i) {
    open();
    EXPECT_EQ(count(), i);
    put("t" + std::to_string(i), "v");
    close();
  }
}

TEST_F(RocksdbEngineTest, ClearedTreesStayEmptyOverReopening) {
  open();
  fill(3'000);
  const TreePtr other = engine_->open_tree(ColumnFamily::kItems, "u");
  WriteBatch batch;
  batch.put(other, "u", "v");
  engine_->commit(batch);
  engine_->clear(*items_);
  EXPECT_EQ(count(), 0);
  reopen();
  EXPECT_EQ(count(), 0);
  EXPECT_EQ(engine_->get(*engine_->open_tree(ColumnFamily::kItems, "u"), "u").bytes(), "v");
}

TEST_F(RocksdbEngineTest, ClearingATreeWithoutPrefixReachesItsLastKey) {
  open();
  const TreePtr system = engine_->open_tree(ColumnFamily::kSystem, "");
  WriteBatch batch;
  for (int i = 0; i < 2'000; ++i) batch.put(system, "\xff" + std::to_string(i), "v");
  batch.put(system, "\xff\xff\xff\xff", "v");
  engine_->commit(batch);
  engine_->clear(*system);
  EXPECT_FALSE(engine_->scan(*system, {}, {}, Direction::kForward)->next());
}

TEST_F(RocksdbEngineTest, SyncedCommitsOfManyThreads) {
  options_.sync_writes = true;
  open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) put("t" + std::to_string(t) + "/" + std::to_string(i), "v");
    });
  }
  for (std::thread& thread : threads) thread.join();
  reopen();
  EXPECT_EQ(count(), 80);
}

TEST_F(RocksdbEngineTest, SmallBudgetHoldsMoreThanItsSize) {
  options_.memory_budget = 1;
  open();
  fill(20'000);
  EXPECT_EQ(count(), 20'000);
  EXPECT_EQ(get("t12345"), std::string(1'000, 'v'));
  reopen();
  EXPECT_EQ(count(), 20'000);
}

TEST_F(RocksdbEngineTest, ClosingWritesTablesWhenTheLogIsLong) {
  open();
  fill(100);
  close();
  EXPECT_FALSE(has_file(".sst"));
  open();
  fill(10'000);
  close();
  EXPECT_TRUE(has_file(".sst"));
  open();
  EXPECT_EQ(count(), 10'000);
}

TEST_F(RocksdbEngineTest, RefusesASecondUserOfItsDirectory) {
  open();
  EXPECT_THROW(open_rocksdb_engine(options_), EngineError);
  put("t1", "still works");
  EXPECT_EQ(get("t1"), "still works");
}

TEST_F(RocksdbEngineTest, ToleratesALogRecordTornAtTheEnd) {
  open();
  put("t1", "whole");
  put("t2", std::string(1'000, 'v'));
  close();
  tear_log();
  open();
  EXPECT_EQ(get("t1"), "whole");
  EXPECT_EQ(get("t2"), "(none)");
}

TEST_F(RocksdbEngineTest, ATornLogIsGoneAfterTheNextCleanEnd) {
  for (const bool has_whole_record : {true, false}) {
    open();
    if (has_whole_record) put("t1", "whole");
    put("t2", std::string(1'000, 'v'));
    close();
    tear_log();
    for (int i = 0; i < 3; ++i) {
      open();
      EXPECT_EQ(get("t1"), "whole");
      EXPECT_EQ(get("t2"), "(none)");
      close();
    }
  }
}

TEST_F(RocksdbEngineTest, NamesADamagedLog) {
  // So few that there is one log: the close of a directory with five writes tables in their place.
  constexpr int kEntriesOfALog = 100;
  expect_named(
      ".log", [](const fs::path& path) { flip_byte(path, 500); }, kEntriesOfALog);
  expect_named(".log", truncate_to_half, kEntriesOfALog);
  expect_named(".log", remove_file, kEntriesOfALog);
}

TEST_F(RocksdbEngineTest, NamesADamagedTable) {
  expect_named(".sst", truncate_to_half);
  expect_named(".sst", remove_file);
}

TEST_F(RocksdbEngineTest, NamesADamagedManifest) {
  expect_named("MANIFEST-", [](const fs::path& path) { flip_byte(path, 60); });
  expect_named("MANIFEST-", truncate_to_half);
  expect_named("MANIFEST-", remove_file);
}

TEST_F(RocksdbEngineTest, NamesADamagedCurrent) {
  expect_named("CURRENT", truncate_to_half);
  expect_named("CURRENT", remove_file);
}

TEST_F(RocksdbEngineTest, ReportsADamagedBlockWhenReadAndNamesTheTable) {
  options_.memory_budget = 1;
  open();
  fill(5'000);
  close();
  flip_byte(find_file(".sst"), 500);
  open();
  try {
    count();
    FAIL() << "the damage went unseen";
  } catch (const EngineError& error) {
    EXPECT_NE(std::string(error.what()).find(".sst"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace magneto::storage
