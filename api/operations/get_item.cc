#include "api/capacity/metering.h"
#include "api/json/attribute_value_json.h"
#include "api/operation.h"
#include "api/reads/read_view.h"
#include "api/reads/requested_projection.h"
#include "api/request/expression_inputs.h"
#include "api/request/table_lookup.h"
#include "api/validation/key_checks.h"
#include "api/validation/parameter_shapes.h"

namespace magneto::api {

extern const Operation kGetItem;

namespace {

constexpr MemberShape kGetItemMembers[] = {
    kReturnConsumedCapacity, kAttributesToGet,          kItemTableName, kKey, kConsistentRead,
    kProjectionExpression,   kExpressionAttributeNames,
};
constexpr CurrentCheck kGetItemChecks[] = {
    {"TableName", Wording::kName},
    {"ReturnConsumedCapacity", Wording::kOlder},
    {"AttributesToGet", Wording::kOlder},
};
constexpr CurrentStage kGetItemStages[] = {{kEmptyTableName}, {kGetItemChecks}};
constexpr Shape kGetItemInput = staged_request(kGetItemMembers, kGetItemStages);

constexpr std::string_view kGetItemExpressions[] = {"ProjectionExpression"};
constexpr std::string_view kGetItemLegacy[] = {"AttributesToGet"};
constexpr ExpressionRules kGetItemRules{kGetItemExpressions, kGetItemLegacy, json::kBareDialect};

void get_item(Request& request) {
  const Parameters parameters(request.input);
  ExpressionInputs inputs(parameters, kGetItemRules, request.layer);
  const storage::Item key = json::read_item(parameters.value("Key"), inputs.dialect());
  check_attribute_names(parameters);
  check_attributes_differ(parameters);
  inputs.read_placeholders();
  const auto projection = requested_projection(parameters, inputs);
  inputs.check_all_used();

  const storage::TablePtr table = pin_table(request, parameters.string_or_empty("TableName"));
  const std::string item_key = checked_item_key(table->schema, key);
  if (projection) check_keys_are_scalars(table->schema, projection->nested_attributes());
  request.metering.admit(*table, UnitUse::kRead, key.view());
  const storage::StoredItem item =
      request.database.get(*table, item_key, view_of_read(request.database, parameters));

  json::Writer writer(request.output);
  writer.begin_object();
  if (item) {
    writer.key("Item");
    if (projection) {
      json::append_item(writer.raw(), projection->apply(item.view(), request.effort));
    } else {
      json::append_item(writer.raw(), item.view());
    }
  }
  const double units = item_read_units(*table, item, parameters.boolean("ConsistentRead"));
  request.metering.read_item(*table, key, item.size(), units);
  append_consumed_capacity(writer, parameters, *table, {units, {}});
  writer.end_object();
}

}  // namespace

constinit const Operation kGetItem{.name = "GetItem",
                                   .input = kGetItemInput,
                                   .handle = &get_item,
                                   .form = RequestForm::kTableItems};

}  // namespace magneto::api
