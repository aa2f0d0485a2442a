#pragma once

#include <string>

#include "api/costs/cost_report.h"

namespace magneto::api {

// The report as one JSON object:
//
//   {"namespace", "region", "prices": {"date", "source", "standard", "standard_ia"}, "hours": 730,
//    "utilization": 0.7, "calls_per_second": 1, "requests", "other_requests", "dropped",
//    "patterns": [{"name", "operation", "statement", "table", "index", "key", "filter",
//      "consistent", "fetch", "table_class", "replicas", "calls", "errors", "throttles",
//      "items_read", "items_returned", "read_units", "write_units",
//      "average": {"items_read", "items_returned", "read_units", "write_units"},
//      "calls_per_second", "read_capacity", "write_capacity",
//      "month": {"on_demand", "provisioned"}, "marks": ["scan"]}],
//    "other": null or sums with "patterns", "total": sums,
//    "marks": [{"mark": "scan", "pattern": name or null, "sentence"}], "notes": [sentences]}
//
// Sums are the members from "calls" to "write_units", "read_capacity", "write_capacity" and
// "month". Prices that are not known are null.
std::string cost_json(const CostReport& report);

// RFC 4180, a line for each pattern and one for each of "other" and "total". A text that a
// spreadsheet may take for a formula begins with an apostrophe.
std::string cost_csv(const CostReport& report);

// A table and lists for a pull request. Names are code, in which nothing is a link or a mention.
std::string cost_markdown(const CostReport& report);

}  // namespace magneto::api
