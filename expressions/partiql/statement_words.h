#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

// The words of PartiQL's grammar. They mean something in any case and are no attribute names unless
// quoted (PartiQL specification, lexical structure; DynamoDB's own reserved words are not reserved
// in statements).
namespace magneto::expressions {

// Of ASCII letters.
std::string lower_case(std::string_view word);

// The word in lower case, valid forever; empty when it is none, or one the lexer gives a type of
// its own (statement_lexer.h).
std::string_view find_keyword(std::string_view lower_case_word);

// The same for the words that are operators: and, or, not, is, in, between, like, union ...
std::string_view find_operator_word(std::string_view lower_case_word);

// How strongly an infix operator binds; 0 for what is no infix operator.
int infix_precedence(std::string_view operator_text);
inline constexpr int kNotPrecedence = 30;
// Binds more weakly than all operators but those between whole SELECTs.
inline constexpr int kClausePrecedence = 6;

// A type behind IS.
struct TypeName {
  std::string_view word;
  std::optional<storage::AttributeType> type;  // nullopt: MISSING, and types no attribute has
};

// The types of the AWS developer guide, "PartiQL data types", that are one word, and those of the
// captured facts, "Functions in WHERE" and "Grammar refused"; nullptr when the word is none.
const TypeName* find_type_name(std::string_view lower_case_word);

// The one word for words that belong together: "not_in" for "not" "in"; empty when they do not.
std::string_view find_merged_word(std::string_view first, std::string_view second);

}  // namespace magneto::expressions
