#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace magneto::api {

// Data that describes requests: JSON type and constraints of every member, as in the API model. The
// checker (shape_checker) walks a request along these shapes and reports both error families,
// SerializationException and "N validation errors detected", in DynamoDB's order and wording.
enum class Kind : std::uint8_t {
  kString,
  kBoolean,
  kInteger,  // 32-bit
  kLong,     // 64-bit
  kDouble,
  kList,
  kMap,
  kStructure,
  kAttributeValue,  // {"S": ...}; nested values included
  // A member in AWS's API for a feature that Magneto does not have. A request with this member is
  // refused, even if the value is harmless: ignoring it would be worse.
  kUnsupported,
};

// How a problem with a member is reported. The older layer (json::Layer) joins all problems of a
// request, with values and names of members:
//   Value '' at 'tableName' failed to satisfy constraint: Member must have length greater ...
// The current layer has its own words for some members.
enum class Wording : std::uint8_t {
  kOlder,
  // Value at 'TableName' failed to satisfy constraint: Member must ...; for a value or length below
  // the minimum; reported alone.
  kCurrentMinimum,
  kCurrentMaximum,  // the same above the maximum
  kCurrentRange,    // the same below the minimum and above the maximum
  kLastResort,      // older words for an enum, but only reported if there is no other problem
  // The next ones are for stages. kHidden: as kCurrentRange, but joined with other problems.
  kHidden,
  // Failed to satisfy constraint: Member must satisfy enum value set: [...]
  kCurrentEnum,
  kCurrentEmpty,   // kHidden, for an empty name
  kName,           // of a name, with its value: too short or else too long, or else the pattern
  kWholeName,      // of a name, with its value: the pattern, and the length
  kOnlyOldValues,  // ReturnValues other than NONE and ALL_OLD
  // The older layer takes every name that is not empty.
  kNotEmpty,
  // The older layer reports keys of a map only if there is no other problem.
  kKeysLast,
};

// The answer to a request without the member.
enum class Required : std::uint8_t {
  kNo,
  kYes,  // Value null at 'key' failed to satisfy constraint: Member must not be null
  // The parameter 'TableName' is required but was not present in the request; checked before all
  // other constraints.
  kNamed,
};

// The form in which messages of the older generation show a list, map or structure.
enum class Echo : std::uint8_t {
  kJava,  // [KeySchemaElement(attributeName=pk, keyType=HASH)]
  kJson,  // {"Keys":[...]}
};

// A regular expression that a whole string must match.
struct Pattern {
  std::string_view text;  // as AWS prints it
  bool (*matches)(std::string_view value);
};

struct Shape;

// A member that the current layer checks, and how.
struct CurrentCheck {
  std::string_view member;
  Wording wording;
};

// The members that the current layer checks together: it joins their problems. The first stage with
// a problem answers.
struct CurrentStage {
  std::span<const CurrentCheck> checks;
  bool bare = false;  // of one member, and without "1 validation error detected: "
};

struct MemberShape {
  std::string_view name;  // as in JSON: "TableName"
  const Shape* shape;
  Required required = Required::kNo;
  Wording wording = Wording::kOlder;
};

struct Shape {
  Kind kind;
  // For a number, or for the length of a string (UTF-16 units, or code points), list or map.
  std::int64_t min = 0;
  std::int64_t max = 0;
  bool has_min = false;
  bool has_max = false;
  const Pattern* pattern = nullptr;            // for a string
  std::span<const std::string_view> values{};  // enum values in the order in which AWS prints them
  std::string_view current_values{};           // the list as the current generation prints it
  bool counts_code_points = false;             // for a string
  bool accepts_arn = false;  // a string "arn:..." passes; api/request/arn reads it
  Echo echo = Echo::kJava;
  const Shape* element = nullptr;          // kList; kMap: the values
  const Shape* key = nullptr;              // kMap: constraints on the keys
  std::span<const MemberShape> members{};  // kStructure, in the order in which AWS reports them
  std::string_view structure_name{};       // kStructure: the Java class, "KeySchemaElement"
  // kBoolean: a list in its place is refused without a message.
  bool silent_list = false;
  // kBoolean: as a string it moves the request to the older layer.
  bool text_moves = false;
  // For a request (kStructure) that the current layer checks by the wordings of its members, and
  // otherwise by its stages. It moves to the older layer if a required member is missing, or if
  // the body nests too deeply.
  bool current_generation = false;
  // The current layer checks it even if a required member is missing.
  bool stays_current = false;
  std::span<const CurrentStage> stages{};
};

// Shapes without constraints.
inline constexpr Shape kStringShape{.kind = Kind::kString};
inline constexpr Shape kBooleanShape{.kind = Kind::kBoolean};
inline constexpr Shape kIntegerShape{.kind = Kind::kInteger};
inline constexpr Shape kLongShape{.kind = Kind::kLong};
inline constexpr Shape kDoubleShape{.kind = Kind::kDouble};
inline constexpr Shape kAttributeValueShape{.kind = Kind::kAttributeValue};
inline constexpr Shape kUnsupportedShape{.kind = Kind::kUnsupported};

// Functions that write a shape in one line.
constexpr Shape enum_shape(std::span<const std::string_view> values,
                           std::string_view current_values = {}) {
  return {.kind = Kind::kString, .values = values, .current_values = current_values};
}
constexpr Shape list_shape(const Shape& element) {
  return {.kind = Kind::kList, .element = &element};
}
constexpr Shape map_shape(const Shape& element) {
  return {.kind = Kind::kMap, .element = &element};
}
constexpr Shape structure_shape(std::string_view name, std::span<const MemberShape> members) {
  return {.kind = Kind::kStructure, .members = members, .structure_name = name};
}
// The input of an operation of the older layer, and of the current one.
constexpr Shape older_request(std::span<const MemberShape> members) {
  return {.kind = Kind::kStructure, .members = members};
}
constexpr Shape current_request(std::span<const MemberShape> members) {
  return {.kind = Kind::kStructure, .members = members, .current_generation = true};
}
// Its requests are transactions: a missing member does not change the layer.
constexpr Shape transaction_request(std::span<const MemberShape> members) {
  Shape shape = current_request(members);
  shape.stays_current = true;
  return shape;
}
// The input of an operation that reads or writes items one by one. Its members are in the order of
// the older layer; `stages` have the order of the current one.
constexpr Shape staged_request(std::span<const MemberShape> members,
                               std::span<const CurrentStage> stages) {
  return {
      .kind = Kind::kStructure, .members = members, .current_generation = true, .stages = stages};
}
// Returns the shape with one more constraint.
constexpr Shape with_range(Shape shape, std::int64_t min, std::int64_t max) {
  shape.min = min;
  shape.max = max;
  shape.has_min = shape.has_max = true;
  return shape;
}
constexpr Shape with_min(Shape shape, std::int64_t min) {
  shape.min = min;
  shape.has_min = true;
  return shape;
}
constexpr Shape with_max(Shape shape, std::int64_t max) {
  shape.max = max;
  shape.has_max = true;
  return shape;
}

}  // namespace magneto::api
