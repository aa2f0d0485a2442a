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

// What a call leaves behind for whoever counts or logs calls. Made to be reused.
class CallReport {
 public:
  // Units consumed of one table and its indexes, in the order of first use.
  struct Use {
    std::string_view table;
    double read_units;
    double write_units;
  };

  void set_error(ErrorType type) { error_ = type; }
  const std::optional<ErrorType>& error() const { return error_; }

  void add_read(std::string_view table, double units) { of(table).read_units += units; }
  void add_written(std::string_view table, double units) { of(table).write_units += units; }

  // What reads came to, of tables and indexes alike.
  struct Plan {
    std::int64_t read = 0;      // items and entries
    std::int64_t returned = 0;  // of those
    std::size_t bytes = 0;      // of what was read
  };
  void add_plan(std::int64_t read, std::int64_t returned, std::size_t bytes) {
    plan_.read += read;
    plan_.returned += returned;
    plan_.bytes += bytes;
  }
  const Plan& plan() const { return plan_; }

  // What fault rules decided about the call, once for all attempts to make it; nullptr while all
  // dials are off.
  FaultVerdict* verdict() { return verdict_.get(); }
  const FaultVerdict* verdict() const { return verdict_.get(); }
  FaultVerdict& need_verdict() {
    if (verdict_ == nullptr) verdict_ = std::make_unique<FaultVerdict>();
    return *verdict_;
  }
  // Of a batch: whether that member, in the order of the request, is to be left undone.
  bool leaves_out(std::size_t member) const {
    return verdict_ != nullptr && verdict_->leaves_out(member);
  }

  std::size_t size() const { return size_; }
  // Valid until something is added.
  Use use(std::size_t place) const {
    const Entry& entry = entries_[place];
    return {entry.table, entry.read_units, entry.write_units};
  }

  // Of a batch of statements: the member is to be refused, in those words.
  void deny_member(std::size_t member, std::string why) {
    denials_.emplace_back(member, std::move(why));
  }
  // nullptr: it is not.
  const std::string* denial_of(std::size_t member) const {
    for (const auto& [denied, why] : denials_) {
      if (denied == member) return &why;
    }
    return nullptr;
  }

  // Before each attempt to make a call.
  void begin() {
    error_.reset();
    size_ = 0;
    plan_ = {};
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
  };

  // Most often the last one, and, as reports are reused, the table that an earlier call used.
  Entry& of(std::string_view table) {
    for (std::size_t i = size_; i-- > 0;) {
      if (entries_[i].table == table) return entries_[i];
    }
    if (size_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[size_++];
    if (entry.table != table) entry.table = table;
    entry.read_units = entry.write_units = 0;
    return entry;
  }

  std::optional<ErrorType> error_;
  Plan plan_;
  std::unique_ptr<FaultVerdict> verdict_;
  std::vector<std::pair<std::size_t, std::string>> denials_;
  std::size_t size_ = 0;  // of the entries, those in use
  std::vector<Entry> entries_;
};

}  // namespace magneto::api
