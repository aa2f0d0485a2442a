#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/error.h"
#include "api/fault_verdict.h"

namespace magneto::api {

// Facts about a call for metrics and logs. Reusable for many calls.
class CallReport {
 public:
  // Units consumed of one table and its indexes, in the order of first use.
  struct Use {
    std::string_view table;
    double read_units;
    double write_units;
    std::int64_t items_read;  // items and entries
    std::int64_t items_returned;
  };

  void set_error(ErrorType type) { error_ = type; }
  const std::optional<ErrorType>& error() const { return error_; }

  void add_written(std::string_view table, double units) { of(table).write_units += units; }

  // Totals of the reads, of tables and indexes alike.
  struct Plan {
    std::int64_t read = 0;      // items and entries
    std::int64_t returned = 0;  // items returned
    std::size_t bytes = 0;      // size of everything read

    void add(const Plan& other) {
      read += other.read;
      returned += other.returned;
      bytes += other.bytes;
    }
  };
  // A read of a table or its index: its units, or its items, or both.
  void add_read(std::string_view table, double units) { of(table).read_units += units; }
  void add_read(std::string_view table, double units, const Plan& plan) {
    Entry& entry = of(table);
    entry.read_units += units;
    entry.plan.add(plan);
  }
  Plan plan() const {
    Plan sum;
    for (std::size_t i = 0; i < size_; ++i) sum.add(entries_[i].plan);
    return sum;
  }

  // The decision of the fault rules about the call, shared by all attempts to make it; nullptr
  // while all control settings are off.
  FaultVerdict* verdict() { return verdict_.get(); }
  const FaultVerdict* verdict() const { return verdict_.get(); }
  FaultVerdict& need_verdict() {
    if (verdict_ == nullptr) verdict_ = std::make_unique<FaultVerdict>();
    return *verdict_;
  }
  // For a batch: whether the member at this index in the request must be left undone.
  bool leaves_out(std::size_t member) const {
    return verdict_ != nullptr && verdict_->leaves_out(member);
  }

  std::size_t size() const { return size_; }
  // Valid until the next addition.
  Use use(std::size_t place) const {
    const Entry& entry = entries_[place];
    return {entry.table, entry.read_units, entry.write_units, entry.plan.read, entry.plan.returned};
  }

  // For a batch of statements: refuses the member, with `why` as its message.
  void deny_member(std::size_t member, std::string why) {
    denials_.emplace_back(member, std::move(why));
  }
  // nullptr if the member is not refused.
  const std::string* denial_of(std::size_t member) const {
    for (const auto& [denied, why] : denials_) {
      if (denied == member) return &why;
    }
    return nullptr;
  }

  // Called before each attempt to make a call.
  void begin() {
    error_.reset();
    size_ = 0;
    denials_.clear();
  }
  void clear() {
    begin();
    verdict_.reset();
  }

 private:
  struct Entry {
    std::string table;
    double read_units = 0;
    double write_units = 0;
    Plan plan;
  };

  // Searches from the end, because the last entry is the most frequent. A reused report often finds
  // the table of an earlier call and saves a copy of its name.
  Entry& of(std::string_view table) {
    for (std::size_t i = size_; i-- > 0;) {
      if (entries_[i].table == table) return entries_[i];
    }
    if (size_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[size_++];
    if (entry.table != table) entry.table = table;
    entry.read_units = entry.write_units = 0;
    entry.plan = {};
    return entry;
  }

  std::optional<ErrorType> error_;
  std::unique_ptr<FaultVerdict> verdict_;
  std::vector<std::pair<std::size_t, std::string>> denials_;
  std::size_t size_ = 0;  // number of entries in use
  std::vector<Entry> entries_;
};

}  // namespace magneto::api
