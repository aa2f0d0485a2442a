#include "api/subjects/query_subject.h"

#include <utility>

#include "api/error.h"
#include "api/request/expression_inputs.h"
#include "api/request/legacy_inputs.h"
#include "api/subjects/value_text.h"
#include "expressions/expression_error.h"

namespace magneto::api {
namespace {

constexpr std::string_view kExpressions[] = {"KeyConditionExpression", "FilterExpression",
                                             "ProjectionExpression"};
constexpr std::string_view kLegacy[] = {"KeyConditions"};
constexpr ExpressionRules kQueryRules{kExpressions, kLegacy, json::kBareDialect};

void add(const storage::KeyAttribute& attribute, storage::AttributeView value, Subject& subject) {
  if (auto text = value_text(value)) subject.add_key(attribute.name, *std::move(text));
}

void add_equalities(const storage::KeySchema& key, const storage::KeyCondition& condition,
                    Subject& subject) {
  for (std::size_t i = 0; i < condition.partition.size() && i < key.partition.size(); ++i) {
    add(key.partition[i], condition.partition[i], subject);
  }
  const std::size_t sorted = condition.sort_equal.size();
  for (std::size_t i = 0; i < sorted && i < key.sort.size(); ++i) {
    add(key.sort[i], condition.sort_equal[i], subject);
  }
  if (sorted == key.sort.size() || condition.sort_operator == storage::SortOperator::kNone) return;
  if (condition.sort_operator == storage::SortOperator::kEqual) {
    add(key.sort[sorted], condition.low, subject);
  } else {
    subject.add_condition(key.sort[sorted].name, condition.sort_operator);
  }
}

}  // namespace

void add_queried_key(const Request& request, Subject& subject) {
  const storage::Table* const table = subject.schema();
  if (table == nullptr) return;
  const storage::Index* const index =
      subject.index().empty() ? nullptr : table->find_index(subject.index());
  const storage::KeySchema& key = index != nullptr ? index->schema.key : table->schema.key;
  const Parameters parameters(request.input);
  try {
    ExpressionInputs inputs(parameters, kQueryRules);
    LegacyInputs legacy(parameters, kQueryRules.dialect);
    inputs.read_placeholders();
    auto condition = inputs.key_condition();
    if (!condition) condition = legacy.key_conditions();
    if (condition) add_equalities(key, condition->against(key), subject);
  } catch (const ApiError&) {
    // The operation will report the error.
  } catch (const expressions::ExpressionError&) {
  }
}

}  // namespace magneto::api
