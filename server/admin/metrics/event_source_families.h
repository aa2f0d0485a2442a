#pragma once

#include <cstddef>
#include <vector>

#include "server/admin/metrics/metric_families.h"
#include "server/feeds/event_sources/event_source_statistics.h"

namespace magneto::server::admin {

// The mappings that a page has singly; the others are summed up under a name that none can have.
inline constexpr std::size_t kMostMappingsOfAPage = 200;

// What functions were handed of streams.
void add_event_source_families(const std::vector<feeds::EventSourceStatistics>& mappings,
                               MetricFamilies& families);

}  // namespace magneto::server::admin
