#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "api/costs/access_patterns.h"
#include "api/costs/cost_report.h"
#include "api/journal/journal.h"

namespace magneto::api {

inline constexpr std::string_view kScanMark = "scan";
inline constexpr std::string_view kWideFilterMark = "wide_filter";
inline constexpr std::string_view kReadRunMark = "n_plus_one";
inline constexpr std::string_view kHotKeyMark = "hot_key";

inline constexpr double kWideFilter = 10;          // items read for one returned
inline constexpr std::int64_t kMarkedReadRun = 5;  // reads of different keys in a row

// Marks the rows, which are in the order of the patterns. Returns the marks of tables and indexes.
std::vector<CostMark> mark_rows(const AccessPatterns& patterns,
                                std::span<const Journal::Record> records,
                                std::vector<CostRow>& rows);

}  // namespace magneto::api
