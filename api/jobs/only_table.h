#pragma once

#include <string_view>
#include <utility>

#include "api/request/table_lookup.h"

namespace magneto::api {

// While a thread has one, the calls that it makes put items into the table of this id alone: for an
// import, which must not fill a later table of the name. What PutItem and BatchWriteItem pinned
// stays the table that it is. As with Effort, a thread has the one that was made last.
class OnlyTable {
 public:
  // `id` outlives it.
  explicit OnlyTable(std::string_view id) : previous_(std::exchange(current_, id)) {}
  ~OnlyTable() { current_ = previous_; }
  OnlyTable(const OnlyTable&) = delete;
  OnlyTable& operator=(const OnlyTable&) = delete;

  // Throws ResourceNotFoundException for another table.
  static void check(const storage::Table& pinned) {
    if (!current_.empty() && current_ != pinned.schema.id) [[unlikely]] {
      fail_table_not_found(pinned.schema.name);
    }
  }

 private:
  static inline constinit thread_local std::string_view current_{};
  const std::string_view previous_;
};

}  // namespace magneto::api
