#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table/items_as_of.h"

namespace magneto::storage {

// A table at the beginning of a period of its history, and the period's end.
struct PastPeriod {
  TableAsOfPtr past;       // the period's changes are after its `until`
  Clock::TimePoint end{};  // by the time of the history; changes at that time still count
};

// Walks the items that changed in a period, in key order: each before its first change and after
// its last one. Skips items that existed neither before nor after. Uses bounded memory, however
// much has changed.
class PeriodCursor {
 public:
  // `period` must outlive it. Starts at the key `lower`; empty: at the first.
  PeriodCursor(const PastPeriod& period, const std::string& lower);

  // False at the end, or after so many steps that the caller may want to pause. is_resting() is
  // true then, and a new cursor must start at rest_key(). Throws EngineError.
  bool next();
  const std::string& key() const { return key_; }
  bool was_there() const { return !before_.empty(); }
  ItemView before() const { return decode_item(before_); }
  bool is_there() const { return !after_.empty(); }
  ItemView after() const { return decode_item(after_); }
  std::size_t bytes() const { return before_.size() + after_.size(); }
  // The clock's time at the last change.
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
  std::string before_;  // encode_item(); empty: the item did not exist
  std::string after_;
  std::optional<Clock::TimePoint> changed_;  // by the time of the history
  bool is_resting_ = false;
};

}  // namespace magneto::storage
