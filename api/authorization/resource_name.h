#pragma once

#include <string>
#include <string_view>

#include "api/authorization/required_permission.h"
#include "api/operation.h"

namespace magneto::api {

// Resolves the parameter of a request to the resource of a need. Leaves the need's other members
// unchanged.
class ResourceNames {
 public:
  explicit ResourceNames(const Request& request) : request_(request) {}

  // A table by name or ARN, or a resource by its ARN: an index, a stream, a backup. An existing
  // resource gets its own ARN; a missing one gets the ARN that it would have for the caller.
  void name(std::string_view name_or_arn, RequiredPermission& need) const;
  // One of the table's indexes; empty: the table itself.
  void name(std::string_view table, std::string_view index, RequiredPermission& need) const;
  // The caller's table in another region; nullptr if there is none.
  storage::TablePtr find_elsewhere(std::string_view table, std::string_view region) const;
  void name_global_table(std::string_view name, RequiredPermission& need) const;

 private:
  const Request& request_;
};

}  // namespace magneto::api
