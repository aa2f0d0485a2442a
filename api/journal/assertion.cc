#include "api/journal/assertion.h"

#include <absl/container/btree_map.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "api/control_error.h"
#include "api/journal/read_runs.h"
#include "api/messages/control_messages.h"
#include "api/operation.h"

namespace magneto::api {
namespace {

using Failures = std::vector<AssertionFailure>;
using Records = std::span<const Journal::Record>;
using Numbers = std::vector<std::uint64_t>;

constexpr double kMostUnits = 1e15;
constexpr std::int64_t kMostCount = 1'000'000'000'000;

std::string_view table_of(const JournalRecord& record) {
  return record.tables.empty() ? std::string_view() : record.tables.front();
}

Failures check_scans(Records records) {
  Failures failures;
  for (const Journal::Record& record : records) {
    if (!record->is_scan) continue;
    failures.push_back(
        {messages::has_scanned(record->operation, table_of(*record)), {record->number}});
  }
  return failures;
}

Failures check_errors(Records records) {
  Failures failures;
  for (const Journal::Record& record : records) {
    if (record->status == 200) continue;
    failures.push_back(
        {messages::has_failed(record->operation, record->error, record->status), {record->number}});
  }
  return failures;
}

Failures check_units(Records records, double most, bool reads, bool writes) {
  double units = 0;
  Numbers numbers;
  for (const Journal::Record& record : records) {
    const double used = (reads ? record->read_units : 0) + (writes ? record->write_units : 0);
    if (used == 0) continue;
    units += used;
    numbers.push_back(record->number);
  }
  if (units <= most) return {};
  return {{messages::too_many_units(units, most), std::move(numbers)}};
}

Failures check_writes_of_keys(Records records, std::int64_t most) {
  absl::btree_map<std::pair<std::string_view, std::string_view>, Numbers> writes;
  for (const Journal::Record& record : records) {
    if (!record->error.empty()) continue;
    for (const JournalRecord::Key& key : record->keys) {
      if (key.writes) writes[{key.table, key.key}].push_back(record->number);
    }
  }
  Failures failures;
  for (auto& [key, numbers] : writes) {
    if (std::ssize(numbers) <= most) continue;
    failures.push_back(
        {messages::too_many_writes(key.second, key.first, numbers.size(), most), numbers});
  }
  return failures;
}

Failures check_calls(Records records, const json::StrictObject& asked) {
  const std::string_view operation = asked.string("operation", 100).value_or("");
  const auto most = asked.whole("count", 0, kMostCount);
  if (!most) throw ControlError(messages::not_a_whole_number("count", 0, kMostCount));
  if (!operation.empty() && find_operation(operation) == nullptr) {
    throw ControlError(messages::unknown_operation(operation));
  }
  Numbers numbers;
  for (const Journal::Record& record : records) {
    if (operation.empty() || operation == record->operation) numbers.push_back(record->number);
  }
  if (std::ssize(numbers) <= *most) return {};
  return {{messages::too_many_calls(operation, numbers.size(), *most), std::move(numbers)}};
}

Failures check_amplification(Records records, double most) {
  Failures failures;
  for (const Journal::Record& record : records) {
    const auto read = static_cast<double>(record->plan.read);
    const auto returned = static_cast<double>(std::max<std::int64_t>(record->plan.returned, 1));
    if (read <= most * returned) continue;
    failures.push_back({messages::reads_too_much(record->operation, table_of(*record),
                                                 record->plan.read, record->plan.returned),
                        {record->number}});
  }
  return failures;
}

Failures check_tables(Records records, json::Value list) {
  constexpr std::size_t kMostTables = 1'000;
  if (list.array().empty() || list.array().size() > kMostTables) {
    throw ControlError(messages::not_a_list("only_tables", kMostTables));
  }
  std::set<std::string_view> allowed;
  for (const json::Value name : list.array()) allowed.insert(name.string());
  absl::btree_map<std::string_view, Numbers> others;
  for (const Journal::Record& record : records) {
    for (const std::string& table : record->tables) {
      if (!allowed.contains(table)) others[table].push_back(record->number);
    }
  }
  Failures failures;
  for (auto& [table, numbers] : others) {
    failures.push_back({messages::used_other_table(table), std::move(numbers)});
  }
  return failures;
}

Failures check_runs(Records records, std::int64_t limit) {
  Failures failures;
  for (ReadRun& run : find_read_runs(records, limit)) {
    failures.push_back(
        {messages::n_plus_one(run.operation, run.table, run.keys), std::move(run.records)});
  }
  return failures;
}

constexpr std::string_view kKinds[] = {"no_scan",        "no_errors",       "max_units",
                                       "max_read_units", "max_write_units", "max_writes_per_key",
                                       "max_calls",      "no_n_plus_one",   "max_read_per_returned",
                                       "only_tables"};
constexpr auto kAssertionMembers = [] {
  std::array<std::string_view, std::size(kKinds) + 1> members{"table"};
  std::ranges::copy(kKinds, members.begin() + 1);
  return members;
}();

void check_is_true(const json::StrictObject& assertion, std::string_view name) {
  if (assertion.boolean(name) == false) throw ControlError(messages::only_true(name));
}

Failures check_kind(const json::StrictObject& assertion, std::string_view kind, Records records) {
  if (kind == "no_scan" || kind == "no_errors") {
    check_is_true(assertion, kind);
    return kind == "no_scan" ? check_scans(records) : check_errors(records);
  }
  if (kind == "only_tables") return check_tables(records, assertion.value(kind));
  if (kind == "max_calls") {
    constexpr std::string_view kOfCalls[] = {"operation", "count"};
    return check_calls(records, json::StrictObject(assertion.value(kind), "'max_calls'", kOfCalls));
  }
  if (kind == "max_writes_per_key") {
    return check_writes_of_keys(records, assertion.whole(kind, 0, kMostCount).value_or(0));
  }
  if (kind == "no_n_plus_one") {
    return check_runs(records, assertion.whole(kind, 2, kMostCount).value_or(2));
  }
  const double most = assertion.number(kind, 0, kMostUnits).value_or(0);
  if (kind == "max_read_per_returned") return check_amplification(records, most);
  return check_units(records, most, kind != "max_write_units", kind != "max_read_units");
}

}  // namespace

std::span<const std::string_view> assertion_members() { return kAssertionMembers; }

Failures check_assertion(const json::StrictObject& assertion, Records records) {
  const auto has = [&assertion](std::string_view name) { return assertion.has(name); };
  if (std::ranges::count_if(kKinds, has) != 1) {
    throw ControlError(messages::kOneAssertion);
  }
  const std::string_view kind = *std::ranges::find_if(kKinds, has);
  const auto table = assertion.string("table", 255);
  if (!table) return check_kind(assertion, kind, records);
  std::vector<Journal::Record> chosen;
  for (const Journal::Record& record : records) {
    if (std::ranges::find(record->tables, *table) != record->tables.end()) chosen.push_back(record);
  }
  return check_kind(assertion, kind, chosen);
}

}  // namespace magneto::api
