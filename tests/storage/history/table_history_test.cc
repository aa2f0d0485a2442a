// Histories that are opened again while clocks are turned and stepped, against a model.
#include <gtest/gtest.h>

#include "tests/storage/history/history_run.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(TableHistory, AClockThatIsBackAfterARestartHidesNoWrite) {
  for (const bool is_killed : {true, false}) {
    HistoryRun run;
    run.write();
    run.turn(hours(1));
    run.write();
    run.reopen(is_killed, -hours(1));
    run.expect_latest();
    const Clock::TimePoint restarted = run.now();
    run.pass(minutes(10));
    run.expect_at(restarted);
    run.expect_at(restarted + minutes(5));
    run.write();
    run.pass(minutes(10));
    run.expect_at(restarted + minutes(5));
    run.expect_latest();
  }
}

TEST(TableHistory, AStepBackOfTheSystemsClockHidesNoWrite) {
  for (const bool is_noticed : {true, false}) {
    HistoryRun run;
    run.pass(hours(2));
    run.write();
    run.pass(minutes(1));
    run.step(-hours(1), is_noticed);
    const Clock::TimePoint stepped = run.now();
    run.expect_latest();
    run.pass(minutes(10));
    run.expect_at(stepped + minutes(5));
    run.write();
    run.pass(seconds(1));
    run.expect_at(stepped + minutes(5));
    run.expect_latest();
  }
}

TEST(TableHistory, AForkWhoseClockIsBehindHidesNoWrite) {
  HistoryRun run;
  run.pass(hours(2));
  run.write();
  run.fork(-hours(1));
  const Clock::TimePoint forked = run.now();
  run.expect_latest();
  run.pass(minutes(10));
  run.expect_at(forked);
  run.expect_at(forked + minutes(5));
}

// Also under a frozen clock, with many changes of one time.
TEST(TableHistory, AMomentThatIsLookedAtGetsNoMoreChanges) {
  HistoryRun run;
  run.clock().freeze();
  for (int i = 0; i < 20; ++i) {
    run.write();
    run.write();
    run.expect_latest();
  }
  run.reopen(true, hours(0));
  run.write();
  run.expect_latest();
  run.expect_looks();
}

TEST(TableHistory, StartsWithoutWritesLeaveOneEra) {
  HistoryRun run;
  run.pass(hours(2));
  run.write();
  for (int i = 0; i < 50; ++i) run.reopen(true, -minutes(1));
  EXPECT_EQ(run.eras(), 2);
  run.expect_latest();
}

// Nor where the turns before the second start were two, or the system's clock was stepped.
TEST(TableHistory, AClockThatIsBackWhereItStoodGoesOnAfterSeveralStarts) {
  for (int way = 0; way < 4; ++way) {
    HistoryRun run;
    run.pass(hours(1));
    run.write();
    run.turn(hours(24));
    const Clock::TimePoint first = run.now();
    run.write();
    run.pass(hours(1));
    run.write();
    run.reopen(true, -hours(24));
    if (way == 0) run.reopen(true, minutes(1));
    if (way == 1) run.turn(hours(10));
    if (way == 2) run.turn(-hours(10));
    if (way == 3) run.step(-seconds(1), true);
    run.reopen(way % 2 == 0, -minutes(5));
    run.turn(hours(40));
    run.expect_at(first + minutes(1));
    run.write();
    run.expect_at(first + minutes(1));
    run.expect_latest();
  }
}

// A change stores its era itself, without waiting for another store.
TEST(TableHistory, AKillRightAfterAWriteLosesNoEra) {
  HistoryRun run;
  run.pass(hours(2));
  run.write();
  run.step(-hours(1), false);
  run.write();
  const Clock::TimePoint written = run.now();
  run.reopen(true, minutes(10));
  run.expect_at(written);
  run.expect_at(written + minutes(1));
  run.expect_latest();
}

// Without changes between the turns.
TEST(TableHistory, ManyTurnsTakeFewEras) {
  HistoryRun run;
  const Clock::TimePoint begun = run.now();
  run.pass(hours(1));
  run.write();
  for (int i = 0; i < 2'000; ++i) {
    run.turn(-hours(1));
    run.pass(seconds(1));
    run.turn(hours(1));
    run.pass(seconds(1));
  }
  for (int i = 0; i < 2'000; ++i) {
    run.turn(-seconds(10));
    run.pass(seconds(1));
  }
  EXPECT_LE(run.eras(), 3);
  EXPECT_EQ(run.history().state().known_from, begun);
  run.expect_latest();
}

// The history after a restart follows all earlier history, even if ordinals are not known any more.
TEST(TableHistory, ChangesOfOneTimeStayInOrderOverARestart) {
  HistoryRun run;
  run.clock().freeze();
  for (int i = 0; i < 5; ++i) run.write();
  run.reopen(true, hours(0));
  run.write();
  run.expect_latest();
  for (int i = 0; i < 5; ++i) run.write();
  run.clock().unfreeze();
  run.reopen(true, milliseconds(1));
  run.correct(-milliseconds(2));
  run.write();
}

void do_one(HistoryRun& run, testing::RandomValues& random) {
  const auto span = [&]() -> Clock::Duration {
    const Clock::Duration units[] = {microseconds(1), milliseconds(1), seconds(1), minutes(1)};
    return units[random.below(4)] * static_cast<std::int64_t>(random.below(100));
  };
  const auto either_way = [&] { return random.one_in(2) ? span() : -span(); };
  switch (random.below(16)) {
    case 0:
      return run.turn(either_way());
    case 1:
      return run.step(either_way(), true);
    case 2:
      run.step(-span(), false);
      return random.one_in(2) ? run.write() : run.expect_latest();
    case 3:
      return run.step(span(), false);
    case 4:
      return run.reopen(random.one_in(2), either_way());
    case 5:
      return random.one_in(2) ? run.fork(either_way()) : run.fork_saved(either_way(), either_way());
    case 6:
      return random.one_in(2) ? run.clock().freeze() : run.clock().unfreeze();
    case 7:
    case 8:
    case 9:
      return run.write();
    case 10:
      return run.expect_latest();
    case 11:
    case 12:
    case 13:
      return run.expect_at(run.random_time(random));
    default:
      return run.pass(span());
  }
}

TEST(TableHistoryProperty, EachMomentIsWhatItWas) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomValues random(seed);
    HistoryRun run;
    for (int i = 0; i < 300 && !::testing::Test::HasFailure(); ++i) {
      do_one(run, random);
      if (!random.one_in(8)) run.store();
    }
    if (::testing::Test::HasFailure()) return;
    EXPECT_LT(run.eras(), HistoryState::kMaxEras);
    for (int i = 0; i < 100; ++i) run.expect_at(run.random_time(random));
    run.expect_latest();
    run.expect_looks();
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace magneto::storage
