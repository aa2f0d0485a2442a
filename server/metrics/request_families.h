#pragma once

#include <string>
#include <vector>

#include "server/metrics/metric_families.h"
#include "server/metrics/request_counts.h"

namespace magneto::server {

// What clients asked for and what came of it. `tables`: by place (TableLabels).
void add_request_families(const RequestTotals& totals, const std::vector<std::string>& tables,
                          MetricFamilies& families);

}  // namespace magneto::server
