#pragma once

#include <cstddef>

#include "api/service.h"
#include "server/admin/metrics/metric_families.h"

namespace magneto::server::admin {

// The tables, and the indexes of all of them, that a page has singly; all others are summed up under
// a name that none can have.
inline constexpr std::size_t kMostTablesOfAPage = 200;
inline constexpr std::size_t kMostIndexesOfAPage = 1'000;
inline constexpr const char* kOtherTables = "(others)";

// Tables, indexes, streams, and the engine below them.
void add_storage_families(const api::ServiceStatistics& service, MetricFamilies& families);

}  // namespace magneto::server::admin
