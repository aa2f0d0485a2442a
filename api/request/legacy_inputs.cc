#include "api/request/legacy_inputs.h"

#include <algorithm>
#include <string>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/parameter_messages.h"
#include "api/messages/write_messages.h"

namespace magneto::api {

using expressions::KeyClause;
using expressions::LegacyAction;
using expressions::LegacyAttributeUpdate;
using expressions::LegacyComparison;
using expressions::LegacyJunction;
using expressions::LegacyOperator;
using storage::AttributeType;
using storage::SortOperator;

namespace {

// nullopt for operators that key conditions do not have.
std::optional<SortOperator> sort_operator(LegacyOperator comparison) {
  switch (comparison) {
    case LegacyOperator::kEqual:
      return SortOperator::kEqual;
    case LegacyOperator::kLess:
      return SortOperator::kLess;
    case LegacyOperator::kLessOrEqual:
      return SortOperator::kLessOrEqual;
    case LegacyOperator::kGreater:
      return SortOperator::kGreater;
    case LegacyOperator::kGreaterOrEqual:
      return SortOperator::kGreaterOrEqual;
    case LegacyOperator::kBeginsWith:
      return SortOperator::kBeginsWith;
    case LegacyOperator::kBetween:
      return SortOperator::kBetween;
    default:
      return std::nullopt;
  }
}

// nullopt for an unknown word. A missing action puts.
std::optional<LegacyAction> action_of(json::Value update) {
  const std::string_view word = Parameters(update).string("Action").value_or("PUT");
  if (word == "ADD") return LegacyAction::kAdd;
  if (word == "DELETE") return LegacyAction::kDelete;
  return word == "PUT" ? std::optional(LegacyAction::kPut) : std::nullopt;
}

bool can_add(AttributeType type) {
  return type == AttributeType::kNumber || type == AttributeType::kList || storage::is_set(type);
}

void check_action(const LegacyAttributeUpdate& update, const json::ErrorDialect& dialect) {
  if (!update.value) {
    if (update.action == LegacyAction::kDelete) return;
    fail_in_dialect(dialect, messages::kOnlyDeleteWithoutValue);
  }
  const AttributeType type = update.value.type();
  if (update.action == LegacyAction::kDelete && !storage::is_set(type)) {
    fail_in_dialect(dialect, messages::delete_of_type(type));
  }
  if (update.action == LegacyAction::kAdd && !can_add(type)) {
    fail_in_dialect(dialect, messages::add_of_type(type));
  }
}

}  // namespace

void LegacyInputs::check_operator(std::string_view conditions) const {
  const auto word = parameters_.string("ConditionalOperator");
  if (!word) return;
  const std::size_t count = parameters_.value(conditions).object().size();
  if (count < 2) {
    fail_in_dialect(dialect_, count == 0 ? messages::kOperatorWithoutConditions
                                         : messages::kOperatorWithOneCondition);
  }
  if (*word == "AND" || *word == "OR") return;
  fail_in_dialect(dialect_, messages::kUnknownConditionalOperator);
}

std::optional<expressions::Condition> LegacyInputs::joined(
    std::span<const LegacyComparison> comparisons) const {
  if (comparisons.empty()) return std::nullopt;
  return expressions::legacy_condition(comparisons,
                                       parameters_.string_or_empty("ConditionalOperator") == "OR"
                                           ? LegacyJunction::kOr
                                           : LegacyJunction::kAnd);
}

std::optional<expressions::Condition> LegacyInputs::expected() {
  const json::Value map = parameters_.value("Expected");
  if (!map) return std::nullopt;
  return joined(read_expected(map.object(), dialect_, values_));
}

std::optional<expressions::Condition> LegacyInputs::filter(std::string_view parameter) {
  const json::Value map = parameters_.value(parameter);
  if (!map) return std::nullopt;
  return joined(read_conditions(map.object(), LegacyUse::kFilters, dialect_, values_));
}

std::optional<expressions::KeyConditionExpression> LegacyInputs::key_conditions() {
  const json::Value map = parameters_.value("KeyConditions");
  if (!map) return std::nullopt;
  key_conditions_ = read_conditions(map.object(), LegacyUse::kKeys, dialect_, values_);
  // Only the key of an index can have more attributes; check_indexable checks whether it has.
  const bool may_be_more = parameters_.has("IndexName");
  if (key_conditions_.empty() || (key_conditions_.size() > 2 && !may_be_more)) {
    fail_in_dialect(dialect_, messages::kOneOrTwoConditions);
  }
  std::vector<KeyClause> clauses;
  for (const LegacyComparison& condition : key_conditions_) {
    KeyClause clause;
    clause.attribute = condition.attribute;
    // check_indexable refuses other operators before their values are checked.
    clause.comparison = sort_operator(condition.comparison).value_or(SortOperator::kNone);
    if (!condition.operands.empty()) clause.low = condition.operands.front();
    if (condition.operands.size() == 2) clause.high = condition.operands.back();
    clauses.push_back(clause);
  }
  return expressions::KeyConditionExpression::of(std::move(clauses));
}

void LegacyInputs::check_indexable(const storage::KeySchema& schema) const {
  if (key_conditions_.size() > 2 && schema.attributes().size() <= 2) {
    fail_in_dialect(dialect_, messages::kOneOrTwoConditions);
  }
  for (const auto element : schema.attributes()) {
    const std::string_view name = element.attribute.name;
    const auto found = std::find_if(
        key_conditions_.begin(), key_conditions_.end(),
        [name](const LegacyComparison& condition) { return condition.attribute == name; });
    if (found == key_conditions_.end()) {
      // A missing partition key is reported first, when the conditions are matched with the key.
      if (element.is_partition && schema.partition.size() == 1) return;
      continue;
    }
    if (!sort_operator(found->comparison)) fail_in_dialect(dialect_, messages::kNotIndexable);
    // A value of another type than the attribute's is refused as such later.
    if (!found->operands.empty() && found->operands.front().type() == element.attribute.type) {
      check_operand_type(*found, dialect_);
    }
  }
}

std::optional<expressions::Update> LegacyInputs::attribute_updates() {
  const json::Value map = parameters_.value("AttributeUpdates");
  if (!map) return std::nullopt;
  const std::vector<json::Member> entries = distinct_members(map.object());
  for (const json::Member& entry : entries) {
    if (!action_of(entry.value)) fail_in_dialect(dialect_, messages::kUnknownAction);
  }
  for (const json::Member& entry : entries) {
    check_attribute_name(dialect_, entry.name);
    LegacyAttributeUpdate update{entry.name, action_of(entry.value).value(), {}};
    if (const json::Value value = Parameters(entry.value).value("Value")) {
      update.value = values_.emplace_back(json::read_value(value, dialect_)).view();
    }
    check_action(update, dialect_);
    updates_.push_back(update);
  }
  if (updates_.empty()) return std::nullopt;
  return expressions::legacy_update(updates_);
}

}  // namespace magneto::api
