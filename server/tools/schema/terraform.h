#pragma once

#include <vector>

#include "server/tools/schema/node.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// The tables of a Terraform state file (version 4), or of what `terraform show -json` prints of a
// plan or a state, in the root module and those below: resources aws_dynamodb_table with their
// aws_dynamodb_global_secondary_index and, as seed items, aws_dynamodb_table_item. Each has the
// members that make_table() takes. Throws SchemaError.
std::vector<TreeNode> terraform_tables(const TreeNode& document, const Warn& warn);

}  // namespace magneto::server::tools::schema
