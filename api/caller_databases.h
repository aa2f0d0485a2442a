#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "api/isolation.h"
#include "api/operation.h"
#include "storage/databases.h"

namespace magneto::api {

// Receives a sentence about a request for a table that other callers have but this one does not.
using ReportElsewhere = std::function<void(std::string_view sentence)>;

// Finds the database that holds a caller's tables. Without isolation it is the main database.
// Otherwise it is named after the region, "us-east-1", or after access key and region,
// "key/us-east-1". Different modes use different names, so no mode sees tables made in another.
// Thread-safe.
class CallerDatabases {
 public:
  // `report` may be empty.
  CallerDatabases(storage::Databases& databases, Isolation isolation, ReportElsewhere report)
      : databases_(databases),
        main_(databases.main()),
        isolation_(isolation),
        report_(std::move(report)) {}

  // Whether each region has its own tables.
  bool keeps_regions_apart() const { return isolation_ != Isolation::kNone; }

  // A caller without tables gets an empty database; reading creates none.
  storage::Database& find(const Caller& caller) {
    return isolation_ == Isolation::kNone ? main_ : find_apart(caller);
  }

  // Called for the caller's first table. Throws LimitExceededException if there are too many
  // databases.
  storage::Database& make(const Caller& caller);

  // Call this if the caller has no table of this name: reports it if other callers have one. A
  // search of many databases takes a millisecond, so with many the function searches only now and
  // then.
  void record_missing(const Caller& caller, std::string_view table_name);

 private:
  storage::Database& find_apart(const Caller& caller);
  bool may_look();

  storage::Databases& databases_;
  storage::Database& main_;
  const Isolation isolation_;
  const ReportElsewhere report_;
  std::atomic<std::int64_t> next_look_{0};  // steady clock, milliseconds
};

}  // namespace magneto::api
