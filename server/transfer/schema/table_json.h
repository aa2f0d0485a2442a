#pragma once

#include <vector>

#include "server/transfer/schema/node.h"

namespace magneto::server::schema {

// The tables of a request of CreateTable, of an answer of DescribeTable or CreateTable, or of a
// list of such, bare or as {"Tables": [...]}, with the members that make_table() takes. What only
// an answer has is left out. Throws SchemaError.
std::vector<TreeNode> listed_tables(const TreeNode& document);

}  // namespace magneto::server::schema
