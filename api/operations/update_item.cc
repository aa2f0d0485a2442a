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

extern const Operation kUpdateItem;

namespace {

constexpr std::string_view kUpdateItemActions[] = {"ADD", "PUT", "DELETE"};
constexpr Shape kUpdateItemActionShape = enum_shape(kUpdateItemActions);
constexpr MemberShape kUpdateItemUpdateMembers[] = {
    {"Action", &kUpdateItemActionShape},
    {"Value", &kAttributeValueShape},
};
constexpr Shape kUpdateItemUpdateShape =
    structure_shape("AttributeValueUpdate", kUpdateItemUpdateMembers);
constexpr Shape kUpdateItemUpdatesShape = map_shape(kUpdateItemUpdateShape);

constexpr MemberShape kUpdateItemMembers[] = {
    kReturnValuesOnConditionCheckFailure,
    kReturnConsumedCapacity,
    kItemTableName,
    kReturnValues,
    kReturnItemCollectionMetrics,
    kConditionalOperator,
    kKey,
    kExpected,
    {"AttributeUpdates", &kUpdateItemUpdatesShape},
    kConditionExpression,
    kUpdateExpression,
    kExpressionAttributeValues,
    kExpressionAttributeNames,
};
constexpr CurrentCheck kUpdateItemName[] = {{"TableName", Wording::kWholeName}};
constexpr CurrentCheck kUpdateItemValues[] = {{"ReturnValues", Wording::kCurrentEnum}};
constexpr CurrentCheck kUpdateItemFailure[] = {
    {"ReturnValuesOnConditionCheckFailure", Wording::kOlder}};
constexpr CurrentCheck kUpdateItemMetrics[] = {{"ReturnItemCollectionMetrics", Wording::kOlder}};
constexpr CurrentCheck kUpdateItemCapacity[] = {{"ReturnConsumedCapacity", Wording::kOlder}};
constexpr CurrentStage kUpdateItemStages[] = {
    {kEmptyTableName},    {kUpdateItemName},
    {kUpdateItemValues},  {kUpdateItemFailure, /*bare=*/true},
    {kUpdateItemMetrics}, {kUpdateItemCapacity, /*bare=*/true},
};
constexpr Shape kUpdateItemInput = staged_request(kUpdateItemMembers, kUpdateItemStages);

constexpr std::string_view kUpdateItemExpressions[] = {"UpdateExpression", "ConditionExpression"};
constexpr std::string_view kUpdateItemLegacy[] = {"AttributeUpdates", "Expected",
                                                  "ConditionalOperator"};
constexpr ExpressionRules kUpdateItemRules{kUpdateItemExpressions, kUpdateItemLegacy,
                                           json::kCurrentDialect};

void update_item(Request& request) {
  const Parameters parameters(request.input);
  ExpressionInputs inputs(parameters, kUpdateItemRules, request.layer);
  const ReturnValues returned = return_values(parameters);
  const storage::Item key = json::read_item(parameters.value("Key"), inputs.dialect());
  LegacyInputs legacy(parameters, inputs.dialect());
  legacy.check_operator("Expected");
  const auto changes = legacy.attribute_updates();
  const auto expected = legacy.expected();
  inputs.read_placeholders();
  const auto condition = inputs.condition("ConditionExpression");
  const auto expression = inputs.update();
  inputs.check_all_used();
  const expressions::Update* const update = first_given(changes, expression);

  expect_collection_metrics(request, parameters);
  const storage::TablePtr table = pin_table(request, parameters.string_or_empty("TableName"));
  std::string item_key = checked_item_key(table->schema, key);
  if (expression) check_statement_size(*expression);
  if (update != nullptr) refuse_if(find_target_problem(table->schema, *update));
  const UpdateDecision decision{request.effort, table->schema, key, update,
                                first_given(expected, condition)};
  const LegacyUpdateDecision legacy_decision{decision, legacy.updates()};
  const storage::ItemWrite write{
      table, std::move(item_key),
      changes ? storage::Decide(legacy_decision) : storage::Decide(decision)};
  const storage::WriteOutcome outcome =
      write_or_throw(request, write, key, returns_item_on_failure(parameters));
  append_write_response(
      request, parameters, *table, key, outcome, returned,
      update != nullptr ? std::span(update->targets()) : std::span<const expressions::PathView>());
}

}  // namespace

constinit const Operation kUpdateItem{.name = "UpdateItem",
                                      .input = kUpdateItemInput,
                                      .handle = &update_item,
                                      .writes = true,
                                      .form = RequestForm::kTableItems};

}  // namespace magneto::api
