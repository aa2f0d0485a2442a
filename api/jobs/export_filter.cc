#include "api/jobs/export_filter.h"

#include "api/error.h"
#include "api/messages/job_messages.h"
#include "api/messages/read_messages.h"
#include "api/validation/parameter_shapes.h"

namespace magneto::api {
namespace {

constexpr MemberShape kFilterMembers[] = {kFilterExpression, kProjectionExpression,
                                          kKeyConditionExpression, kExpressionAttributeNames,
                                          kExpressionAttributeValues};

constexpr std::string_view kExpressions[] = {"ProjectionExpression", "FilterExpression",
                                             "KeyConditionExpression"};
constexpr ExpressionRules kRules{kExpressions, {}, json::kBareDialect};

// As in the messages of Query.
constexpr std::string_view kFilter = "Filter Expression";

void check_key_condition(const expressions::KeyConditionExpression& condition,
                         const storage::KeySchema& key) {
  try {
    condition.check_form();
    condition.against(key);
  } catch (const expressions::ExpressionError& error) {
    fail_expression("KeyConditionExpression", kRules.dialect, error);
  }
}

}  // namespace

constinit const Shape kExportFilterShape = structure_shape("FilterSpecification", kFilterMembers);

void check_export_filter(json::Value specification, const storage::TableSchema& table) {
  ExpressionInputs inputs(Parameters(specification), kRules);
  inputs.read_placeholders();
  const auto key_condition = inputs.key_condition();
  const auto filter = inputs.condition("FilterExpression");
  const auto projection = inputs.projection();
  inputs.check_all_used();
  if (!key_condition && !filter && !projection) fail_validation(messages::kEmptyExportFilter);
  if (!key_condition) return;
  check_key_condition(*key_condition, table.key);
  if (!filter) return;
  for (const std::string_view attribute : filter->attributes()) {
    if (table.key.contains(attribute)) {
      fail_validation(messages::filtered_key(kFilter, attribute));
    }
  }
}

ExportFilter::ExportFilter(json::Value specification) : inputs_(Parameters(specification), kRules) {
  inputs_.read_placeholders();
  key_condition_ = inputs_.key_condition();
  filter_ = inputs_.condition("FilterExpression");
  projection_ = inputs_.projection();
}

storage::ReadRange ExportFilter::range(const storage::Table& table, std::uint32_t segment,
                                       std::uint32_t segments) const {
  if (!key_condition_) return storage::ReadRange::of_segment(table, nullptr, segment, segments);
  return storage::ReadRange::matching(table, nullptr, key_condition_->against(table.schema.key));
}

bool ExportFilter::has_key() const { return key_condition_.has_value(); }

void ExportFilter::select(storage::ItemView item, storage::Effort& effort,
                          absl::FunctionRef<void(storage::ItemView)> found) const {
  if (filter_ && !filter_->matches(item, effort)) return;
  if (projection_) {
    const storage::Item part = projection_->apply(item, effort);
    found(part.view());
  } else {
    found(item);
  }
}

}  // namespace magneto::api
