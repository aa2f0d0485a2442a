#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "api/costs/prices.h"
#include "api/json/json_reader.h"

namespace magneto::api {

enum class CostFormat : std::uint8_t { kJson, kCsv, kMarkdown };

inline constexpr std::string_view kCostRequest[] = {"table",  "after",       "except_access_key",
                                                    "format", "region",      "calls_per_second",
                                                    "rates",  "utilization", "prices"};

// The request for a report of costs.
struct CostRequest {
  static constexpr std::size_t kMostRates = 1'000;
  static constexpr double kMostCalls = 1e9;  // each second
  static constexpr double kLeastUtilization = 0.01;

  std::string table;              // only its patterns; empty: all
  std::uint64_t after = 0;        // only records with a higher number
  std::string except_access_key;  // without the requests with this key; empty: all
  CostFormat format = CostFormat::kJson;
  double calls_per_second = 1;                       // of each pattern
  std::map<std::string, double, std::less<>> rates;  // of patterns by name
  double utilization = 0.7;                          // of provisioned capacity
  Prices prices;

  double rate_of(std::string_view pattern) const {
    const auto found = rates.find(pattern);
    return found == rates.end() ? calls_per_second : found->second;
  }
};

// Throws ControlError.
CostRequest read_cost_request(json::Object given);

}  // namespace magneto::api
