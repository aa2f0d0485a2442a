#pragma once

#include <cstdint>

namespace magneto::api::json {

// The generation of AWS's code that words the errors of a request (captured facts 3, R1 to R3). The
// check of its shape decides it once (validation/shape_checker).
enum class Layer : std::uint8_t { kCurrent, kOlder };

// How an operation words errors in attribute values and expressions (captured facts,
// "Attribute-value layers").
struct ErrorDialect {
  bool counts_errors = false;  // adds the prefix kOneValidationError
  bool current = true;         // false: the words of the older layer
  // Numbers are read like Java's BigDecimal: an exponent beyond 32 bits is invalid.
  bool narrow_exponents = false;
  // Values may nest one level deeper than in an item. The code that stores them checks that.
  bool one_level_more = false;
};

inline constexpr ErrorDialect kCurrentDialect{true, true};  // PutItem, UpdateItem, DeleteItem
// Reads; TransactWriteItems and TransactGetItems in eu-west-2.
inline constexpr ErrorDialect kBareDialect{false, true};
inline constexpr ErrorDialect kOlderDialect{false, false};  // BatchWriteItem
// Parameters of statements (captured facts, "Parameter numbers").
inline constexpr ErrorDialect kStatementDialect{false, false, true};
inline constexpr ErrorDialect kDeepStatementDialect{false, false, true, true};

// The dialect of an operation whose dialect on the current layer is `current`.
constexpr ErrorDialect dialect_on(Layer layer, const ErrorDialect& current) {
  return layer == Layer::kOlder ? kOlderDialect : current;
}

}  // namespace magneto::api::json
