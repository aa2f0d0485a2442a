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
    kReturnConsumedCapacity,
    kItemTableName,
    kReturnItemCollectionMetrics,
    kReturnValuesOfUpdate,
    kReturnValuesOnConditionCheckFailure,
    kConditionalOperator,
    kKey,
    kExpected,
    {"AttributeUpdates", &kUpdateItemUpdatesShape},
    kConditionExpression,
    kUpdateExpression,
    kExpressionAttributeValues,
    kExpressionAttributeNames,
};
constexpr Shape kUpdateItemInput = current_request(kUpdateItemMembers);

constexpr std::string_view kUpdateItemExpressions[] = {"UpdateExpression", "ConditionExpression"};
constexpr std::string_view kUpdateItemLegacy[] = {"AttributeUpdates", "Expected"};
constexpr ExpressionRules kUpdateItemRules{kUpdateItemExpressions, kUpdateItemLegacy,
                                           json::kCurrentDialect};

void update_item(Request& request) {
  const Parameters parameters(request.input);
  ExpressionInputs inputs(parameters, kUpdateItemRules);
  const ReturnValues returned = return_values(parameters);
  const storage::Item key = json::read_item(parameters.value("Key"), kUpdateItemRules.dialect);
  LegacyInputs legacy(parameters, kUpdateItemRules.dialect);
  const auto changes = legacy.attribute_updates();
  const auto expected = legacy.expected();
  inputs.read_placeholders();
  const auto expression = inputs.update();
  const auto condition = inputs.condition("ConditionExpression");
  inputs.check_all_used();
  if (expression) check_statement_size(*expression);
  const expressions::Update* const update = first_given(changes, expression);

  expect_collection_metrics(request, parameters);
  const storage::TablePtr table = pin_table(request, parameters.string_or_empty("TableName"));
  std::string item_key = checked_item_key(table->schema, key);
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
