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

// FilterSpecification of ExportTableToPointInTime (AWS API reference): which items are exported, and
// what of them.
extern const Shape kExportFilterShape;

// Throws ValidationException, in the words of Query, for what could not be asked of the table.
void check_export_filter(json::Value specification, const storage::TableSchema& table);

// A FilterSpecification that was checked.
class ExportFilter {
 public:
  // `specification` outlives it; none: everything is exported. Thread-safe.
  explicit ExportFilter(json::Value specification);

  // Whether it asks for one partition key, as a Query does.
  bool has_key() const;
  // Of the items that meet its key condition, those of a segment of a parallel scan.
  storage::ReadRange range(const storage::Table& table, std::uint32_t segment,
                           std::uint32_t segments) const;
  // Calls `found` with what is exported of the item, if anything is.
  void select(storage::ItemView item, storage::Effort& effort,
              absl::FunctionRef<void(storage::ItemView)> found) const;

 private:
  ExpressionInputs inputs_;
  std::optional<expressions::KeyConditionExpression> key_condition_;
  std::optional<expressions::Condition> filter_;
  std::optional<expressions::Projection> projection_;
};

}  // namespace magneto::api
