// A process under load is killed again and again. All its acknowledged writes must be there.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "tests/storage/database_fixture.h"
#include "tests/storage/stream/stream_replay.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

constexpr int kRounds = 100;
constexpr int kWriters = 3;
constexpr int kKeysOfAWriter = 20;
constexpr int kKeys = kWriters * kKeysOfAWriter;
constexpr const char* kDirectoryVariable = "MAGNETO_LIFE_DIRECTORY";
constexpr const char* kProgressVariable = "MAGNETO_LIFE_PROGRESS";
constexpr const char* kRoundVariable = "MAGNETO_LIFE_ROUND";
constexpr std::int64_t kFuture = 9'000'000'000;  // in the year 2255

// Shared with the processes that are killed: for each key, which only one thread writes, the last
// version whose write began and the last one that was acknowledged.
struct Progress {
  std::atomic<int> begun[kKeys];
  std::atomic<int> acknowledged[kKeys];
  std::atomic<int> is_running;
  std::atomic<int> next_index;
};

// Every fifth version of a key is a deletion.
bool is_deletion(int version) { return version == 0 || version % 5 == 4; }

Item item_of(int key, int version) {
  std::vector<Field> fields{{"pk", "p" + std::to_string(key)}, {"sk", key}, {"version", version}};
  if (version % 3 != 0) fields.push_back({"g", "g" + std::to_string(version % 7)});
  if (version % 4 != 0) fields.push_back({"expiry", kFuture + version});
  return make_item(fields);
}

// The version of a key that is stored must be one from the last acknowledged to the last begun.
void check_key(Database& database, const TablePtr& table, const Progress& progress, int key) {
  const int least = progress.acknowledged[key];
  const int most = progress.begun[key];
  const StoredItem stored = get(database, table, item_of(key, 0));
  if (stored) {
    const auto version = stored.view().find("version").number().to_integer();
    EXPECT_GE(version, least) << "key " << key << " went back";
    EXPECT_LE(version, most) << "key " << key;
    EXPECT_EQ(stored.view().bytes(), item_of(key, static_cast<int>(*version)).bytes());
  } else {
    bool deleted = false;
    for (int version = least; version <= most; ++version) deleted |= is_deletion(version);
    EXPECT_TRUE(deleted) << "key " << key << " lost, acknowledged " << least;
  }
}

void check(Database& database, const Progress& progress) {
  const TablePtr table = database.find_table("t");
  ASSERT_NE(table, nullptr);
  for (int key = 0; key < kKeys; ++key) check_key(database, table, progress, key);
  // The second of two items written together has the version of the first.
  for (int key = 0; key < kKeys; key += 2) {
    const StoredItem first = get(database, table, item_of(key, 0));
    const StoredItem second = get(database, table, item_of(key + 1, 0));
    ASSERT_EQ(static_cast<bool>(first), static_cast<bool>(second)) << "key " << key;
    if (!first) continue;
    EXPECT_EQ(first.view().find("version"), second.view().find("version"));
  }
  expect_consistent(database, "t");
  for (const auto& index : database.find_table("t")->indexes) {
    EXPECT_FALSE(index->schema.backfilling);
  }
}

// The records of all rounds, each once and in its item's order, tell how the items came about.
void check_stream(Database& database) {
  const auto streams = database.list_streams("t", "", 2);
  ASSERT_EQ(streams.size(), 1U);
  StreamReplay replay;
  while (replay.read(*streams[0])) continue;
  EXPECT_GT(replay.ended_shards(), 4U);
  std::map<std::string, std::string> items;
  ItemCursor cursor = database.scan(*database.find_table("t"), nullptr, {}, Direction::kForward);
  while (cursor.next()) {
    const Item key = make_item({{"pk", std::string(cursor.item().find("pk").scalar_bytes())},
                                {"sk", *cursor.item().find("sk").number().to_integer()}});
    items.emplace(describe_item(key), describe_item(cursor.item()));
  }
  EXPECT_EQ(replay.items(), items);
}

void write_for_ever(Database& database, Progress& progress, int writer) {
  const TablePtr table = database.find_table("t");
  std::mt19937 random(static_cast<unsigned>(::getpid() + writer));
  while (true) {
    const int key = writer * kKeysOfAWriter + static_cast<int>(random() % (kKeysOfAWriter / 2)) * 2;
    const int version = progress.begun[key] + 1;
    progress.begun[key] = version;
    progress.begun[key + 1] = version;
    const auto decide = [&](int which) {
      return is_deletion(version) ? WriteDecision::remove()
                                  : WriteDecision::put(item_of(which, version));
    };
    const auto first = [&](const StoredItem&) { return decide(key); };
    const auto second = [&](const StoredItem&) { return decide(key + 1); };
    const std::vector<ItemWrite> writes{
        {table, item_key(table->schema, item_of(key, 0)), first},
        {table, item_key(table->schema, item_of(key + 1, 0)), second}};
    database.write_all(writes);
    progress.acknowledged[key] = version;
    progress.acknowledged[key + 1] = version;
    progress.is_running = 1;
  }
}

void change_indexes(Database& database, Progress& progress) {
  const int number = progress.next_index++;
  database.update_table("t", [&](TableSchema& schema) {
    if (schema.indexes.size() > 3) {
      schema.indexes[1].status = ResourceStatus::kDeleting;
    } else {
      schema.indexes.push_back(index_schema("x" + std::to_string(number), IndexKind::kGlobal,
                                            {string_key("g")}, {number_key("version")}));
    }
  });
  TableSchema passing = table_schema("passing");
  passing.indexes = {index_schema("i", IndexKind::kGlobal, {string_key("g")}, {})};
  if (database.create_table(std::move(passing)) == nullptr) database.delete_table("passing");
}

// The life of one process: checks what the ones before left, then writes until it is killed.
[[noreturn]] void live(const DatabaseOptions& options, Progress& progress, int round) {
  Clock clock;
  // Some see later times than those after them, and make shards roll over.
  if (round % 25 == 24) clock.advance(std::chrono::hours(5 * (round / 25 + 1)));
  const auto database = main_of(Databases::open(options, clock));
  check(*database, progress);
  if (testing::Test::HasFailure()) _exit(1);
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] { write_for_ever(*database, progress, writer); });
  }
  if (round % 4 == 0) change_indexes(*database, progress);
  if (round % 25 == 24) database->settle();
  for (std::thread& writer : writers) writer.join();
  _exit(2);
}

// Maps an open file with a Progress into memory.
Progress* map_progress(int descriptor) {
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  EXPECT_NE(memory, MAP_FAILED);
  return static_cast<Progress*>(memory);
}

// The process to kill is this program, started again: a fork does not inherit the threads of
// RocksDB.
class LivingProcess final : public testing::Environment {
 public:
  void SetUp() override {
    const char* directory = std::getenv(kDirectoryVariable);
    if (directory == nullptr) return;
    DatabaseOptions options;
    options.data_directory = directory;
    const int descriptor = std::stoi(std::getenv(kProgressVariable));
    live(options, *map_progress(descriptor), std::stoi(std::getenv(kRoundVariable)));
  }
};
const auto* const kLivingProcess = testing::AddGlobalTestEnvironment(new LivingProcess);

class DatabaseCrashTest : public testing::Test {
 protected:
  DatabaseCrashTest() : descriptor_(memfd_create("progress", 0)) {
    EXPECT_EQ(ftruncate(descriptor_, sizeof(Progress)), 0);
    progress_ = new (map_progress(descriptor_)) Progress{};
    options_.data_directory = directory_.file("data");
  }
  ~DatabaseCrashTest() override {
    munmap(progress_, sizeof(Progress));
    close(descriptor_);
  }

  // Kills a process some milliseconds after its first acknowledged write.
  void run_round(int round) {
    progress_->is_running = 0;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      setenv(kDirectoryVariable, options_.data_directory.c_str(), 1);
      setenv(kProgressVariable, std::to_string(descriptor_).c_str(), 1);
      setenv(kRoundVariable, std::to_string(round).c_str(), 1);
      execl(MAGNETO_STORAGE_TESTS, "storage_tests", "--gtest_filter=DatabaseCrashTest.*",
            "--gtest_brief=1", nullptr);
      _exit(127);
    }
    const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(3);
    int status = 0;
    pid_t ended = 0;
    while (progress_->is_running == 0 && ended == 0 &&
           std::chrono::steady_clock::now() < patience) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      ended = waitpid(child, &status, WNOHANG);
    }
    if (ended == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(random_() % 20'000));
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    }
    ASSERT_TRUE(WIFSIGNALED(status)) << "round " << round << " ended with status " << status;
    ASSERT_EQ(progress_->is_running, 1) << "round " << round << " wrote nothing";
  }

  const int descriptor_;
  TempDirectory directory_;
  DatabaseOptions options_;
  Progress* progress_ = nullptr;
  std::mt19937 random_{1};
};

TEST_F(DatabaseCrashTest, WhatWasAcknowledgedSurvivesAHundredKills) {
  {
    Clock clock;
    TableSchema schema = table_schema("t");
    schema.indexes = {
        index_schema("l", IndexKind::kLocal, {string_key("pk")}, {number_key("version")}),
        index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}, ProjectionType::kKeysOnly)};
    schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
    const auto database = main_of(Databases::open(options_, clock));
    database->create_table(std::move(schema));
    enable_time_to_live(*database, "t", "expiry");
  }
  for (int round = 0; round < kRounds; ++round) {
    run_round(round);
    ASSERT_FALSE(HasFatalFailure());
  }
  Clock clock;
  const auto database = main_of(Databases::open(options_, clock));
  check(*database, *progress_);
  check_stream(*database);
  // Every item is in the expiry queue as it should be: those with an expiry go, the others stay.
  std::size_t staying = 0;
  for (const auto& [key, text] : contents(*database, *database->find_table("t"), nullptr)) {
    if (text.find("expiry=") == std::string::npos) ++staying;
  }
  clock.advance(std::chrono::seconds(kFuture) - clock.now().time_since_epoch());
  clock.advance(std::chrono::hours(24 * 365));
  database->settle();
  EXPECT_EQ(contents(*database, *database->find_table("t"), nullptr).size(), staying);
  expect_consistent(*database, "t");
  int acknowledged = 0;
  for (const auto& version : progress_->acknowledged) acknowledged += version;
  EXPECT_GT(acknowledged, kRounds);
}

}  // namespace
}  // namespace magneto::storage
