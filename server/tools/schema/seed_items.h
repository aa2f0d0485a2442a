#pragma once

#include <string>
#include <vector>

#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// Reads items in the form of PutItem, {"pk": {"S": "a"}}, each either bare or as {"Item": {...}}.
// The text has one item per line (JSON Lines), or is a list of items, or {"Items": [...]} as in
// answers of Scan. Throws SchemaError; its text does not contain the file.
std::vector<SeedItem> read_items(const std::string& text, const std::string& file);

}  // namespace magneto::server::tools::schema
