#include "server/client/endpoint/local_endpoint.h"

#include <utility>

#include "api/operation.h"

namespace magneto::server::client {

api::Caller KeptCaller::view() const {
  api::Caller caller;
  caller.region = region;
  caller.account = account;
  caller.access_key = access_key;
  caller.only_table = only_table;
  caller.profile = profile;
  return caller;
}

LocalEndpoint::LocalEndpoint(OpenService service, std::string name,
                             std::shared_ptr<const KeptCaller> caller)
    : service_(std::move(service)), name_(std::move(name)), caller_(std::move(caller)) {}

LocalEndpoint::LocalEndpoint(OpenService service, std::string name,
                             std::shared_ptr<const KeptCaller> caller,
                             std::shared_ptr<ThrottlePatience> patience)
    : Endpoint(std::move(patience)),
      service_(std::move(service)),
      name_(std::move(name)),
      caller_(std::move(caller)) {}

std::unique_ptr<Endpoint> LocalEndpoint::another() const {
  return std::make_unique<LocalEndpoint>(service_, name_, caller_, patience());
}

// A fault of this process (a full disk) is returned at once: it does not pass by itself.
Outcome LocalEndpoint::call(std::string_view operation, std::string& body) {
  RetryDelays delays;
  const api::Caller caller = caller_ == nullptr ? api::Caller() : caller_->view();
  while (true) {
    const int status =
        service_->call(api::find_operation(operation), caller, "transfer", body, answer_);
    Outcome outcome = read_outcome(status, answer_);
    if (outcome.succeeded() || !outcome.retryable || status >= 500) return outcome;
    if (!wait_for_retry(delays, outcome.throttled)) return outcome;
  }
}

}  // namespace magneto::server::client
