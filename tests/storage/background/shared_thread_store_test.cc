// Stores whose background runs in threads that others use, too.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "storage/background/shared_thread.h"
#include "storage/engine/memory/record_memory.h"
#include "tests/storage/database_fixture.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using SteadyClock = std::chrono::steady_clock;

struct Client {
  explicit Client(const DatabaseOptions& options) : databases(Databases::open(options, clock)) {}
  Database& main() const { return databases->main(); }

  Clock clock;
  const std::unique_ptr<Databases> databases;
};

class SharedThreadStoreTest : public testing::Test {
 protected:
  SharedThreadStoreTest() { options_.background = &threads_; }

  std::vector<std::unique_ptr<Client>> make(int count) {
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < count; ++i) clients.push_back(std::make_unique<Client>(options_));
    return clients;
  }
  static testing::AssertionResult eventually(const std::function<bool()>& condition) {
    for (int i = 0; i < 60'000; ++i) {
      if (condition()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(milliseconds(1));
    }
    return testing::AssertionFailure() << "it did not happen";
  }
  static std::size_t threads_of_process() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
  }
  static TableSchema schema() {
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
    schema.stream = {true, "KEYS_ONLY", ""};
    return schema;
  }
  static Item item(const Client& client, int i) {
    const std::int64_t expiry =
        std::chrono::floor<seconds>(client.clock.now() + hours(1)).time_since_epoch().count();
    return make_item({{"pk", "p"}, {"sk", i}, {"g", "g"}, {"ttl", expiry}});
  }

  BackgroundThreads threads_;
  DatabaseOptions options_;
};

TEST_F(SharedThreadStoreTest, AThousandDoAllTheirWorkInTwoThreads) {
  options_.partitions = 1;
  const auto clients = make(1'000);
  const std::size_t threads = threads_of_process();
  for (const auto& client : clients) {
    client->main().create_table(schema());
    enable_time_to_live(client->main(), "t", "ttl");
    for (int i = 0; i < 5; ++i) {
      put(client->main(), client->main().find_table("t"), item(*client, i));
    }
  }
  const auto entries = [](const Client& client) {
    return client.main().find_table("t")->indexes[0]->statistics->item_count.load();
  };
  for (const auto& client : clients) {  // the indexes have no readers
    ASSERT_TRUE(eventually([&] { return entries(*client) == 5; }));
  }
  EXPECT_LE(threads_of_process(), threads + 2);
  for (const auto& client : clients) client->clock.advance(hours(25));
  for (const auto& client : clients) {
    ASSERT_TRUE(eventually([&] {
      const TablePtr table = client->main().find_table("t");
      return table->statistics->item_count == 0 && entries(*client) == 0 &&
             table->stream->schema().shards.size() == 2;
    }));
  }
  for (const auto& client : clients) client->main().delete_table("t");
  for (const auto& client : clients) client->main().settle();
}

TEST_F(SharedThreadStoreTest, IdleOnesCostNoTime) {
  const auto clients = make(1'000);
  for (const auto& client : clients) {
    client->main().create_table(schema());
    enable_time_to_live(client->main(), "t", "ttl");
    put(client->main(), client->main().find_table("t"), item(*client, 1));
  }
  for (const auto& client : clients) client->main().settle();
  const auto switches = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
  };
  // The work after the settling ends. If it did not, threads would wake up in each period.
  auto woken = switches();
  for (int period = 0; period < 60; ++period) {
    const auto before = switches();
    std::this_thread::sleep_for(seconds(2));
    woken = switches() - before;
    if (woken < 100) break;
  }
  EXPECT_LT(woken, 100);
}

TEST_F(SharedThreadStoreTest, AnIdleOneIsSmallAndSoonDestroyed) {
  constexpr int kClients = 1'000;
  const auto heap = [] {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd + RecordMemory::slab_bytes();
  };
  make(1);
  const std::size_t before = heap();
  auto clients = make(kClients);
  for (const auto& client : clients) client->main().settle();
  EXPECT_LT((heap() - before) / kClients, 50'000U);  // none under sanitizers
  const auto start = SteadyClock::now();
  clients.clear();
  EXPECT_LT((SteadyClock::now() - start) / kClients, milliseconds(2));  // some 10 us
}

TEST_F(SharedThreadStoreTest, OneIsDestroyedWhileItsJobsRunAndOthersGoOn) {
  const auto busy = std::make_unique<Client>(options_);
  busy->main().create_table(schema());
  for (int round = 0; round < 20; ++round) {
    auto client = std::make_unique<Client>(options_);
    client->main().create_table(table_schema("t"));
    for (int i = 0; i < 2'000; ++i) {
      put(client->main(), client->main().find_table("t"), item(*client, i));
    }
    client->main().update_table("t", [](TableSchema& changed) {
      changed.indexes = schema().indexes;
      changed.time_to_live.status = TimeToLiveStatus::kEnabling;
      changed.time_to_live.attribute = "ttl";
    });
    client->clock.advance(hours(2));
    put(busy->main(), busy->main().find_table("t"), item(*busy, round));
    if (round % 2 == 0) std::this_thread::sleep_for(milliseconds(round));
    client.reset();
  }
  busy->main().settle();
  expect_consistent(busy->main(), "t");
}

TEST_F(SharedThreadStoreTest, WhatOneHoldsIsInNobodysWay) {
  options_.global_index_delay = hours(1);
  Client held(options_);
  held.clock.freeze();
  held.main().create_table(table_schema("t"));
  for (int i = 0; i < 100; ++i) {
    put(held.main(), held.main().find_table("t"), item(held, i));
  }
  held.main().update_table("t", [](TableSchema& changed) { changed.indexes = schema().indexes; });
  options_.global_index_delay.reset();
  Client other(options_);
  other.main().create_table(table_schema("t"));
  put(other.main(), other.main().find_table("t"), item(other, 1));
  other.main().update_table("t", [](TableSchema& changed) { changed.indexes = schema().indexes; });
  other.main().settle();
  EXPECT_EQ(other.main().find_table("t")->schema.indexes[0].status, ResourceStatus::kActive);
  held.main().settle();
  EXPECT_EQ(held.main().find_table("t")->schema.indexes[0].status, ResourceStatus::kCreating);
}

TEST_F(SharedThreadStoreTest, AFailureOfOneIsReportedToItAndTriedAgain) {
  std::atomic<int> warnings{0};
  options_.report_warning = [&](std::string_view) { ++warnings; };
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  Clock clock;
  const TempDirectory directory;
  const auto databases = Databases::open(
      options_, clock,
      std::make_unique<FaultyEngine>(open_engine(EngineKind::kMemory, directory), faults));
  Database& main = databases->main();
  main.create_table(schema());
  enable_time_to_live(main, "t", "ttl");
  put(main, main.find_table("t"), make_item({{"pk", "p"}, {"sk", 1}, {"g", "g"}}));
  faults->commits = true;
  const std::int64_t second = clock.now().time_since_epoch() / seconds(1);
  EXPECT_TRUE(eventually([&] {
    if (warnings != 0) return true;
    faults->commits = false;
    put(main, main.find_table("t"),
        make_item({{"pk", "p"}, {"sk", 2}, {"g", "g"}, {"ttl", second - 100}}));
    faults->commits = true;
    std::this_thread::sleep_for(milliseconds(20));
    return warnings != 0;
  }));
  faults->commits = false;
  EXPECT_TRUE(eventually([&] { return main.find_table("t")->statistics->item_count == 1; }));
  main.settle();
  expect_consistent(main, "t");
}

}  // namespace
}  // namespace magneto::storage
