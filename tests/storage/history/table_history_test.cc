// Histories that are opened again while clocks are turned and stepped, against a model.
#include "storage/history/table_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/memory/memory_engine.h"
#include "tests/support/random_values.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::uint32_t kNumber = 7;
constexpr std::int32_t kDays = 35;
constexpr Clock::TimePoint kBegin{hours(24 * 365 * 30)};
constexpr milliseconds kCorrection{6};
constexpr milliseconds kSlack{5};  // as far as clocks are corrected

// A process that writes into one table, and what its clock showed meanwhile.
class HistoryRun {
 public:
  HistoryRun() {
    real_time_ = kBegin;
    history_ = std::make_unique<TableHistory>(*engine_, clock_, budget_, kNumber);
    tree_ = history_->segments().front().tree;
    watch();
    history_->begin();
    store();
    show();
  }

  Clock& clock() { return clock_; }
  Clock::TimePoint now() const { return clock_.now(); }
  TableHistory& history() { return *history_; }
  std::size_t writes() const { return moments_.size(); }
  std::size_t eras() const { return history_->state().eras.size(); }

  void pass(Clock::Duration time) {
    real_time_ += time;
    shown_.back().last = now();
  }

  void write() {
    const TableHistory::Place place = history_->draw();
    const HistoryMoment moment = place.moment;
    if (!moments_.empty()) {
      const HistoryMoment last = moments_.back();
      ASSERT_TRUE(last.time < moment.time ||
                  (last.time == moment.time && last.ordinal < moment.ordinal));
    }
    moments_.push_back(moment);
    idle_.reset();
    const TreePtr& tree = place.segment.tree;
    WriteBatch batch;
    const auto time = static_cast<std::uint64_t>(moment.time.time_since_epoch().count());
    const std::string item = tree_prefix(kNumber, 0) + "item";
    batch.put(tree, history_key(tree->prefix(), item, time, moment.ordinal), "");
    engine_->commit(batch);
    history_->note(place.segment, 1);
    show();
  }

  void turn(Clock::Duration by) {
    const Clock::TimePoint before = now();
    const bool was_idle = is_idle();
    clock_.advance(by);
    note_turn(before, was_idle);
  }

  // The system's clock is set. If nobody notices, the next call is to look at the time, which is not
  // to be behind the last change by as little as clocks are corrected by.
  void step(Clock::Duration by, bool is_noticed) {
    const Clock::TimePoint before = now();
    const bool was_idle = is_idle();
    real_time_ += by;
    if (is_noticed) {
      clock_.note_step(by);
      return note_turn(before, was_idle);
    }
    if (is_a_little_behind()) real_time_ -= kCorrection;
    jump(before);
  }

  // As systems correct their clocks all the time.
  void correct(Clock::Duration by) { real_time_ += by; }

  // What who keeps histories does when an era has begun.
  void store() {
    stored_ = history_->state();
    history_->note_stored(stored_);
  }

  // The process ends and another one begins, whose clock shows something else.
  void reopen(bool is_killed, Clock::Duration by) {
    const Clock::TimePoint before = now();
    const bool is_lost = is_killed && history_->has_new_eras();
    if (!is_killed) {
      store();
      stored_.is_exact = true;
    }
    watch_.reset();
    history_.reset();
    clock_.set(before + by);
    history_ = std::make_unique<TableHistory>(*engine_, clock_, budget_, kNumber, stored_);
    watch();
    begin_idling(stored_, is_lost);
    store();
    jump(before);
    if (is_lost) first_sure_ = shown_.size() - 1;
  }

  // Another store begins as this one is, with a clock of its own.
  void fork(Clock::Duration by) {
    const Clock::TimePoint before = now();
    const TableHistory::Frozen frozen = history_->freeze();
    watch_.reset();
    history_.reset();
    clock_.set(before + by);
    history_ = std::make_unique<TableHistory>(clock_, budget_, frozen,
                                              [](const TreePtr& below) { return below; });
    watch();
    begin_idling(frozen.state, false);
    store();
    jump(before);
  }

  void expect_latest() {
    const std::optional<Clock::TimePoint> latest = history_->present();
    ASSERT_TRUE(latest);
    expect_writes(*latest, writes());
    expect_at(history_->window(kDays)->latest);
  }

  // What a restore to that time has, which is in the window.
  void expect_at(Clock::TimePoint time) {
    const auto shown = std::find_if(shown_.rbegin(), shown_.rend(), [&](const Shown& one) {
      return one.first <= time && time <= one.last;
    });
    ASSERT_NE(shown, shown_.rend());
    if (static_cast<std::size_t>(shown_.rend() - shown) <= first_sure_) return;
    const std::optional<Clock::TimePoint> place = history_->place_of(time, kDays);
    ASSERT_TRUE(place) << offset(time);
    SCOPED_TRACE(offset(time));
    expect_writes(*place, shown->writes);
    looks_.push_back({*place, shown->writes});
  }

  // A moment that was looked at stays what it was.
  void expect_looks() {
    for (const Looked& look : looks_) expect_writes(look.place, look.writes);
  }

  // A time that was shown, or right beside it.
  Clock::TimePoint random_time(testing::RandomValues& random) {
    const Shown& shown = shown_[random.below(shown_.size())];
    Clock::TimePoint time = random.one_in(2) ? shown.first : shown.last;
    if (random.one_in(2)) {
      const auto length = static_cast<std::uint64_t>((shown.last - shown.first).count()) + 1;
      time = shown.first + microseconds(random.below(length));
    }
    time += microseconds(static_cast<std::int64_t>(random.below(3)) - 1);
    const RecoveryWindow window = history_->window(kDays).value();
    return std::clamp(time, window.earliest, window.latest);
  }

 private:
  // The clock showed these times one after the other, or was turned forward over them.
  struct Shown {
    Clock::TimePoint first;
    Clock::TimePoint last;
    std::size_t writes;
  };
  struct Looked {
    Clock::TimePoint place;
    std::size_t writes;
  };

  // An opening began an era; nothing was changed in it, and the clock was not turned.
  struct Idle {
    HistoryEra before;
    HistoryEra era;
    Clock::TimePoint last;  // change, by the history's time
    std::size_t shown;      // before the opening
    bool is_lost;           // that is not sure
  };

  static Clock::TimePoint real_time() { return real_time_; }
  static std::int64_t offset(Clock::TimePoint time) { return (time - kBegin).count(); }

  bool is_a_little_behind() const {
    const HistoryEra era = history_->state().eras.back();
    const Clock::TimePoint least =
        moments_.empty() ? era.from : std::max(era.from, moments_.back().time);
    const Clock::TimePoint time = now() + era.lead;
    return time < least && time + kCorrection > least;
  }
  // After each beginning: restores that were cut off go on.
  void watch() {
    watch_.emplace(clock_, [this](Clock::TimePoint before) { history_->note_turn(before); });
    for (const Looked& look : looks_) EXPECT_TRUE(history_->knows(look.place, kDays));
  }
  HistoryEra era() const { return history_->state().eras.back(); }
  bool is_idle() const { return idle_ && idle_->era == era(); }
  void begin_idling(const HistoryState& before, bool is_lost) {
    idle_.reset();
    const std::vector<HistoryEra> eras = history_->state().eras;
    if (eras.back() == before.eras.back() || eras.size() < 2) return;
    // The era may have taken the place of one that had no changes, whose times are not known any more.
    is_lost = is_lost || eras.size() == before.eras.size();
    idle_ = {eras[eras.size() - 2], era(), history_->freeze().last, shown_.size(), is_lost};
  }
  // After a turn, or a step that was noticed. Where that leads to the end of what was before the
  // opening, or further, the clock went there from the last time that it showed then.
  void note_turn(Clock::TimePoint before, bool was_idle) {
    if (now() == before) return jump(before);
    const std::optional<Idle> idle = std::exchange(idle_, std::nullopt);
    if (!was_idle || now() + idle->before.lead + kSlack < idle->last) return jump(before);
    shown_.resize(idle->shown);
    jump(shown_.back().last);
    if (idle->is_lost) first_sure_ = shown_.size() - 1;
  }
  void show() { shown_.push_back({now(), now(), writes()}); }
  void jump(Clock::TimePoint before) {
    const Clock::Duration least(1);
    if (before + least < now()) shown_.push_back({before + least, now() - least, writes()});
    show();
  }
  void expect_writes(Clock::TimePoint place, std::size_t expected) const {
    const auto end = std::ranges::upper_bound(moments_, place, {}, &HistoryMoment::time);
    EXPECT_EQ(static_cast<std::size_t>(end - moments_.begin()), expected);
  }

  inline static Clock::TimePoint real_time_;

  const std::unique_ptr<Engine> engine_ = make_memory_engine();
  Clock clock_{&real_time};
  HistoryBudgetPtr budget_ = std::make_shared<HistoryBudget>();
  TreePtr tree_;  // whose contents stay
  std::unique_ptr<TableHistory> history_;
  std::optional<Clock::Watch> watch_;
  HistoryState stored_;
  std::vector<HistoryMoment> moments_;
  std::vector<Shown> shown_;
  std::vector<Looked> looks_;
  std::optional<Idle> idle_;
  // Where a kill came before an era was stored, only what was shown since the next opening is sure.
  std::size_t first_sure_ = 0;
};

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

// Under a frozen clock too, where many changes are of one time.
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

// The history of a restart is behind all before it, also where ordinals are not known any more.
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
      return run.fork(either_way());
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
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
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
