#pragma once

#include <vector>

#include "server/tools/schema/node.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// Returns the tables of a request of CreateTable, of an answer of DescribeTable or CreateTable, or
// of a list of them, either bare or as {"Tables": [...]}. They have the members that make_table()
// takes; members that exist only in answers are left out. Next to "Table" may be the answers of
// DescribeTimeToLive and DescribeContinuousBackups. Throws SchemaError.
std::vector<TreeNode> listed_tables(const TreeNode& document, const Warn& warn);

// The TimeToLiveSpecification for an answer of DescribeTimeToLive; null if time to live is off.
TreeNode time_to_live_of(const TreeNode& answer);

}  // namespace magneto::server::tools::schema
