#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/json/error_dialect.h"
#include "api/request/parameters.h"
#include "expressions/condition.h"
#include "expressions/expression_error.h"
#include "expressions/key_condition.h"
#include "expressions/placeholders.h"
#include "expressions/projection.h"
#include "expressions/update.h"

namespace magneto::api {

// The order in which placeholders are checked.
enum class PlaceholderOrder : std::uint8_t {
  kNamesFirst,
  kValuesFirst,  // SearchVectors: the values' contents, all of the names, the values' names
};

// The expression parameters of an operation, and the dialect of its errors on the current layer.
struct ExpressionRules {
  std::span<const std::string_view> expressions;      // in the order AWS lists them
  std::span<const std::string_view> non_expressions;  // their legacy counterparts
  json::ErrorDialect dialect;
  PlaceholderOrder order = PlaceholderOrder::kNamesFirst;
};

// The expressions of one request (or of one member of a batch) with their placeholders. Owns the
// bytes of the values, so it must outlive everything that it parsed. Every function throws
// ValidationException as ApiError.
class ExpressionInputs {
 public:
  // Refuses legacy parameters together with expressions, and placeholders without any expression.
  ExpressionInputs(const Parameters& parameters, const ExpressionRules& rules,
                   json::Layer layer = json::Layer::kCurrent);
  ExpressionInputs(const ExpressionInputs&) = delete;
  ExpressionInputs& operator=(const ExpressionInputs&) = delete;

  // Reads ExpressionAttributeNames and ExpressionAttributeValues. Call this before any of the next
  // four functions.
  void read_placeholders();

  // The dialect of the request, for all its attribute values.
  const json::ErrorDialect& dialect() const { return dialect_; }

  // Bytes of the values read, as item_size counts them.
  std::size_t values_size() const { return placeholders_.values_size(); }

  // Each function parses the parameter of that name; nullopt if the request does not have it.
  std::optional<expressions::Condition> condition(std::string_view parameter);
  std::optional<expressions::Update> update();
  std::optional<expressions::KeyConditionExpression> key_condition(
      std::string_view parameter = "KeyConditionExpression");
  std::optional<expressions::Projection> projection();

  // Refuses placeholders that no expression used. Call this after the last expression.
  void check_all_used() const;

 private:
  void check_mixture() const;
  void check_placeholders_wanted() const;
  void read_placeholders_values_first();
  void read_names(json::Value names);
  void check_value_names(json::Object values) const;
  void read_values(json::Object values);
  [[noreturn]] void fail(std::string_view message) const;

  template <typename Expression>
  std::optional<Expression> parse(std::string_view parameter);

  Parameters parameters_;
  const ExpressionRules& rules_;
  const json::ErrorDialect dialect_;
  expressions::Placeholders placeholders_;
  std::string value_bytes_;  // canonical values, one after another
};

// The value from an expression or from its legacy counterpart; a request never has both. nullptr if
// it has neither.
template <typename T>
const T* first_given(const std::optional<T>& legacy, const std::optional<T>& expression) {
  if (legacy) return &*legacy;
  return expression ? &*expression : nullptr;
}

// Throws `error` as a ValidationException: "Invalid <parameter>: <text>" or just the text.
[[noreturn]] void fail_expression(std::string_view parameter, const json::ErrorDialect& dialect,
                                  const expressions::ExpressionError& error);

}  // namespace magneto::api
