#pragma once

#include <cstdint>

namespace magneto::api::json {

// AWS checks attribute values in two generations of code with different words. Some operations add
// the prefix "1 validation error detected: " (captured facts, "Attribute-value layers").
struct ErrorDialect {
  bool counts_errors = false;  // adds the prefix kOneValidationError
  bool current = true;         // false: the older wording
  // Numbers are read like Java's BigDecimal: an exponent beyond 32 bits is invalid.
  bool narrow_exponents = false;
  // Values may nest one level deeper than in an item. The code that stores them checks that.
  bool one_level_more = false;
};

inline constexpr ErrorDialect kCurrentDialect{true, true};  // PutItem, UpdateItem, DeleteItem
// GetItem, BatchGetItem, Query; TransactWriteItems and TransactGetItems in eu-west-2.
inline constexpr ErrorDialect kBareDialect{false, true};
inline constexpr ErrorDialect kOlderDialect{false, false};  // BatchWriteItem, Scan
// Parameters of statements (captured facts, "Parameter numbers").
inline constexpr ErrorDialect kStatementDialect{false, false, true};
inline constexpr ErrorDialect kDeepStatementDialect{false, false, true, true};

}  // namespace magneto::api::json
