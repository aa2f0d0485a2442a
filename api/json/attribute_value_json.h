#pragma once

#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "api/validation/value_layer.h"
#include "storage/model/attribute_value.h"
#include "storage/model/value_writer.h"

// AttributeValue between JSON ({"S": "a"}) and Magneto's canonical bytes.
namespace magneto::api::json {

// Converts one value; `value` has passed the shape check, so JSON types are right. Throws ApiError in
// the words of `layer` for bad numbers, sets, {NULL: false}, several or no types in one value, bad
// base64 and too deep nesting.
void read_value(Value value, const ValueLayer& layer, storage::ValueWriter& out);
storage::AttributeValue read_value(Value value, const ValueLayer& layer);

// Converts a map of name to AttributeValue (Item, Key, ExclusiveStartKey).
storage::Item read_item(Value map, const ValueLayer& layer);

// Appends {"S": "a"} and {"name": {"S": "a"}, ...} without building a tree.
void append_value(std::string& out, storage::AttributeView value);
void append_item(std::string& out, storage::ItemView item);

}  // namespace magneto::api::json
