#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "api/costs/key_uses.h"
#include "api/journal/journal.h"
#include "api/subjects/reading.h"

namespace magneto::api {

// The properties that requests of one access pattern share. Views into records.
struct PatternForm {
  std::string_view operation;
  std::string_view verb;  // of a PartiQL statement
  std::string_view table;
  std::string_view index;
  std::string_view key;  // Subject::key_form()
  Reading reading;
  bool scans = false;

  auto members() const {
    return std::tie(operation, verb, table, index, key, reading.filters, reading.consistent,
                    reading.fetches, scans);
  }
  friend bool operator<(const PatternForm& a, const PatternForm& b) {
    return a.members() < b.members();
  }
};

// For example "Query orders/by_day: day = ? (filter, consistent)".
std::string pattern_name(const PatternForm& form);

// The sums of the requests of one pattern. Of a request with several patterns each has the units
// and items of its table, in proportion to its members.
struct AccessPattern {
  PatternForm form;
  const JournalRecord* first = nullptr;  // the oldest of its records
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;     // calls that were not answered with 200
  std::uint64_t throttles = 0;  // those of the errors that a retry may resolve
  // The calls that succeeded or consumed units. Averages are theirs.
  std::uint64_t served = 0;
  double items_read = 0;
  double items_returned = 0;
  double read_units = 0;
  double write_units = 0;

  double average(double sum) const { return served == 0 ? 0 : sum / static_cast<double>(served); }
};

// Groups records by access pattern. The records must outlive this object.
class AccessPatterns {
 public:
  // Requests of further patterns are summed in other().
  static constexpr std::size_t kMost = 10'000;

  // `table`: only its patterns; empty: all.
  explicit AccessPatterns(std::string_view table) : only_table_(table) {}

  void add(const JournalRecord& record);

  // In the order in which they were first used.
  const std::vector<AccessPattern>& patterns() const { return patterns_; }
  const AccessPattern& other() const { return other_; }
  const KeyUses& keys() const { return keys_; }
  // Requests that read or write items, and the others, which are in no pattern.
  std::uint64_t requests() const { return requests_; }
  std::uint64_t other_requests() const { return other_requests_; }
  // The place of a pattern of a record; patterns().size() if it has none.
  std::size_t place_of(const JournalRecord& record) const;

 private:
  std::size_t find(const PatternForm& form, const JournalRecord& record);

  const std::string_view only_table_;
  std::vector<AccessPattern> patterns_;
  AccessPattern other_;
  absl::btree_map<PatternForm, std::size_t> places_;
  KeyUses keys_;
  std::uint64_t requests_ = 0;
  std::uint64_t other_requests_ = 0;
};

}  // namespace magneto::api
