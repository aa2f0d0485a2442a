#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "api/access/decide.h"
#include "api/access/identities.h"
#include "api/authorization/need.h"
#include "api/authorization/policy_cache.h"
#include "api/operation.h"

namespace magneto::api {

// Holds verified callers to policies: those of their own, by the file that names them, and those of
// tables and streams. A caller whom the file does not name is an administrator, who may do whatever
// no policy of a resource denies. Callers without a principal are the server itself. Thread-safe.
class Authorizer {
 public:
  // Asked at each request; nullptr: nobody is named.
  using CurrentIdentities = std::function<std::shared_ptr<const access::Identities>()>;

  // `is_secure`: all clients speak TLS.
  Authorizer(CurrentIdentities identities, bool is_secure)
      : identities_(std::move(identities)), is_secure_(is_secure) {}

  // Before anything is changed or told. Adds what was decided to `decisions`, unless it is nullptr.
  // Throws AccessDeniedException, but of a batch of statements notes the refused ones in the
  // request's report. Also throws NeedsWorker, and what needs_of() does.
  void authorize(const Operation& operation, const Request& request,
                 std::vector<access::Decision>* decisions);

 private:
  class Session;

  const CurrentIdentities identities_;
  const bool is_secure_;
  PolicyCache policies_;
};

}  // namespace magneto::api
