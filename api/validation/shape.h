#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace magneto::api {

// Requests described by data: JSON types and constraints of every member, as in the API model. The
// checker walks a request along these and reports both error families, SerializationException and
// "N validation errors detected", in DynamoDB's order.
enum class Kind : std::uint8_t {
  kString,
  kBoolean,
  kInteger,         // 32-bit
  kLong,            // 64-bit
  kDouble,
  kList,
  kMap,
  kStructure,
  kAttributeValue,  // {"S": ...}; nested values included
};

struct Shape;

struct MemberShape {
  std::string_view name;  // as in JSON: "TableName"
  const Shape* shape;
  bool required = false;
};

struct Shape {
  Kind kind;
  std::int64_t min = -1;  // of a number, or of a length; -1: none
  std::int64_t max = -1;
  bool has_min = false;
  bool has_max = false;
  std::string_view pattern;                    // the regular expression's text as AWS prints it
  std::span<const std::string_view> values;    // enum values in the order AWS prints them
  const Shape* element = nullptr;              // kList; kMap: the values
  const Shape* key = nullptr;                  // kMap: constraints on the keys
  std::span<const MemberShape> members;        // kStructure, in the order AWS reports them
  std::string_view structure_name;             // kStructure: as a Java toString prints it
};

}  // namespace magneto::api
