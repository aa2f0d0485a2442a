#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "expressions/expression_error.h"
#include "expressions/placeholders.h"
#include "tests/support/literal_values.h"

namespace magneto::expressions {

// The names and values of one request, kept alive for the expressions that view into them.
class ExpressionRequest {
 public:
  using Names = std::initializer_list<std::pair<std::string_view, std::string_view>>;
  using Values = std::initializer_list<std::pair<std::string_view, storage::AttributeValue>>;

  ExpressionRequest() = default;
  explicit ExpressionRequest(Values values) : ExpressionRequest(Names{}, values) {}
  ExpressionRequest(Names names, Values values) {
    for (const auto& [placeholder, name] : names) add_name(placeholder, name);
    for (const auto& [placeholder, value] : values) add_value(placeholder, value);
  }

  void add_name(std::string_view placeholder, std::string_view name) {
    placeholders_.add_name(keep(placeholder), keep(name));
  }
  void add_value(std::string_view placeholder, storage::AttributeView value) {
    placeholders_.add_value(keep(placeholder), storage::AttributeView(keep(value.bytes())));
  }

  Placeholders& placeholders() { return placeholders_; }

  template <typename Expression>
  Expression parse(std::string_view text) {
    return Expression::parse(text, placeholders_);
  }

  // The message parse() throws; empty when it does not.
  template <typename Expression>
  std::string refusal(std::string_view text) {
    return message_of([&] { Expression::parse(text, placeholders_); });
  }

  template <typename Call>
  static std::string message_of(
      Call call, ExpressionError::Scope scope = ExpressionError::Scope::kExpression) {
    try {
      call();
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.scope(), scope) << error.message();
      return error.message();
    }
    return {};
  }

 private:
  std::string_view keep(std::string_view text) { return kept_.emplace_back(text); }

  std::deque<std::string> kept_;
  Placeholders placeholders_;
};

}  // namespace magneto::expressions
