#pragma once

#include <memory>
#include <optional>
#include <string>

#include "api/namespaces/namespaces.h"
#include "api/operation.h"
#include "server/http/message/http_request.h"

namespace magneto::server::http {

// Finds the namespace in which an operation runs. The first of these that applies: the namespace in
// X-Magneto-Namespace, the one named like the caller's access key, the one of the port that the
// request came through, the main namespace. Thread-safe.
class NamespaceChoice {
 public:
  // `namespaces` is nullptr if there is only the main one. `by_access_key`: access keys choose a
  // namespace too.
  NamespaceChoice(const api::Namespaces* namespaces, bool by_access_key)
      : namespaces_(namespaces), by_access_key_(by_access_key) {}

  // False if the request surely goes to the main namespace. Called for every request.
  bool is_open(const HttpRequest& request) const {
    return request.has(Field::kNamespace) || request.own_port != nullptr ||
           (namespaces_ != nullptr && !namespaces_->is_plain());
  }

  // The current main namespace; nullptr if there are no namespaces.
  std::shared_ptr<api::Namespace> main() const {
    return namespaces_ == nullptr ? nullptr : namespaces_->main();
  }

  // Sets request.chosen, once for each request. On failure, returns the reason as a sentence for
  // the client.
  std::optional<std::string> choose(const api::Caller& caller, HttpRequest& request) const;

 private:
  std::shared_ptr<api::Namespace> find(std::string_view name) const;

  const api::Namespaces* const namespaces_;
  const bool by_access_key_;
};

}  // namespace magneto::server::http
