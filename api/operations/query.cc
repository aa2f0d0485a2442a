#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/operation_table.h"
#include "api/request/expression_inputs.h"
#include "api/request/page.h"
#include "api/request/read_selection.h"
#include "api/request/read_target.h"
#include "api/request/requested_projection.h"
#include "api/request/start_key.h"
#include "api/validation/common_shapes.h"
#include "api/validation/key_checks.h"

namespace magneto::api {

namespace {

constexpr MemberShape kMembers[] = {
    kSelect,
    kIndexName,
    kReturnConsumedCapacity,
    kQueryFilter,
    kItemTableName,
    kConditionalOperatorOfRead,
    kAttributesToGet,
    kPageLimit,
    kKeyConditions,
    kExclusiveStartKey,
    kConsistentRead,
    {"ScanIndexForward", &kBooleanShape},
    kKeyConditionExpression,
    kFilterExpression,
    kProjectionExpression,
    kExpressionAttributeValues,
    kExpressionAttributeNames,
};
constexpr Shape kInput = current_request(kMembers);

constexpr std::string_view kExpressions[] = {"ProjectionExpression", "FilterExpression",
                                             "KeyConditionExpression"};
constexpr std::string_view kLegacy[] = {"AttributesToGet", "QueryFilter", "ConditionalOperator",
                                        "KeyConditions"};
constexpr ExpressionRules kRules{kExpressions, kLegacy, kBareLayer};

// A Query already chooses by the key: its filter may not (AWS API reference, "FilterExpression").
void check_filter_attributes(const ReadTarget& target, const expressions::Condition& filter) {
  for (const std::string_view attribute : filter.attributes()) {
    if (!target.key().contains(attribute)) continue;
    fail_validation(
        "Filter Expression can only contain non-primary key attributes: Primary key attribute: " +
        std::string(attribute));
  }
}

void check_form(const expressions::KeyConditionExpression& expression) {
  try {
    expression.check_form();
  } catch (const expressions::ExpressionError& error) {
    fail_expression("KeyConditionExpression", kRules.layer, error);
  }
}

storage::KeyCondition condition_on(const ReadTarget& target,
                                   const expressions::KeyConditionExpression& expression) {
  try {
    return expression.against(target.key());
  } catch (const expressions::ExpressionError& error) {
    fail_expression("KeyConditionExpression", kRules.layer, error);
  }
}

// The keys to walk: those of the condition, behind the start key.
storage::KeyRange range_to_read(const ReadTarget& target,
                                const expressions::KeyConditionExpression& expression,
                                const std::optional<storage::Item>& start,
                                storage::Direction direction) {
  if (start) check_start_key_partition(target, *start);
  const storage::KeyCondition condition = condition_on(target, expression);
  if (start) {
    check_start_key_sort(target, *start);
    check_start_key_within(target, *start, condition);
  }
  const std::uint16_t index_number =
      target.index != nullptr ? target.index->schema.number : std::uint16_t{0};
  storage::KeyRange range =
      storage::key_range(target.table->schema.number, index_number, condition);
  if (start) continue_after(range, start_position(target, *start), direction);
  return range;
}

void query(Request& request) {
  const Parameters parameters(request.input);
  ExpressionInputs inputs(parameters, kRules);
  check_attributes_to_get(parameters);
  const Select select = checked_select(parameters);
  std::optional<storage::Item> start;
  if (const json::Value given = parameters.value("ExclusiveStartKey")) {
    start = json::read_item(given, kRules.layer);
  }
  inputs.read_placeholders();
  const auto key_condition = inputs.key_condition();
  if (!key_condition) {
    fail_validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  const auto filter = inputs.condition("FilterExpression");
  const auto projection = requested_projection(parameters, inputs);
  inputs.check_all_used();
  check_form(*key_condition);

  const bool consistent = parameters.flag("ConsistentRead");
  const ReadTarget target = pin_read_target(request.database, parameters.word("TableName"),
                                            parameters.word("IndexName"), consistent);
  const storage::Direction direction = parameters.flag("ScanIndexForward", true)
                                           ? storage::Direction::kForward
                                           : storage::Direction::kBackward;
  PageRequest page{.target = target,
                   .range = range_to_read(target, *key_condition, start, direction),
                   .direction = direction,
                   .limit = parameters.integer("Limit"),
                   .consistent = consistent};
  const storage::TableSchema& schema = target.table->schema;
  if (projection) check_keys_are_scalars(schema, projection->nested_attributes());
  if (filter) check_filter_attributes(target, *filter);
  select_attributes(target, select, filter, projection, page);
  if (filter) check_keys_are_scalars(schema, filter->nested_attributes());
  append_page_response(request, parameters, page);
}

}  // namespace

constinit const Operation kQuery{"Query", kInput, &query};

}  // namespace magneto::api
