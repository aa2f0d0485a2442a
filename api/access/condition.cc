#include "api/access/condition.h"

#include <absl/time/time.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "api/access/policy_error.h"
#include "api/access/texts.h"
#include "api/messages/access_messages.h"

namespace magneto::api::access {
namespace {

std::optional<double> read_number(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

// Seconds since the epoch: from "2026-01-31T12:00:00Z" and its shorter forms, or from a number.
std::optional<double> read_date(std::string_view text) {
  if (const auto number = read_number(text)) return number;
  const absl::string_view given(text.data(), text.size());
  for (const char* const form : {"%Y-%m-%d%ET%H:%M:%E*S%Ez", "%Y-%m-%d%ET%H:%M%Ez", "%Y-%m-%d"}) {
    absl::Time time;
    if (absl::ParseTime(form, given, &time, nullptr)) {
      return absl::ToDoubleSeconds(time - absl::UnixEpoch());
    }
  }
  return std::nullopt;
}

std::optional<bool> read_boolean(std::string_view text) {
  if (is_equal_but_for_case(text, "true")) return true;
  if (is_equal_but_for_case(text, "false")) return false;
  return std::nullopt;
}

template <typename Value>
Value require(const std::optional<Value>& value, std::string_view form, std::string_view text) {
  if (!value) throw PolicyError(messages::wrong_condition_value(text, form));
  return *value;
}

}  // namespace

const Condition::Operator* Condition::find_operator(std::string_view name) {
  static constexpr Operator kOperators[] = {
      {"StringEquals", Kind::kString},
      {"StringNotEquals", Kind::kString, Order::kEqual, true},
      {"StringEqualsIgnoreCase", Kind::kString, Order::kEqual, false, false, true},
      {"StringNotEqualsIgnoreCase", Kind::kString, Order::kEqual, true, false, true},
      {"StringLike", Kind::kString, Order::kEqual, false, true},
      {"StringNotLike", Kind::kString, Order::kEqual, true, true},
      {"NumericEquals", Kind::kNumber},
      {"NumericNotEquals", Kind::kNumber, Order::kEqual, true},
      {"NumericLessThan", Kind::kNumber, Order::kLess},
      {"NumericLessThanEquals", Kind::kNumber, Order::kLessOrEqual},
      {"NumericGreaterThan", Kind::kNumber, Order::kGreater},
      {"NumericGreaterThanEquals", Kind::kNumber, Order::kGreaterOrEqual},
      {"DateEquals", Kind::kDate},
      {"DateNotEquals", Kind::kDate, Order::kEqual, true},
      {"DateLessThan", Kind::kDate, Order::kLess},
      {"DateLessThanEquals", Kind::kDate, Order::kLessOrEqual},
      {"DateGreaterThan", Kind::kDate, Order::kGreater},
      {"DateGreaterThanEquals", Kind::kDate, Order::kGreaterOrEqual},
      {"Bool", Kind::kBoolean},
      {"BinaryEquals", Kind::kString},
      {"IpAddress", Kind::kAddress},
      {"NotIpAddress", Kind::kAddress, Order::kEqual, true},
      {"ArnEquals", Kind::kArn},
      {"ArnLike", Kind::kArn},
      {"ArnNotEquals", Kind::kArn, Order::kEqual, true},
      {"ArnNotLike", Kind::kArn, Order::kEqual, true},
      {"Null", Kind::kNull},
  };
  const auto* const found = std::ranges::find_if(
      kOperators, [&](const Operator& known) { return is_equal_but_for_case(known.name, name); });
  return found == std::end(kOperators) ? nullptr : found;
}

Condition::Operand Condition::read_operand(const Operator& operation, const std::string& text,
                                           bool has_variables) {
  switch (operation.kind) {
    case Kind::kString:
      break;
    case Kind::kNumber:
      return require(read_number(text), "a number", text);
    case Kind::kDate:
      return require(read_date(text), "a date such as 2026-01-31T12:00:00Z", text);
    case Kind::kBoolean:
    case Kind::kNull:
      return require(read_boolean(text), "true or false", text);
    case Kind::kAddress:
      return require(AddressRange::read(text), "an address or a range such as 203.0.113.0/24",
                     text);
    case Kind::kArn:
      return ArnPattern(text, has_variables);
  }
  return Pattern(text, {.wildcards = operation.wildcards,
                        .variables = has_variables,
                        .ignores_case = operation.ignores_case});
}

std::optional<Condition> Condition::make(std::string_view operation, std::string_view key,
                                         const std::vector<std::string>& values,
                                         bool has_variables) {
  constexpr std::string_view kIfExists = "ifexists";
  Condition made;
  const std::string lower = lower_case(operation);
  std::string_view name = lower;
  if (take_beginning(name, "forallvalues:")) {
    made.quantifier_ = Quantifier::kForAllValues;
  } else if (take_beginning(name, "foranyvalue:")) {
    made.quantifier_ = Quantifier::kForAnyValue;
  }
  made.if_exists_ = take_ending(name, kIfExists);
  const Operator* const found = find_operator(name);
  if (found == nullptr || (found->kind == Kind::kNull && made.if_exists_)) return std::nullopt;
  made.operator_ = *found;
  made.key_ = lower_case(key);
  for (const std::string& value : values) {
    made.operands_.push_back(read_operand(*found, value, has_variables));
  }
  return made;
}

bool Condition::holds_of_absent() const {
  if (if_exists_) return true;
  if (quantifier_ == Quantifier::kForAnyValue) return false;
  return quantifier_ == Quantifier::kForAllValues || operator_.negated;
}

bool Condition::holds(const Context& context, Meter& meter) const {
  const Context::Values* const values = context.find(key_);
  const bool is_absent = values == nullptr || values->empty();
  if (operator_.kind == Kind::kNull) {
    return std::ranges::any_of(
        operands_, [&](const Operand& operand) { return std::get<bool>(operand) == is_absent; });
  }
  if (is_absent) return holds_of_absent();
  // Without a quantifier, a negated comparison holds only if it holds for all values of the key.
  const bool wants_all = quantifier_ == Quantifier::kForAllValues ||
                         (quantifier_ == Quantifier::kNone && operator_.negated);
  for (const std::string& value : *values) {
    if (meter.is_over()) return false;
    const std::optional<bool> meets_one = meets(value, context, meter);
    // A value that cannot be read fails the comparison.
    if (meets_one.value_or(false) != wants_all) return !wants_all;
  }
  return wants_all;
}

std::optional<bool> Condition::meets(std::string_view value, const Context& context,
                                     Meter& meter) const {
  bool equals_one = false;
  bool is_known = true;
  for (const Operand& operand : operands_) {
    const std::optional<bool> found = equals(operand, value, context, meter);
    is_known = is_known && found.has_value();
    equals_one = equals_one || found.value_or(false);
    if (equals_one) break;
  }
  if (!operator_.negated) return equals_one;
  if (!is_known && !equals_one) return std::nullopt;
  return !equals_one;
}

std::optional<bool> Condition::equals(const Operand& operand, std::string_view value,
                                      const Context& context, Meter& meter) const {
  meter.spend(1);
  switch (operator_.kind) {
    case Kind::kString:
      return std::get<Pattern>(operand).matches(value, context, meter);
    case Kind::kArn:
      return std::get<ArnPattern>(operand).matches(value, context, meter);
    case Kind::kNumber:
    case Kind::kDate: {
      const auto read = operator_.kind == Kind::kNumber ? read_number(value) : read_date(value);
      if (!read) return std::nullopt;
      return compares(*read, std::get<double>(operand));
    }
    case Kind::kBoolean:
      return read_boolean(value) == std::get<bool>(operand);
    case Kind::kAddress: {
      const std::optional<AddressRange> address = AddressRange::read(value);
      if (!address) return std::nullopt;
      return std::get<AddressRange>(operand).contains(*address);
    }
    case Kind::kNull:
      break;
  }
  return std::nullopt;
}

bool Condition::compares(double value, double operand) const {
  switch (operator_.order) {
    case Order::kEqual:
      return value == operand;
    case Order::kLess:
      return value < operand;
    case Order::kLessOrEqual:
      return value <= operand;
    case Order::kGreater:
      return value > operand;
    case Order::kGreaterOrEqual:
      break;
  }
  return value >= operand;
}

}  // namespace magneto::api::access
