#include "api/journal/journal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "api/control_error.h"
#include "api/journal/journal_wait.h"
#include "api/side_memory.h"

namespace magneto::api {
namespace {

JournalRecord record(std::string_view operation, std::string table = "t", int status = 200) {
  JournalRecord made;
  made.operation = operation;
  made.tables = {std::move(table)};
  made.status = status;
  return made;
}

std::vector<std::uint64_t> numbers(const Journal::Page& page) {
  std::vector<std::uint64_t> found;
  for (const Journal::Record& one : page.records) found.push_back(one->number);
  return found;
}

using Numbers = std::vector<std::uint64_t>;

TEST(JournalTest, NumbersRecordsAndReadsThemByNumber) {
  Journal journal("main", {.on = true});
  EXPECT_EQ(journal.last_number(), 0U);
  for (int i = 0; i < 5; ++i) journal.append(record("GetItem"));
  EXPECT_EQ(journal.last_number(), 5U);
  EXPECT_EQ(numbers(journal.read({}, 100)), (Numbers{1, 2, 3, 4, 5}));
  const Journal::Page page = journal.read({.after = 1}, 2);
  EXPECT_EQ(numbers(page), (Numbers{2, 3}));
  EXPECT_EQ(page.next, 3U);
  EXPECT_EQ(page.dropped, 0U);
  EXPECT_EQ(numbers(journal.read({.after = 5}, 10)), Numbers{});
  EXPECT_EQ(journal.read({.after = 5}, 10).next, 5U);
  EXPECT_EQ(journal.read({.after = 500}, 10).next, 500U);
  EXPECT_EQ(journal.read({.after = 2}, 0).next, 2U);
}

TEST(JournalTest, Filters) {
  Journal journal("main", {.on = true});
  journal.append(record("GetItem", "a"));
  journal.append(record("PutItem", "b", 400));
  journal.append(record("PutItem", "a", 500));
  EXPECT_EQ(numbers(journal.read({.operation = "PutItem"}, 9)), (Numbers{2, 3}));
  EXPECT_EQ(numbers(journal.read({.table = "a"}, 9)), (Numbers{1, 3}));
  EXPECT_EQ(numbers(journal.read({.status = 400}, 9)), Numbers{2});
  EXPECT_EQ(numbers(journal.read({.status = 5}, 9)), Numbers{3});
  const Journal::Page none = journal.read({.operation = "Scan"}, 9);
  EXPECT_TRUE(none.records.empty());
  EXPECT_EQ(none.next, 3U);
}

TEST(JournalTest, KeepsSoManyBytes) {
  Journal journal("main", {.on = true, .bytes = Journal::kLeastBytes});
  constexpr std::uint64_t kCount = 1'000;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    JournalRecord made = record("PutItem");
    made.request = std::string(1'000, 'x');
    journal.append(std::move(made));
  }
  const Journal::Page page = journal.read({}, kCount);
  EXPECT_LT(page.records.size(), 64U);
  EXPECT_GT(page.records.size(), 30U);
  EXPECT_EQ(page.dropped, kCount - page.records.size());
  EXPECT_EQ(page.next, kCount);
  EXPECT_EQ(journal.read({.after = 990}, 100).dropped, 0U);
  JournalRecord large = record("PutItem");
  large.request = std::string(Journal::kLeastBytes, 'x');
  journal.append(std::move(large));
  EXPECT_TRUE(journal.read({}, kCount).records.empty());
  EXPECT_EQ(journal.read({}, kCount).next, kCount + 1);
}

TEST(JournalTest, KeepsLittleWhereAllJournalsHaveWhatTheyMay) {
  SideMemory& memory = SideMemory::of_process();
  const std::size_t before = memory.bytes();
  {
    Journal first("main", {.on = true, .bytes = Journal::kMostBytes});
    Journal second("other", {.on = true, .bytes = Journal::kMostBytes});
    const auto fill = [](Journal& journal) {
      for (int i = 0; i < 1'000; ++i) {
        JournalRecord made = record("PutItem");
        made.request = std::string(1'000, 'x');
        journal.append(std::move(made));
      }
      return journal.read({}, 1'000).records.size();
    };
    memory.set_limit(before + (256 << 10));
    EXPECT_LT(fill(first), 256U);
    EXPECT_LE(memory.bytes(), before + (256 << 10));
    const std::size_t of_second = fill(second);
    EXPECT_GT(of_second, 5U);  // a journal always keeps some
    EXPECT_LT(of_second, 20U);
    EXPECT_LE(memory.bytes(), before + (256 << 10) + Journal::kKeptBytes);
    first.clear();
    EXPECT_GT(fill(second), 100U);
  }
  memory.set_limit(std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(memory.bytes(), before);
}

TEST(JournalTest, ForgetsWhatIsCleared) {
  Journal journal("main", {.on = true});
  journal.append(record("GetItem"));
  journal.clear();
  journal.append(record("GetItem"));
  const Journal::Page page = journal.read({}, 9);
  EXPECT_EQ(numbers(page), Numbers{2});
  EXPECT_EQ(page.dropped, 0U);
}

TEST(JournalTest, WakesWhoWaits) {
  Journal journal("main", {.on = true});
  int woken = 0;
  EXPECT_NE(journal.wait(0, [&] { ++woken; }), 0U);
  const std::uint64_t stopped = journal.wait(0, [&] { woken += 100; });
  journal.stop_waiting(stopped);
  journal.append(record("GetItem"));
  EXPECT_EQ(woken, 1);
  journal.append(record("GetItem"));
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(journal.wait(1, [&] { ++woken; }), 0U);
  EXPECT_EQ(woken, 2);
  for (std::size_t i = 0; i < Journal::kMaxWaiters; ++i) journal.wait(2, [] {});
  EXPECT_THROW(journal.wait(2, [] {}), ControlError);
}

TEST(JournalTest, LetsThreadsWait) {
  using Clock = std::chrono::steady_clock;
  Journal journal("main", {.on = true});
  const auto never = [] { return false; };
  Clock::time_point begin = Clock::now();
  wait_for_record(journal, 0, std::chrono::milliseconds(50), never);
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(50));
  begin = Clock::now();
  wait_for_record(journal, 0, std::chrono::hours(1), [] { return true; });
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    journal.append(record("GetItem"));
  });
  wait_for_record(journal, 0, std::chrono::hours(1), never);
  EXPECT_EQ(journal.last_number(), 1U);
  wait_for_record(journal, 0, std::chrono::hours(1), never);
  EXPECT_LT(Clock::now() - begin, std::chrono::minutes(1));
  writer.join();
}

TEST(JournalTest, TakesRecordsOfManyThreads) {
  Journal journal("main", {.on = true, .bytes = 1 << 20});
  std::atomic<bool> done = false;
  std::thread reader([&] {
    std::uint64_t next = 0;
    while (!done) {
      const Journal::Page page = journal.read({.after = next}, 100);
      for (const Journal::Record& one : page.records) {
        EXPECT_GT(one->number, next);
        next = one->number;
      }
      next = page.next;
    }
  });
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&] {
      for (int call = 0; call < 5'000; ++call) journal.append(record("GetItem"));
    });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  reader.join();
  EXPECT_EQ(journal.last_number(), 40'000U);
  const Journal::Page page = journal.read({}, 100'000);
  EXPECT_EQ(page.dropped + page.records.size(), 40'000U);
}

}  // namespace
}  // namespace magneto::api
