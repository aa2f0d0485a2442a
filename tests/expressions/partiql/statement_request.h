#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expressions/partiql/statement.h"
#include "tests/support/literal_values.h"

namespace magneto::expressions {

// A statement read and bound, with all it views into.
class StatementRequest {
 public:
  explicit StatementRequest(std::string text, std::vector<storage::AttributeValue> parameters = {})
      : text_(std::move(text)),
        parameters_(std::move(parameters)),
        views_(parameters_.begin(), parameters_.end()),
        statement_(Statement::parse(text_)) {
    statement_.bind(views_);
  }
  StatementRequest(const StatementRequest&) = delete;
  StatementRequest& operator=(const StatementRequest&) = delete;

  const Statement& operator*() const { return statement_; }
  const Statement* operator->() const { return &statement_; }

  // Returns the error of reading and binding; empty if there is none.
  static std::string refusal(std::string text,
                             std::vector<storage::AttributeValue> parameters = {}) {
    try {
      StatementRequest(std::move(text), std::move(parameters));
    } catch (const ExpressionError& error) {
      return error.message();
    }
    return {};
  }

 private:
  std::string text_;
  std::vector<storage::AttributeValue> parameters_;
  std::vector<storage::AttributeView> views_;
  Statement statement_;
};

inline std::string malformed(const std::string& detail = {}) {
  return "Statement wasn't well formed, can't be processed: " + detail;
}

}  // namespace magneto::expressions
