#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/error_dialect.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "expressions/partiql/statement.h"

namespace magneto::api {

// Parses and binds the Statement and Parameters of a request, or of a member of a batch or
// transaction. Owns the values.
class StatementInput {
 public:
  // Reads Parameters. Throws ValidationException for the first invalid value, before any error
  // about the statement (captured facts, "Parameter numbers"). One that nests too deep is left to
  // parse(), so that in a transaction earlier statements are refused first (captured facts 3, P34).
  explicit StatementInput(const Parameters& member);
  StatementInput(const StatementInput&) = delete;
  StatementInput& operator=(const StatementInput&) = delete;

  // Throws ValidationException if a parameter nests too deep. parse() does so too.
  void refuse_too_deep() const;

  // Call parse(), then bind(). Both throw ExpressionError with the whole message, or ApiError.
  const expressions::Statement& parse();
  // Refuses a global index with several partition or sort attributes even before the checks that
  // need no table (captured facts, "PartiQL, Multi-attribute GSI").
  const expressions::Statement& bind(const Request& request);

  const expressions::Statement& statement() const { return *statement_; }
  // Bytes of the statement's text and of the parameters, as item_size counts them.
  std::size_t size() const;
  // A hash of the statement's text and parameters, to which a NextToken belongs. Numbers count with
  // their scale: 100 is not 1E2 (captured facts 3, P7).
  std::uint64_t fingerprint() const;
  // Whether a parameter is a list or a map. AWS takes no NextToken with such a one.
  bool has_document_parameter() const;
  // Whether a parameter nests as deep as none that is stored.
  bool has_deep_parameter() const { return has_deep_parameter_; }

 private:
  // Appends the value to bytes_. False if it nests too deep.
  bool read_parameter(json::Value value, const json::ErrorDialect& dialect);

  std::string_view text_;
  json::Value sent_;  // Parameters
  bool has_deep_parameter_ = false;
  bool is_too_deep_ = false;
  std::string bytes_;  // of the parameters, one after another
  std::vector<storage::AttributeView> parameters_;
  std::optional<expressions::Statement> statement_;
};

}  // namespace magneto::api
