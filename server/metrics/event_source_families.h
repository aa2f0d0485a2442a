#pragma once

#include <cstddef>
#include <vector>

#include "server/event_sources/event_source_statistics.h"
#include "server/metrics/metric_families.h"

namespace magneto::server {

// The mappings that a page has singly; the others are summed up under a name that none can have.
inline constexpr std::size_t kMostMappingsOfAPage = 200;

// What functions were handed of streams.
void add_event_source_families(const std::vector<EventSourceStatistics>& mappings,
                               MetricFamilies& families);

}  // namespace magneto::server
