#include "storage/history/history_state.h"

#include <algorithm>
#include <chrono>

#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"
#include "storage/messages/record_messages.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::uint16_t kFormat = 2;
// A smaller difference is no turn of the clock: systems correct their clocks by this much all the
// time, and the number of eras is limited.
constexpr std::chrono::milliseconds kSlack{5};

[[noreturn]] void fail(const char* damage) {
  throw EngineError(messages::damaged_schema(messages::kHistoryRecord, damage));
}

std::string_view take(std::string_view& rest, std::size_t size) {
  if (size > rest.size()) fail(messages::kEndsEarly);
  const std::string_view bytes = rest.substr(0, size);
  rest.remove_prefix(size);
  return bytes;
}

std::uint16_t take_uint16(std::string_view& rest) {
  return read_uint16(take(rest, sizeof(std::uint16_t)));
}

std::int64_t take_number(std::string_view& rest) {
  return static_cast<std::int64_t>(read_uint64(take(rest, sizeof(std::uint64_t))));
}

Clock::TimePoint take_time(std::string_view& rest) {
  const Clock::TimePoint time{Clock::Duration(take_number(rest))};
  // The history's time may be ahead of the clock's, but must be within this bound.
  if (time < Clock::kFirst || time - Clock::kLast > Clock::kLast - Clock::kFirst) {
    fail(messages::kNoTime);
  }
  return time;
}

void append_number(std::string& out, std::int64_t value) {
  append_uint64(out, static_cast<std::uint64_t>(value));
}

void append_time(std::string& out, Clock::TimePoint time) {
  append_number(out, time.time_since_epoch().count());
}

void take_eras(std::string_view& rest, std::uint16_t format, HistoryState& state) {
  state.eras.clear();
  for (std::size_t left = read_uint32(take(rest, sizeof(std::uint32_t))); left > 0; --left) {
    const Clock::TimePoint from = take_time(rest);
    const Clock::TimePoint ahead = take_time(rest);
    state.eras.push_back({from, ahead - Clock::kFirst});
  }
  if (state.eras.empty()) fail(messages::kEndsEarly);
  if (format < 2) return;
  state.idle_eras = read_uint32(take(rest, sizeof(std::uint32_t)));
  state.eras_version = read_uint64(take(rest, sizeof(std::uint64_t)));
  if (state.idle_eras >= state.eras.size()) fail(messages::kUnknownKind);
}

void append_eras(const HistoryState& state, std::string& out) {
  append_uint32(out, narrow<std::uint32_t>(state.eras.size()));
  for (const HistoryEra& era : state.eras) {
    append_time(out, era.from);
    append_number(out, era.lead.count());
  }
  append_uint32(out, state.idle_eras);
  append_uint64(out, state.eras_version);
}

}  // namespace

std::optional<Clock::TimePoint> HistoryState::place_of(Clock::TimePoint clock_time) const {
  std::optional<Clock::TimePoint> behind;
  for (std::size_t i = eras.size(); i-- > 0;) {
    const Clock::TimePoint place = clock_time + eras[i].lead;
    if (place < eras[i].from) continue;
    if (i + 1 == eras.size() || place < eras[i + 1].from) return place;
    // The clock was turned forward past it, or back before it reached it.
    const Clock::TimePoint end = eras[i + 1].from - Clock::Duration(1);
    if (eras[i + 1].lead < eras[i].lead) return end;
    if (!behind) behind = end;
  }
  return behind;
}

Clock::TimePoint HistoryState::first_shown(Clock::TimePoint first) const {
  const auto begin_of = [&](const HistoryEra& era) { return std::max(first, era.from) - era.lead; };
  Clock::TimePoint shown = begin_of(eras.back());
  for (std::size_t i = eras.size() - 1; i-- > 0;) {
    if (eras[i + 1].from <= first) break;
    shown = std::min(shown, begin_of(eras[i]));
  }
  return std::max(shown, Clock::kFirst);
}

Clock::TimePoint HistoryState::advance(Clock::TimePoint clock_now, Clock::TimePoint last) {
  const Clock::TimePoint least = std::max(last, eras.back().from);
  if (clock_now + eras.back().lead + kSlack < least) pass(clock_now, last);
  return std::max(
      {clock_now + eras.back().lead, last, eras.back().from, Clock::kFirst + Clock::Duration(1)});
}

void HistoryState::pass(Clock::TimePoint clock_now, Clock::TimePoint moment) {
  const Clock::TimePoint from = std::max(moment + Clock::Duration(1), eras.back().from);
  if (clock_now + eras.back().lead < from) begin_era(from, clock_now, moment, idle_eras > 0);
}

void HistoryState::open(Clock::TimePoint clock_now, Clock::TimePoint last) {
  if (idle_eras > 0 && last >= eras[eras.size() - idle_eras].from) end_idling();
  const Clock::TimePoint from = std::max(last + Clock::Duration(1), eras.back().from);
  if (clock_now + eras.back().lead < from) begin_era(from, clock_now, last, true);
}

void HistoryState::resume(Clock::TimePoint clock_now, Clock::TimePoint last) {
  const std::size_t kept = eras.size() - idle_eras;
  const HistoryEra& before = eras[kept - 1];
  if (clock_now + before.lead + kSlack < std::max(last, before.from)) return;
  eras.resize(kept);
  end_idling();
  ++eras_version;
}

void HistoryState::turn(Clock::TimePoint before, Clock::TimePoint after, Clock::TimePoint last) {
  if (after != before && idle_eras > 0) resume(after, last);
  const auto [begun, lead] = eras.back();
  const Clock::TimePoint from = std::max(std::max(before + lead, last) + Clock::Duration(1), begun);
  const Clock::Duration wanted = std::max(Clock::Duration(0), from - after);
  // After any turn back, times are repeated; a repeated time must be after all changes.
  const bool comes_again = after < before || after + lead < std::max(last, begun);
  if (comes_again || lead - wanted > kSlack) begin_era(from, after, last, idle_eras > 0);
}

void HistoryState::begin_era(Clock::TimePoint from, Clock::TimePoint clock_now,
                             Clock::TimePoint last, bool is_idle) {
  HistoryEra era{from, std::max(Clock::Duration(0), from - clock_now)};
  const std::size_t idle_from = eras.size() - idle_eras;
  // Nothing was changed in the last eras, so one era that starts with the first of them can show
  // all their times, unless its time would have to be further ahead.
  std::size_t first = eras.size();
  Clock::TimePoint start = clock_now;
  while (first > (is_idle ? idle_from : 1) && last < eras[first - 1].from) {
    --first;
    start = std::min(start, eras[first].from - eras[first].lead);
  }
  if (first < eras.size() && eras[first].from + (clock_now - start) <= from) {
    era = {eras[first].from, eras[first].from - start};
    if (first + 1 == eras.size() && eras[first] == era) return;
    eras.resize(first);
  }
  eras.push_back(era);
  idle_eras = is_idle ? narrow<std::uint32_t>(eras.size() - idle_from) : 0;
  ++eras_version;
  if (eras.size() <= kMaxEras) return;
  eras.erase(eras.begin());
  known_from = std::max(known_from, eras.front().from);
  has_forgotten_eras = true;
}

// This does not make the remaining eras newer: they are the same whether stored before or after.
void HistoryState::forget_until(Clock::TimePoint time) {
  known_from = std::max(known_from, time);
  while (eras.size() > idle_eras + 1 && eras[1].from <= known_from) eras.erase(eras.begin());
}

Clock::TimePoint HistoryState::shown_at(Clock::TimePoint time) const {
  const auto behind = std::ranges::upper_bound(eras, time, {}, &HistoryEra::from);
  return time - (behind == eras.begin() ? eras.front() : *std::prev(behind)).lead;
}

std::uint16_t HistoryState::free_number() const {
  std::uint16_t number = segments.back().number;
  do {
    number = static_cast<std::uint16_t>(number % 0xFFFFU + 1U);
  } while (std::ranges::find(segments, number, &HistorySegment::number) != segments.end());
  return number;
}

std::string encode_history(const HistoryState& state) {
  std::string out;
  append_uint16(out, kFormat);
  out.push_back(state.is_exact ? '\1' : '\0');
  append_time(out, state.known_from);
  append_uint16(out, narrow<std::uint16_t>(state.segments.size()));
  for (const HistorySegment& segment : state.segments) {
    append_uint16(out, segment.number);
    append_time(out, segment.begun);
    append_time(out, segment.last);
    append_number(out, segment.bytes);
  }
  append_eras(state, out);
  return out;
}

HistoryState decode_history(std::string_view record) {
  const std::uint16_t format = take_uint16(record);
  if (format > kFormat) {
    throw EngineError(messages::newer_schema(messages::kHistoryRecord, format, kFormat));
  }
  if (format == 0) fail(messages::kNoFormat);
  const char exact = take(record, 1).front();
  if (exact != '\0' && exact != '\1') fail(messages::kNoFlag);
  HistoryState state;
  state.is_exact = exact == '\1';
  state.known_from = take_time(record);
  state.segments.clear();
  for (std::size_t left = take_uint16(record); left > 0; --left) {
    HistorySegment& segment = state.segments.emplace_back();
    segment.number = take_uint16(record);
    segment.begun = take_time(record);
    segment.last = take_time(record);
    segment.bytes = take_number(record);
    if (segment.number == 0 || segment.bytes < 0) fail(messages::kUnknownKind);
  }
  if (state.segments.empty()) fail(messages::kEndsEarly);
  take_eras(record, format, state);
  if (!record.empty()) fail(messages::kBytesLeft);
  return state;
}

std::string encode_eras(const HistoryState& state) {
  std::string out;
  append_eras(state, out);
  return out;
}

void decode_newer_eras(std::string_view record, HistoryState& state) {
  HistoryState read;
  take_eras(record, kFormat, read);
  if (!record.empty()) fail(messages::kBytesLeft);
  if (read.eras_version <= state.eras_version) return;
  state.eras = std::move(read.eras);
  state.idle_eras = read.idle_eras;
  state.eras_version = read.eras_version;
}

}  // namespace magneto::storage
