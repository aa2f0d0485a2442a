#pragma once

#include <set>
#include <string>

#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// UpdateTable's answer about a change that takes minutes on AWS. It shows most settings as they
// were before the change (captured from AWS, October 2026). DescribeTable shows the current ones.
namespace magneto::api {

struct ShownChange {
  storage::TableSchema schema;  // for the answer; WarmThroughput has the levels reached
  bool encryption = false;      // SSEDescription is UPDATING
  bool warm = false;            // WarmThroughput is UPDATING
  std::set<std::string, std::less<>> warm_indexes;  // their WarmThroughput is UPDATING
};

// Returns the answer to a `request` that changed `before` to `changed`. `now`: seconds since the
// epoch.
ShownChange shown_change(const storage::TableSchema& before, const storage::TableSchema& changed,
                         const TableParameters& request, double now);

}  // namespace magneto::api
