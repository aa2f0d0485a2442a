#include "storage/history/history_state.h"

#include <algorithm>
#include <chrono>

#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"
#include "storage/messages/record_messages.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::uint16_t kFormat = 1;
// Less than that is no turn of the clock: systems correct theirs by it all the time, and each era
// counts.
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
  // The history's time may be ahead of the clock's, but each is within its bounds.
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

}  // namespace

std::optional<Clock::TimePoint> HistoryState::place_of(Clock::TimePoint clock_time) const {
  std::optional<Clock::TimePoint> behind;
  for (std::size_t i = eras.size(); i-- > 0;) {
    const Clock::TimePoint place = clock_time + eras[i].lead;
    if (place < eras[i].from) continue;
    if (i + 1 == eras.size() || place < eras[i + 1].from) return place;
    // It was turned forward past it, or back before it came to it.
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
  if (clock_now + eras.back().lead + kSlack < least) open(clock_now, last);
  return std::max(
      {clock_now + eras.back().lead, last, eras.back().from, Clock::kFirst + Clock::Duration(1)});
}

void HistoryState::open(Clock::TimePoint clock_now, Clock::TimePoint last) {
  const Clock::TimePoint from = std::max(last + Clock::Duration(1), eras.back().from);
  if (clock_now + eras.back().lead < from) begin_era(from, from - clock_now);
}

void HistoryState::resume(Clock::TimePoint clock_now, Clock::TimePoint last) {
  const std::size_t count = eras.size();
  if (count > 1 && clock_now + eras[count - 2].lead + kSlack >= last) eras.pop_back();
}

void HistoryState::turn(Clock::TimePoint before, Clock::TimePoint after, Clock::TimePoint last) {
  const Clock::Duration lead = eras.back().lead;
  const Clock::TimePoint from =
      std::max(std::max(before + lead, last) + Clock::Duration(1), eras.back().from);
  const Clock::Duration wanted = std::max(Clock::Duration(0), from - after);
  // Turned back by however little, times come again, and changes are not to be behind them.
  const bool comes_again = after < before || after + lead < last;
  if (comes_again || lead - wanted > kSlack) begin_era(from, wanted);
}

void HistoryState::begin_era(Clock::TimePoint from, Clock::Duration lead) {
  // Nothing was changed in the last one, and the new one shows all of its times again.
  if (eras.size() > 1 && eras.back().from == from && eras.back().lead <= lead) eras.pop_back();
  eras.push_back({from, lead});
  if (eras.size() <= kMaxEras) return;
  eras.erase(eras.begin());
  known_from = std::max(known_from, eras.front().from);
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
  append_uint32(out, narrow<std::uint32_t>(state.eras.size()));
  for (const HistoryEra& era : state.eras) {
    append_time(out, era.from);
    append_number(out, era.lead.count());
  }
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
  state.eras.clear();
  for (std::size_t left = read_uint32(take(record, sizeof(std::uint32_t))); left > 0; --left) {
    const Clock::TimePoint from = take_time(record);
    const Clock::TimePoint ahead = take_time(record);
    state.eras.push_back({from, ahead - Clock::kFirst});
  }
  if (state.segments.empty() || state.eras.empty()) fail(messages::kEndsEarly);
  if (!record.empty()) fail(messages::kBytesLeft);
  return state;
}

}  // namespace magneto::storage
