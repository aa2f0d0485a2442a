#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/error.h"

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

  std::size_t size() const { return size_; }
  // Valid until something is added.
  Use use(std::size_t place) const {
    const Entry& entry = entries_[place];
    return {entry.table, entry.read_units, entry.write_units};
  }

  void clear() {
    error_.reset();
    size_ = 0;
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
  std::size_t size_ = 0;  // of the entries, those in use
  std::vector<Entry> entries_;
};

}  // namespace magneto::api
