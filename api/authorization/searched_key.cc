#include "api/authorization/searched_key.h"

#include <utility>

#include "api/request/expression_inputs.h"
#include "api/subjects/value_text.h"

namespace magneto::api {
namespace {

constexpr std::string_view kCondition = "SearchConditionExpression";
constexpr std::string_view kSearchExpressions[] = {kCondition, "ProjectionExpression"};
constexpr ExpressionRules kSearchRules{kSearchExpressions, {}, json::kBareDialect};

}  // namespace

RequiredPermission::Texts searched_key(const Parameters& parameters,
                                       const storage::KeySchema& key) {
  if (key.partition.empty() || !parameters.has(kCondition)) return std::nullopt;
  ExpressionInputs inputs(parameters, kSearchRules);
  inputs.read_placeholders();
  const auto condition = inputs.key_condition(kCondition);
  if (!condition) return std::nullopt;
  for (const expressions::KeyClause& clause : condition->clauses()) {
    const bool is_key = clause.attribute == key.partition.front().name &&
                        clause.comparison == storage::SortOperator::kEqual;
    if (!is_key) continue;
    if (auto text = value_text(clause.low)) return std::vector{*std::move(text)};
  }
  return std::nullopt;
}

}  // namespace magneto::api
