#pragma once

#include <string>
#include <string_view>

#include "api/authorization/need.h"
#include "api/operation.h"

namespace magneto::api {

// What a parameter names, as a resource of a need whose other parts are left as they are.
class ResourceNames {
 public:
  explicit ResourceNames(const Request& request) : request_(request) {}

  // A table by its name or ARN, or what lies behind its ARN: an index, a stream, a backup. What is
  // there is named by its own ARN, what is not by that which the caller would give it.
  void name(std::string_view name_or_arn, Need& need) const;
  // One of its indexes; empty: the table itself.
  void name(std::string_view table, std::string_view index, Need& need) const;
  // The caller's table in another region; nullptr: there is none.
  storage::TablePtr find_elsewhere(std::string_view table, std::string_view region) const;
  void name_global_table(std::string_view name, Need& need) const;

 private:
  const Request& request_;
};

}  // namespace magneto::api
