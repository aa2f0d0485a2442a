#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::server::formats {

// The names of a table's key attributes, the partition key first.
using KeyNames = std::vector<std::string>;

// Those of a DescribeTable answer or request of CreateTable: of its member KeySchema. Empty when
// there is none.
KeyNames key_names_of(api::json::Value table);

// Appends what two items of a table have in common exactly when they have the same key: type and
// value of each attribute, numbers in one form (1.0 is 1E0). False when the item has no such
// attribute, or not as S, N or B.
bool append_key(api::json::Value item, const KeyNames& names, std::string& out);

// Appends a number's digits without leading and closing zeros, and its exponent: "-15E-1". What is
// no number is appended as it is.
void append_canonical_number(std::string_view number, std::string& out);

}  // namespace magneto::server::formats
