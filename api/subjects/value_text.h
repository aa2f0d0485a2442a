#pragma once

#include <optional>
#include <string>

#include "api/json/json_reader.h"
#include "storage/model/attribute_value.h"

namespace magneto::api {

// The text of a key value: a string, a number as DynamoDB returns it, or a binary value in base64.
// nullopt for all other values, including those that no operation accepts as an AttributeValue.
std::optional<std::string> value_text(storage::AttributeView value);
std::optional<std::string> value_text(json::Value value);

}  // namespace magneto::api
