#pragma once

#include <optional>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/request/expression_inputs.h"
#include "api/validation/shape.h"
#include "storage/model/effort.h"
#include "storage/model/table_schema.h"
#include "storage/table/read_range.h"

namespace magneto::api {

// FilterSpecification of ExportTableToPointInTime (AWS API reference): which items are exported, and
// what of them.
extern const Shape kExportFilterShape;

// Throws ValidationException, in the words of Query, for what could not be asked of the table.
void check_export_filter(json::Value specification, const storage::TableSchema& table);

void append_exported(json::Writer& writer, storage::ItemView item, storage::Effort& effort);

// A FilterSpecification that was checked, for who walks the items himself.
class ExportFilter {
 public:
  // `specification` outlives it; none: everything is exported.
  explicit ExportFilter(json::Value specification);

  storage::ReadRange range(const storage::Table& table) const;
  // Appends what is exported of the item, if it is.
  void append(json::Writer& writer, storage::ItemView item, storage::Effort& effort) const;

 private:
  ExpressionInputs inputs_;
  std::optional<expressions::KeyConditionExpression> key_condition_;
  std::optional<expressions::Condition> filter_;
  std::optional<expressions::Projection> projection_;
};

}  // namespace magneto::api
