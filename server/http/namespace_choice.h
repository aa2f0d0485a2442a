#pragma once

#include <memory>
#include <optional>
#include <string>

#include "api/namespaces/namespaces.h"
#include "api/operation.h"
#include "server/http/message/http_request.h"

namespace magneto::server::http {

// In which namespace an operation runs: that of X-Magneto-Namespace, else that whose name is the
// caller's access key, else that of the port it came by, else the main one. Thread-safe.
class NamespaceChoice {
 public:
  // `namespaces`: nullptr: there is only the main one. `by_access_key`: access keys choose too.
  NamespaceChoice(const api::Namespaces* namespaces, bool by_access_key)
      : namespaces_(namespaces), by_access_key_(by_access_key) {}

  // False: it is the main one. For every request.
  bool is_open(const HttpRequest& request) const {
    return request.has(Field::kNamespace) || request.own_port != nullptr ||
           (namespaces_ != nullptr && !namespaces_->is_plain());
  }

  // As it is now; nullptr where there are no namespaces.
  std::shared_ptr<api::Namespace> main() const {
    return namespaces_ == nullptr ? nullptr : namespaces_->main();
  }

  // Sets request.chosen, once for each request. Why it cannot, in a sentence for the client.
  std::optional<std::string> choose(const api::Caller& caller, HttpRequest& request) const;

 private:
  std::shared_ptr<api::Namespace> find(std::string_view name) const;

  const api::Namespaces* const namespaces_;
  const bool by_access_key_;
};

}  // namespace magneto::server::http
