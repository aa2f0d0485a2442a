#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::server::formats {

// The names of a table's key attributes, the partition key first.
using KeyNames = std::vector<std::string>;

// The key names in an answer of DescribeTable or a request of CreateTable, from its member
// KeySchema. Empty if there is none.
KeyNames key_names_of(api::json::Value table);

// Appends a text that two items of a table share exactly if they have the same key: type and value
// of each key attribute, with numbers in a canonical form (1.0 is 1E0). False if a key attribute is
// missing or is not of type S, N or B.
bool append_key(api::json::Value item, const KeyNames& names, std::string& out);

// Appends a number's digits without leading and trailing zeros, and its exponent: "-15E-1". A text
// that is not a number is appended unchanged.
void append_canonical_number(std::string_view number, std::string& out);

}  // namespace magneto::server::formats
