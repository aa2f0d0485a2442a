#pragma once

#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

namespace magneto::server::bulk {

// Appends the members of an item, or of a map, as a struct of Ion text in the format of DynamoDB's
// exports: {pk:"x",count:1.5,tags:$dynamodb_SS::["a"]}.
void append_ion_struct(storage::ItemView item, std::string& out);

// Appends one member of such a struct: pk:"x".
void append_ion_member(std::string_view name, storage::AttributeView value, std::string& out);

// Appends an item as a line of Ion text: "$ion_1_0 {Item:{...}}\n".
void append_ion_line(storage::ItemView item, std::string& out);

}  // namespace magneto::server::bulk
