#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Requests that do not suit their operation, and faults of the server.
namespace magneto::api::messages {

// `what`: an operation, or a member of one.
std::string not_with_shared(std::string_view what);

// AWS API reference, "Common Errors", InternalServerError.
inline constexpr std::string_view kFault =
    "The request processing has failed because of an unknown error, exception or failure.";
// With --store: another server may have taken over.
inline constexpr std::string_view kStoreNotCurrent =
    "This server cannot reach its store at present. Try again.";
std::string unsupported_parameter(std::string_view parameter);
std::string missing_parameter(std::string_view parameter);

// JSON of an unexpected type; classes have their Java names.
inline constexpr std::string_view kUnexpectedStructure =
    "Start of structure or map found where not expected";
inline constexpr std::string_view kUnexpectedField = "Unexpected field type";
inline constexpr std::string_view kUnexpectedElement = "Unexpected value type in payload";
inline constexpr std::string_view kUnexpectedToken = "Unexpected token received from parser";
inline constexpr std::string_view kClassCast =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')";
// A list in place of a map, and in place of any other type.
std::string list_for_map(std::string_view type);
std::string list_for_class(std::string_view type);
std::string not_convertible(std::string_view token, std::string_view type);
inline constexpr std::string_view kNotBase64 =
    "only base-64-encoded strings are convertible to bytes";
std::string base64_length(std::size_t length);
// AWS misspells "detected".
inline constexpr std::string_view kBase64Ending = "Invalid last non-pad Base64 character dectected";

// Violated constraints; a report may have several. `value` is in AWS's form.
std::string null_at(std::string_view path);
std::string value_at(std::string_view value, std::string_view path, std::string_view constraint);
// The newer generation shows neither the value nor, for an enum, the path.
std::string hidden_value_at(std::string_view path, std::string_view constraint);
std::string hidden_enum(std::string_view values);
// `problems`: "one; other".
std::string several_violations(std::size_t count, std::string_view problems);
// `measure`: "value" or "length".
std::string at_least(std::string_view measure, std::int64_t least);
std::string at_most(std::string_view measure, std::int64_t most);
std::string pattern(std::string_view text);
std::string enum_values(std::span<const std::string_view> values);
// `constraints`: "one, other".
std::string map_keys(std::string_view constraints);
std::string map_values(std::string_view constraints);

}  // namespace magneto::api::messages
