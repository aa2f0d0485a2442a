#pragma once

#include <string_view>
#include <vector>

#include "expressions/partiql/statement_tree.h"
#include "storage/model/narrow.h"

namespace magneto::expressions {

// The maximum nesting of terms. Far more than DynamoDB's own limits leave usable (32 levels of
// values, 300 operators), and far less than a thread's stack allows.
inline constexpr int kMaxStatementNesting = 400;

// Parses a statement by PartiQL's grammar. It understands more of the grammar than DynamoDB can
// run, so that it can distinguish malformed statements from unsupported ones (PartiQL
// specification; messages as in the captured facts, "PartiQL, Grammar refused"). Throws
// ExpressionError for the first error.
StatementTree parse_statement(std::string_view statement);

// The mutually recursive parts of parse_statement.
class StatementParser {
 public:
  explicit StatementParser(StatementTree& tree) : tree_(tree), tokens_(tree.tokens.list) {}

  void run();

 private:
  // ---- statement_parser.cc: statements and clauses
  TermIndex parse_select(std::uint32_t token);
  void parse_columns(SelectClause& select);
  TermIndex parse_column(SelectClause& select);
  TermIndex parse_source(bool& has_alias, bool& has_join, int precedence);
  void parse_grouping(SelectClause& select);
  void parse_ordering(SelectClause& select);
  void parse_single_clause(SelectClause& select, std::string_view word, std::string_view name);
  void parse_aliases(bool& has_alias);

  TermIndex parse_data_manipulation(std::uint32_t token);
  void parse_insert(DataManipulation& insert);
  void parse_conflict_clause();
  void parse_delete(DataManipulation& deletion);
  void parse_update(DataManipulation& update);
  void parse_from_first(DataManipulation& update);
  void parse_actions(DataManipulation& update);
  void parse_assignments(DataManipulation& update);
  void parse_condition(DataManipulation& manipulation);
  void parse_returning(DataManipulation& manipulation);

  // ---- term_parser.cc: expressions
  TermIndex parse_expression(int precedence = -1);
  TermIndex parse_infix(TermIndex left);
  TermIndex parse_right_side(int precedence);
  TermIndex parse_between(TermIndex left, std::uint32_t token);
  TermIndex parse_list_behind_in(int precedence);
  TermIndex parse_type();
  TermIndex parse_unary();
  TermIndex parse_negation();
  TermIndex parse_path();
  TermIndex parse_simple_path();
  TermIndex parse_steps(TermIndex term, bool simple);
  TermIndex parse_member(bool simple);
  TermIndex parse_term();
  TermIndex parse_keyword_term();
  TermIndex parse_case();
  TermIndex parse_group();
  TermIndex parse_collection(TermKind kind, StatementTokenType close);
  TermIndex parse_call();
  TermIndex parse_aggregate(std::uint32_t token);
  std::vector<TermIndex> parse_terms();

  TermIndex add(TermKind kind, std::uint32_t token, std::span<const TermIndex> operands = {});
  TermIndex add_leaf(TermKind kind);

  // ---- tokens
  const StatementToken& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool next_is(StatementTokenType type, std::size_t ahead = 0) const {
    return peek(ahead).type == type;
  }
  bool next_is_word(std::string_view word, std::size_t ahead = 0) const {
    return peek(ahead).is_word(word);
  }
  std::uint32_t take() {
    const std::size_t taken = at_;
    if (at_ + 1 < tokens_.size()) ++at_;
    return storage::narrow<std::uint32_t>(taken);
  }
  bool take_if(StatementTokenType type) {
    if (!next_is(type)) return false;
    take();
    return true;
  }
  bool take_word(std::string_view word) {
    if (!next_is_word(word)) return false;
    take();
    return true;
  }
  void expect(StatementTokenType type);

  class Nesting;

  StatementTree& tree_;
  const std::vector<StatementToken>& tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace magneto::expressions
