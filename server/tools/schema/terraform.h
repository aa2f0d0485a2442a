#pragma once

#include <vector>

#include "server/tools/schema/node.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// Returns the tables of a Terraform state file (version 4), or of the output of `terraform show
// -json` for a plan or a state, from the root module and its child modules. They are resources
// aws_dynamodb_table, with their aws_dynamodb_global_secondary_index, and aws_dynamodb_table_item
// as seed items. Each table has the members that make_table() takes. Throws SchemaError.
std::vector<TreeNode> terraform_tables(const TreeNode& document, const Warn& warn);

}  // namespace magneto::server::tools::schema
