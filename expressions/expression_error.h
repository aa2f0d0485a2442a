#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace magneto::expressions {

// An expression that cannot be used: syntax, an undefined placeholder, a wrong operand. The text is
// DynamoDB's, without the "Invalid ConditionExpression: " that api puts in front.
class ExpressionError : public std::exception {
 public:
  enum class Scope {
    kExpression,  // api puts "Invalid <parameter>: " in front
    kRequest,     // the whole message: "The provided expression refers to an attribute that ..."
  };
  explicit ExpressionError(std::string_view message, Scope scope = Scope::kExpression)
      : message_(message), scope_(scope) {}
  Scope scope() const { return scope_; }
  // Whole, also where it echoes a NUL of the expression.
  const std::string& message() const { return message_; }

 private:
  // Private, as it ends at a NUL: who answers a request takes message().
  const char* what() const noexcept override { return message_.c_str(); }

  std::string message_;
  Scope scope_;
};

}  // namespace magneto::expressions
