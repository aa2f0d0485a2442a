#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/service.h"
#include "server/admin/metrics/server_statistics.h"
#include "server/http/request_counts.h"

namespace magneto::server::admin {

// Prometheus's text form (Prometheus's documentation, "Exposition formats").
inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

// The text of GET /metrics. `tables`: by place (TableLabels).
std::string metrics_page(const ServerStatistics& server, const http::RequestTotals& requests,
                         const std::vector<std::string>& tables,
                         const api::ServiceStatistics& service);

// The same for a server that waits for its store.
std::string waiting_metrics_page();

}  // namespace magneto::server::admin
