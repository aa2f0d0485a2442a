#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table/items_as_of.h"

namespace magneto::storage {

// What a table was when a period of its history began, and when that ended.
struct PastPeriod {
  TableAsOfPtr past;       // until: the changes of the period are behind it
  Clock::TimePoint end{};  // by the time of the history; changes of that time are the last
};

// Walks the items that were changed in a period, in the order of their keys: what each was before its
// first change and behind its last one. One that was there neither before nor behind is passed over.
// In bounded memory, whatever has changed.
class PeriodCursor {
 public:
  // `period` must outlive it. From the key `lower` on; empty: from the first.
  PeriodCursor(const PastPeriod& period, const std::string& lower);

  // False at the end, or when so much was looked at that the caller may want a rest: is_resting()
  // then, and a new cursor is to begin at rest_key(). Throws EngineError.
  bool next();
  const std::string& key() const { return key_; }
  bool was_there() const { return !before_.empty(); }
  ItemView before() const { return decode_item(before_); }
  bool is_there() const { return !after_.empty(); }
  ItemView after() const { return decode_item(after_); }
  std::size_t bytes() const { return before_.size() + after_.size(); }
  // When the clock showed its last change.
  Clock::TimePoint changed() const { return period_.past->table->history->shown_at(*changed_); }
  bool is_resting() const { return is_resting_; }
  const std::string& rest_key() const { return key_; }

 private:
  static constexpr std::size_t kMostSteps = 20'000;

  std::optional<std::string> first_item() const;
  bool take(const std::string& item);
  bool take_changes(std::size_t segment, const std::string& item);
  std::string history_bound(const Tree& segment, const std::string& item,
                            Clock::TimePoint behind) const;
  void take_last_change(const Tree& segment, const std::string& item);
  bool take_value_behind(const Tree& segment, const std::string& item);
  void take_value_of_now();

  const PastPeriod& period_;
  const std::string prefix_;             // of the table's keys
  std::vector<SegmentCursor> segments_;  // of the past
  std::vector<bool> is_on_item_;         // whether each has not ended
  std::size_t steps_ = 0;
  std::string key_;
  std::string before_;  // encode_item(); empty: it was not there
  std::string after_;
  std::optional<Clock::TimePoint> changed_;  // by the time of the history
  bool is_resting_ = false;
};

}  // namespace magneto::storage
