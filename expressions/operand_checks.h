#pragma once

#include <optional>
#include <string_view>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The type of a bound operand if it is known without the item: for a value, size() and a condition.
std::optional<storage::AttributeType> static_type(const Node& operand);

// Errors that conditions and updates share.
[[noreturn]] void throw_operand_count(const Node& function);
[[noreturn]] void throw_operand_type(const Node& function, std::string_view type);
[[noreturn]] void throw_path_required(const Node& function);

}  // namespace magneto::expressions
