#include "api/json/attribute_value_json.h"
#include "api/operation.h"
#include "api/request/expression_inputs.h"
#include "api/request/legacy_inputs.h"
#include "api/request/table_lookup.h"
#include "api/validation/key_checks.h"
#include "api/validation/parameter_shapes.h"
#include "api/writes/conditional_write.h"
#include "api/writes/item_collection_metrics.h"
#include "api/writes/write_response.h"

namespace magneto::api {

extern const Operation kDeleteItem;

namespace {

constexpr MemberShape kDeleteItemMembers[] = {
    kReturnConsumedCapacity,
    kItemTableName,
    kConditionalOperator,
    kExpected,
    kReturnValues,
    kReturnItemCollectionMetrics,
    kReturnValuesOnConditionCheckFailure,
    kKey,
    kConditionExpression,
    kExpressionAttributeValues,
    kExpressionAttributeNames,
};
constexpr CurrentCheck kDeleteItemChecks[] = {
    {"TableName", Wording::kName},
    {"ReturnConsumedCapacity", Wording::kOlder},
    {"ReturnValues", Wording::kCurrentEnum},
    {"ReturnItemCollectionMetrics", Wording::kOlder},
    {"ReturnValuesOnConditionCheckFailure", Wording::kOlder},
    {"ReturnValues", Wording::kOnlyOldValues},
};
constexpr CurrentStage kDeleteItemStages[] = {{kEmptyTableName}, {kDeleteItemChecks}};
constexpr Shape kDeleteItemInput = staged_request(kDeleteItemMembers, kDeleteItemStages);

constexpr std::string_view kDeleteItemExpressions[] = {"ConditionExpression"};
constexpr std::string_view kDeleteItemLegacy[] = {"Expected", "ConditionalOperator"};
constexpr ExpressionRules kDeleteItemRules{kDeleteItemExpressions, kDeleteItemLegacy,
                                           json::kCurrentDialect};

void delete_item(Request& request) {
  const Parameters parameters(request.input);
  const ReturnValues returned = old_return_values(parameters, request.layer);
  ExpressionInputs inputs(parameters, kDeleteItemRules, request.layer);
  const storage::Item key = json::read_item(parameters.value("Key"), inputs.dialect());
  LegacyInputs legacy(parameters, inputs.dialect());
  legacy.check_operator("Expected");
  const auto expected = legacy.expected();
  inputs.read_placeholders();
  const auto expression = inputs.condition("ConditionExpression");
  inputs.check_all_used();

  expect_collection_metrics(request, parameters);
  const storage::TablePtr table = pin_table(request, parameters.string_or_empty("TableName"));
  std::string item_key = checked_item_key(table->schema, key);
  const DeleteDecision decision{request.effort, table->schema, first_given(expected, expression)};
  const storage::WriteOutcome outcome = write_or_throw(
      request, {table, std::move(item_key), decision}, key, returns_item_on_failure(parameters));
  append_write_response(request, parameters, *table, key, outcome, returned);
}

}  // namespace

constinit const Operation kDeleteItem{.name = "DeleteItem",
                                      .input = kDeleteItemInput,
                                      .handle = &delete_item,
                                      .writes = true,
                                      .form = RequestForm::kTableItems};

}  // namespace magneto::api
