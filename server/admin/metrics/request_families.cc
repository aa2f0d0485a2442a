#include "server/admin/metrics/request_families.h"

#include <array>
#include <string_view>

#include "api/error.h"
#include "server/admin/metrics/storage_families.h"

namespace magneto::server::admin {
namespace {

constexpr std::array<std::string_view, http::kCallResults> kResults = {"ok", "client_error",
                                                                       "server_error"};

bool is_empty(const http::Durations& durations) {
  for (const std::uint64_t count : durations.buckets) {
    if (count != 0) return false;
  }
  return true;
}

// "ResourceNotFoundException" of "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException".
std::string_view error_name(api::ErrorType type) {
  const std::string_view name = api::error_info(type).name;
  return name.substr(name.rfind('#') + 1);
}

void add_calls(const http::RequestTotals& totals, MetricFamilies& families) {
  families.begin_histogram("magneto_request_duration_seconds",
                           "Calls, from the last byte of the request to the answer");
  for (const auto& [operation, calls] : totals.calls) {
    for (std::size_t i = 0; i < http::kCallResults; ++i) {
      if (is_empty(calls.by_result[i])) continue;
      families.add(calls.by_result[i], {{"operation", operation}, {"result", kResults[i]}});
    }
  }
  families.begin_counter("magneto_request_errors_total", "Calls that were answered with an error");
  for (const auto& [operation, calls] : totals.calls) {
    for (std::size_t i = 0; i < http::kErrorTypes; ++i) {
      if (calls.errors[i] == 0) continue;
      families.add(calls.errors[i], {{"operation", operation},
                                     {"type", error_name(static_cast<api::ErrorType>(i))}});
    }
  }
}

std::string_view kind_name(http::Route::Kind kind) {
  switch (kind) {
    case http::Route::Kind::kOperation:
      break;
    case http::Route::Kind::kHealth:
      return "health";
    case http::Route::Kind::kReady:
      return "ready";
    case http::Route::Kind::kMetrics:
      return "metrics";
    case http::Route::Kind::kControl:
      return "control";
    case http::Route::Kind::kBrowser:
      return "browser";
    case http::Route::Kind::kPreflight:
      return "preflight";
    case http::Route::Kind::kNotFound:
    case http::Route::Kind::kNoCall:
      return "not_found";
    case http::Route::Kind::kRefused:
      return "refused";
    case http::Route::Kind::kMalformed:
      return "malformed";
  }
  return {};
}

void add_others(const http::RequestTotals& totals, MetricFamilies& families) {
  families.begin_counter("magneto_other_requests_total", "Requests that are no calls");
  for (std::size_t i = 0; i < http::Route::kKinds; ++i) {
    const auto kind = static_cast<http::Route::Kind>(i);
    if (kind == http::Route::Kind::kOperation || kind == http::Route::Kind::kNoCall) continue;
    std::uint64_t count = totals.others[i];
    if (kind == http::Route::Kind::kNotFound) {
      count += totals.others[static_cast<std::size_t>(http::Route::Kind::kNoCall)];
    }
    families.add(count, {{"kind", kind_name(kind)}});
  }
}

void add_units(const http::RequestTotals& totals, const std::vector<std::string>& tables,
               MetricFamilies& families) {
  families.begin_counter("magneto_capacity_units_total",
                         "Units consumed of a table and its indexes");
  for (std::size_t place = 0; place < totals.units.size(); ++place) {
    if (place >= tables.size() && place != http::TableLabels::kOthers) continue;
    const std::string_view table =
        place == http::TableLabels::kOthers ? kOtherTables : std::string_view(tables[place]);
    const http::RequestTotals::Units& units = totals.units[place];
    if (units.read != 0) families.add(units.read, {{"table", table}, {"use", "read"}});
    if (units.written != 0) families.add(units.written, {{"table", table}, {"use", "write"}});
  }
}

}  // namespace

void add_request_families(const http::RequestTotals& totals, const std::vector<std::string>& tables,
                          MetricFamilies& families) {
  add_calls(totals, families);
  add_others(totals, families);
  add_units(totals, tables, families);
  families.counter("magneto_received_bytes_total", "Bodies of requests, as they came",
                   totals.bytes_in);
  families.counter("magneto_sent_bytes_total", "Answers, with their heads", totals.bytes_out);
}

}  // namespace magneto::server::admin
