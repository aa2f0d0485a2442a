#pragma once

#include <cstddef>

#include "api/service.h"
#include "server/admin/metrics/metric_families.h"

namespace magneto::server::admin {

// The number of tables, and of indexes over all of them, that a page shows singly. All others are
// summed up under a name that no table can have.
inline constexpr std::size_t kMostTablesOfAPage = 200;
inline constexpr std::size_t kMostIndexesOfAPage = 1'000;
inline constexpr const char* kOtherTables = "(others)";

// Tables, indexes, streams, and the engine below them.
void add_storage_families(const api::ServiceStatistics& service, MetricFamilies& families);

// Of a server that waits for its store.
void add_families_of_waiting_server(MetricFamilies& families);

}  // namespace magneto::server::admin
