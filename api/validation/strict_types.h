#pragma once

#include <string_view>

#include "api/json/json_reader.h"
#include "api/validation/shape.h"

namespace magneto::api {

// Checks a body as the strict deserializer of SearchVectors reads it (captured facts 3, V1 to V3):
// the JSON types alone, in the order of the body. `text` is the body's text. Skips members that the
// shape does not have. Null is the absence of an optional member.
// Throws a SerializationException for the first value of a wrong type, or a ValidationException for
// an unknown type of an attribute value, or for a number beyond 32 bits. Then throws a
// ValidationException for the missing member whose name comes first.
void check_strict_types(json::Value body, std::string_view text, const Shape& shape);

// Whether the type of a checked attribute value, or of one inside it, is a type of the deserializer
// that DynamoDB does not store: INT, DECIMAL, DOUBLE, or a set of these.
bool has_foreign_type(json::Value value);

}  // namespace magneto::api
