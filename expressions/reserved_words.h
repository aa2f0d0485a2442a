#pragma once

#include <string_view>

namespace magneto::expressions {

// Whether `name`, in any case, needs a '#' placeholder in an expression (AWS developer guide,
// "Reserved words in DynamoDB": 573 words, misspellings included).
bool is_reserved_word(std::string_view name);

}  // namespace magneto::expressions
