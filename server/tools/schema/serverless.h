#pragma once

#include <vector>

#include "server/tools/schema/cloudformation.h"

namespace magneto::server::tools::schema {

// Returns the tables of a serverless.yml: those in `resources`, a CloudFormation template. Its
// texts may contain variables, which are resolved when they are needed:
//   ${self:a.b.c}            a value of the file itself
//   ${opt:name}              given with --schema-parameter name=VALUE
//   ${param:name}            the same, or from params.<stage> or stages.<stage>.params, or
//                            from those of the stage `default`
//   ${env:NAME}              a variable of the environment
//   ${sls:stage} ${aws:region} ${aws:accountId}
//   ${..., fallback}         a text in quotes, a number, a boolean, or another of these
// Any other variable, such as ${file(...)} or ${ssm:...}, is an error if a table needs it, even if
// it has a fallback. But --schema-parameter can give it a value under its whole name. AWS::Region
// is the region of the file. Throws SchemaError.
std::vector<TreeNode> serverless_tables(const TreeNode& document, SchemaParameters& parameters,
                                        const Warn& warn);

}  // namespace magneto::server::tools::schema
