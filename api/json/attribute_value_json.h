#pragma once

#include <string>
#include <string_view>

#include "api/json/error_dialect.h"
#include "api/json/json_reader.h"
#include "storage/model/attribute_value.h"
#include "storage/model/value_writer.h"

// AttributeValue between JSON ({"S": "a"}) and Magneto's canonical bytes, without a tree between.
namespace magneto::api::json {

// What is wrong with an attribute's name, in DynamoDB's words; empty: nothing. Names have 1 to
// 65,535 bytes wherever they come from (captured facts 2, "UpdateItem, conditions, names").
std::string_view attribute_name_problem(std::string_view name);

// Converts one value; it has passed the shape check (or is null), so JSON types and base64 are
// right. Throws ApiError in the words of `dialect` for bad numbers, sets, {NULL: false}, several or
// no types in one value and too deep nesting, the first in document order (captured facts,
// "Attribute-value layers", "PutItem", "Nesting depth"). What was written to `out` is then
// incomplete.
void read_value(Value value, const ErrorDialect& dialect, storage::ValueWriter& out);
storage::AttributeValue read_value(Value value, const ErrorDialect& dialect);

// Converts a map of name to AttributeValue (Item, Key, ExclusiveStartKey). A name in it that cannot
// be is refused before its values are looked at.
storage::Item read_item(Value map, const ErrorDialect& dialect);

// Appends {"S": "a"} and {"name": {"S": "a"}, ...} without building a tree.
void append_value(std::string& out, storage::AttributeView value);
void append_item(std::string& out, storage::ItemView item);

}  // namespace magneto::api::json
