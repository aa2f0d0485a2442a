#pragma once

#include <cstdint>

#include "server/admin/metrics/metric_families.h"
#include "server/admin/metrics/server_statistics.h"

namespace magneto::server::admin {

// Memory of the process.
std::uint64_t resident_bytes();

// The process, its connections and threads.
void add_process_families(const ServerStatistics& server, MetricFamilies& families);

}  // namespace magneto::server::admin
