#pragma once

#include <vector>

#include "server/tools/schema/node.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// The tables of a request of CreateTable, of an answer of DescribeTable or CreateTable, or of a
// list of such, bare or as {"Tables": [...]}, with the members that make_table() takes. What only
// an answer has is left out. Beside "Table" may stand what DescribeTimeToLive and
// DescribeContinuousBackups answer. Throws SchemaError.
std::vector<TreeNode> listed_tables(const TreeNode& document, const Warn& warn);

// TimeToLiveSpecification of an answer of DescribeTimeToLive; null where time to live is off.
TreeNode time_to_live_of(const TreeNode& answer);

}  // namespace magneto::server::tools::schema
