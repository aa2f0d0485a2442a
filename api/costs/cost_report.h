#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/costs/access_patterns.h"
#include "api/costs/cost_request.h"
#include "api/journal/journal.h"
#include "storage/database.h"

namespace magneto::api {

// The sums of a row of the report. Prices are US dollars a month; nullopt if one is not known.
struct CostSums {
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  std::uint64_t throttles = 0;
  double items_read = 0;
  double items_returned = 0;
  double read_units = 0;
  double write_units = 0;
  std::optional<double> on_demand = 0;
  std::optional<double> provisioned = 0;
  double read_capacity = 0;  // units to provision
  double write_capacity = 0;

  void add(const CostSums& other);
};

struct CostMark {
  std::string_view kind;  // kScanMark and the like
  std::string pattern;    // name; empty: the mark is of a table or index
  std::string sentence;
};

// One access pattern.
struct CostRow {
  std::string_view operation;
  std::string_view verb;
  std::string table;
  std::string index;
  std::string key;
  Reading reading;
  bool scans = false;
  std::string name;
  CostSums sums;
  std::uint64_t served = 0;  // the calls that averages are of
  double calls_per_second = 0;
  bool is_infrequent = false;           // its table has the class Standard-IA
  std::size_t replicas = 0;             // tables that a write is replicated to
  std::vector<std::string_view> kinds;  // of all marks that concern it
  std::vector<CostMark> marks;          // its own

  double average(double sum) const { return served == 0 ? 0 : sum / static_cast<double>(served); }
};

struct CostReport {
  static constexpr double kHours = 730;  // of a month
  static constexpr std::size_t kMostRows = 200;
  static constexpr std::size_t kMostMarks = 500;

  std::string name_space;
  CostRequest request;
  std::uint64_t requests = 0;        // in the patterns
  std::uint64_t other_requests = 0;  // those that neither read nor write items
  std::uint64_t dropped = 0;         // records that the journal dropped
  std::vector<CostRow> rows;         // by price on demand, then by name
  std::size_t other_patterns = 0;    // further ones, in `other`
  CostSums other;
  CostSums total;
  std::vector<CostMark> marks;     // in the order of the rows, then those of tables
  std::vector<std::string> notes;  // sentences
};

// Finds the table that a request named; nullptr if there is none.
using FindTable =
    absl::FunctionRef<storage::TablePtr(const JournalRecord& record, std::string_view table)>;

// Takes the memory of an entry for each partition key in the journal.
CostReport make_cost_report(const Journal& journal, CostRequest request, FindTable find_table);

}  // namespace magneto::api
