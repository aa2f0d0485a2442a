#pragma once

#include <cstddef>
#include <string_view>

namespace magneto::expressions {

// One value of Amazon Ion's text between backquotes.
struct IonLiteral {
  std::string_view kind;  // "INT", "TIMESTAMP"; valid forever
  std::size_t size = 0;   // bytes, with both backquotes; 0: not closed, or no Ion
};

// `text` begins with a backquote. DynamoDB only names the kind of such a literal in its refusal.
IonLiteral read_ion_literal(std::string_view text);

}  // namespace magneto::expressions
