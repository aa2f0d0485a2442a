#include "storage/table/period_changes.h"

#include "storage/encoding/keyspace.h"
#include "storage/messages/record_messages.h"

namespace magneto::storage {
namespace {

// After this many records, a seek is cheaper than further steps.
constexpr int kChangesBeforeSeek = 16;

std::uint64_t change_micros(Clock::TimePoint time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

// The item of a history record, without the prefix. Throws EngineError.
std::string_view item_of(std::string_view record) {
  if (record.size() < kTreePrefixSize + kMomentSize) throw EngineError(messages::kDamagedHistory);
  return record.substr(kTreePrefixSize, record.size() - kTreePrefixSize - kMomentSize);
}

}  // namespace

PeriodCursor::PeriodCursor(const PastPeriod& period, const std::string& lower)
    : period_(period), prefix_(tree_prefix(period.past->table->schema.number, 0)) {
  const TableAsOf& past = *period.past;
  segments_.reserve(past.segments.size());
  for (const TableHistory::Segment& segment : past.segments) {
    segments_.emplace_back(*past.snapshot, *segment.tree, past.until, lower);
    is_on_item_.push_back(segments_.back().next_item());
  }
}

std::optional<std::string> PeriodCursor::first_item() const {
  std::optional<std::string_view> first;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (!is_on_item_[i]) continue;
    const std::string_view item = segments_[i].item();
    if (!first || item < *first) first = item;
  }
  if (!first) return std::nullopt;
  return std::string(*first);
}

bool PeriodCursor::next() {
  while (const std::optional<std::string> item = first_item()) {
    key_.assign(prefix_).append(*item);
    if (steps_ > kMostSteps) {
      is_resting_ = true;
      return false;
    }
    if (take(*item) && !(before_.empty() && after_.empty())) return true;
  }
  return false;
}

// Advances all segments that are at the item. Returns whether it changed in the period; before_,
// after_ and changed_ then describe it.
bool PeriodCursor::take(const std::string& item) {
  bool has_before = false;
  bool has_after = false;
  changed_.reset();
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    SegmentCursor& cursor = segments_[i];
    if (!is_on_item_[i] || cursor.item() != item) continue;
    ++steps_;
    if (cursor.has_change() && !has_after) {
      if (!has_before) before_ = cursor.before();
      has_before = true;
      has_after = take_changes(i, item);
    }
    is_on_item_[i] = cursor.next_item();
  }
  if (!changed_) return false;
  if (!has_after) take_value_of_now();
  return true;
}

// Reads the item's last change of this segment in the period. Returns whether there is a change
// after the period: after_ is known then.
bool PeriodCursor::take_changes(std::size_t segment, const std::string& item) {
  SegmentCursor& cursor = segments_[segment];
  for (int steps = 0; steps < kChangesBeforeSeek; ++steps) {
    if (!cursor.has_change()) return false;
    if (cursor.changed() > period_.end) {
      after_ = cursor.before();
      return true;
    }
    changed_ = cursor.changed();
    cursor.next_change();
  }
  const Tree& tree = *period_.past->segments[segment].tree;
  take_last_change(tree, item);
  return take_value_behind(tree, item);
}

// The bound where the records of the item's changes after that time begin.
std::string PeriodCursor::history_bound(const Tree& segment, const std::string& item,
                                        Clock::TimePoint behind) const {
  return history_key(segment.prefix(), tree_prefix(0, 0) + item, change_micros(behind) + 1, 0);
}

void PeriodCursor::take_last_change(const Tree& segment, const std::string& item) {
  const auto record = period_.past->snapshot->scan(
      segment, history_bound(segment, item, period_.past->until),
      history_bound(segment, item, period_.end), Direction::kBackward, {.entries = 1});
  if (!record->next() || item_of(record->key()) != item) return;
  const std::string_view key = record->key();
  const std::uint64_t time = read_uint64(key.substr(key.size() - kMomentSize));
  changed_ = Clock::TimePoint(Clock::Duration(static_cast<Clock::Duration::rep>(time)));
}

// Reads the item at the period's end: the value before its first change after the period.
bool PeriodCursor::take_value_behind(const Tree& segment, const std::string& item) {
  const auto record = period_.past->snapshot->scan(
      segment, history_bound(segment, item, period_.end), {}, Direction::kForward, {.entries = 1});
  if (!record->next() || item_of(record->key()) != item) return false;
  after_ = record->value();
  return true;
}

void PeriodCursor::take_value_of_now() {
  const TableAsOf& past = *period_.past;
  const PinnedValue value = past.snapshot->get(*past.table->partitions.tree_of(key_), key_);
  after_ = value ? value.bytes() : std::string_view();
}

}  // namespace magneto::storage
