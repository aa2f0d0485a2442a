#pragma once

#include <string>
#include <vector>

#include "server/admin/metrics/metric_families.h"
#include "server/http/request_counts.h"

namespace magneto::server::admin {

// Adds the families about requests and their results. `tables`: the names by place (TableLabels).
void add_request_families(const http::RequestTotals& totals, const std::vector<std::string>& tables,
                          MetricFamilies& families);

}  // namespace magneto::server::admin
