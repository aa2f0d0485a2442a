#pragma once

#include <span>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

// Messages about expressions as parameters, their placeholders, and the legacy parameters that
// expressions replaced.
namespace magneto::api::messages {

std::string mixed_parameters(std::span<const std::string_view> non_expressions,
                             std::span<const std::string_view> expressions);
std::string invalid_expression(std::string_view parameter, std::string_view problem);

inline constexpr std::string_view kNamesWithoutExpression =
    "ExpressionAttributeNames can only be specified when using expressions";
inline constexpr std::string_view kNoNames = "ExpressionAttributeNames must not be empty";
std::string invalid_name_placeholder(std::string_view placeholder);
std::string invalid_name(std::string_view problem, std::string_view placeholder);
std::string unused_names(std::span<const std::string_view> placeholders);

// If AWS names expressions, it names all that the operation could have.
inline constexpr std::string_view kValuesWithoutExpression =
    "ExpressionAttributeValues can only be specified when using expressions";
std::string values_without_expression(std::string_view expression);
std::string values_without_expressions(std::span<const std::string_view> expressions);
inline constexpr std::string_view kNoValues = "ExpressionAttributeValues must not be empty";
std::string invalid_value_placeholder(std::string_view placeholder);
std::string invalid_value(std::string_view problem, std::string_view placeholder);
std::string unused_values(std::span<const std::string_view> placeholders);

// Messages about comparisons of KeyConditions, QueryFilter, ScanFilter and Expected.
inline constexpr std::string_view kUnknownComparison =
    "One or more parameter values were invalid: Invalid comparison operator";
std::string operand_count(std::string_view comparison);
std::string operand_type(std::string_view comparison, storage::AttributeType type);
inline constexpr std::string_view kOperandTypesDiffer =
    "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type";
inline constexpr std::string_view kEmptyRange =
    "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound";
inline constexpr std::string_view kOneOrTwoConditions = "Conditions can be of length 1 or 2 only";
inline constexpr std::string_view kNotIndexable =
    "Attempted conditional constraint is not an indexable operation";
// AWS prints ALL for AND.
inline constexpr std::string_view kUnknownConditionalOperator =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
inline constexpr std::string_view kOperatorWithoutConditions =
    "ConditionalOperator cannot be used without Filter or Expected";
inline constexpr std::string_view kOperatorWithOneCondition =
    "ConditionalOperator can only be used when Filter or Expected has two or more elements";

// Messages about Expected.
std::string list_without_operator(std::string_view attribute);
std::string value_of_missing(std::string_view attribute);
// `exists` as in the request: "true" or "null".
std::string value_missing(std::string_view exists, std::string_view attribute);
std::string value_beside_list(std::string_view attribute);
std::string exists_beside_operator(std::string_view attribute);
std::string operands_missing(std::string_view comparison, std::string_view attribute);

}  // namespace magneto::api::messages
