#include "storage/history/history_state.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "storage/engine/engine.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Clock::TimePoint kNoon{hours(12)};

HistoryState with_eras(std::vector<HistoryEra> eras) {
  HistoryState state;
  state.eras = std::move(eras);
  return state;
}

TEST(HistoryState, ItsTimeIsTheClocksUntilThatIsSetBack) {
  HistoryState state;
  EXPECT_EQ(state.advance(kNoon, {}), kNoon);
  EXPECT_EQ(state.advance(kNoon + hours(1), kNoon), kNoon + hours(1));
  EXPECT_EQ(state.eras.size(), 1);
  EXPECT_EQ(state.place_of(kNoon), kNoon);
}

TEST(HistoryState, ALittleBackIsNoNewEra) {
  HistoryState state;
  EXPECT_EQ(state.advance(kNoon, kNoon + milliseconds(4)), kNoon + milliseconds(4));
  EXPECT_EQ(state.eras.size(), 1);
}

// A change from before a time that the clock showed is behind it, even if the clock went back only
// a little.
TEST(HistoryState, ASmallStepBackHidesNoChange) {
  for (const Clock::Duration step :
       {Clock::Duration(1), Clock::Duration(milliseconds(3)), Clock::Duration(milliseconds(900))}) {
    HistoryState turned;
    const Clock::TimePoint last = turned.advance(kNoon, {});
    turned.turn(kNoon, kNoon - step, last);
    EXPECT_GT(turned.place_of(kNoon - step), last) << step.count();
    const Clock::TimePoint written = turned.advance(kNoon - step, last);
    EXPECT_GT(written, last);
    EXPECT_EQ(turned.place_of(kNoon - step), written) << step.count();
  }
  // The system's clock was set without notice.
  HistoryState stepped;
  const Clock::TimePoint written = stepped.advance(kNoon - milliseconds(900), kNoon);
  EXPECT_GT(written, kNoon);
  EXPECT_EQ(stepped.place_of(kNoon - milliseconds(900)), written);
}

// A commit came between the clock's reading and its freezing.
TEST(HistoryState, AChangeAheadOfAFrozenClockIsNotAheadOfItsTime) {
  HistoryState state;
  const Clock::TimePoint last = kNoon + Clock::Duration(3);
  state.turn(kNoon, kNoon, last);
  EXPECT_GT(state.place_of(kNoon), last);
  EXPECT_EQ(state.place_of(kNoon), state.advance(kNoon, last));
}

TEST(HistoryState, SmallTurnsBackAndForthLeaveNoLead) {
  HistoryState state;
  Clock::TimePoint last = kNoon;
  for (int i = 0; i < 10; ++i) {
    state.turn(kNoon + seconds(i), kNoon + seconds(i) - milliseconds(900), last);
    last = state.advance(kNoon + seconds(i) - milliseconds(900), last);
    state.turn(kNoon + seconds(i) - milliseconds(900), kNoon + seconds(i + 1), last);
    last = state.advance(kNoon + seconds(i + 1), last);
  }
  EXPECT_EQ(state.eras.back().lead, hours(0));
}

// A time that the clock has shown twice means the second.
TEST(HistoryState, WhereTheClockWasSetBackTheLastTimeCounts) {
  HistoryState state;
  const Clock::TimePoint last = kNoon;
  const Clock::TimePoint ten = kNoon - hours(2);
  const Clock::TimePoint from = state.advance(ten, last);
  ASSERT_EQ(state.eras.size(), 2);
  EXPECT_GT(from, last);
  EXPECT_LT(from, last + seconds(1));
  EXPECT_EQ(state.advance(ten + minutes(5), from), from + minutes(5));
  EXPECT_EQ(state.place_of(ten + minutes(5)), from + minutes(5));
  EXPECT_EQ(state.place_of(kNoon + minutes(5)), from + hours(2) + minutes(5));
  EXPECT_EQ(state.place_of(kNoon - hours(3)), kNoon - hours(3));
  EXPECT_EQ(state.shown_at(from + minutes(5)), ten + minutes(5));
  EXPECT_EQ(state.shown_at(kNoon - hours(3)), kNoon - hours(3));
}

// As where a process that was in another year starts again, and its clock is turned there.
TEST(HistoryState, AForwardTurnTakesTheLeadAway) {
  HistoryState state;
  const Clock::TimePoint last = kNoon;
  state.turn(kNoon + minutes(10), kNoon - hours(2), last);
  ASSERT_EQ(state.eras.size(), 2);
  // Times that were shown without a change belong to the former era.
  EXPECT_EQ(state.eras[1].from, kNoon + minutes(10) + Clock::Duration(1));
  const Clock::TimePoint written = state.advance(kNoon - hours(2), last);
  EXPECT_EQ(written, state.eras[1].from);
  state.turn(kNoon - hours(2), kNoon + hours(1), written);
  ASSERT_EQ(state.eras.size(), 3);
  EXPECT_EQ(state.eras[2].lead, hours(0));
  EXPECT_EQ(state.place_of(kNoon + hours(1)), kNoon + hours(1));
  // Turned past it, which it had shown before.
  EXPECT_EQ(state.place_of(kNoon), state.eras[2].from - Clock::Duration(1));
  EXPECT_EQ(state.place_of(kNoon - hours(2)), written);  // in both of them
  EXPECT_EQ(state.advance(kNoon + hours(1), written), kNoon + hours(1));
}

TEST(HistoryState, WhatABackwardTurnHidesIsOfTheEraBefore) {
  HistoryState state;
  const Clock::TimePoint written = state.advance(kNoon, {});
  state.turn(kNoon, kNoon - hours(2), written);
  state.turn(kNoon - hours(1), kNoon - hours(4), written + hours(1));
  ASSERT_EQ(state.eras.size(), 3);
  EXPECT_EQ(state.place_of(kNoon - hours(5)), kNoon - hours(5));
  EXPECT_EQ(state.place_of(kNoon - hours(4)), state.eras[2].from);
  // The third era comes to it, and has not yet.
  EXPECT_EQ(state.place_of(kNoon - hours(1)), state.eras[2].from + hours(3));
}

// All times that are shown after the opening are after the last change, and no earlier ones are.
TEST(HistoryState, OneThatIsOpenedWhileTheClockIsBehindBeginsAnEra) {
  HistoryState state;
  state.open(kNoon - hours(1), kNoon);
  ASSERT_EQ(state.eras.size(), 2);
  EXPECT_EQ(state.place_of(kNoon - hours(1)), kNoon + Clock::Duration(1));
  EXPECT_EQ(state.place_of(kNoon - minutes(1)), kNoon + minutes(59) + Clock::Duration(1));
  EXPECT_EQ(state.place_of(kNoon - hours(1) - Clock::Duration(1)),
            kNoon - hours(1) - Clock::Duration(1));
  state.open(kNoon - minutes(59), kNoon);
  EXPECT_EQ(state.eras.size(), 2);
}

// The system's clock was set back, unnoticed, before a turn. Eras stay in their order, and times
// that were shown in one keep their place.
TEST(HistoryState, ATurnFromATimeBeforeTheEraKeepsTheEra) {
  HistoryState state;
  state.pass(kNoon - hours(2), kNoon);
  state.turn(kNoon - hours(3), kNoon + hours(1), kNoon);
  EXPECT_TRUE(std::ranges::is_sorted(state.eras, {}, &HistoryEra::from));
  EXPECT_EQ(state.place_of(kNoon - hours(1)), kNoon);
  EXPECT_EQ(state.place_of(kNoon + hours(1)), kNoon + hours(1));
  HistoryState turned;
  turned.turn(kNoon + minutes(10), kNoon - hours(2), kNoon);
  turned.turn(kNoon - hours(3), kNoon - hours(4), kNoon);
  EXPECT_TRUE(std::ranges::is_sorted(turned.eras, {}, &HistoryEra::from));
}

TEST(HistoryState, FreezingBeginsNoEra) {
  HistoryState state;
  state.turn(kNoon, kNoon, kNoon);
  state.turn(kNoon, kNoon + hours(5), kNoon);
  EXPECT_EQ(state.eras.size(), 1);
}

TEST(HistoryState, TheFirstTimeShownIsThatOfTheFirstEraThatIsSeen) {
  const HistoryState plain;
  EXPECT_EQ(plain.first_shown(kNoon), kNoon);
  // From 12:00 on ahead by two hours: 10:00 was shown again.
  const HistoryState back = with_eras({{Clock::kFirst, hours(0)}, {kNoon, hours(2)}});
  EXPECT_EQ(back.first_shown(kNoon - hours(3)), kNoon - hours(3));
  EXPECT_EQ(back.first_shown(kNoon - hours(1)), kNoon - hours(2));
  EXPECT_EQ(back.first_shown(kNoon + hours(1)), kNoon - hours(1));
}

TEST(HistoryState, ErasAreBoundedAndTheOldestAreForgotten) {
  HistoryState state;
  state.known_from = Clock::kFirst;
  Clock::TimePoint last = kNoon;
  for (std::size_t i = 0; i < HistoryState::kMaxEras + 10; ++i) {
    last = state.advance(Clock::kFirst + hours(1), last + hours(1));
  }
  EXPECT_EQ(state.eras.size(), HistoryState::kMaxEras);
  EXPECT_GE(state.known_from, state.eras.front().from);
  EXPECT_TRUE(state.has_forgotten_eras);
}

TEST(HistoryState, NumbersAreNotUsedTwiceAtATime) {
  HistoryState state;
  EXPECT_EQ(state.free_number(), 2);
  state.segments = {{.number = 1}, {.number = 2}, {.number = 0xFFFF}};
  EXPECT_EQ(state.free_number(), 3);
}

TEST(HistoryState, ARecordIsReadAsItWasWritten) {
  HistoryState state = with_eras({{Clock::kFirst, hours(0)}, {kNoon, hours(2)}});
  state.idle_eras = 1;
  state.eras_version = 77;
  state.known_from = kNoon;
  state.segments = {{.number = 7, .begun = kNoon, .last = kNoon + hours(1), .bytes = 99},
                    {.number = 8}};
  state.is_exact = true;
  const HistoryState read = decode_history(encode_history(state));
  EXPECT_EQ(read.known_from, state.known_from);
  EXPECT_TRUE(read.is_exact);
  ASSERT_EQ(read.segments.size(), 2);
  EXPECT_EQ(read.segments[0].number, 7);
  EXPECT_EQ(read.segments[0].begun, kNoon);
  EXPECT_EQ(read.segments[0].last, kNoon + hours(1));
  EXPECT_EQ(read.segments[0].bytes, 99);
  EXPECT_TRUE(read.segments[1].is_empty());
  ASSERT_EQ(read.eras.size(), 2);
  EXPECT_EQ(read.eras[1].from, kNoon);
  EXPECT_EQ(read.eras[1].lead, hours(2));
  EXPECT_EQ(read.idle_eras, 1);
  EXPECT_EQ(read.eras_version, 77);
}

TEST(HistoryState, ARecordOfTheFirstFormatIsRead) {
  HistoryState state = with_eras({{Clock::kFirst, hours(0)}, {kNoon, hours(2)}});
  state.eras_version = 77;
  std::string record = encode_history(state);
  record[1] = '\1';
  EXPECT_THROW(decode_history(record), EngineError);
  record.resize(record.size() - 12);  // the members that the second format added
  const HistoryState read = decode_history(record);
  EXPECT_EQ(read.eras, state.eras);
  EXPECT_EQ(read.idle_eras, 0);
  EXPECT_EQ(read.eras_version, 0);
}

TEST(HistoryState, TheNewerErasCount) {
  HistoryState newer = with_eras({{Clock::kFirst, hours(0)}, {kNoon, hours(2)}});
  newer.eras_version = 7;
  newer.idle_eras = 1;
  for (const std::uint64_t version : {std::uint64_t{6}, std::uint64_t{7}, std::uint64_t{8}}) {
    HistoryState state;
    state.eras_version = version;
    decode_newer_eras(encode_eras(newer), state);
    EXPECT_EQ(state.eras.size(), version < 7 ? 2 : 1);
    EXPECT_EQ(state.idle_eras, version < 7 ? 1 : 0);
    EXPECT_EQ(state.eras_version, std::max<std::uint64_t>(version, 7));
  }
  const std::string record = encode_eras(newer);
  HistoryState state;
  for (std::size_t size = 0; size < record.size(); ++size) {
    EXPECT_THROW(decode_newer_eras(record.substr(0, size), state), EngineError) << size;
  }
  EXPECT_THROW(decode_newer_eras(record + "x", state), EngineError);
  newer.idle_eras = 2;  // all of them
  EXPECT_THROW(decode_newer_eras(encode_eras(newer), state), EngineError);
}

TEST(HistoryState, WhatIsForgottenTakesItsErasAlong) {
  HistoryState state = with_eras({{Clock::kFirst, hours(0)},
                                  {kNoon, hours(2)},
                                  {kNoon + hours(1), hours(3)},
                                  {kNoon + hours(2), hours(4)}});
  state.known_from = Clock::kFirst;
  state.forget_until(kNoon - seconds(1));
  EXPECT_EQ(state.eras.size(), 4);
  state.forget_until(kNoon + minutes(30));
  EXPECT_EQ(state.eras.size(), 3);
  EXPECT_EQ(state.known_from, kNoon + minutes(30));
  state.forget_until(kNoon);
  EXPECT_EQ(state.known_from, kNoon + minutes(30));
  state.idle_eras = 1;
  state.forget_until(kNoon + hours(9));
  EXPECT_EQ(state.eras.size(), 2);  // one that is not idle stays
}

TEST(HistoryState, ADamagedRecordIsRefused) {
  const std::string record = encode_history(HistoryState{});
  for (std::size_t size = 0; size < record.size(); ++size) {
    EXPECT_THROW(decode_history(record.substr(0, size)), EngineError) << size;
  }
  EXPECT_THROW(decode_history(record + "x"), EngineError);
  std::string newer = record;
  newer[1] = '\3';
  EXPECT_THROW(decode_history(newer), EngineError);
  std::string time = record;
  time[3] = '\x7F';
  EXPECT_THROW(decode_history(time), EngineError);
  for (std::size_t i = 0; i < record.size(); ++i) {
    std::string damaged = record;
    damaged[i] = '\xFF';
    try {
      EXPECT_FALSE(decode_history(damaged).segments.empty());
    } catch (const EngineError& refusal) {
      EXPECT_NE(std::string(refusal.what()), "");
    }
  }
}

}  // namespace
}  // namespace magneto::storage
