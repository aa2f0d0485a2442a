#include "server/admin/metrics/metrics_page.h"

#include <utility>

#include "server/admin/metrics/event_source_families.h"
#include "server/admin/metrics/metric_families.h"
#include "server/admin/metrics/process_families.h"
#include "server/admin/metrics/request_families.h"
#include "server/admin/metrics/storage_families.h"

namespace magneto::server::admin {

std::string metrics_page(const ServerStatistics& server, const http::RequestTotals& requests,
                         const std::vector<std::string>& tables,
                         const api::ServiceStatistics& service) {
  MetricFamilies families;
  add_process_families(server, families);
  add_request_families(requests, tables, families);
  add_storage_families(service, families);
  add_event_source_families(server.event_sources, families);
  return std::move(families).text();
}

std::string waiting_metrics_page() {
  MetricFamilies families;
  add_families_of_waiting_server(families);
  return std::move(families).text();
}

}  // namespace magneto::server::admin
