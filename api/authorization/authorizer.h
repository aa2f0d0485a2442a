#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "api/access/decide.h"
#include "api/access/identities.h"
#include "api/authorization/policy_cache.h"
#include "api/authorization/required_permission.h"
#include "api/operation.h"

namespace magneto::api {

// Checks verified callers against policies: their own policies, from the file that names the users,
// and the policies of tables and streams. A caller that the file does not name is an administrator:
// it may do everything that no resource policy denies. A caller without a principal is the server
// itself. Thread-safe.
class Authorizer {
 public:
  // Called at each request; nullptr: no identities are configured.
  using CurrentIdentities = std::function<std::shared_ptr<const access::Identities>()>;

  // `is_secure`: all clients speak TLS.
  Authorizer(CurrentIdentities identities, bool is_secure)
      : identities_(std::move(identities)), is_secure_(is_secure) {}

  // Called before any change and before any answer. Adds its decisions to `decisions`, unless that
  // is nullptr. Throws AccessDeniedException; for a batch of statements, it instead records the
  // refused members in the request's report. Also throws NeedsWorker, and everything that
  // required_permissions_of() throws.
  void authorize(const Operation& operation, const Request& request,
                 std::vector<access::Decision>* decisions);

 private:
  class Session;

  const CurrentIdentities identities_;
  const bool is_secure_;
  PolicyCache policies_;
};

}  // namespace magneto::api
