#include "server/transfer/endpoint/local_endpoint.h"

#include <utility>

#include "api/operation.h"

namespace magneto::server {

LocalEndpoint::LocalEndpoint(OpenService service, std::string name)
    : service_(std::move(service)), name_(std::move(name)) {}

LocalEndpoint::LocalEndpoint(OpenService service, std::string name,
                             std::shared_ptr<ThrottlePatience> patience)
    : Endpoint(std::move(patience)), service_(std::move(service)), name_(std::move(name)) {}

std::unique_ptr<Endpoint> LocalEndpoint::another() const {
  return std::make_unique<LocalEndpoint>(service_, name_, patience());
}

// A fault of this process (a full disk) is told at once: it does not pass while nobody acts.
Outcome LocalEndpoint::call(std::string_view operation, std::string& body) {
  RetryDelays delays;
  while (true) {
    const int status =
        service_->call(api::find_operation(operation), api::Caller(), "transfer", body, answer_);
    Outcome outcome = read_outcome(status, answer_);
    if (outcome.succeeded() || !outcome.retryable || status >= 500) return outcome;
    if (!wait_for_retry(delays, outcome.throttled)) return outcome;
  }
}

}  // namespace magneto::server
