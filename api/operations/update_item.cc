#include "api/json/attribute_value_json.h"
#include "api/operation_table.h"
#include "api/request/expression_inputs.h"
#include "api/request/legacy_inputs.h"
#include "api/request/table_lookup.h"
#include "api/validation/key_checks.h"
#include "api/validation/parameter_shapes.h"
#include "api/writes/conditional_write.h"
#include "api/writes/item_collection_metrics.h"
#include "api/writes/write_response.h"

namespace magneto::api {

namespace {

constexpr std::string_view kActions[] = {"ADD", "PUT", "DELETE"};
constexpr Shape kActionShape = enum_shape(kActions);
constexpr MemberShape kUpdateMembers[] = {
    {"Action", &kActionShape},
    {"Value", &kAttributeValueShape},
};
constexpr Shape kUpdateShape = structure_shape("AttributeValueUpdate", kUpdateMembers);
constexpr Shape kUpdatesShape = map_shape(kUpdateShape);

constexpr MemberShape kMembers[] = {
    kReturnConsumedCapacity,
    kItemTableName,
    kReturnItemCollectionMetrics,
    kReturnValuesOfUpdate,
    kReturnValuesOnConditionCheckFailure,
    kConditionalOperator,
    kKey,
    kExpected,
    {"AttributeUpdates", &kUpdatesShape},
    kConditionExpression,
    kUpdateExpression,
    kExpressionAttributeValues,
    kExpressionAttributeNames,
};
constexpr Shape kInput = current_request(kMembers);

constexpr std::string_view kExpressions[] = {"UpdateExpression", "ConditionExpression"};
constexpr std::string_view kLegacy[] = {"AttributeUpdates", "Expected"};
constexpr ExpressionRules kRules{kExpressions, kLegacy, json::kCurrentDialect};

void update_item(Request& request) {
  const Parameters parameters(request.input);
  ExpressionInputs inputs(parameters, kRules);
  const ReturnValues returned = return_values(parameters);
  const storage::Item key = json::read_item(parameters.value("Key"), kRules.dialect);
  LegacyInputs legacy(parameters, kRules.dialect);
  const auto changes = legacy.attribute_updates();
  const auto expected = legacy.expected();
  inputs.read_placeholders();
  const auto expression = inputs.update();
  const auto condition = inputs.condition("ConditionExpression");
  inputs.check_all_used();
  if (expression) check_statement_size(*expression);
  const expressions::Update* const update = first_given(changes, expression);

  expect_collection_metrics(request, parameters);
  const storage::TablePtr table =
      pin_table(request.database, parameters.string_or_empty("TableName"));
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

constinit const Operation kUpdateItem{
    .name = "UpdateItem", .input = kInput, .handle = &update_item, .writes = true};

}  // namespace magneto::api
