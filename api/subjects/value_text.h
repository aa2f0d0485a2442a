#pragma once

#include <optional>
#include <string>

#include "api/json/json_reader.h"
#include "storage/model/attribute_value.h"

namespace magneto::api {

// The text of a string, number (as DynamoDB returns it) or binary value (in base64), which keys
// are; nullopt for all else, also for what no operation takes for an AttributeValue.
std::optional<std::string> value_text(storage::AttributeView value);
std::optional<std::string> value_text(json::Value value);

}  // namespace magneto::api
