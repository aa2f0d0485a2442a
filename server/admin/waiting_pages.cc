#include "server/admin/waiting_pages.h"

#include "api/service.h"
#include "server/admin/messages.h"
#include "server/admin/metrics/metrics_page.h"
#include "server/http/answer_messages.h"

namespace magneto::server::admin {
namespace {

constexpr std::string_view kWaitingText = "text/plain";
constexpr std::string_view kWaitingJson = "application/x-amz-json-1.0";

}  // namespace

void WaitingPages::set_active(std::string_view address) {
  const std::lock_guard lock(mutex_);
  active_ = address;
}

std::string WaitingPages::active() const {
  const std::lock_guard lock(mutex_);
  return active_;
}

bool WaitingPages::owns(std::string_view /*path*/) const { return true; }

void WaitingPages::answer(std::string_view /*request_id*/, const http::AccessRules& /*access*/,
                          http::HttpRequest& request, http::HttpResponse& response) const {
  const std::string_view uri = request.get(http::Field::kUri);
  const std::string_view path = uri.substr(0, uri.find('?'));
  response.content_type = kWaitingText;
  response.close = true;  // the next request of the client may find another server
  const bool reads = request.method == http::Method::kGet || request.method == http::Method::kHead;
  if (reads && path == "/_/ready") {
    response.status = 503;
    response.body = http::messages::kNotReady(messages::kWaitsForStore(active()));
    return;
  }
  if (reads && path == "/metrics" && has_metrics_) {
    response.content_type = kMetricsContentType;
    response.body = waiting_metrics_page();
    return;
  }
  response.retry = true;
  const std::string why = messages::kWaitsForStore(active());
  if (request.method == http::Method::kPost) {
    response.content_type = kWaitingJson;
    response.status =
        api::Service::write_error(api::ErrorType::kServiceUnavailable, why, response.body);
    response.report.set_error(api::ErrorType::kServiceUnavailable);
  } else {
    response.status = 503;
    response.body = why + "\n";
  }
}

}  // namespace magneto::server::admin
