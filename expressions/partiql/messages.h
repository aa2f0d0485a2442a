#pragma once

#include <string>
#include <string_view>

// Messages that occur only for PartiQL statements; expressions/messages.h has the others. Terms are
// given as by term_name, locations as by location_text.
namespace magneto::expressions::messages {

// Errors in the text of a statement. For some, AWS gives no details.
inline constexpr std::string_view kMalformed = "Statement wasn't well formed, can't be processed: ";
inline constexpr std::string_view kTokenAfterExpression =
    "Statement wasn't well formed, can't be processed: Unexpected token after expression";
inline constexpr std::string_view kTokenAfterSemicolon =
    "Statement wasn't well formed, can't be processed: Unexpected token after semicolon. (Only one query is allowed.)";
inline constexpr std::string_view kNestedChange =
    "Statement wasn't well formed, can't be processed: Only a whole statement changes items";
inline constexpr std::string_view kStarAmongColumns =
    "Statement wasn't well formed, can't be processed: * stands alone in a select list";
inline constexpr std::string_view kUnexpectedKeyword =
    "Statement wasn't well formed, can't be processed: Unexpected keyword";
inline constexpr std::string_view kNoManipulation =
    "Statement wasn't well formed, can't be processed: Expected data manipulation";
inline constexpr std::string_view kIncompleteReturning =
    "Statement wasn't well formed, can't be processed: RETURNING needs ALL or MODIFIED, then OLD or NEW";
inline constexpr std::string_view kNoRightOperand =
    "Statement wasn't well formed, can't be processed: Missing right-hand side expression of infix operator";
inline constexpr std::string_view kNoTypeName =
    "Statement wasn't well formed, can't be processed: Expected type name";
inline constexpr std::string_view kNoPath =
    "Statement wasn't well formed, can't be processed: Expected identifier for simple path";
inline constexpr std::string_view kInvalidPathStep =
    "Statement wasn't well formed, can't be processed: Invalid path dot component";
inline constexpr std::string_view kUnexpectedOperator =
    "Statement wasn't well formed, can't be processed: Unexpected operator";
inline constexpr std::string_view kUnexpectedTerm =
    "Statement wasn't well formed, can't be processed: Unexpected term";
inline constexpr std::string_view kAggregateArguments =
    "Statement wasn't well formed, can't be processed: An aggregate takes one argument";
inline constexpr std::string_view kNoNullsOrder =
    "Statement wasn't well formed, can't be processed: FIRST or LAST is missing";
inline constexpr std::string_view kNoConflictAction =
    "Statement wasn't well formed, can't be processed: DO NOTHING is missing";
inline constexpr std::string_view kNoEqualsSign =
    "Statement wasn't well formed, can't be processed: Expected '='";
inline constexpr std::string_view kNoUpperBound =
    "Statement wasn't well formed, can't be processed: Expected expression after AND";
inline constexpr std::string_view kNoFromOfDelete =
    "Statement wasn't well formed, can't be processed: Expected FROM after DELETE";
inline constexpr std::string_view kNoWhenInCase =
    "Statement wasn't well formed, can't be processed: Expected a WHEN clause in CASE";
inline constexpr std::string_view kFromAmongColumns =
    "Statement wasn't well formed, can't be processed: Expected identifier or an expression but found unexpected keyword 'from' in a select list.";
// `sign`: "RIGHT_PAREN" and the like. `keyword`: in capitals.
std::string missing_sign(std::string_view sign);
std::string missing_keyword(std::string_view keyword);
// `word`: a word as statements write it. AWS's words are not known.
std::string missing_word(std::string_view word);
std::string missing_name(std::string_view word_before);

// Errors in a well-formed statement.
std::string unsupported_operation(std::string_view term);
std::string unknown_statement_function(std::string_view function, std::string_view location);
inline constexpr std::string_view kParameterCount =
    "Number of parameters in request and statement don't match.";

// Messages about clauses.
inline constexpr std::string_view kSeveralOperations =
    "A statement is one SELECT, INSERT, UPDATE or DELETE";
inline constexpr std::string_view kLongTable =
    "A path may contain at most 2 components in the FROM clause";
std::string insert_into_path(std::string_view location);
// SET or REMOVE without a table.
inline constexpr std::string_view kNoTable =
    "Only select from a single table or index is supported.";
inline constexpr std::string_view kExistsOutsideTransaction =
    "EXISTS can only be used in ExecuteTransaction write requests.";
// A table, an index, or a key in a map literal.
inline constexpr std::string_view kEmptyName = "Path component cannot be an empty string";
inline constexpr std::string_view kChangeOfIndex = "This operation is not supported on an index";
inline constexpr std::string_view kAlias = "Aliasing is not supported";
inline constexpr std::string_view kSeveralSources = "A SELECT reads one table or index";
inline constexpr std::string_view kSeveralTargets = "An UPDATE changes one table";
inline constexpr std::string_view kSeveralItems = "INSERT takes VALUE and one item";
std::string unsupported_clause(std::string_view clause);
// `type`: "PATH", or the text of another term.
std::string order_by_type(std::string_view type, std::string_view location);
inline constexpr std::string_view kReturnedColumns = "RETURNING takes one kind of values and *";
std::string returning_of_delete(std::string_view returning);
std::string duplicate_column(std::string_view name);

// Messages about conditions and assignments.
// `operation`: a sign, or a word as the lexer writes it.
std::string condition_operator(std::string_view operation);
inline constexpr std::string_view kInWithoutList = "IN takes a list of values";
inline constexpr std::string_view kMissingWithoutIs = "MISSING must be compared using IS operator";
inline constexpr std::string_view kTypeOfOther =
    "The left hand side argument to IS must be a Variable Reference, Literal, or Path";
inline constexpr std::string_view kNoBooleanResult =
    "WHERE clause must contain an expression that resolves to a boolean";
// `type`: TypeName::refused_name. `location`: of the left side of IS.
std::string type_of_no_attribute(std::string_view type, std::string_view location);
// A SELECT inside a condition.
std::string nested_select(std::string_view location);
std::string set_operator(std::string_view term);
// `function`: SET_ADD or SET_DELETE.
std::string set_function_arguments(std::string_view function, std::string_view location);
std::string set_function_target(std::string_view function, std::string_view location);
std::string set_function_value(std::string_view function, std::string_view location);

// Messages about values of keys.
std::string no_key_type(std::string_view attribute, std::string_view type);
std::string other_key_type(std::string_view attribute);

// Messages about values. `place` is the position in the item: "root.a[0]".
inline constexpr std::string_view kMixedBag =
    "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags";
std::string mixed_bag(std::string_view location);
std::string null_in_numbers(std::string_view place);
// `members`: of a bag of numbers, as written.
std::string repeated_numbers(std::string_view members, std::string_view place);
std::string ion_literal(std::string_view kind, std::string_view place, std::string_view location);
std::string too_deep(std::string_view place);
inline constexpr std::string_view kEmptyBag = "Empty bags are not supported";
std::string repeated_name(std::string_view place);
std::string invalid_number(std::string_view problem, std::string_view place);
std::string unsupported_type(std::string_view term, std::string_view place,
                             std::string_view location);
std::string not_a_path(std::string_view location);
std::string list_index(std::string_view index, std::string_view location);

}  // namespace magneto::expressions::messages
