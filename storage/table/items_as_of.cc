#include "storage/table/items_as_of.h"

#include <algorithm>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/messages/record_messages.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

// After this many records, a seek is cheaper than further steps.
constexpr int kStepsBeforeSeek = 16;

std::uint64_t micros(Clock::TimePoint time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

}  // namespace

SegmentCursor::SegmentCursor(const Reader& reader, const Tree& segment, Clock::TimePoint until,
                             std::string_view lower)
    : reader_(reader), segment_(segment), until_(until) {
  std::string first = segment.prefix();
  const std::string_view item = lower.substr(std::min(lower.size(), kTreePrefixSize));
  seek(first.append(item));
  // Change records of the preceding item may sort after the bound.
  if (is_on_record_ && item_of_record() < item) item_ = item_of_record();
}

void SegmentCursor::seek(const std::string& key) {
  cursor_ = reader_.scan(segment_, key, {}, Direction::kForward);
  advance();
}

void SegmentCursor::advance() {
  is_on_record_ = cursor_->next();
  const bool is_damaged = is_on_record_ && cursor_->key().size() < kTreePrefixSize + kMomentSize;
  if (is_damaged) throw EngineError(messages::kDamagedHistory);
}

std::string_view SegmentCursor::item_of_record() const {
  const std::string_view key = cursor_->key();
  return key.substr(kTreePrefixSize, key.size() - kTreePrefixSize - kMomentSize);
}

Clock::TimePoint SegmentCursor::changed() const {
  const std::string_view key = cursor_->key();
  const std::uint64_t time = read_uint64(key.substr(key.size() - kMomentSize));
  return Clock::TimePoint(Clock::Duration(static_cast<Clock::Duration::rep>(time)));
}

void SegmentCursor::next_change() {
  advance();
  has_change_ = is_on_record_ && item_of_record() == item_;
}

bool SegmentCursor::next_item() {
  const auto is_same = [this] { return is_on_record_ && item_of_record() == item_; };
  for (int steps = 0; is_same(); ++steps) {
    if (steps < kStepsBeforeSeek) {
      advance();
    } else {
      seek(std::string(segment_.prefix()).append(item_).append(kMomentSize, '\xFF'));
    }
  }
  has_change_ = false;
  if (!is_on_record_) return false;
  item_ = item_of_record();
  for (int steps = 0; is_same(); ++steps) {
    const std::string_view key = cursor_->key();
    has_change_ = read_uint64(key.substr(key.size() - kMomentSize)) > micros(until_);
    if (has_change_) break;
    if (steps < kStepsBeforeSeek) {
      advance();
    } else {
      const std::string behind = tree_prefix(0, 0).append(item_);
      seek(history_key(segment_.prefix(), behind, micros(until_) + 1, 0));
    }
  }
  return true;
}

AsOfCursor::AsOfCursor(const TableAsOf& past, const std::string& lower, ScanHint hint)
    : prefix_(tree_prefix(past.table->schema.number, 0)),
      items_(*past.snapshot, past.table->partitions, {lower, {}}, Direction::kForward, hint) {
  advance_items();
  segments_.reserve(past.segments.size());
  for (const TableHistory::Segment& segment : past.segments) {
    segments_.emplace_back(*past.snapshot, *segment.tree, past.until, lower);
    push(segments_.size() - 1);
  }
}

// Adds the segment to the heap, at its next item; does nothing if it is at its end.
void AsOfCursor::push(std::size_t segment) {
  if (!segments_[segment].next_item()) return;
  ++steps_;
  heads_.push_back(segment);
  std::ranges::push_heap(heads_, [this](std::size_t a, std::size_t b) {
    const int order = segments_[a].item().compare(segments_[b].item());
    return order != 0 ? order > 0 : a > b;
  });
}

// Removes all changes of the first item with changes from the heap. Returns whether one is after
// the moment: before_ is then the item at that moment.
bool AsOfCursor::take_change() {
  const std::string item(segments_[heads_.front()].item());
  key_.assign(prefix_).append(item);
  bool is_changed = false;
  while (!heads_.empty() && segments_[heads_.front()].item() == item) {
    std::ranges::pop_heap(heads_, [this](std::size_t a, std::size_t b) {
      const int order = segments_[a].item().compare(segments_[b].item());
      return order != 0 ? order > 0 : a > b;
    });
    const std::size_t segment = heads_.back();
    heads_.pop_back();
    if (!is_changed && segments_[segment].has_change()) {
      is_changed = true;
      before_ = segments_[segment].before();
    }
    push(segment);
  }
  return is_changed;
}

bool AsOfCursor::next() {
  if (std::exchange(was_item_, false)) advance_items();
  while (has_item_ || !heads_.empty()) {
    const bool is_changed_next =
        !heads_.empty() && (!has_item_ || segments_[heads_.front()].item() <= item());
    if (steps_ > kMostSteps) {
      is_resting_ = true;
      rest_key_ = prefix_;
      rest_key_.append(is_changed_next ? segments_[heads_.front()].item() : item());
      return false;
    }
    if (is_changed_next) {
      const bool is_there = has_item_ && segments_[heads_.front()].item() == item();
      if (!take_change()) continue;  // the current item, if any, is unchanged
      if (is_there) advance_items();
      if (before_.empty()) continue;
      stored_ = before_;
      return true;
    }
    ++steps_;
    key_ = items_.key();
    stored_ = items_.stored();
    was_item_ = true;
    return true;
  }
  return false;
}

}  // namespace magneto::storage
