#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/history/table_history.h"
#include "tests/support/random_values.h"

namespace magneto::storage {

// A process that writes into one table, and the times that its clock showed.
class HistoryRun {
 public:
  HistoryRun() {
    real_time_ = kBegin;
    history_ = std::make_unique<TableHistory>(*engine_, clock_, budget_, kNumber, system_);
    tree_ = history_->segments().front().tree;
    watch();
    history_->begin();
    store();
    floor_ = {now(), now()};
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
    WriteBatch batch;
    const TableHistory::Position place = history_->draw(batch);
    const HistoryMoment moment = place.moment;
    if (!moments_.empty()) {
      const HistoryMoment last = moments_.back();
      ASSERT_TRUE(last.time < moment.time ||
                  (last.time == moment.time && last.ordinal < moment.ordinal));
    }
    moments_.push_back(moment);
    idle_.reset();
    floor_ = {now(), now()};
    is_unsure_ = false;
    const TreePtr& tree = place.segment.tree;
    const auto time = static_cast<std::uint64_t>(moment.time.time_since_epoch().count());
    const std::string item = tree_prefix(kNumber, 0) + "item";
    batch.put(tree, history_key(tree->prefix(), item, time, moment.ordinal), "");
    engine_->commit(batch);
    history_->note(place.segment, 1);
    show();
  }

  void turn(Clock::Duration by) {
    const Clock::TimePoint before = now();
    clock_.advance(by);
    record_turn(before);
  }

  // Sets the system's clock. If that is not noticed, the next call must read the time. The time
  // must then not be only a little behind the last change, as after a correction of the clock.
  void step(Clock::Duration by, bool is_noticed) {
    const Clock::TimePoint before = now();
    real_time_ += by;
    if (is_noticed) {
      clock_.record_step(by);
      return record_turn(before);
    }
    if (by < Clock::Duration(0) && is_a_little_behind()) real_time_ -= kCorrection;
    floor_.include(now());
    is_unsure_ = true;
    jump(before);
  }

  // As systems correct their clocks all the time.
  void correct(Clock::Duration by) { real_time_ += by; }

  // Stores the history, as the keeper does from time to time.
  void store() {
    WriteBatch batch;
    const HistoryState state = history_->state();
    history_->stage_record(state, batch);
    engine_->commit(batch);
    history_->record_stored(state.eras_version);
    is_unsure_ = false;
  }

  // The process ends and another one begins, whose clock shows something else.
  void reopen(bool is_killed, Clock::Duration by) {
    const Clock::TimePoint before = now();
    const bool is_lost = is_killed && is_unsure_ && !is_fork_;
    if (!is_killed) store();
    if (std::exchange(is_fork_, false)) store_fork();
    watch_.reset();
    history_.reset();
    clock_.set(before + by);
    HistoryState stored = stored_history(*engine_, system_, kNumber);
    stored.is_exact = !is_killed;
    history_ = std::make_unique<TableHistory>(*engine_, clock_, budget_, kNumber, system_, stored);
    history_->open();
    watch();
    store();
    note_opening(is_lost);
    jump(before);
    if (is_lost) first_sure_ = shown_.size() - 1;
  }

  // Continues with a fork of this store, whose clock is changed by `by`.
  void fork(Clock::Duration by) { fork(history_->snapshot(), by); }

  // The same through the disk. The clock of the saving process, which differs by `beside`, has no
  // effect.
  void fork_saved(Clock::Duration beside, Clock::Duration by) {
    store();
    if (is_fork_) store_fork();
    HistoryState stored = stored_history(*engine_, system_, kNumber);
    stored.is_exact = true;
    Clock other;
    other.set(now() + beside);
    const TableHistory still(*engine_, other, budget_, kNumber, system_, stored);
    fork(still.snapshot(), by);
  }

  void expect_latest() {
    const std::optional<Clock::TimePoint> latest = history_->present();
    ASSERT_TRUE(latest);
    expect_writes(*latest, writes());
    expect_at(history_->window(kDays)->latest);
  }

  // Checks a restore to that time, which is in the window.
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

  // A time that the clock showed, or one just beside it.
  Clock::TimePoint random_time(testing::RandomValues& random) {
    const Shown& shown = shown_[random.below(shown_.size())];
    Clock::TimePoint time = random.one_in(2) ? shown.first : shown.last;
    if (random.one_in(2)) {
      const auto length = static_cast<std::uint64_t>((shown.last - shown.first).count()) + 1;
      time = shown.first + std::chrono::microseconds(random.below(length));
    }
    time += std::chrono::microseconds(static_cast<std::int64_t>(random.below(3)) - 1);
    const RecoveryWindow window = history_->window(kDays).value();
    return std::clamp(time, window.earliest, window.latest);
  }

 private:
  static constexpr std::uint32_t kNumber = 7;
  static constexpr std::int32_t kDays = 35;
  static constexpr Clock::TimePoint kBegin{std::chrono::hours(24 * 365 * 30)};
  static constexpr std::chrono::milliseconds kCorrection{6};
  // With a difference of this much it is sure which of two times of the clock is later. Clocks are
  // corrected by less, and changes of one time have successive moments.
  static constexpr std::chrono::milliseconds kUnsure{10};

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

  // All times that the clock shows from here on are after the last change, and earlier times are
  // not, unless the clock goes back. The boundary is between these two.
  struct Floor {
    Clock::TimePoint low;
    Clock::TimePoint high;
    void include(Clock::TimePoint time) {
      low = std::min(low, time);
      high = std::max(high, time);
    }
    // nullopt: not sure.
    std::optional<bool> is_behind(Clock::TimePoint time) const {
      if (time < low - kUnsure) return false;
      if (time > high + kUnsure) return true;
      return std::nullopt;
    }
  };
  // Set after an opening at which the clock was not where it had stood, until a change or a turn of
  // the clock to there.
  struct Idle {
    Floor floor;        // before the opening
    std::size_t shown;  // before it
    bool is_lost;       // that is not sure
  };

  void fork(const TableHistory::Origin& origin, Clock::Duration by) {
    const Clock::TimePoint before = now();
    watch_.reset();
    history_.reset();
    clock_.set(before + by);
    history_ = std::make_unique<TableHistory>(clock_, budget_, origin,
                                              [](const TreePtr& below) { return below; });
    is_fork_ = true;
    watch();
    store();
    note_opening(false);
    jump(before);
  }

  // Stores the state of a fork, which stores nothing itself. The next opening finds it like a
  // snapshot's.
  void store_fork() {
    WriteBatch batch;
    HistoryState state = history_->state();
    state.eras_version += 1'000'000;  // newer than its parent's
    batch.put(system_, history_record_key(kNumber), encode_history(state));
    engine_->commit(batch);
  }
  static Clock::TimePoint real_time() { return real_time_; }
  static std::int64_t offset(Clock::TimePoint time) { return (time - kBegin).count(); }

  bool is_a_little_behind() const {
    const HistoryState state = history_->state();
    const HistoryEra era = state.eras.back();
    const Clock::TimePoint last = moments_.empty() ? state.known_from : moments_.back().time;
    const Clock::TimePoint least = std::max(era.from, last);
    const Clock::TimePoint time = now() + era.lead;
    return time < least && time + kCorrection > least;
  }
  // Called at each beginning: interrupted restores continue.
  void watch() {
    watch_.emplace(clock_, [this](Clock::TimePoint before) { history_->record_turn(before); });
    for (const Looked& look : looks_) EXPECT_TRUE(history_->knows(look.place));
  }
  bool seems_idle() const { return history_->state().idle_eras > 0; }
  void note_opening(bool is_lost) {
    if (idle_) {
      idle_->is_lost |= is_lost;
      return floor_.include(now());
    }
    if (floor_.is_behind(now()).value_or(!seems_idle())) return;
    idle_ = {floor_, shown_.size(), is_lost};
    floor_ = {now(), now()};
  }
  // Call this after a turn, or after a step that was noticed. If the clock then shows the end of
  // the times before the opening, or later, it went there from the last of those times.
  void record_turn(Clock::TimePoint before) {
    store_eras();
    if (now() == before) return jump(before);
    const bool resumes = idle_ && idle_->floor.is_behind(now()).value_or(!seems_idle());
    const bool is_lost = resumes && idle_->is_lost;
    if (resumes) {
      floor_ = idle_->floor;
      shown_.resize(idle_->shown);
      idle_.reset();
      before = shown_.back().last;
    }
    floor_.include(now());
    if (now() < before) floor_.high = now();
    jump(before);
    if (is_lost) first_sure_ = shown_.size() - 1;
  }
  // As the keeper does before a turn is answered.
  void store_eras() {
    WriteBatch batch;
    const std::uint64_t version = history_->stage_eras(batch);
    engine_->commit(batch);
    history_->record_stored(version);
    is_unsure_ = false;
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
  const TreePtr system_ = engine_->open_tree(ColumnFamily::kSystem, "");
  TreePtr tree_;  // whose contents stay
  std::unique_ptr<TableHistory> history_;
  std::optional<Clock::Watch> watch_;
  std::vector<HistoryMoment> moments_;
  std::vector<Shown> shown_;
  std::vector<Looked> looks_;
  bool is_fork_ = false;
  Floor floor_{};
  std::optional<Idle> idle_;
  // The system's clock was set without notice, and nothing was written or stored since. If a kill
  // comes then, only times from the next opening on are sure.
  bool is_unsure_ = false;
  std::size_t first_sure_ = 0;
};

}  // namespace magneto::storage
