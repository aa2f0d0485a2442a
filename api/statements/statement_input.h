#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "api/request/parameters.h"
#include "expressions/partiql/statement.h"

namespace magneto::api {

// Parses and binds the Statement and Parameters of a request, or of a member of a batch or
// transaction. Owns the values.
class StatementInput {
 public:
  // Reads Parameters. Throws ValidationException for the first invalid value, before any error
  // about the statement (captured facts, "Parameter numbers").
  explicit StatementInput(const Parameters& member);
  StatementInput(const StatementInput&) = delete;
  StatementInput& operator=(const StatementInput&) = delete;

  // Call parse(), then bind(). Both throw ExpressionError with the whole message, or ApiError.
  const expressions::Statement& parse();
  // Refuses a global index with several partition or sort attributes even before the checks that
  // need no table (captured facts, "PartiQL, Multi-attribute GSI").
  const expressions::Statement& bind(const Request& request);

  const expressions::Statement& statement() const { return *statement_; }
  // Bytes of the statement's text and of the parameters, as item_size counts them.
  std::size_t size() const;
  // A hash of the statement's text and parameters.
  std::uint64_t fingerprint() const;

 private:
  std::string_view text_;
  std::string bytes_;  // of the parameters, one after another
  std::vector<storage::AttributeView> parameters_;
  std::optional<expressions::Statement> statement_;
};

}  // namespace magneto::api
