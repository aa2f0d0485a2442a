#pragma once

#include <vector>

#include "server/tools/schema/intrinsics.h"
#include "server/tools/schema/node.h"
#include "server/tools/schema/schema_parameters.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// The tables of a CloudFormation template, of SAM's and what the CDK makes too: resources of the
// types AWS::DynamoDB::Table, AWS::DynamoDB::GlobalTable (the table, and the settings of one
// replica: that of the region, else the first) and AWS::Serverless::SimpleTable, unless their
// Condition is false. A table without TableName is called by its logical id. Other resources are
// not looked at. Each table has the members that make_table() takes. Throws SchemaError.
std::vector<TreeNode> template_tables(const TreeNode& document, SchemaParameters& parameters,
                                      const Replace& replace, const Warn& warn);

}  // namespace magneto::server::tools::schema
