#pragma once

#include <string>

#include "server/tools/schema/node.h"

namespace magneto::server::tools::schema {

// Reads one YAML document. CloudFormation's short forms become long ones: `!Ref Name` is {"Ref":
// "Name"}, `!Sub text` {"Fn::Sub": "text"}, `!GetAtt A.B` {"Fn::GetAtt": ["A", "B"]}, and any other
// local tag `!Tag x` {"Fn::Tag": x}. Aliases are replaced by their values, and `<<` is merged.
// `is_meant_as_json`: errors say first that the text is not JSON. Throws SchemaError if the text is
// not YAML, has more than one document or a repeated name, or exceeds TreeLimits.
TreeNode read_yaml(const std::string& text, bool is_meant_as_json);

}  // namespace magneto::server::tools::schema
