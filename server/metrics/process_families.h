#pragma once

#include <cstdint>

#include "server/metrics/metric_families.h"
#include "server/metrics/server_statistics.h"

namespace magneto::server {

// Memory of the process.
std::uint64_t resident_bytes();

// The process, its connections and threads.
void add_process_families(const ServerStatistics& server, MetricFamilies& families);

}  // namespace magneto::server
