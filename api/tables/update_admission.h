#pragma once

#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// What UpdateTable may change while a change before is still on its way: ResourceInUseException
// for the rest. Which, and in what words, as captured from AWS, October 2026.
void require_admitted(const storage::TableSchema& schema, const TableParameters& request);

}  // namespace magneto::api
