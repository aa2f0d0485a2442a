#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table/item_cursor.h"
#include "storage/table/table.h"

namespace magneto::storage {

// A table at a moment of its history, for reading. Immutable: later changes of the table and the
// history do not affect the snapshot.
struct TableAsOf {
  TablePtr table;  // a version with the history
  SnapshotPtr snapshot;
  std::vector<TableHistory::Segment> segments;  // those with changes after `until`, oldest first
  Clock::TimePoint until;                       // by the time of the history
};
using TableAsOfPtr = std::shared_ptr<const TableAsOf>;

// The changes in one segment after a moment, item by item, in the order of the table's keys.
class SegmentCursor {
 public:
  // Starts at the item under `lower`, a whole key of the table; empty: at the first.
  SegmentCursor(const Reader& reader, const Tree& segment, Clock::TimePoint until,
                std::string_view lower);

  // Moves to the next item that has changes, of any moment. False at the end. Throws EngineError.
  // Takes no longer for an item with many changes.
  bool next_item();
  std::string_view item() const { return item_; }  // its key without the table's prefix
  // Whether the item has a change after the moment, and the item before the first such change:
  // empty if it did not exist.
  bool has_change() const { return has_change_; }
  std::string_view before() const { return cursor_->value(); }
  Clock::TimePoint changed() const;  // when that change was made, by the time of the history
  // Moves to the item's next change, which the three functions above then describe.
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

// Walks the items that a table had at a moment, in key order. It reads the current items; for an
// item that was changed since, it returns the value before its first change after the moment. Uses
// bounded memory, however much has changed.
class AsOfCursor {
 public:
  // `past` must outlive it. Starts at the key `lower`; empty: at the first.
  AsOfCursor(const TableAsOf& past, const std::string& lower, ScanHint hint);

  // False at the end, or after so many steps that the caller may want to pause. is_resting() is
  // true then, and a new cursor must start at rest_key().
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
  // A heap of segments_: the smallest item first, then the oldest.
  std::vector<std::size_t> heads_;
  std::size_t steps_ = 0;
  bool was_item_ = false;  // the last result of next() is the item at items_
  std::string key_;
  std::string_view stored_;
  std::string before_;
  bool is_resting_ = false;
  std::string rest_key_;
};

}  // namespace magneto::storage
