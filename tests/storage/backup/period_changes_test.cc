// The changes in periods of a table's history, on both engines, compared with a model.
#include "storage/table/period_changes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "storage/backup/table_as_of.h"
#include "tests/storage/backup/backup_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class PeriodChangesTest : public BackupTest {
 protected:
  void make() {
    clock_.set(std::chrono::ceil<seconds>(clock_.now()), true);
    database().create_table(plain_schema("t"));
    database().update_table("t", [](TableSchema& schema) {
      schema.point_in_time_recovery.enabled = true;
      schema.point_in_time_recovery.recovery_days = 35;
    });
    begun_ = now();
  }
  TablePtr table() { return database().find_table("t"); }
  double now() { return clock_.epoch_seconds(); }

  void write(const std::string& pk, int n) {
    put(database(), table(), item(pk, n));
    note(pk, n);
  }
  void erase(const std::string& pk) {
    if (!states_[pk].empty() && states_[pk].rbegin()->second == 0) return;
    if (states_[pk].empty()) return;
    remove(database(), table(), make_item({{"pk", pk}, {"sk", 1}}));
    note(pk, 0);
  }
  // Each writes something that was never written before.
  void write_randomly(int steps) {
    for (int step = 0; step < steps; ++step) {
      const std::string pk = "k" + std::to_string(random_() % 40);
      if (random_() % 3 == 0) {
        erase(pk);
      } else {
        write(pk, ++last_);
      }
      if (random_() % 3 == 0) clock_.advance(seconds(1));
    }
    clock_.advance(seconds(1));
  }

  // "k1 2 -> 3 at 1700000000", with 0 for a missing item; sorted.
  std::vector<std::string> expected(double from, std::optional<double> to) const {
    std::vector<std::string> lines;
    for (const auto& [pk, states] : states_) {
      int before = 0;
      int after = 0;
      std::optional<double> changed;
      for (const auto& [time, n] : states) {
        if (time < from) before = after = n;
        if (time < from || (to && time >= *to)) continue;
        after = n;
        changed = time;
      }
      if (changed && (before != 0 || after != 0))
        lines.push_back(line(pk, before, after, *changed));
    }
    std::ranges::sort(lines);
    return lines;
  }
  std::vector<std::string> found(double from, std::optional<double> to, bool rests = false) {
    const PeriodView view = database().see_period(*table(), from, to);
    EXPECT_EQ(view.outcome, BackupOutcome::kDone);
    if (view.outcome != BackupOutcome::kDone) return {};
    std::vector<std::string> lines;
    std::string lower;
    while (true) {
      PeriodCursor cursor(view.period, lower);
      bool more = false;
      while (!more && cursor.next()) {
        const ItemView either = cursor.is_there() ? cursor.after() : cursor.before();
        lines.push_back(line(std::string(either.find("pk").scalar_bytes()),
                             cursor.was_there() ? number(cursor.before()) : 0,
                             cursor.is_there() ? number(cursor.after()) : 0,
                             seconds_of(cursor.changed())));
        lower = cursor.key() + '\0';
        more = rests;
      }
      if (!more) break;
    }
    std::ranges::sort(lines);
    return lines;
  }
  BackupOutcome outcome(double from, std::optional<double> to) {
    return database().see_period(*table(), from, to).outcome;
  }

  double begun_ = 0;

 private:
  void note(const std::string& pk, int n) { states_[pk].insert_or_assign(now(), n); }
  static int number(ItemView item) {
    return static_cast<int>(item.find("n").number().to_integer().value());
  }
  static std::string line(const std::string& pk, int before, int after, double changed) {
    return pk + " " + std::to_string(before) + " -> " + std::to_string(after) + " at " +
           std::to_string(changed);
  }

  std::mt19937 random_{11};
  int last_ = 0;
  std::map<std::string, std::map<double, int>> states_;  // 0: it is not there
};
INSTANTIATE_TEST_SUITE_P(Engines, PeriodChangesTest, kEngineKinds, engine_kind_name);

TEST_P(PeriodChangesTest, TellsOfEachItemWhatBecameOfIt) {
  make();
  write("stays", 1);
  write("changes", 2);
  write("goes", 3);
  clock_.advance(seconds(10));
  const double from = now();
  write("changes", 4);
  write("changes", 5);
  write("comes", 6);
  erase("goes");
  write("passes", 7);
  clock_.advance(seconds(1));
  erase("passes");
  clock_.advance(seconds(10));
  const double to = now();
  write("changes", 8);
  write("later", 9);
  const std::vector<std::string> lines = found(from, to);
  EXPECT_EQ(lines, expected(from, to));
  EXPECT_EQ(lines.size(), 3);
  EXPECT_EQ(found(from, std::nullopt), expected(from, std::nullopt));
  EXPECT_EQ(found(from, to, true), lines);
}

TEST_P(PeriodChangesTest, OfAnyTimesOverManySegmentsAndStarts) {
  make();
  std::vector<double> times{begun_};
  for (int round = 0; round < 5; ++round) {
    write_randomly(80);
    times.push_back(now());
    write_randomly(80);
    clock_.advance(hours(18));
    database().settle();  // begins another segment
    times.push_back(now());
    if (is_durable() && round % 2 == 0) reopen();
  }
  EXPECT_GT(table()->history->segments().size(), 3);
  for (const double from : times) {
    for (const double to : times) {
      if (to <= from) continue;
      EXPECT_EQ(found(from, to), expected(from, to)) << from << " " << to;
      EXPECT_EQ(found(from + 3, to - 2), expected(from + 3, to - 2));
    }
    EXPECT_EQ(found(from, std::nullopt), expected(from, std::nullopt));
  }
}

// Writes at the very moment when the history began are there too, until some of it has gone.
TEST_P(PeriodChangesTest, FromTheFirstMomentOn) {
  make();
  write("first", 1);
  write("changes", 2);
  write("changes", 3);
  clock_.advance(seconds(1));
  write("second", 4);
  clock_.advance(seconds(10));
  const double to = now();
  EXPECT_EQ(found(begun_, to).size(), 3);
  EXPECT_EQ(found(begun_, to), expected(begun_, to));
  EXPECT_EQ(found(begun_, std::nullopt), expected(begun_, std::nullopt));
  EXPECT_EQ(found(begun_ + 1, to).size(), 1);
}

// An item with a thousand writes does not cost a thousand steps, and is one change.
TEST_P(PeriodChangesTest, OfAnItemWithManyChanges) {
  make();
  for (int i = 1; i <= 500; ++i) {
    write("k", i);
    clock_.advance(seconds(1));
  }
  const double from = begun_ + 100;
  EXPECT_EQ(found(from, begun_ + 300), expected(from, begun_ + 300));
  EXPECT_EQ(found(from, begun_ + 101), expected(from, begun_ + 101));
  EXPECT_EQ(found(from + 0.5, begun_ + 100.9).size(), 0);
}

TEST_P(PeriodChangesTest, NothingBeyondTheWindow) {
  make();
  write("k", 1);
  EXPECT_EQ(outcome(begun_ - 1, now()), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(outcome(begun_, now() + 2), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(outcome(-1e300, 1e300), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(outcome(begun_, std::nullopt), BackupOutcome::kDone);
  database().update_table("t", [](TableSchema& schema) { schema.point_in_time_recovery = {}; });
  EXPECT_EQ(outcome(begun_, std::nullopt), BackupOutcome::kNoHistory);
}

}  // namespace
}  // namespace magneto::storage
