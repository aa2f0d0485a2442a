#pragma once

#include <string>

#include "server/tools/schema/node.h"

namespace magneto::server::tools::schema {

// Reads one YAML document. CloudFormation's short forms become the long ones: `!Ref Name` is
// {"Ref": "Name"}, `!Sub text` {"Fn::Sub": "text"}, `!GetAtt A.B` {"Fn::GetAtt": ["A", "B"]}; any
// other local tag `!Tag x` {"Fn::Tag": x}. Aliases become what they stand for, and `<<` is merged.
// `is_meant_as_json`: say of what is no YAML that it is no JSON in the first place.
// Throws SchemaError: no YAML, more than one document, a name twice, beyond TreeLimits.
TreeNode read_yaml(const std::string& text, bool is_meant_as_json);

}  // namespace magneto::server::tools::schema
