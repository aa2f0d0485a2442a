#include "api/request/expression_inputs.h"

#include <algorithm>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/parameter_messages.h"
#include "storage/model/value_writer.h"

namespace magneto::api {

using expressions::ExpressionError;

namespace {

// Whether the text is '#' or ':' and at least one letter, digit or underscore (AWS developer guide,
// "Expression attribute names").
bool is_placeholder(std::string_view text, char mark) {
  if (text.size() < 2 || text.front() != mark) return false;
  for (const char c : text.substr(1)) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9') && c != '_') return false;
  }
  return true;
}

absl::InlinedVector<std::string_view, 4> present(const Parameters& parameters,
                                                 std::span<const std::string_view> names) {
  absl::InlinedVector<std::string_view, 4> found;
  for (const std::string_view name : names) {
    if (parameters.has(name)) found.push_back(name);
  }
  return found;
}

}  // namespace

ExpressionInputs::ExpressionInputs(const Parameters& parameters, const ExpressionRules& rules,
                                   json::Layer layer)
    : parameters_(parameters), rules_(rules), dialect_(json::dialect_on(layer, rules.dialect)) {
  if (rules.order == PlaceholderOrder::kValuesFirst) return;
  check_mixture();
  check_placeholders_wanted();
}

void ExpressionInputs::fail(std::string_view message) const {
  if (dialect_.counts_errors) fail_one_validation_error(message);
  fail_validation(message);
}

void ExpressionInputs::check_mixture() const {
  auto legacy = present(parameters_, rules_.non_expressions);
  if (legacy.empty()) return;
  const auto expressions = present(parameters_, rules_.expressions);
  if (expressions.empty()) return;
  // KeyConditions may be combined with FilterExpression and ProjectionExpression (AWS API
  // reference, Query).
  if (!parameters_.has("KeyConditionExpression")) {
    legacy.erase(std::remove(legacy.begin(), legacy.end(), "KeyConditions"), legacy.end());
    if (legacy.empty()) return;
  }
  fail(messages::mixed_parameters(legacy, expressions));
}

void ExpressionInputs::check_placeholders_wanted() const {
  const bool has_names = parameters_.has("ExpressionAttributeNames");
  const bool has_values = parameters_.has("ExpressionAttributeValues");
  if (!has_names && !has_values) return;
  absl::InlinedVector<std::string_view, 4> with_values;
  bool any = false;
  bool any_with_values = false;
  for (const std::string_view name : rules_.expressions) {
    const bool given = parameters_.has(name);
    any = any || given;
    if (name == "ProjectionExpression") continue;
    with_values.push_back(name);
    any_with_values = any_with_values || given;
  }
  if (has_names && !any) fail(messages::kNamesWithoutExpression);
  if (!has_values || any_with_values || with_values.empty()) return;
  // PutItem, UpdateItem and DeleteItem no longer name the expressions (captured facts, "PutItem").
  if (dialect_.counts_errors) fail(messages::kValuesWithoutExpression);
  if (with_values.size() == 1) fail(messages::values_without_expression(with_values.front()));
  fail(messages::values_without_expressions(with_values));
}

void ExpressionInputs::read_placeholders() {
  if (rules_.order == PlaceholderOrder::kValuesFirst) return read_placeholders_values_first();
  if (const json::Value names = parameters_.value("ExpressionAttributeNames")) read_names(names);
  if (const json::Value values = parameters_.value("ExpressionAttributeValues")) {
    check_value_names(values.object());
    read_values(values.object());
  }
}

// Captured facts 3, V4 and V5.
void ExpressionInputs::read_placeholders_values_first() {
  const json::Value names = parameters_.value("ExpressionAttributeNames");
  const json::Value values = parameters_.value("ExpressionAttributeValues");
  read_values(values.object());
  const auto expressions = present(parameters_, rules_.expressions);
  if (names) {
    if (names.object().empty()) fail(messages::kNoNames);
    if (expressions.empty()) fail(messages::kNamesWithoutExpression);
    read_names(names);
  }
  if (!values) return;
  check_value_names(values.object());
  const bool is_wanted = std::ranges::any_of(
      expressions, [](std::string_view name) { return name != "ProjectionExpression"; });
  if (!is_wanted) fail(messages::kValuesWithoutExpression);
}

void ExpressionInputs::read_names(json::Value names) {
  bool any = false;
  for (const json::Member member : names.object()) {
    if (member.value.is_null()) continue;
    any = true;
    if (!is_placeholder(member.name, '#')) {
      fail(messages::invalid_name_placeholder(member.name));
    }
    const std::string_view name = member.value.string();
    if (const auto problem = json::attribute_name_problem(name); !problem.empty()) {
      fail(messages::invalid_name(problem, member.name));
    }
    placeholders_.add_name(member.name, name);
  }
  if (!any) fail(messages::kNoNames);
}

void ExpressionInputs::check_value_names(json::Object values) const {
  bool any = false;
  for (const json::Member member : values) {
    if (member.value.is_null()) continue;
    any = true;
    if (!is_placeholder(member.name, ':')) {
      fail(messages::invalid_value_placeholder(member.name));
    }
  }
  if (!any) fail(messages::kNoValues);
}

void ExpressionInputs::read_values(json::Object values) {
  struct Extent {
    std::string_view name;
    std::size_t begin;
    std::size_t end;
  };
  absl::InlinedVector<Extent, 8> extents;
  storage::ValueWriter writer(value_bytes_);
  for (const json::Member member : values) {
    if (member.value.is_null()) continue;
    const std::size_t begin = value_bytes_.size();
    try {
      json::read_value(member.value, dialect_, writer);
    } catch (const ApiError& error) {
      // The older dialect names the invalid value (captured facts, "Attribute-value layers").
      if (dialect_.current || error.type() != ErrorType::kValidation) throw;
      fail(messages::invalid_value(error.message(), member.name));
    }
    extents.push_back({member.name, begin, value_bytes_.size()});
  }
  const std::string_view bytes = value_bytes_;  // final, so views into it stay valid
  for (const Extent& extent : extents) {
    placeholders_.add_value(
        extent.name, storage::AttributeView(bytes.substr(extent.begin, extent.end - extent.begin)));
  }
}

template <typename Expression>
std::optional<Expression> ExpressionInputs::parse(std::string_view parameter) {
  const std::optional<std::string_view> text = parameters_.string(parameter);
  if (!text) return std::nullopt;
  try {
    return Expression::parse(*text, placeholders_);
  } catch (const ExpressionError& error) {
    fail_expression(parameter, dialect_, error);
  }
}

std::optional<expressions::Condition> ExpressionInputs::condition(std::string_view parameter) {
  return parse<expressions::Condition>(parameter);
}

std::optional<expressions::Update> ExpressionInputs::update() {
  return parse<expressions::Update>("UpdateExpression");
}

std::optional<expressions::KeyConditionExpression> ExpressionInputs::key_condition(
    std::string_view parameter) {
  return parse<expressions::KeyConditionExpression>(parameter);
}

std::optional<expressions::Projection> ExpressionInputs::projection() {
  return parse<expressions::Projection>("ProjectionExpression");
}

void ExpressionInputs::check_all_used() const {
  if (const auto names = placeholders_.unused_names(); !names.empty()) {
    fail(messages::unused_names(names));
  }
  if (const auto values = placeholders_.unused_values(); !values.empty()) {
    fail(messages::unused_values(values));
  }
}

void fail_expression(std::string_view parameter, const json::ErrorDialect& dialect,
                     const ExpressionError& error) {
  const bool names_parameter = error.scope() == ExpressionError::Scope::kExpression;
  const std::string message =
      names_parameter ? messages::invalid_expression(parameter, error.message()) : error.message();
  if (dialect.counts_errors) fail_one_validation_error(message);
  fail_validation(message);
}

}  // namespace magneto::api
