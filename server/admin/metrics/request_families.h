#pragma once

#include <string>
#include <vector>

#include "server/admin/metrics/metric_families.h"
#include "server/http/request_counts.h"

namespace magneto::server::admin {

// What clients asked for and what came of it. `tables`: by place (TableLabels).
void add_request_families(const http::RequestTotals& totals, const std::vector<std::string>& tables,
                          MetricFamilies& families);

}  // namespace magneto::server::admin
