#pragma once

#include <cstddef>
#include <vector>

#include "server/admin/metrics/metric_families.h"
#include "server/feeds/event_sources/event_source_statistics.h"

namespace magneto::server::admin {

// The number of mappings that a page shows singly. The others are summed up under a name that no
// mapping can have.
inline constexpr std::size_t kMostMappingsOfAPage = 200;

// Adds the families about stream records that were passed to functions.
void add_event_source_families(const std::vector<feeds::EventSourceStatistics>& mappings,
                               MetricFamilies& families);

}  // namespace magneto::server::admin
