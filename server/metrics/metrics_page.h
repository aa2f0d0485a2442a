#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/service.h"
#include "server/metrics/request_counts.h"
#include "server/metrics/server_statistics.h"

namespace magneto::server {

// Prometheus's text form (Prometheus's documentation, "Exposition formats").
inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

// The text of GET /metrics. `tables`: by place (TableLabels).
std::string metrics_page(const ServerStatistics& server, const RequestTotals& requests,
                         const std::vector<std::string>& tables,
                         const api::ServiceStatistics& service);

}  // namespace magneto::server
