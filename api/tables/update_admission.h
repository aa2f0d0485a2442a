#pragma once

#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// Throws ResourceInUseException for a change that UpdateTable cannot make while an earlier change
// is in progress. The allowed changes and the texts are as captured from AWS, October 2026.
void require_admitted(const storage::TableSchema& schema, const TableParameters& request);

}  // namespace magneto::api
