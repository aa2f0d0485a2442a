#include "storage/history/table_history.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/messages/record_messages.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

// The approximate size of a record besides its key and value.
constexpr std::int64_t kRecord = 64;
constexpr std::uint32_t kLastOrdinal = std::numeric_limits<std::uint32_t>::max();
// How far the window may move on during a read.
constexpr std::chrono::minutes kGrace{1};

TreePtr open_segment(Engine& engine, std::uint32_t history, std::uint16_t segment) {
  return engine.open_tree(ColumnFamily::kExpiry, tree_prefix(history, segment));
}

std::uint64_t key_time(Clock::TimePoint time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

}  // namespace

// If there is no record, the process ended before the history had begun.
HistoryState stored_history(Engine& engine, const TreePtr& system, std::uint32_t number) {
  HistoryState state;
  const PinnedValue stored = engine.get(*system, history_record_key(number));
  if (!stored) return state;
  state = decode_history(stored.bytes());
  const std::string eras = history_eras_key(number);
  const auto cursor = engine.scan(*system, eras, prefix_successor(eras), Direction::kForward);
  while (cursor->next()) decode_newer_eras(cursor->value(), state);
  return state;
}

// Reads the clock, and holds the history's mutex during its lifetime. If it begins an era, it wakes
// the keeper, which stores it.
class TableHistory::Look {
 public:
  explicit Look(TableHistory& history)
      : history_(history),
        lock_(history.mutex_),
        clock_now(history.clock_.now()),
        now(history.state_.advance(clock_now, history.last_)),
        is_due_(history.has_new_eras()) {}
  ~Look() {
    lock_.unlock();
    if (is_due_) history_.budget_->wake();
  }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

  void wake_keeper() { is_due_ = true; }

 private:
  TableHistory& history_;
  std::unique_lock<std::mutex> lock_;

 public:
  const Clock::TimePoint clock_now;
  const Clock::TimePoint now;  // by the time of the history

 private:
  bool is_due_;
};

TableHistory::TableHistory(Engine& engine, const Clock& clock, const HistoryBudgetPtr& budget,
                           std::uint32_t number, TreePtr system)
    : clock_(clock), budget_(budget), number_(number), system_(std::move(system)) {
  held_.push_back({{1, open_segment(engine, number, 1)}});
}

TableHistory::TableHistory(Engine& engine, const Clock& clock, const HistoryBudgetPtr& budget,
                           std::uint32_t number, TreePtr system, HistoryState stored)
    : clock_(clock),
      budget_(budget),
      number_(number),
      system_(std::move(system)),
      state_(std::move(stored)),
      stored_version_(state_.eras_version) {
  for (const HistorySegment& segment : state_.segments) {
    held_.push_back({{segment.number, open_segment(engine, number, segment.number)}});
  }
  if (!std::exchange(state_.is_exact, false)) {
    for (std::size_t i = held_.size() - std::min<std::size_t>(held_.size(), 2); i < held_.size();
         ++i) {
      measure(i, engine);
    }
  }
  if (state_.known_from != Clock::kLast) last_ = state_.known_from;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const HistorySegment& segment = state_.segments[i];
    last_ = std::max(last_, segment.last);
    held_[i].own = segment.bytes;
    budget_->add(segment.bytes);
  }
  if (state_.known_from == Clock::kLast) return;
  ordinal_ = kLastOrdinal;  // it is unknown which of them are used
}

TableHistory::TableHistory(const Clock& clock, const HistoryBudgetPtr& budget, const Origin& origin,
                           OverlayOf overlay_of)
    : clock_(clock),
      budget_(budget),
      number_(origin.number),
      state_(origin.state),
      last_(origin.last),
      ordinal_(origin.ordinal),
      stored_version_(state_.eras_version) {
  for (const Segment& below : origin.segments) {
    held_.push_back({{below.number, overlay_of(below.tree)}});
  }
  open();
}

void TableHistory::open() {
  const std::lock_guard lock(mutex_);
  if (state_.known_from != Clock::kLast) state_.open(clock_.now(), last_);
}

TableHistory::Origin TableHistory::snapshot() const {
  const std::lock_guard lock(mutex_);
  Origin origin{number_, state_, {}, last_, ordinal_};
  for (const Held& held : held_) origin.segments.push_back(held.segment);
  return origin;
}

TableHistory::~TableHistory() { retire(); }

// Reads a whole segment, which is a small part of the limit for histories.
void TableHistory::measure(std::size_t segment, Engine& engine) {
  HistorySegment& known = state_.segments[segment];
  known.bytes = 0;
  const auto cursor = engine.scan(*held_[segment].segment.tree, {}, {}, Direction::kForward);
  while (cursor->next()) {
    const std::string_view key = cursor->key();
    if (key.size() < kTreePrefixSize + kMomentSize) throw EngineError(messages::kDamagedHistory);
    const std::uint64_t micros = read_uint64(key.substr(key.size() - kMomentSize));
    const Clock::TimePoint time{Clock::Duration(narrow<std::int64_t>(micros))};
    known.begun = known.is_empty() ? time : std::min(known.begun, time);
    known.last = std::max(known.last, time);
    known.bytes += narrow<std::int64_t>(key.size() + cursor->value().size()) + kRecord;
  }
}

TableHistory::Position TableHistory::draw(WriteBatch& batch) {
  Look look(*this);
  Clock::TimePoint time = look.now;
  const bool is_full = time == last_ && ordinal_ == kLastOrdinal;
  if (time <= seen_ || is_full) {
    time = std::max(time, seen_);
    state_.pass(look.clock_now, time);
    time = state_.advance(look.clock_now, time + Clock::Duration(1));
    look.wake_keeper();
  }
  ordinal_ = time == last_ ? ordinal_ + 1 : 0;
  last_ = time;
  state_.end_idling();
  add_eras(batch);
  HistorySegment& open = state_.segments.back();
  if (open.is_empty()) {
    open.begun = time;
    look.wake_keeper();  // the new data will expire
  }
  open.last = time;
  return {{time, ordinal_}, held_.back().segment};
}

TableHistory::Held* TableHistory::held(std::uint16_t number) {
  const auto found =
      std::ranges::find(held_, number, [](const Held& one) { return one.segment.number; });
  return found == held_.end() ? nullptr : &*found;
}

void TableHistory::note(const Segment& segment, std::int64_t bytes) {
  bool is_due = false;
  {
    const std::lock_guard lock(mutex_);
    Held* const found = held(segment.number);
    if (found == nullptr || is_retired_) return;
    found->own += bytes;
    HistorySegment& known = state_.segments[static_cast<std::size_t>(found - held_.data())];
    known.bytes += bytes;
    budget_->add(bytes);
    const std::int64_t limit = budget_->segment_limit();
    is_due = known.bytes >= limit && known.bytes - bytes < limit;
  }
  if (is_due || budget_->is_over()) budget_->wake();
}

void TableHistory::begin() {
  const std::lock_guard lock(mutex_);
  if (state_.known_from != Clock::kLast) return;
  state_.known_from = last_ = state_.advance(clock_.now(), last_);
}

Clock::TimePoint TableHistory::horizon(std::int32_t days) {
  return Look(*this).now - std::chrono::days(days) - kGrace;
}

std::optional<RecoveryWindow> TableHistory::window(std::int32_t days) {
  const Look look(*this);
  if (state_.known_from == Clock::kLast) return std::nullopt;
  const Clock::TimePoint first = std::max(state_.known_from, look.now - std::chrono::days(days));
  return RecoveryWindow{std::min(state_.first_shown(first), look.clock_now), look.clock_now};
}

std::optional<Clock::TimePoint> TableHistory::place_of(Clock::TimePoint time, std::int32_t days) {
  const Look look(*this);
  if (state_.known_from == Clock::kLast || time > look.clock_now) return std::nullopt;
  // While the clock is slightly behind the history, which begins no era, the times that it repeats
  // are the present.
  const Clock::Duration behind = look.now - (look.clock_now + state_.eras.back().lead);
  const std::optional<Clock::TimePoint> place =
      time + behind >= look.clock_now ? look.now : state_.place_of(time);
  if (!place || *place < first_known(look.now, days)) return std::nullopt;
  seen_ = std::max(seen_, *place);
  return place;
}

std::optional<Clock::TimePoint> TableHistory::present() {
  const Look look(*this);
  if (state_.known_from == Clock::kLast) return std::nullopt;
  seen_ = std::max(seen_, look.now);
  return look.now;
}

bool TableHistory::knows(Clock::TimePoint moment) {
  const Look look(*this);
  if (moment < state_.known_from) return false;
  seen_ = std::max(seen_, moment);
  return true;
}

// Slightly before the window, which moves on during a read.
Clock::TimePoint TableHistory::first_known(Clock::TimePoint now, std::int32_t days) const {
  return std::max(state_.known_from, now - std::chrono::days(days) - kGrace);
}

Clock::TimePoint TableHistory::shown_at(Clock::TimePoint time) const {
  const std::lock_guard lock(mutex_);
  return state_.shown_at(time);
}

std::vector<TableHistory::Segment> TableHistory::segments_behind(Clock::TimePoint time) const {
  std::vector<Segment> found;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (state_.segments[i].last > time) found.push_back(held_[i].segment);
  }
  return found;
}

void TableHistory::record_turn(Clock::TimePoint before) {
  const Clock::TimePoint after = clock_.now();
  const std::lock_guard lock(mutex_);
  state_.turn(before, after, last_);
}

HistoryState TableHistory::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

// Requires mutex_.
void TableHistory::add_eras(WriteBatch& batch) {
  if (system_ == nullptr || !has_new_eras()) return;
  batch.put(system_, history_eras_key(number_, state_.eras_version), encode_eras(state_));
  const bool is_new = era_records_.empty() || era_records_.back() != state_.eras_version;
  if (is_new) era_records_.push_back(state_.eras_version);
}

// Requires mutex_.
void TableHistory::remove_eras_before(std::uint64_t version, WriteBatch& batch) const {
  if (system_ == nullptr) return;
  for (const std::uint64_t one : era_records_) {
    if (one < version) batch.remove(system_, history_eras_key(number_, one));
  }
}

std::uint64_t TableHistory::stage_eras(WriteBatch& batch) {
  const std::lock_guard lock(mutex_);
  const bool is_new = has_new_eras();
  add_eras(batch);
  if (is_new) remove_eras_before(state_.eras_version, batch);
  return state_.eras_version;
}

void TableHistory::stage_record(const HistoryState& state, WriteBatch& batch) {
  if (system_ == nullptr) return;
  batch.put(system_, history_record_key(number_), encode_history(state));
  const std::lock_guard lock(mutex_);
  remove_eras_before(state.eras_version + 1, batch);
}

void TableHistory::record_stored(std::uint64_t eras_version) {
  const std::lock_guard lock(mutex_);
  stored_version_ = std::max(stored_version_, eras_version);
  std::erase_if(era_records_, [&](std::uint64_t version) { return version < eras_version; });
}

void TableHistory::stage_removal(WriteBatch& batch) const {
  if (system_ == nullptr) return;
  batch.remove(system_, history_record_key(number_));
  const std::lock_guard lock(mutex_);
  remove_eras_before(std::numeric_limits<std::uint64_t>::max(), batch);
}

bool TableHistory::take_forgotten_eras() {
  const std::lock_guard lock(mutex_);
  return std::exchange(state_.has_forgotten_eras, false);
}

std::vector<TableHistory::Segment> TableHistory::segments() const {
  std::vector<Segment> all;
  const std::lock_guard lock(mutex_);
  for (const Held& held : held_) all.push_back(held.segment);
  return all;
}

void TableHistory::add_segment(const Segment& segment) {
  const std::lock_guard lock(mutex_);
  state_.segments.push_back({.number = segment.number});
  held_.push_back({segment});
}

std::int64_t TableHistory::drop_first() {
  const std::lock_guard lock(mutex_);
  const HistorySegment& first = state_.segments.front();
  const std::int64_t own = held_.front().own;
  if (!is_retired_) budget_->add(-own);
  state_.forget_until(first.last);
  state_.segments.erase(state_.segments.begin());
  held_.erase(held_.begin());
  return own;
}

void TableHistory::retire() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_retired_, true)) return;
  for (const Held& held : held_) budget_->add(-held.own);
}

void HistoryAppends::draw(WriteBatch& batch) {
  // A commit is to one table or a few.
  for (std::size_t i = 0; i < appends_.size(); ++i) {
    TableHistory* const history = appends_[i].history;
    const auto same = [&](const Drawn& drawn) { return drawn.history == history; };
    if (std::ranges::any_of(drawn_, same)) continue;
    TableHistory::Position place = history->draw(batch);
    std::int64_t bytes = 0;
    for (const Append& append : std::span(appends_).subspan(i)) {
      if (append.history != history) continue;
      const TreePtr& tree = place.segment.tree;
      std::string key = history_key(tree->prefix(), append.key, key_time(place.moment.time),
                                    place.moment.ordinal);
      bytes += narrow<std::int64_t>(key.size() + append.before.size()) + kRecord;
      batch.put(tree, std::move(key), std::string(append.before));
    }
    bytes_ += bytes;
    drawn_.push_back({history, std::move(place.segment), bytes});
  }
}

void HistoryAppends::committed() {
  for (const Drawn& drawn : drawn_) drawn.history->note(drawn.segment, drawn.bytes);
}

}  // namespace magneto::storage
