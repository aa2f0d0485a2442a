#pragma once

#include <set>
#include <string>

#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// What UpdateTable answers of a change that takes AWS minutes: of most settings what was before
// (captured from AWS, October 2026). DescribeTable tells what is.
namespace magneto::api {

struct ShownChange {
  storage::TableSchema schema;  // what the answer says; WarmThroughput has the levels reached
  bool encryption = false;      // SSEDescription is UPDATING
  bool warm = false;            // WarmThroughput is UPDATING
  std::set<std::string, std::less<>> warm_indexes;  // whose WarmThroughput is
};

// The answer to a `request` that made `changed` of `before`. `now`: seconds since the epoch.
ShownChange shown_change(const storage::TableSchema& before, const storage::TableSchema& changed,
                         const TableParameters& request, double now);

}  // namespace magneto::api
