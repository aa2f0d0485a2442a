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

  std::string table = {};         // only of tables of this name; empty: of all
  std::size_t keys = kUsualKeys;  // of each list, at most
};

// Of how many tables and indexes one report tells.
inline constexpr std::size_t kMostReported = 100;

// {"insights": [...], "complete": true, "uncounted": 0}: for each table and index that has
// contributor insights its most used keys. `databases`: those whose keys `insights` counts.
void write_insights(storage::Databases& databases, const Insights& insights,
                    const InsightsQuery& query, json::Writer& writer);

}  // namespace magneto::api
