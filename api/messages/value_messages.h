#pragma once

#include <string>
#include <string_view>

#include "expressions/messages.h"

// Attribute values in all requests.
namespace magneto::api::messages {

// Also used for literals in statements.
using expressions::messages::duplicate_members;
using expressions::messages::kEmptyAttributeName;
using expressions::messages::kNestedTooDeep;
using expressions::messages::kNumberOverflow;
using expressions::messages::kNumberUnderflow;
using expressions::messages::kStoredTooDeep;
using expressions::messages::kTooManyDigits;

inline constexpr std::string_view kLongAttributeName =
    "Attribute name is too large, must be less than 65536 bytes";
inline constexpr std::string_view kNoType =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
inline constexpr std::string_view kSeveralTypes =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
inline constexpr std::string_view kFalseNull =
    "One or more parameter values were invalid: Null attribute value types must have the value of true";

// The older generation uses the first one for an empty text.
inline constexpr std::string_view kNoNumber =
    "The parameter cannot be converted to a numeric value";
std::string not_a_number(std::string_view text);

// "An string set  may" is AWS's own spelling.
inline constexpr std::string_view kEmptyStringSet =
    "One or more parameter values were invalid: An string set  may not be empty";
inline constexpr std::string_view kEmptyNumberSet =
    "One or more parameter values were invalid: An number set  may not be empty";
inline constexpr std::string_view kEmptyBinarySet =
    "One or more parameter values were invalid: Binary sets should not be empty";
// `members`: "string", "number" or "binary".
std::string null_in_set(std::string_view members);
// "]of type" is AWS's own spelling.
std::string duplicate_binaries(std::string_view list);
inline constexpr std::string_view kDuplicateNumbers =
    "One or more parameter values were invalid: Input collection contains duplicates.";
// From the older generation.
inline constexpr std::string_view kOlderDuplicateNumbers = "Input collection contains duplicates";

}  // namespace magneto::api::messages
