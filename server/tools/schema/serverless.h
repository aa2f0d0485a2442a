#pragma once

#include <vector>

#include "server/tools/schema/cloudformation.h"

namespace magneto::server::tools::schema {

// The tables of a serverless.yml: those of its `resources`, a CloudFormation template whose texts
// may have variables, which are resolved as they are needed:
//   ${self:a.b.c}            of the file itself
//   ${opt:name}              given with --schema-parameter name=VALUE
//   ${param:name}            likewise, else of params.<stage> or stages.<stage>.params, and of
//                            the stage `default`
//   ${env:NAME}              of the environment
//   ${sls:stage} ${aws:region} ${aws:accountId}
//   ${..., fallback}         a text in quotes, a number, a boolean, or another of these
// Any other, such as ${file(...)} or ${ssm:...}, is refused where a table needs it, with a fallback
// too, unless --schema-parameter gives it a value under its whole name. AWS::Region is the region of
// the file. Throws SchemaError.
std::vector<TreeNode> serverless_tables(const TreeNode& document, SchemaParameters& parameters,
                                        const Warn& warn);

}  // namespace magneto::server::tools::schema
