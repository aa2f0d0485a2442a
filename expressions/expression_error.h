#pragma once

#include <stdexcept>
#include <string>

namespace magneto::expressions {

// An expression that cannot be used: syntax, an undefined placeholder, a wrong operand. The text is
// DynamoDB's, without the "Invalid ConditionExpression: " that api puts in front.
class ExpressionError : public std::runtime_error {
 public:
  enum class Scope {
    kExpression,  // api puts "Invalid <parameter>: " in front
    kRequest,     // the whole message: "The provided expression refers to an attribute that ..."
  };
  explicit ExpressionError(std::string message, Scope scope = Scope::kExpression)
      : std::runtime_error(std::move(message)), scope_(scope) {}
  Scope scope() const { return scope_; }

 private:
  Scope scope_;
};

}  // namespace magneto::expressions
