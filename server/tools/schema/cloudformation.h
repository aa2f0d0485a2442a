#pragma once

#include <vector>

#include "server/tools/schema/intrinsics.h"
#include "server/tools/schema/node.h"
#include "server/tools/schema/schema_parameters.h"
#include "server/tools/schema/table_request.h"

namespace magneto::server::tools::schema {

// Returns the tables of a CloudFormation template, including templates of SAM and of the CDK. They
// are resources of the types AWS::DynamoDB::Table, AWS::DynamoDB::GlobalTable and
// AWS::Serverless::SimpleTable, unless their Condition is false. A GlobalTable gets the settings of
// one replica: that of the region, or otherwise the first. A table without TableName has its
// logical id as its name. Other resources are ignored. Each table has the members that make_table()
// takes. Throws SchemaError.
std::vector<TreeNode> template_tables(const TreeNode& document, SchemaParameters& parameters,
                                      const Replace& replace, const Warn& warn);

}  // namespace magneto::server::tools::schema
