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
#include "storage/encoding/key_encoding.h"

namespace magneto::api {

extern const Operation kPutItem;

namespace {

constexpr MemberShape kPutItemMembers[] = {
    kReturnConsumedCapacity,
    kItemTableName,
    kItem,
    kConditionalOperator,
    kExpected,
    kReturnValues,
    kReturnItemCollectionMetrics,
    kReturnValuesOnConditionCheckFailure,
    kConditionExpression,
    kExpressionAttributeValues,
    kExpressionAttributeNames,
};
constexpr CurrentCheck kPutItemChecks[] = {
    {"TableName", Wording::kName},
    {"ReturnConsumedCapacity", Wording::kOlder},
    {"ReturnValues", Wording::kCurrentEnum},
    {"ReturnItemCollectionMetrics", Wording::kOlder},
    {"ReturnValuesOnConditionCheckFailure", Wording::kOlder},
};
constexpr CurrentStage kPutItemStages[] = {{kEmptyTableName}, {kPutItemChecks}};
constexpr Shape kPutItemInput = staged_request(kPutItemMembers, kPutItemStages);

constexpr std::string_view kPutItemExpressions[] = {"ConditionExpression"};
constexpr std::string_view kPutItemLegacy[] = {"Expected", "ConditionalOperator"};
constexpr ExpressionRules kPutItemRules{kPutItemExpressions, kPutItemLegacy, json::kCurrentDialect};

void put_item(Request& request) {
  const Parameters parameters(request.input);
  ExpressionInputs inputs(parameters, kPutItemRules, request.layer);
  const ReturnValues returned = old_return_values(parameters, request.layer);
  const storage::Item item = json::read_item(parameters.value("Item"), inputs.dialect());
  refuse_if(find_size_problem(item));
  LegacyInputs legacy(parameters, inputs.dialect());
  legacy.check_operator("Expected");
  const auto expected = legacy.expected();
  inputs.read_placeholders();
  const auto expression = inputs.condition("ConditionExpression");
  inputs.check_all_used();

  expect_collection_metrics(request, parameters);
  const storage::TablePtr table = pin_table(request, parameters.string_or_empty("TableName"));
  check_item_keys(table->schema, item, ItemKeyWording::kNamesAttribute);
  const PutDecision decision{request.effort, table->schema, item,
                             first_given(expected, expression)};
  const storage::WriteOutcome outcome =
      write_or_throw(request, {table, storage::item_key(table->schema, item), decision}, item,
                     returns_item_on_failure(parameters));
  append_write_response(request, parameters, *table, item, outcome, returned);
}

}  // namespace

constinit const Operation kPutItem{.name = "PutItem",
                                   .input = kPutItemInput,
                                   .handle = &put_item,
                                   .writes = true,
                                   .form = RequestForm::kTableItems};

}  // namespace magneto::api
