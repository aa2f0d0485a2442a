#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

// The words of PartiQL's grammar. Their case does not matter, and they are attribute names only if
// quoted (PartiQL specification, lexical structure; DynamoDB's own reserved words are not reserved
// in statements).
namespace magneto::expressions {

// Converts only ASCII letters.
std::string lower_case(std::string_view word);

// The keyword in lower case, valid forever; empty if the word is not a keyword, or if the lexer has
// a separate type for it (statement_lexer.h).
std::string_view find_keyword(std::string_view lower_case_word);

// The same for words that are operators: and, or, not, is, in, between, like, union ...
std::string_view find_operator_word(std::string_view lower_case_word);

// How strongly an infix operator binds; 0 if the text is not an infix operator.
int infix_precedence(std::string_view operator_text);
inline constexpr int kNotPrecedence = 30;
// Weaker than all operators except those between whole SELECTs.
inline constexpr int kClausePrecedence = 6;

// A type name after IS.
struct TypeName {
  std::string_view word;
  std::optional<storage::AttributeType> type;  // nullopt: MISSING, and types that no attribute has
  std::string_view refused_name;               // of the types that no attribute has
};

// nullptr if the word is not a type name (captured facts 3, P24).
const TypeName* find_type_name(std::string_view lower_case_word);

// The single word for two words that belong together: "not_in" for "not" "in"; empty if they do
// not.
std::string_view find_merged_word(std::string_view first, std::string_view second);

}  // namespace magneto::expressions
