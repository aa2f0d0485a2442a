// A ConditionExpression or FilterExpression over the sample placeholders and items.
#include "expressions/condition.h"

#include <algorithm>
#include <optional>
#include <string>

#include "expressions/placeholders.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/sample_values.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using expressions::Condition;

std::optional<Condition> parse(std::string_view text, std::string* error = nullptr) {
  expressions::Placeholders placeholders;
  add_sample_placeholders(placeholders);
  try {
    return Condition::parse(text, placeholders);
  } catch (const expressions::ExpressionError& refusal) {
    if (error != nullptr) *error = refusal.message();
    return std::nullopt;
  }
}

}  // namespace

void fuzz_condition(std::string_view input) {
  std::string error;
  const std::optional<Condition> condition = parse(input, &error);
  if (!condition) {
    std::string again;
    require(!parse(input, &again), "a refused condition is refused again", error);
    require_equal(again, error, "a condition is refused in the same words again");
    return;
  }
  const auto attributes = condition->attributes();
  for (const std::string_view nested : condition->nested_attributes()) {
    require(std::ranges::find(attributes, nested) != attributes.end(),
            "a nested attribute is an attribute", nested);
  }
  // Refused when the condition is in parentheses already, or has 300 operators.
  const std::optional<Condition> negated = parse("NOT (" + std::string(input) + ")");
  for (const storage::Item& item : sample_items()) {
    const bool matches = condition->matches(item);
    require(!negated || negated->matches(item) != matches, "NOT turns a condition around");
    require(condition->matches(item) == matches, "a condition holds or not");
  }
}

}  // namespace magneto::fuzz
