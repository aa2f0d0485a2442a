#pragma once

#include <optional>

#include "absl/functional/function_ref.h"
#include "api/json/json_reader.h"
#include "api/request/expression_inputs.h"
#include "api/validation/shape.h"
#include "storage/model/effort.h"
#include "storage/model/table_schema.h"
#include "storage/table/read_range.h"

namespace magneto::api {

// FilterSpecification of ExportTableToPointInTime (AWS API reference): the items to export, and the
// attributes to export of them.
extern const Shape kExportFilterShape;

// Throws ValidationException, in the words of Query, for a filter that does not suit the table.
void check_export_filter(json::Value specification, const storage::TableSchema& table);

// A FilterSpecification that has been checked. Thread-safe.
class ExportFilter {
 public:
  // `specification` must outlive this object; if it is absent, everything is exported.
  explicit ExportFilter(json::Value specification);

  // Whether the filter names one partition key, as a Query does.
  bool has_key() const;
  // The key range of one segment of a parallel scan, limited to the filter's key condition.
  storage::ReadRange range(const storage::Table& table, std::uint32_t segment,
                           std::uint32_t segments) const;
  // Calls `found` with the exported part of the item, if the filter selects the item.
  void select(storage::ItemView item, storage::Effort& effort,
              absl::FunctionRef<void(storage::ItemView)> found) const;

 private:
  ExpressionInputs inputs_;
  std::optional<expressions::KeyConditionExpression> key_condition_;
  std::optional<expressions::Condition> filter_;
  std::optional<expressions::Projection> projection_;
};

}  // namespace magneto::api
