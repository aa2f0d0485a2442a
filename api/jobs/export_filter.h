#pragma once

#include "api/json/json_reader.h"
#include "api/validation/shape.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// FilterSpecification of ExportTableToPointInTime (AWS API reference): which items are exported, and
// what of them.
extern const Shape kExportFilterShape;

// Throws ValidationException, in the words of Query, for what could not be asked of the table.
void check_export_filter(json::Value specification, const storage::TableSchema& table);

}  // namespace magneto::api
