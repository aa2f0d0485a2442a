#include "api/costs/cost_report.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "api/costs/cost_marks.h"
#include "api/messages/control_messages.h"
#include "api/messages/cost_messages.h"
#include "storage/model/global_table.h"

namespace magneto::api {
namespace {

constexpr double kSecondsOfHour = 3'600;
constexpr double kMillion = 1e6;
constexpr std::string_view kInfrequentAccess = "STANDARD_INFREQUENT_ACCESS";

// The price of so many units; nullopt if it is not known and matters.
std::optional<double> price_of(double units, const std::optional<double>& price) {
  if (units == 0) return 0;
  return price ? std::optional(units * *price) : std::nullopt;
}

std::optional<double> sum_of(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<double> month_of(const UnitPrices& prices, double reads, double writes) {
  return sum_of(price_of(reads, prices.read), price_of(writes, prices.write));
}

void find_table_facts(const AccessPattern& pattern, FindTable find_table, CostRow& row) {
  const storage::TablePtr table = find_table(*pattern.first, pattern.form.table);
  if (table == nullptr) return;
  row.is_infrequent = table->schema.table_class == kInfrequentAccess;
  if (table->schema.global_table == nullptr) return;
  for (const storage::Replica& replica : table->schema.global_table->replicas) {
    row.replicas += replica.status == storage::ReplicaStatus::kCreationFailed ? 0 : 1;
  }
}

void set_prices(const CostRequest& request, CostRow& row) {
  const Prices& prices = request.prices;
  const ClassPrices& own = row.is_infrequent ? prices.infrequent : prices.standard;
  const double copies = 1 + static_cast<double>(row.replicas);
  const double reads = row.calls_per_second * row.average(row.sums.read_units);
  const double writes = row.calls_per_second * row.average(row.sums.write_units) * copies;
  const double seconds = CostReport::kHours * kSecondsOfHour;
  row.sums.on_demand =
      month_of(own.on_demand, reads * seconds / kMillion, writes * seconds / kMillion);
  row.sums.read_capacity = reads / request.utilization;
  row.sums.write_capacity = writes / request.utilization;
  row.sums.provisioned = month_of(own.provisioned, row.sums.read_capacity * CostReport::kHours,
                                  row.sums.write_capacity * CostReport::kHours);
}

CostRow row_of(const AccessPattern& pattern, const CostRequest& request) {
  CostRow row;
  row.operation = pattern.form.operation;
  row.verb = pattern.form.verb;
  row.table = pattern.form.table;
  row.index = pattern.form.index;
  row.key = pattern.form.key;
  row.reading = pattern.form.reading;
  row.scans = pattern.form.scans;
  row.name = pattern_name(pattern.form);
  row.sums = {.calls = pattern.calls,
              .errors = pattern.errors,
              .throttles = pattern.throttles,
              .items_read = pattern.items_read,
              .items_returned = pattern.items_returned,
              .read_units = pattern.read_units,
              .write_units = pattern.write_units};
  row.served = pattern.served;
  row.calls_per_second = request.rate_of(row.name);
  return row;
}

// The order of rows.
bool costs_more(const CostRow& a, const CostRow& b) {
  const double price_a = a.sums.on_demand.value_or(0);
  const double price_b = b.sums.on_demand.value_or(0);
  return price_a != price_b ? price_a > price_b : a.name < b.name;
}

void add_notes(CostReport& report) {
  if (report.dropped != 0) report.notes.push_back(messages::records_dropped(report.dropped));
  const std::string& region = report.request.prices.region;
  if (!report.total.on_demand) report.notes.push_back(messages::no_on_demand_prices(region));
  if (!report.total.provisioned) report.notes.push_back(messages::no_provisioned_prices(region));
}

void note_unknown_rates(CostReport& report) {
  for (const auto& [name, rate] : report.request.rates) {
    const auto has_name = [&name = name](const CostRow& row) { return row.name == name; };
    if (std::ranges::none_of(report.rows, has_name)) {
      report.notes.push_back(messages::unknown_rate(name));
    }
  }
}

void collect_marks(std::vector<CostMark> of_tables, CostReport& report) {
  for (CostRow& row : report.rows) {
    std::ranges::move(row.marks, std::back_inserter(report.marks));
    row.marks.clear();
  }
  std::ranges::move(of_tables, std::back_inserter(report.marks));
  if (report.marks.size() <= CostReport::kMostMarks) return;
  report.notes.push_back(messages::marks_left_out(report.marks.size() - CostReport::kMostMarks));
  report.marks.resize(CostReport::kMostMarks);
}

// Keeps the first rows, and sums the others.
void bound_rows(const AccessPatterns& patterns, CostReport& report) {
  for (const CostRow& row : report.rows) report.total.add(row.sums);
  while (report.rows.size() > CostReport::kMostRows) {
    report.other.add(report.rows.back().sums);
    ++report.other_patterns;
    report.rows.pop_back();
  }
  if (patterns.other().calls == 0) return;
  CostRow rest = row_of(patterns.other(), report.request);
  rest.calls_per_second = report.request.calls_per_second;
  set_prices(report.request, rest);
  report.other.add(rest.sums);
  report.total.add(rest.sums);
  ++report.other_patterns;
}

}  // namespace

void CostSums::add(const CostSums& more) {
  calls += more.calls;
  errors += more.errors;
  throttles += more.throttles;
  items_read += more.items_read;
  items_returned += more.items_returned;
  read_units += more.read_units;
  write_units += more.write_units;
  on_demand = sum_of(on_demand, more.on_demand);
  provisioned = sum_of(provisioned, more.provisioned);
  read_capacity += more.read_capacity;
  write_capacity += more.write_capacity;
}

CostReport make_cost_report(const Journal& journal, CostRequest request, FindTable find_table) {
  CostReport report;
  report.name_space = journal.name_space();
  report.request = std::move(request);
  Journal::Page page = journal.read({.after = report.request.after, .table = report.request.table},
                                    std::numeric_limits<std::size_t>::max());
  report.dropped = page.dropped;
  if (const std::string& key = report.request.except_access_key; !key.empty()) {
    std::erase_if(page.records,
                  [&key](const Journal::Record& record) { return record->access_key == key; });
  }
  AccessPatterns patterns(report.request.table);
  for (const Journal::Record& record : page.records) patterns.add(*record);
  report.requests = patterns.requests();
  report.other_requests = patterns.other_requests();
  report.rows.reserve(patterns.patterns().size());
  for (const AccessPattern& pattern : patterns.patterns()) {
    CostRow& row = report.rows.emplace_back(row_of(pattern, report.request));
    find_table_facts(pattern, find_table, row);
    set_prices(report.request, row);
  }
  std::vector<CostMark> of_tables = mark_rows(patterns, page.records, report.rows);
  std::ranges::sort(report.rows, costs_more);
  note_unknown_rates(report);
  collect_marks(std::move(of_tables), report);
  bound_rows(patterns, report);
  add_notes(report);
  return report;
}

}  // namespace magneto::api
