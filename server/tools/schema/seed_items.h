#pragma once

#include <string>
#include <vector>

#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// Reads items as they are in PutItem, {"pk": {"S": "a"}}, each bare or as {"Item": {...}}: one on
// each line (JSON Lines), or a list of them, or {"Items": [...]} as Scan answers. Throws
// SchemaError, without the file.
std::vector<SeedItem> read_items(const std::string& text, const std::string& file);

}  // namespace magneto::server::tools::schema
