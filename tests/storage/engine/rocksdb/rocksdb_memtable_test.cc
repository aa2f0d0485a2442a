#include "storage/engine/rocksdb/rocksdb_memtable.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <rocksdb/db.h>
#include <rocksdb/snapshot.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/engine/rocksdb/rocksdb_startup.h"
#include "tests/support/engines.h"

// Through a database that keeps all in this memtable, since a memtable needs RocksDB's own memory.
namespace magneto::storage {
namespace {

using Model = std::map<std::string, std::string>;

class RocksdbMemtableTest : public testing::Test {
 protected:
  RocksdbMemtableTest() {
    initialize_rocksdb();
    rocksdb::Options options;
    options.create_if_missing = true;
    options.memtable_factory = make_memtable_factory();
    rocksdb::DB* opened = nullptr;
    const rocksdb::Status status = rocksdb::DB::Open(options, directory_.file("db"), &opened);
    EXPECT_TRUE(status.ok()) << status.ToString();
    database_.reset(opened);
  }

  void put(const std::string& key, const std::string& value) {
    EXPECT_TRUE(database_->Put({}, key, value).ok());
  }
  std::unique_ptr<rocksdb::Iterator> iterate(const rocksdb::Snapshot* snapshot = nullptr) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    return std::unique_ptr<rocksdb::Iterator>(database_->NewIterator(options));
  }
  void expect_equal(const Model& model, const rocksdb::Snapshot* snapshot = nullptr) {
    const auto iterator = iterate(snapshot);
    iterator->SeekToFirst();
    for (const auto& [key, value] : model) {
      ASSERT_TRUE(iterator->Valid()) << key;
      ASSERT_EQ(iterator->key().ToString(), key);
      ASSERT_EQ(iterator->value().ToString(), value);
      iterator->Next();
    }
    EXPECT_FALSE(iterator->Valid());
    iterator->SeekToLast();
    for (auto entry = model.rbegin(); entry != model.rend(); ++entry) {
      ASSERT_TRUE(iterator->Valid()) << entry->first;
      ASSERT_EQ(iterator->key().ToString(), entry->first);
      ASSERT_EQ(iterator->value().ToString(), entry->second);
      iterator->Prev();
    }
    EXPECT_FALSE(iterator->Valid());
  }
  // Bytes that differ early, after 8 and after 16 bytes, or only in length, with zeros among them.
  std::string any_key() {
    static const std::vector<std::string> starts = {
        "",         std::string(7, '\0'), "\xff\xff",
        "aaaaaaaa", "aaaaaaaabbbbbbbb",   std::string(16, '\0')};
    std::string key = starts[random_() % starts.size()];
    for (std::size_t size = random_() % 4; size > 0; --size) {
      key += std::string_view("\0\x01z\xff", 4)[random_() % 4];
    }
    return key;
  }

  TempDirectory directory_;
  std::unique_ptr<rocksdb::DB> database_;
  std::mt19937 random_{20'260'101};
};

TEST_F(RocksdbMemtableTest, HoldsWhatAMapHolds) {
  Model model;
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = any_key();
    if (random_() % 3 == 0) {
      EXPECT_TRUE(database_->Delete({}, key).ok());
      model.erase(key);
    } else {
      put(key, std::to_string(i));
      model[key] = std::to_string(i);
    }
    if (i % 1'000 == 0) expect_equal(model);
  }
  expect_equal(model);
  ASSERT_TRUE(database_->Flush({}).ok());
  expect_equal(model);
}

TEST_F(RocksdbMemtableTest, SeeksBothWays) {
  Model model;
  for (int i = 0; i < 300; ++i) {
    const std::string key = any_key();
    put(key, "v");
    model[key] = "v";
  }
  const auto iterator = iterate();
  for (int i = 0; i < 5'000; ++i) {
    const std::string key = any_key();
    const auto above = model.lower_bound(key);
    iterator->Seek(key);
    ASSERT_EQ(iterator->Valid(), above != model.end());
    if (above != model.end()) {
      ASSERT_EQ(iterator->key().ToString(), above->first);
    }

    auto below = model.upper_bound(key);
    iterator->SeekForPrev(key);
    ASSERT_EQ(iterator->Valid(), below != model.begin());
    if (below != model.begin()) {
      ASSERT_EQ(iterator->key().ToString(), (--below)->first);
    }
  }
}

// There are no reads meanwhile, so all entries are sorted at once, in pieces.
TEST_F(RocksdbMemtableTest, SortsManyEntriesAtOnce) {
  Model model;
  for (int i = 0; i < 10'000; ++i) {
    const std::string key = std::to_string(random_() % 5'000) + any_key();
    put(key, std::to_string(i));
    model[key] = std::to_string(i);
  }
  rocksdb::ManagedSnapshot snapshot(database_.get());
  for (const auto& [key, value] : model) put(key, "later");
  expect_equal(model, snapshot.snapshot());
}

// Each read sorts the entries since the last one, so they are in many runs.
TEST_F(RocksdbMemtableTest, WalksBothWaysBetweenWrites) {
  Model model;
  for (int round = 0; round < 300; ++round) {
    for (std::size_t writes = random_() % 40; writes > 0; --writes) {
      const std::string key = any_key();
      put(key, model[key] = std::to_string(round));
    }
    const auto iterator = iterate();
    const std::string start = any_key();
    iterator->Seek(start);
    auto expected = model.lower_bound(start);
    for (int step = 0; step < 20; ++step) {
      ASSERT_EQ(iterator->Valid(), expected != model.end());
      if (!iterator->Valid()) break;
      ASSERT_EQ(iterator->key().ToString(), expected->first);
      ASSERT_EQ(iterator->value().ToString(), expected->second);
      if (random_() % 2 == 0 || expected == model.begin()) {
        iterator->Next();
        ++expected;
      } else {
        iterator->Prev();
        --expected;
      }
    }
  }
  expect_equal(model);
}

TEST_F(RocksdbMemtableTest, FindsByKey) {
  std::string value;
  EXPECT_TRUE(database_->Get({}, "k", &value).IsNotFound());
  put("k", "1");
  put("k", "2");
  put("ka", "3");
  ASSERT_TRUE(database_->Get({}, "k", &value).ok());
  EXPECT_EQ(value, "2");
  EXPECT_TRUE(database_->Get({}, "k0", &value).IsNotFound());
  EXPECT_TRUE(database_->Get({}, "", &value).IsNotFound());
}

TEST_F(RocksdbMemtableTest, KeepsVersionsForSnapshots) {
  Model then;
  for (int i = 0; i < 100; ++i) put("k" + std::to_string(i), then["k" + std::to_string(i)] = "old");
  const rocksdb::Snapshot* snapshot = database_->GetSnapshot();
  Model now = then;
  for (int i = 0; i < 200; i += 3) {
    put("k" + std::to_string(i), now["k" + std::to_string(i)] = "new");
  }
  expect_equal(then, snapshot);
  expect_equal(now);
  database_->ReleaseSnapshot(snapshot);
}

TEST_F(RocksdbMemtableTest, ServesManyIteratorsAtATime) {
  put("a", "1");
  put("b", "2");
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
    for (int i = 0; i < 50; ++i) {
      iterators.push_back(iterate());
      iterators.back()->SeekToFirst();
      if (i % 2 == 1) iterators.back()->Next();
    }
    for (int i = 0; i < 50; ++i) EXPECT_EQ(iterators[i]->key().ToString(), i % 2 == 1 ? "b" : "a");
  }
}

TEST_F(RocksdbMemtableTest, ReadingTakesNoMemory) {
  put("a", "1");
  iterate()->SeekToFirst();
  const std::size_t before = ::mallinfo2().uordblks;
  std::string value;
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(database_->Get({}, "a", &value).ok());
    iterate()->SeekToFirst();
  }
  EXPECT_LT(::mallinfo2().uordblks, before + 100'000);
}

TEST_F(RocksdbMemtableTest, WritersAndReadersRunTogether) {
  constexpr int kWriters = 4;
  constexpr int kKeys = 5'000;
  std::atomic<int> writing = kWriters;
  std::vector<std::thread> threads;
  threads.reserve(kWriters + 2);
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (int i = 0; i < kKeys; ++i) {
        const int scattered = i * 7'919 % kKeys;
        put("key-of-more-than-16-" + std::to_string(scattered * kWriters + writer), "v");
      }
      --writing;
    });
  }
  for (int reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&, reader] {
      std::size_t seen_before = 0;
      while (writing > 0) {
        const auto iterator = iterate();
        std::vector<std::string> seen;
        for (reader == 0 ? iterator->SeekToFirst() : iterator->SeekToLast(); iterator->Valid();
             reader == 0 ? iterator->Next() : iterator->Prev()) {
          seen.push_back(iterator->key().ToString());
        }
        if (reader == 1) std::ranges::reverse(seen);
        EXPECT_TRUE(std::ranges::is_sorted(seen));
        EXPECT_GE(seen.size(), seen_before);
        seen_before = seen.size();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Model model;
  for (int i = 0; i < kKeys * kWriters; ++i)
    model["key-of-more-than-16-" + std::to_string(i)] = "v";
  expect_equal(model);
}

}  // namespace
}  // namespace magneto::storage
