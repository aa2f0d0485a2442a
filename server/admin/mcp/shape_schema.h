#pragma once

#include <string>

#include "api/json/json_reader.h"
#include "api/validation/shape.h"

namespace magneto::server::admin::mcp {

// Appends the members of a request as properties of a JSON Schema: "TableName":{...},... Members of
// DynamoDB's older API, which expressions replaced, and members of features that Magneto does not
// have are left out.
void append_properties(const api::Shape& request, std::string& out);

// Appends the names of its required members: "TableName","Key".
void append_required(const api::Shape& request, std::string& out);

// Throws api::ControlError for a member of `value` that the shape does not have, at any depth. The
// operation itself would ignore it. `place`: words for the value, such as "the arguments".
void check_known_members(api::json::Value value, const api::Shape& shape, const std::string& place);

}  // namespace magneto::server::admin::mcp
