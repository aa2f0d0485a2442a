#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/clock.h"

namespace magneto::storage {

// When a commit changed a table, by the time of its history. Many commits may be of one time, as
// under a frozen clock: the ordinal tells them apart.
struct HistoryMoment {
  Clock::TimePoint time;
  std::uint32_t ordinal = 0;
};

// A run of changes that goes as a whole, in a tree of its own.
struct HistorySegment {
  std::uint16_t number = 1;     // of the tree's keys, 1 upwards; used again when the tree is gone
  Clock::TimePoint begun = {};  // no change in it is older; kFirst: it has none
  Clock::TimePoint last = {};   // of its last change; kFirst: it has none
  std::int64_t bytes = 0;       // of keys and values, about
  bool is_empty() const { return last == Clock::kFirst; }
};

// From a time of the history on, how far that is ahead of the clock.
struct HistoryEra {
  Clock::TimePoint from;
  Clock::Duration lead;
  bool operator==(const HistoryEra&) const = default;
};

// What is known of a history beside its changes. All times but those that are said to be the
// clock's are the history's.
struct HistoryState {
  static constexpr std::size_t kMaxEras = 1'000;  // the first one is forgotten for one more

  // Every change behind it is recorded. kLast: not begun.
  Clock::TimePoint known_from = Clock::kLast;
  // In their order, at least one; the last one is written to.
  std::vector<HistorySegment> segments = {HistorySegment{}};
  // Ascending, at least one.
  std::vector<HistoryEra> eras = {{Clock::kFirst, Clock::Duration(0)}};
  // The last so many of them, but not all, began with open() or since; nothing was changed in them.
  std::uint32_t idle_eras = 0;
  // Ascends with each change of `eras` and `idle_eras`.
  std::uint64_t eras_version = 0;
  // There were more than kMaxEras. Not stored.
  bool has_forgotten_eras = false;
  // Nothing was written since. Otherwise the last two segments may have more than is said here.
  bool is_exact = false;

  // The history's time when the clock showed `clock_time`, or was turned forward past it, for the last
  // time. nullopt: not in any era.
  std::optional<Clock::TimePoint> place_of(Clock::TimePoint clock_time) const;
  // The smallest time of the clock from which on, up to now, each has a place at `first` or later.
  Clock::TimePoint first_shown(Clock::TimePoint first) const;
  // Each of these may begin an era: from then on, all that the clock shows is behind the last change,
  // whether another one follows or not. Between two changes the eras of many turns are few.

  // The history's time of now, not before that of the last change. An era begins where the clock is
  // behind that by more than what clocks are corrected by.
  Clock::TimePoint advance(Clock::TimePoint clock_now, Clock::TimePoint last);
  // All that the clock shows from now on is to be behind that moment, by however little.
  void pass(Clock::TimePoint clock_now, Clock::TimePoint moment);
  // A history is opened whose last change is known and to which the clock may have done anything
  // since. An era of this kind, and those that follow it, are idle until something is changed.
  void open(Clock::TimePoint clock_now, Clock::TimePoint last);
  // The clock was turned from one time to another, or stepped: a new era where that was back, however
  // little, or where the history's time was further ahead than it must be.
  // Where all eras since an opening are idle, and the clock is turned to where the one before ended,
  // or further, that one goes on, as if there had been no other.
  void turn(Clock::TimePoint before, Clock::TimePoint after, Clock::TimePoint last);
  // Something is changed now.
  void end_idling() { idle_eras = 0; }
  // All changes up to that time of the history go, and the eras that ended by then.
  void forget_until(Clock::TimePoint time);
  // What the clock showed at that time of the history.
  Clock::TimePoint shown_at(Clock::TimePoint time) const;

  // A number that no segment has: the one after the newest, so that one is used again long after it
  // has gone.
  std::uint16_t free_number() const;

 private:
  void resume(Clock::TimePoint clock_now, Clock::TimePoint last);
  void begin_era(Clock::TimePoint from, Clock::TimePoint clock_now, Clock::TimePoint last,
                 bool is_idle);
};

// The record of it, under history_record_key() in ColumnFamily::kSystem, and that of its eras alone,
// under history_eras_key(). Decoding throws EngineError when it is damaged or of a newer format.
//
//   record  := format:2 exact:1 known-from:8 count:2 segment* eras
//   eras    := count:4 era* idle-eras:4 version:8     of format 1: count:4 era*
//   segment := number:2 begun:8 last:8 bytes:8        era := from:8 lead:8
//
// Numbers are big-endian; times are microseconds since the epoch.
std::string encode_history(const HistoryState& state);
HistoryState decode_history(std::string_view record);
std::string encode_eras(const HistoryState& state);
// Puts those of the record in the place of the state's own unless these are newer.
void decode_newer_eras(std::string_view record, HistoryState& state);

}  // namespace magneto::storage
