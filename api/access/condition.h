#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/access/address_range.h"
#include "api/access/context.h"
#include "api/access/meter.h"
#include "api/access/pattern.h"

namespace magneto::api::access {

// One key of a Condition and the values that it is compared with: "ForAllValues:StringEquals",
// "dynamodb:LeadingKeys", ["${aws:username}"] (AWS IAM user guide, "IAM JSON policy elements:
// Condition operators"). Immutable and thread-safe.
class Condition {
 public:
  // nullopt if there is no operator of that name. Throws PolicyError for a value that the operator
  // does not accept.
  static std::optional<Condition> make(std::string_view operation, std::string_view key,
                                       const std::vector<std::string>& values, bool has_variables);

  // A comparison with a variable that has no value fails, even if it is negated.
  bool holds(const Context& context, Meter& meter) const;

 private:
  enum class Kind : std::uint8_t {
    kString,
    kNumber,
    kDate,
    kBoolean,
    kAddress,
    kArn,
    kNull,
  };
  enum class Order : std::uint8_t { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
  // How a key with several values is compared.
  enum class Quantifier : std::uint8_t { kNone, kForAllValues, kForAnyValue };
  struct Operator {
    std::string_view name;
    Kind kind;
    Order order = Order::kEqual;
    bool negated = false;
    bool wildcards = false;
    bool ignores_case = false;
  };
  using Operand = std::variant<Pattern, ArnPattern, double, bool, AddressRange>;

  static const Operator* find_operator(std::string_view name);
  static Operand read_operand(const Operator& operation, const std::string& text,
                              bool has_variables);
  Condition() = default;

  bool holds_of_absent() const;
  // Compares one value of the request; nullopt if a variable has no value.
  std::optional<bool> meets(std::string_view value, const Context& context, Meter& meter) const;
  std::optional<bool> equals(const Operand& operand, std::string_view value, const Context& context,
                             Meter& meter) const;
  bool compares(double value, double operand) const;

  Operator operator_{.name = {}, .kind = Kind::kString};
  Quantifier quantifier_ = Quantifier::kNone;
  bool if_exists_ = false;
  std::string key_;  // in lower case
  std::vector<Operand> operands_;
};

}  // namespace magneto::api::access
