#include "api/authorization/named_attributes.h"

#include <algorithm>
#include <optional>

#include "api/request/expression_inputs.h"

namespace magneto::api {
namespace {

constexpr std::string_view kExpressions[] = {"UpdateExpression",          "ConditionExpression",
                                             "KeyConditionExpression",    "FilterExpression",
                                             "SearchConditionExpression", "ProjectionExpression"};
constexpr ExpressionRules kRules{kExpressions, {}, json::kBareDialect};

}  // namespace

void NamedAttributes::add_expressions(const Parameters& parameters) {
  for (const std::string_view legacy :
       {"Expected", "AttributeUpdates", "KeyConditions", "QueryFilter", "ScanFilter"}) {
    add_members(parameters.value(legacy));
  }
  for (const json::Value name : parameters.value("AttributesToGet").array()) add(name.string());
  const bool has_any = std::ranges::any_of(
      kExpressions, [&](std::string_view expression) { return parameters.has(expression); });
  if (!has_any) return;
  ExpressionInputs inputs(parameters, kRules);
  inputs.read_placeholders();
  if (const auto update = inputs.update()) add_all(update->attributes());
  for (const std::string_view name : {"ConditionExpression", "FilterExpression"}) {
    if (const auto condition = inputs.condition(name)) add_all(condition->attributes());
  }
  for (const std::string_view name : {"KeyConditionExpression", "SearchConditionExpression"}) {
    const auto condition = inputs.key_condition(name);
    if (!condition) continue;
    for (const expressions::KeyClause& clause : condition->clauses()) add(clause.attribute);
  }
  if (const auto projection = inputs.projection()) add_all(projection->attributes());
}

void NamedAttributes::add_key(const storage::KeySchema& key) {
  for (const auto element : key.attributes()) add(element.attribute.name);
}

void NamedAttributes::add_keys(const storage::Table& table, std::string_view index) {
  add_key(table.schema.key);
  if (const storage::Index* const found = table.find_index(index)) add_key(found->schema.key);
}

void NamedAttributes::add_searched(const storage::Table& table, std::string_view index) {
  const storage::Index* const found = table.find_index(index);
  if (found == nullptr) return;
  add_key(found->schema.key);
  add(found->schema.vector.attribute);
}

}  // namespace magneto::api
