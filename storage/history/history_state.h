#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/clock.h"

namespace magneto::storage {

// When a commit changed a table, by the time of its history. Many commits may have the same time,
// for example under a frozen clock; the ordinal distinguishes them.
struct HistoryMoment {
  Clock::TimePoint time;
  std::uint32_t ordinal = 0;
};

// A run of changes in its own tree; it is removed as a whole.
struct HistorySegment {
  std::uint16_t number = 1;     // of the tree's keys, from 1; reused when the tree is gone
  Clock::TimePoint begun = {};  // no change in it is older; kFirst: it has none
  Clock::TimePoint last = {};   // of its last change; kFirst: it has none
  std::int64_t bytes = 0;       // of keys and values, approximately
  bool is_empty() const { return last == Clock::kFirst; }
};

// The offset of the history's time ahead of the clock, from a time of the history on.
struct HistoryEra {
  Clock::TimePoint from;
  Clock::Duration lead;
  bool operator==(const HistoryEra&) const = default;
};

// The state of a history besides its changes. All times are the history's, unless described as the
// clock's.
struct HistoryState {
  static constexpr std::size_t kMaxEras = 1'000;  // the first one is forgotten when there are more

  // All changes after it are recorded. kLast: not begun.
  Clock::TimePoint known_from = Clock::kLast;
  // In order, at least one; the last one is written to.
  std::vector<HistorySegment> segments = {HistorySegment{}};
  // Ascending, at least one.
  std::vector<HistoryEra> eras = {{Clock::kFirst, Clock::Duration(0)}};
  // This many of the last eras, but not all eras, began with open() or since; nothing was changed
  // in them.
  std::uint32_t idle_eras = 0;
  // Increases with each change of `eras` and `idle_eras`.
  std::uint64_t eras_version = 0;
  // There were more than kMaxEras. Not stored.
  bool has_forgotten_eras = false;
  // Nothing was written since the state was stored. Otherwise the last two segments may have more
  // data than recorded here.
  bool is_exact = false;

  // The history's time when the clock last showed `clock_time`, or was last turned forward past it.
  // nullopt: in no era.
  std::optional<Clock::TimePoint> place_of(Clock::TimePoint clock_time) const;
  // The smallest time of the clock from which on each time, up to now, has a place at `first` or
  // later.
  Clock::TimePoint first_shown(Clock::TimePoint first) const;
  // Each of the next functions may begin an era: from then on all times that the clock shows are
  // after the last change, whether another one follows or not. Many turns between two changes make
  // few eras.

  // The history's current time, not before that of the last change. Begins an era if the clock is
  // behind that time by more than the usual corrections of clocks.
  Clock::TimePoint advance(Clock::TimePoint clock_now, Clock::TimePoint last);
  // Makes sure that all later times of the clock are after that moment, if only slightly.
  void pass(Clock::TimePoint clock_now, Clock::TimePoint moment);
  // Opens a history with a known last change, whose clock may have been turned arbitrarily since.
  // An era of this kind, and the eras after it, are idle until something is changed.
  void open(Clock::TimePoint clock_now, Clock::TimePoint last);
  // The clock was turned from one time to another, or stepped. A new era begins if it was turned
  // back, however little, or if the history's time was further ahead than necessary. If all eras
  // since an opening are idle, and the clock is turned at least to the end of the era before them,
  // that era continues as if there had been no other.
  void turn(Clock::TimePoint before, Clock::TimePoint after, Clock::TimePoint last);
  // Something is changed now.
  void end_idling() { idle_eras = 0; }
  // Removes all changes up to that time of the history, and the eras that ended by then.
  void forget_until(Clock::TimePoint time);
  // The clock's time at that time of the history.
  Clock::TimePoint shown_at(Clock::TimePoint time) const;

  // A number that no segment has: the one after the newest, so that a number is reused only long
  // after its segment is gone.
  std::uint16_t free_number() const;

 private:
  void resume(Clock::TimePoint clock_now, Clock::TimePoint last);
  void begin_era(Clock::TimePoint from, Clock::TimePoint clock_now, Clock::TimePoint last,
                 bool is_idle);
};

// The record of the state, under history_record_key() in ColumnFamily::kSystem, and that of its
// eras only, under history_eras_key(). Decoding throws EngineError if a record is damaged or of a
// newer format.
//
//   record  := format:2 exact:1 known-from:8 count:2 segment* eras
//   eras    := count:4 era* idle-eras:4 version:8     of format 1: count:4 era*
//   segment := number:2 begun:8 last:8 bytes:8        era := from:8 lead:8
//
// Numbers are big-endian; times are microseconds since the epoch.
std::string encode_history(const HistoryState& state);
HistoryState decode_history(std::string_view record);
std::string encode_eras(const HistoryState& state);
// Replaces the state's eras by those of the record, unless the state's are newer.
void decode_newer_eras(std::string_view record, HistoryState& state);

}  // namespace magneto::storage
