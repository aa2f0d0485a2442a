#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

// The messages of ExpressionError for all expressions; partiql/messages.h has the messages that
// occur only for statements. Operators and functions are given as requests write them.
namespace magneto::expressions::messages {

// Messages about values that api also uses: see api/messages.
inline constexpr std::string_view kEmptyAttributeName = "Empty attribute name";
inline constexpr std::string_view kNestedTooDeep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
// For a value that only becomes too deep where an update or statement puts it.
inline constexpr std::string_view kStoredTooDeep = "Nesting Levels have exceeded supported limits";
inline constexpr std::string_view kNumberOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
inline constexpr std::string_view kNumberUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
inline constexpr std::string_view kTooManyDigits =
    "Attempting to store more than 38 significant digits in a Number";
// `members`: the members of a set as "a, b, b".
std::string duplicate_members(std::string_view members);
// `type`: kString or kBinary.
std::string empty_key_value(storage::AttributeType type, std::string_view attribute);
// The word for such values in messages: "string", "binary".
std::string_view content_word(storage::AttributeType type);

// Messages about the text.
inline constexpr std::string_view kEmptyExpression = "The expression can not be empty;";
// Only some kinds of expression report their size.
inline constexpr std::string_view kLongExpression =
    "Expression size has exceeded the maximum allowed size;";
std::string long_expression(std::size_t bytes);
std::string syntax_error(std::string_view token, std::string_view near);
std::string too_many_operators(std::size_t count);
inline constexpr std::string_view kRedundantParentheses =
    "The expression has redundant parentheses;";
std::string repeated_section(std::string_view section);

// Messages about functions.
std::string unknown_function(std::string_view function);
std::string condition_function_in_update(std::string_view function);
std::string update_function_in_condition(std::string_view function);
std::string misplaced_function(std::string_view function);

// Messages about operands.
std::string operand_count(std::string_view function, std::size_t count);
std::string operand_type(std::string_view function, std::string_view type);
// AWS names ADD's set of types for DELETE too (captured facts 3, U7).
std::string action_operand_type(std::string_view action, std::string_view type);
std::string path_required(std::string_view function);
std::string same_operands(std::string_view function, std::string_view path);
std::string too_many_in_operands(std::size_t count);
// Bounds are given in AWS's form: AttributeValue: {S:text}
std::string bounds_types_differ(std::string_view lower, std::string_view upper);
std::string bounds_reversed(std::string_view lower, std::string_view upper);
// `known`: a list such as "B,NULL".
std::string unknown_type(std::string_view type, std::string_view known);

// Messages about paths and placeholders.
std::string undefined_name(std::string_view placeholder);
std::string undefined_value(std::string_view placeholder);
std::string long_path(std::size_t levels);
std::string overlapping_paths(std::string_view one, std::string_view other);
std::string conflicting_paths(std::string_view one, std::string_view other);

// Messages about KeyConditionExpression.
std::string key_operator(std::string_view comparison);
std::string key_operator_without_attribute(std::string_view comparison);
inline constexpr std::string_view kSeveralKeyAttributes =
    "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition";
inline constexpr std::string_view kNoKeyAttribute =
    "Invalid condition in KeyConditionExpression: No key attribute specified";
inline constexpr std::string_view kNestedKeyAttribute =
    "KeyConditionExpressions cannot have conditions on nested attributes";
inline constexpr std::string_view kNestedKeyOperation =
    "KeyConditionExpressions cannot contain nested operations";
inline constexpr std::string_view kRepeatedKeyAttribute =
    "KeyConditionExpressions must only contain one condition per key";
std::string missed_key(std::string_view attribute);
inline constexpr std::string_view kUnsupportedKeyCondition = "Query key condition not supported";
std::string too_many_key_conditions(std::size_t conditions, std::size_t attributes);
// Lists of names have the form "a, b".
std::string partition_without_equality(std::string_view attributes);
std::string sort_without_equality(std::string_view attributes, std::string_view last);
inline constexpr std::string_view kWrongKeyType =
    "One or more parameter values were invalid: Condition parameter type does not match schema type";

// Messages about updates that cannot be applied.
inline constexpr std::string_view kOversizedUpdate =
    "Item size to update has exceeded the maximum allowed size";
inline constexpr std::string_view kWrongOperandType =
    "An operand in the update expression has an incorrect data type";
inline constexpr std::string_view kInvalidUpdatePath =
    "The document path provided in the update expression is invalid for update";
inline constexpr std::string_view kMissingAttribute =
    "The provided expression refers to an attribute that does not exist in the item";

}  // namespace magneto::expressions::messages
