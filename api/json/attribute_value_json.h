#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/json/error_dialect.h"
#include "api/json/json_reader.h"
#include "storage/model/attribute_value.h"
#include "storage/model/value_writer.h"

// Converts AttributeValue between JSON ({"S": "a"}) and Magneto's canonical bytes, without a tree
// in between.
namespace magneto::api::json {

// The problem with an attribute's name, in DynamoDB's words; empty if there is none. Every name
// must have 1 to 65,535 bytes (captured facts 2, "UpdateItem, conditions, names").
std::string_view attribute_name_problem(std::string_view name);

// Converts one value. The value has passed the shape check (or is null), so its JSON types and
// base64 are right. Throws ApiError in the words of `dialect` for the first problem in document
// order: a bad number or set, {NULL: false}, several types or none in one value, or too deep
// nesting (captured facts, "Attribute-value layers", "PutItem", "Nesting depth"). Then the content
// of `out` is incomplete.
void read_value(Value value, const ErrorDialect& dialect, storage::ValueWriter& out);
storage::AttributeValue read_value(Value value, const ErrorDialect& dialect);

// Converts a map of names to AttributeValues (Item, Key, ExclusiveStartKey). An invalid name is
// refused before the values are checked.
storage::Item read_item(Value map, const ErrorDialect& dialect);
// Appends the item's bytes. After an error the content of `out` is incomplete.
void read_item(Value map, const ErrorDialect& dialect, std::string& out);

// The order of the members of number sets. All sets are stored by value. PartiQL and streams show
// number sets in the order of Java's hash table (captured facts 3, S1).
enum class SetOrder : std::uint8_t { kByValue, kByHash };

// Appends {"S": "a"} and {"name": {"S": "a"}, ...} without building a tree.
void append_value(std::string& out, storage::AttributeView value,
                  SetOrder order = SetOrder::kByValue);
void append_item(std::string& out, storage::ItemView item, SetOrder order = SetOrder::kByValue);

}  // namespace magneto::api::json
