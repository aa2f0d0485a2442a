#pragma once

#include <cstddef>
#include <string>

#include "api/insights/insights.h"
#include "api/json/json_writer.h"
#include "storage/databases.h"

namespace magneto::api {

struct InsightsQuery {
  static constexpr std::size_t kUsualKeys = 10;
  static constexpr std::size_t kMostKeys = 100;

  std::string table = {};         // only tables of this name; empty: all tables
  std::size_t keys = kUsualKeys;  // per list, at most
};

// The largest number of tables and indexes in one report.
inline constexpr std::size_t kMostReported = 100;

// Writes {"insights": [...], "complete": true, "uncounted": 0}: the most used keys of each table
// and index with contributor insights. `databases`: those whose keys `insights` counts.
void write_insights(storage::Databases& databases, const Insights& insights,
                    const InsightsQuery& query, json::Writer& writer);

}  // namespace magneto::api
