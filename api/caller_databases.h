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

// Takes a sentence about a request for a table that others have, not its caller.
using ReportElsewhere = std::function<void(std::string_view sentence)>;

// In which database a caller's tables live: the main one without isolation, else one named after
// the region, "us-east-1", or the access key and the region, "key/us-east-1". Other modes have
// other names, so that none sees what was made in another. Thread-safe.
class CallerDatabases {
 public:
  // `report` may be empty.
  CallerDatabases(storage::Databases& databases, Isolation isolation, ReportElsewhere report)
      : databases_(databases),
        main_(databases.main()),
        isolation_(isolation),
        report_(std::move(report)) {}

  // Whether each region has tables of its own.
  bool keeps_regions_apart() const { return isolation_ != Isolation::kNone; }

  // Without a table the caller has one that is empty, and reading makes none.
  storage::Database& find(const Caller& caller) {
    return isolation_ == Isolation::kNone ? main_ : find_apart(caller);
  }

  // For the caller's first table. Throws LimitExceededException where there are too many.
  storage::Database& make(const Caller& caller);

  // To be called when the caller has no table of this name: reports it if others have one. Among
  // many databases, which take a millisecond to look through, it looks now and then.
  void note_missing(const Caller& caller, std::string_view table_name);

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
