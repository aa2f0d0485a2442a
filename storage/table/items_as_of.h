#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table/item_cursor.h"
#include "storage/table/table.h"

namespace magneto::storage {

// A table at a moment of its history: what is read of that. Immutable; whatever becomes of the table
// and the history, what the snapshot sees of them stays.
struct TableAsOf {
  TablePtr table;  // a version with the history
  SnapshotPtr snapshot;
  std::vector<TableHistory::Segment> segments;  // those with changes behind `until`, older first
  Clock::TimePoint until;                       // by the time of the history
};
using TableAsOfPtr = std::shared_ptr<const TableAsOf>;

// The changes behind a moment in one segment, item by item, in the order of the table's keys.
class SegmentCursor {
 public:
  // From the item under `lower` on, a whole key of the table; empty: from the first.
  SegmentCursor(const Reader& reader, const Tree& segment, Clock::TimePoint until,
                std::string_view lower);

  // Moves to the next item that has changes, of whatever moment. False at the end. Throws
  // EngineError. Takes no longer for an item with many changes.
  bool next_item();
  std::string_view item() const { return item_; }  // its key behind the table's prefix
  // Whether it has one behind the moment, and what the item was before the first of them: empty when
  // it was not there.
  bool has_change() const { return has_change_; }
  std::string_view before() const { return cursor_->value(); }
  Clock::TimePoint changed() const;  // when that change was, by the time of the history
  // To the item's next change, of which the three above tell then.
  void next_change();

 private:
  std::string_view item_of_record() const;
  void seek(const std::string& key);
  void advance();

  const Reader& reader_;
  const Tree& segment_;
  const Clock::TimePoint until_;
  std::unique_ptr<Cursor> cursor_;
  bool is_on_record_ = false;
  std::string item_;
  bool has_change_ = false;
};

// Walks the items that a table had, in the order of their keys: those of now, but each that was
// changed since as it was before its first change behind the moment. In bounded memory, whatever has
// changed.
class AsOfCursor {
 public:
  // `past` must outlive it. From the key `lower` on; empty: from the first.
  AsOfCursor(const TableAsOf& past, const std::string& lower, ScanHint hint);

  // False at the end, or when so much was looked at that the caller may want a rest: is_resting()
  // then, and a new cursor is to begin at rest_key().
  bool next();
  std::string_view key() const { return key_; }
  std::string_view stored() const { return stored_; }  // encode_item()
  ItemView item_view() const { return decode_item(stored_); }
  std::size_t item_size() const { return decode_item_size(stored_); }
  bool is_resting() const { return is_resting_; }
  const std::string& rest_key() const { return rest_key_; }

 private:
  static constexpr std::size_t kMostSteps = 20'000;

  void advance_items() { has_item_ = items_.next(); }
  std::string_view item() const { return items_.key().substr(prefix_.size()); }
  bool take_change();
  void push(std::size_t segment);

  std::string prefix_;  // of the table's keys
  ItemCursor items_;
  bool has_item_ = false;
  std::vector<SegmentCursor> segments_;
  std::vector<std::size_t>
      heads_;  // a heap of segments_, the smallest item and then the oldest first
  std::size_t steps_ = 0;
  bool was_item_ = false;  // what next() gave last is where items_ stands
  std::string key_;
  std::string_view stored_;
  std::string before_;
  bool is_resting_ = false;
  std::string rest_key_;
};

}  // namespace magneto::storage
