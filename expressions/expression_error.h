#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace magneto::expressions {

// An expression that cannot be used, because of its syntax, an undefined placeholder or a wrong
// operand. The text is DynamoDB's, without the prefix "Invalid ConditionExpression: ", which api
// adds.
class ExpressionError : public std::exception {
 public:
  enum class Scope {
    kExpression,  // api adds the prefix "Invalid <parameter>: "
    kRequest,     // the whole message: "The provided expression refers to an attribute that ..."
  };
  explicit ExpressionError(std::string_view message, Scope scope = Scope::kExpression)
      : message_(message), scope_(scope) {}
  Scope scope() const { return scope_; }
  // The whole message, even if it echoes a NUL of the expression.
  const std::string& message() const { return message_; }

 private:
  // Private, because a C string ends at a NUL: code that answers a request uses message().
  const char* what() const noexcept override { return message_.c_str(); }

  std::string message_;
  Scope scope_;
};

}  // namespace magneto::expressions
