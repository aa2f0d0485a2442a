#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "server/tools/schema/node.h"

namespace magneto::server::tools::schema {

// Reads a JSON text; of a member that is there twice the last counts. `first_line` is the line of
// its beginning. nullopt when it is no JSON. Throws SchemaError beyond TreeLimits.
std::optional<TreeNode> read_json(std::string text, std::uint32_t first_line = 1);

constexpr std::size_t kMaxYamlSize = 4 << 20;  // bytes, some seconds to read at worst

// Reads a file's text, whichever it is: JSON, or else YAML (yaml_tree.h) of at most kMaxYamlSize.
TreeNode read_tree(const std::string& text);

}  // namespace magneto::server::tools::schema
