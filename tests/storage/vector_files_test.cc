// The files of vector indexes: a start reads them only where they are right, and every search is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "storage/index/vector_index.h"
#include "storage/model/value_writer.h"
#include "storage/model/vector_value.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

class VectorFilesTest : public DatabaseTest {
 protected:
  static TableSchema schema(std::uint32_t dimensions) {
    TableSchema schema = table_schema("t");
    schema.billing = BillingMode::kPayPerRequest;
    IndexSchema index = index_schema("i", IndexKind::kVector, {}, {});
    index.vector = {"e", dimensions, DistanceFunction::kEuclidean, {{string_key("color"), false}}};
    schema.indexes = {index};
    return schema;
  }
  // The vector of an item has its value in each dimension.
  void put_item(int number, int value, const std::string& color = "red") {
    std::string bytes;
    ValueWriter writer(bytes);
    writer.begin_item();
    writer.name("color");
    writer.string(color);
    writer.name("e");
    writer.begin_list();
    for (std::uint32_t i = 0; i < dimensions_; ++i) writer.number(Number::from_integer(value));
    writer.end_list();
    writer.name("pk");
    writer.string("p" + std::to_string(number % 3));
    writer.name("sk");
    writer.number(Number::from_integer(number));
    writer.end_item();
    put(database(), database().find_table("t"), Item(std::move(bytes)));
    values_[number] = {value, color};
  }
  void remove_item(int number) {
    remove(database(), database().find_table("t"),
           make_item({{"pk", "p" + std::to_string(number % 3)}, {"sk", number}}));
    values_.erase(number);
  }
  void fill(int items) {
    database().create_table(schema(dimensions_));
    for (int i = 0; i < items; ++i) put_item(i, 7 * i, i % 2 == 0 ? "red" : "blue");
  }
  // A search finds each item with its value.
  void expect_right() {
    const std::vector<float> zeros(dimensions_);
    for (const std::string color : {"", "red", "blue"}) {
      VectorSearch wanted{.query = zeros, .count = 10'000, .partition = {}, .filters = {}};
      wanted.wants_vectors = true;
      const AttributeValue filter = AttributeValue::string(color);
      if (!color.empty()) wanted.filters = {{"color", filter}};
      Effort effort;
      const TablePtr table = database().find_table("t");
      std::map<int, std::pair<int, std::string>> found;
      for (const VectorResult& one :
           database().search_vectors(*table, *table->find_index("i"), wanted, effort)) {
        const ItemView item = one.item.view();
        const auto number = static_cast<int>(*item.find("sk").number().to_integer());
        const auto value = static_cast<int>(one.vector.at(0));
        found[number] = {value, std::string(item.find("color").scalar_bytes())};
      }
      auto expected = values_;
      if (!color.empty()) {
        std::erase_if(expected, [&](const auto& one) { return one.second.second != color; });
      }
      EXPECT_EQ(found, expected);
    }
  }
  bool is_from_file() {
    const TablePtr table = database().find_table("t");
    return static_cast<VectorIndex&>(*table->find_index("i")->store).is_from_file();
  }
  void close() { database_.reset(); }
  fs::path data() const { return directory_.file("data"); }
  fs::path folder() const { return data() / "computed"; }
  std::set<std::string> files() const {
    std::set<std::string> names;
    if (!fs::exists(folder())) return names;
    for (const auto& entry : fs::directory_iterator(folder())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  fs::path only_file() const {
    EXPECT_EQ(files().size(), 1U);
    return folder() / *files().begin();
  }
  static std::string bytes_of_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void set_bytes(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  // Gives the closed store another mark of a clean close; nullptr: none, as after a kill.
  void set_mark(const char* mark) const {
    const auto engine = open_rocksdb_engine({.directory = data().string()});
    const TreePtr system = engine->open_tree(ColumnFamily::kSystem, "");
    WriteBatch batch;
    if (mark == nullptr) {
      batch.remove(system, counter_key("clean-close"));
    } else {
      batch.put(system, counter_key("clean-close"), mark);
    }
    engine->commit(batch);
  }

  std::uint32_t dimensions_ = 3;
  std::map<int, std::pair<int, std::string>> values_;
};
INSTANTIATE_TEST_SUITE_P(Engines, VectorFilesTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(VectorFilesTest, AStartReadsTheFileOfTheClose) {
  fill(50);
  for (int round = 0; round < 3; ++round) {
    reopen();
    expect_right();
    EXPECT_TRUE(is_from_file());
  }
  put_item(3, 1);
  reopen();
  expect_right();
  EXPECT_TRUE(is_from_file());
}

TEST_P(VectorFilesTest, AFileStaysRightOverStartsWithoutSearches) {
  fill(50);
  close();
  const auto written = fs::last_write_time(only_file());
  const std::string old = bytes_of_file(only_file());
  for (int round = 0; round < 3; ++round) reopen();
  close();
  const std::string bytes = bytes_of_file(only_file());
  EXPECT_EQ(bytes.substr(56), old.substr(56));  // only the head was written again
  EXPECT_NE(bytes, old);
  EXPECT_GE(fs::last_write_time(only_file()), written);
  expect_right();
  EXPECT_TRUE(is_from_file());
}

TEST_P(VectorFilesTest, ChangesBeforeTheFirstSearchAreSeen) {
  fill(50);
  reopen();
  for (int round = 0; round < 3; ++round) {
    put_item(1, 1'000 + round);
    put_item(2, 2'000 + round, "blue");
    put_item(100 + round, 3);
    remove_item(10 + round);
    if (round != 1) expect_right();  // once the close has to load the file for itself
    if (round == 0) {
      EXPECT_TRUE(is_from_file());
    }
    reopen();
    expect_right();
    EXPECT_TRUE(is_from_file());
    reopen();
  }
}

TEST_P(VectorFilesTest, TooManyChangesGiveTheFileUp) {
  dimensions_ = kMaxVectorDimensions;
  fill(4);
  reopen();
  for (int i = 0; i < 1'100; ++i) put_item(i % 6, i);
  database().settle();
  expect_right();
  EXPECT_FALSE(is_from_file());
  reopen();
  expect_right();
  EXPECT_TRUE(is_from_file());
}

TEST_P(VectorFilesTest, DamageIsNoticed) {
  fill(20);
  close();
  const std::string good = bytes_of_file(only_file());
  std::vector<std::string> damaged;
  for (std::size_t i = 0; i < good.size(); i += good.size() / 7) {
    damaged.push_back(good);
    damaged.back()[i] = static_cast<char>(damaged.back()[i] ^ 0x10);
    damaged.push_back(good.substr(0, i));
    damaged.push_back(good.substr(0, i) + std::string(good.size() - i, '\0'));
  }
  damaged.push_back(good + "x");
  const std::string file = only_file().string();
  const fs::path copy = directory_.file("copy");
  fs::copy(data(), copy, fs::copy_options::recursive);
  for (const std::string& bytes : damaged) {
    fs::remove_all(data());
    fs::copy(copy, data(), fs::copy_options::recursive);
    set_bytes(file, bytes);
    expect_right();
    EXPECT_FALSE(is_from_file());
    put_item(5, 99);
    reopen();
    expect_right();
    EXPECT_TRUE(is_from_file());
    close();
    values_[5] = {35, "blue"};
  }
  fs::remove_all(data());
  fs::copy(copy, data(), fs::copy_options::recursive);
  expect_right();
  EXPECT_TRUE(is_from_file());
}

TEST_P(VectorFilesTest, AFileOfAnotherCloseIsNotRead) {
  fill(20);
  close();
  const std::string old = bytes_of_file(only_file());
  put_item(5, 99);
  close();
  set_bytes(only_file(), old);
  expect_right();
  EXPECT_FALSE(is_from_file());
}

// Its manifest and tables are those of before, beside a file of later.
TEST_P(VectorFilesTest, ADirectoryThatWasTakenBackIsNoticed) {
  fill(20);
  close();
  const fs::path copy = directory_.file("copy");
  fs::copy(data(), copy, fs::copy_options::recursive);
  put_item(5, 99);
  put_item(77, 1);
  close();
  fs::remove_all(copy / "computed");
  fs::copy(folder(), copy / "computed", fs::copy_options::recursive);
  fs::remove_all(data());
  fs::rename(copy, data());
  values_[5] = {35, "blue"};
  values_.erase(77);
  expect_right();
  EXPECT_FALSE(is_from_file());
}

// Versions that know no files leave the mark of a clean close without an id.
TEST_P(VectorFilesTest, AWriteOfAnOlderVersionIsNoticed) {
  for (const char* mark : {"", "another close", static_cast<const char*>(nullptr)}) {
    values_.clear();
    fill(20);
    close();
    const std::string file = bytes_of_file(only_file());
    const std::string name = only_file().string();
    put_item(5, 99);
    close();
    set_bytes(name, file);
    set_mark(mark);
    expect_right();
    EXPECT_FALSE(is_from_file());
    close();
    fs::remove_all(data());
  }
}

// The steps of a close: an unfinished file; a new file, and no mark yet.
TEST_P(VectorFilesTest, AKillAtEachStepOfACloseIsNoticed) {
  for (const bool is_renamed : {false, true}) {
    values_.clear();
    fill(20);
    close();
    const fs::path file = only_file();
    if (!is_renamed) fs::rename(file, file.string() + ".new");
    set_mark(nullptr);
    database();
    EXPECT_TRUE(eventually([&] { return files().empty(); }));
    expect_right();
    EXPECT_FALSE(is_from_file());
    reopen();
    expect_right();
    EXPECT_TRUE(is_from_file());
    close();
    fs::remove_all(data());
  }
}

TEST_P(VectorFilesTest, WithoutRoomForFilesAllElseGoesOn) {
  fill(20);
  close();
  fs::remove_all(folder());
  set_bytes(folder(), "a file in the folder's place");
  put_item(5, 99);
  reopen();
  expect_right();
  EXPECT_FALSE(is_from_file());
  reopen();
  expect_right();
}

TEST_P(VectorFilesTest, ACloseWaitsForNoLongFile) {
  fill(20);
  const TablePtr table = database().find_table("t");
  auto& index = static_cast<VectorIndex&>(*table->find_index("i")->store);
  database().settle();
  const std::string close = ComputedFiles::new_id();
  const auto now = std::chrono::steady_clock::now();
  EXPECT_FALSE(
      index.save(table->schema, table->partitions, true, close, now - std::chrono::hours(1)));
  EXPECT_EQ(files(), std::set<std::string>());
  EXPECT_TRUE(
      index.save(table->schema, table->partitions, true, close, now + std::chrono::hours(1)));
  EXPECT_EQ(files(), std::set<std::string>{index.file_name()});
}

TEST_P(VectorFilesTest, TheFileGoesWithItsIndexAndTable) {
  fill(20);
  reopen();
  EXPECT_EQ(files().size(), 1U);
  database().update_table("t", [](TableSchema& changed) { changed.indexes.clear(); });
  EXPECT_TRUE(eventually([&] { return files().empty(); }));
  values_.clear();
  database().delete_table("t");
  database().settle();
  fill(20);
  reopen();
  EXPECT_EQ(files().size(), 1U);
  database().delete_table("t");
  EXPECT_TRUE(eventually([&] { return files().empty(); }));
}

TEST_P(VectorFilesTest, AnEmptyIndexHasNoFile) {
  fill(3);
  reopen();
  for (int i = 0; i < 3; ++i) remove_item(i);
  close();
  EXPECT_EQ(files(), std::set<std::string>());
  expect_right();
}

}  // namespace
}  // namespace magneto::storage
