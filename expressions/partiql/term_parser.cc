#include <algorithm>
#include <array>
#include <string>

#include "expressions/partiql/messages.h"
#include "expressions/partiql/statement_parser.h"
#include "expressions/partiql/statement_words.h"
#include "storage/model/narrow.h"

namespace magneto::expressions {

namespace {

using Type = StatementTokenType;

constexpr std::array kAggregates =
    std::to_array<std::string_view>({"count", "avg", "max", "min", "sum"});

// Keywords that are function names; a parenthesis must follow.
constexpr std::array kFunctionWords = std::to_array<std::string_view>(
    {"exists", "substring", "char_length", "character_length", "octet_length", "bit_length",
     "upper", "lower", "size", "sexp", "list", "bag", "trim", "extract", "date_add", "date_diff",
     "nullif", "coalesce"});

template <typename Words>
bool is_one_of(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

// Counts the nesting depth of terms.
class StatementParser::Nesting {
 public:
  explicit Nesting(StatementParser& parser) : parser_(parser) {
    if (++parser_.nesting_ > kMaxStatementNesting) throw_malformed_statement(messages::kMalformed);
  }
  ~Nesting() { --parser_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  StatementParser& parser_;
};

TermIndex StatementParser::add(TermKind kind, std::uint32_t token,
                               std::span<const TermIndex> operands) {
  const auto first = storage::narrow<std::uint32_t>(tree_.operand_list.size());
  tree_.operand_list.insert(tree_.operand_list.end(), operands.begin(), operands.end());
  tree_.terms.push_back(
      {kind, false, token, first, storage::narrow<std::uint32_t>(operands.size())});
  return storage::narrow<TermIndex>(tree_.terms.size() - 1);
}

TermIndex StatementParser::add_leaf(TermKind kind) { return add(kind, take()); }

// Parses operators by precedence: continues while the next operator binds more strongly than
// `precedence`.
TermIndex StatementParser::parse_expression(int precedence) {
  const Nesting nesting(*this);
  TermIndex left = parse_unary();
  for (;;) {
    const bool is_operator = next_is(Type::kOperator) || next_is(Type::kStar);
    const int strength = is_operator ? infix_precedence(peek().text) : 0;
    if (strength == 0 || strength <= precedence) return left;
    left = parse_infix(left);
  }
}

TermIndex StatementParser::parse_infix(TermIndex left) {
  const std::string_view word = peek().text;
  const int precedence = infix_precedence(word);
  if (word == "is" || word == "is_not") {
    const std::uint32_t token = take();
    const TermIndex type = parse_type();
    const TermIndex result = add(TermKind::kIs, token, std::array{left, type});
    tree_.terms[result].negative = word == "is_not";
    return result;
  }
  const auto token = storage::narrow<std::uint32_t>(at_);
  if (word == "between" || word == "not_between") return parse_between(left, token);
  const TermIndex right = word == "in" || word == "not_in" ? parse_list_behind_in(precedence)
                                                           : parse_right_side(precedence);
  if ((word == "like" || word == "not_like") && take_word("escape")) {
    const TermIndex escape = parse_expression(precedence);
    return add(TermKind::kBinary, token, std::array{left, right, escape});
  }
  return add(TermKind::kBinary, token, std::array{left, right});
}

// Begins at the operator.
TermIndex StatementParser::parse_right_side(int precedence) {
  if (next_is(Type::kEnd, 1)) {
    throw_malformed_statement(messages::kNoRightOperand);
  }
  take();
  return parse_expression(precedence);
}

TermIndex StatementParser::parse_between(TermIndex left, std::uint32_t token) {
  const bool negative = peek().text == "not_between";
  const int precedence = infix_precedence("between");
  const TermIndex low = parse_right_side(precedence);
  if (!take_word("and")) throw_malformed_statement(messages::missing_keyword("AND"));
  if (next_is(Type::kEnd)) throw_malformed_statement(messages::kNoUpperBound);
  const TermIndex high = parse_expression(precedence);
  const TermIndex result = add(TermKind::kBetween, token, std::array{left, low, high});
  tree_.terms[result].negative = negative;
  return result;
}

// Parses the right side of IN. "(a, b)" is a list even if it contains only one term.
TermIndex StatementParser::parse_list_behind_in(int precedence) {
  const bool is_list = next_is(Type::kOpenParenthesis, 1) && !next_is_word("select", 2) &&
                       !next_is_word("values", 2);
  if (!is_list) return parse_right_side(precedence);
  take();
  const std::uint32_t token = take();
  const std::vector<TermIndex> elements = parse_terms();
  expect(Type::kCloseParenthesis);
  return add(TermKind::kList, token, elements);
}

TermIndex StatementParser::parse_type() {
  const bool has_word = next_is(Type::kKeyword) || next_is(Type::kIdentifier) ||
                        next_is(Type::kNull) || next_is(Type::kMissing);
  if (!has_word || find_type_name(lower_case(peek().text)) == nullptr) {
    throw_malformed_statement(messages::kNoTypeName);
  }
  const TermIndex type = add_leaf(TermKind::kType);
  if (take_if(Type::kOpenParenthesis)) {
    parse_terms();
    expect(Type::kCloseParenthesis);
  }
  return type;
}

TermIndex StatementParser::parse_unary() {
  if (next_is_word("not")) return parse_negation();
  const bool is_sign = next_is(Type::kOperator) && (peek().text == "+" || peek().text == "-");
  if (!is_sign) return parse_path();
  const Nesting nesting(*this);
  const std::uint32_t token = take();
  const TermIndex operand = parse_unary();
  Term& term = tree_.terms[operand];
  if (term.kind != TermKind::kNumber) return add(TermKind::kUnary, token, std::array{operand});
  if (tokens_[token].text == "-") term.negative = !term.negative;
  return operand;
}

// Without recursion: DynamoDB counts long runs of NOT as operators.
TermIndex StatementParser::parse_negation() {
  const auto first = storage::narrow<std::uint32_t>(at_);
  while (take_word("not")) continue;
  std::uint32_t token = storage::narrow<std::uint32_t>(at_);
  TermIndex operand = parse_expression(kNotPrecedence);
  while (token > first) operand = add(TermKind::kUnary, --token, std::array{operand});
  return operand;
}

TermIndex StatementParser::parse_path() { return parse_steps(parse_term(), false); }

TermIndex StatementParser::parse_simple_path() {
  if (!next_is(Type::kIdentifier) && !next_is(Type::kQuotedIdentifier)) {
    throw_malformed_statement(messages::kNoPath);
  }
  return parse_steps(add_leaf(TermKind::kIdentifier), true);
}

TermIndex StatementParser::parse_steps(TermIndex term, bool simple) {
  std::vector<TermIndex> steps{term};
  for (;;) {
    if (take_if(Type::kDot)) {
      steps.push_back(parse_member(simple));
    } else if (take_if(Type::kOpenBracket)) {
      if (next_is(Type::kStar)) {
        steps.push_back(add_leaf(TermKind::kWildcard));
      } else {
        steps.push_back(parse_expression());
      }
      expect(Type::kCloseBracket);
    } else {
      break;
    }
  }
  if (steps.size() == 1) return term;
  return add(TermKind::kPath, tree_.terms[term].token, steps);
}

TermIndex StatementParser::parse_member(bool simple) {
  if (next_is(Type::kIdentifier) || next_is(Type::kQuotedIdentifier)) {
    return add_leaf(TermKind::kMember);
  }
  if (!next_is(Type::kStar)) throw_malformed_statement(messages::kInvalidPathStep);
  if (simple) throw_malformed_statement(messages::kInvalidPathStep);
  return add_leaf(TermKind::kWildcard);
}

TermIndex StatementParser::parse_term() {
  switch (peek().type) {
    case Type::kOperator:
      if (peek().text != "@") throw_malformed_statement(messages::kUnexpectedOperator);
      take();
      if (!next_is(Type::kIdentifier) && !next_is(Type::kQuotedIdentifier)) {
        throw_malformed_statement(messages::missing_name("@"));
      }
      return add_leaf(TermKind::kIdentifier);
    case Type::kKeyword:
      return parse_keyword_term();
    case Type::kOpenParenthesis:
      return parse_group();
    case Type::kOpenBracket:
      return parse_collection(TermKind::kList, Type::kCloseBracket);
    case Type::kOpenBag:
      return parse_collection(TermKind::kBag, Type::kCloseBag);
    case Type::kOpenBrace:
      return parse_collection(TermKind::kStruct, Type::kCloseBrace);
    case Type::kIdentifier:
    case Type::kQuotedIdentifier:
      return next_is(Type::kOpenParenthesis, 1) ? parse_call() : add_leaf(TermKind::kIdentifier);
    case Type::kParameter: {
      const TermIndex parameter = add_leaf(TermKind::kParameter);
      tree_.terms[parameter].first = tree_.parameter_count++;
      return parameter;
    }
    case Type::kString:
      return add_leaf(TermKind::kString);
    case Type::kNumber:
      return add_leaf(TermKind::kNumber);
    case Type::kTrue:
    case Type::kFalse:
      return add_leaf(TermKind::kBoolean);
    case Type::kNull:
      return add_leaf(TermKind::kNull);
    case Type::kMissing:
      return add_leaf(TermKind::kMissing);
    case Type::kIon:
      return add_leaf(TermKind::kIon);
    default:
      throw_malformed_statement(messages::kUnexpectedTerm);
  }
}

TermIndex StatementParser::parse_keyword_term() {
  const std::string_view word = peek().text;
  if (word == "select") {
    const std::uint32_t token = take();
    return parse_select(token);
  }
  constexpr std::array kManipulations =
      std::to_array<std::string_view>({"insert_into", "set", "remove", "update", "delete", "from"});
  if (is_one_of(word, kManipulations)) {
    return parse_data_manipulation(storage::narrow<std::uint32_t>(at_));
  }
  if (word == "case") return parse_case();
  const bool is_aggregate = is_one_of(word, kAggregates);
  if ((is_aggregate || is_one_of(word, kFunctionWords)) && next_is(Type::kOpenParenthesis, 1)) {
    return parse_call();
  }
  throw_malformed_statement(messages::kUnexpectedKeyword);
}

TermIndex StatementParser::parse_case() {
  const std::uint32_t token = take();
  const bool is_simple = !next_is_word("when");
  std::vector<TermIndex> terms;
  if (is_simple) terms.push_back(parse_expression());
  if (!next_is_word("when")) throw_malformed_statement(messages::kNoWhenInCase);
  while (take_word("when")) {
    terms.push_back(parse_expression());
    if (!take_word("then")) throw_malformed_statement(messages::missing_keyword("THEN"));
    terms.push_back(parse_expression());
  }
  if (take_word("else")) terms.push_back(parse_expression());
  if (!take_word("end")) throw_malformed_statement(messages::missing_keyword("END"));
  return add(is_simple ? TermKind::kSimpleCase : TermKind::kSearchedCase, token, terms);
}

TermIndex StatementParser::parse_group() {
  const std::uint32_t token = take();
  const std::vector<TermIndex> terms = parse_terms();
  expect(Type::kCloseParenthesis);
  if (terms.size() == 1) return terms.front();
  return add(TermKind::kList, token, terms);
}

TermIndex StatementParser::parse_collection(TermKind kind, StatementTokenType close) {
  const std::uint32_t token = take();
  std::vector<TermIndex> elements;
  if (!next_is(close)) {
    do {
      elements.push_back(parse_expression());
      if (kind == TermKind::kStruct) {
        expect(Type::kColon);
        elements.push_back(parse_expression());
      }
    } while (take_if(Type::kComma));
  }
  expect(close);
  return add(kind, token, elements);
}

TermIndex StatementParser::parse_call() {
  const std::uint32_t token = take();
  take();
  const std::string_view name = tokens_[token].text;
  if (tokens_[token].type == Type::kKeyword && is_one_of(name, kAggregates)) {
    return parse_aggregate(token);
  }
  std::vector<TermIndex> arguments;
  if (!next_is(Type::kCloseParenthesis)) arguments = parse_terms();
  expect(Type::kCloseParenthesis);
  return add(TermKind::kCall, token, arguments);
}

TermIndex StatementParser::parse_aggregate(std::uint32_t token) {
  const bool is_count = tokens_[token].text == "count";
  const bool has_quantifier = take_word("distinct") || take_word("all");
  if (next_is(Type::kStar)) {
    if (!is_count || has_quantifier) throw_malformed_statement(messages::kUnexpectedTerm);
    take();
    expect(Type::kCloseParenthesis);
    return add(TermKind::kAggregate, token);
  }
  std::vector<TermIndex> arguments;
  if (!next_is(Type::kCloseParenthesis)) arguments = parse_terms();
  expect(Type::kCloseParenthesis);
  if (arguments.size() != 1) throw_malformed_statement(messages::kAggregateArguments);
  return add(TermKind::kAggregate, token, arguments);
}

std::vector<TermIndex> StatementParser::parse_terms() {
  std::vector<TermIndex> terms;
  do {
    terms.push_back(parse_expression());
  } while (take_if(Type::kComma));
  return terms;
}

}  // namespace magneto::expressions
