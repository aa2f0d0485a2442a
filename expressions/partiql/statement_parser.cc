#include "expressions/partiql/statement_parser.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "expressions/partiql/messages.h"
#include "expressions/partiql/statement_words.h"
#include "storage/model/narrow.h"

namespace magneto::expressions {

namespace {

using Type = StatementTokenType;

std::string_view sign_name(StatementTokenType type) {
  switch (type) {
    case Type::kCloseParenthesis:
      return "RIGHT_PAREN";
    case Type::kCloseBracket:
      return "RIGHT_BRACKET";
    case Type::kCloseBag:
      return "RIGHT_DOUBLE_ANGLE_BRACKET";
    case Type::kCloseBrace:
      return "RIGHT_CURLY";
    case Type::kColon:
      return "COLON";
    default:
      return "BY";
  }
}

}  // namespace

StatementTree parse_statement(std::string_view statement) {
  StatementTree tree;
  tree.tokens = lex_statement(statement);
  StatementParser(tree).run();
  return tree;
}

void StatementParser::expect(StatementTokenType type) {
  if (!take_if(type)) throw_malformed_statement(messages::missing_sign(sign_name(type)));
}

void StatementParser::run() {
  tree_.root = parse_expression();
  const bool has_semicolon = take_if(Type::kSemicolon);
  if (!next_is(Type::kEnd)) {
    throw_malformed_statement(has_semicolon ? messages::kTokenAfterSemicolon
                                            : messages::kTokenAfterExpression);
  }
  for (TermIndex i = 0; i < tree_.terms.size(); ++i) {
    const Term& term = tree_.terms[i];
    if (term.kind != TermKind::kDataManipulation || i == tree_.root) continue;
    throw_malformed_statement(messages::kNestedChange);
  }
}

// ---- SELECT -------------------------------------------------------------------------------------

TermIndex StatementParser::parse_select(std::uint32_t token) {
  SelectClause select;
  if (take_word("distinct")) {
    select.is_distinct = true;
  } else {
    take_word("all");
  }
  if (take_word("value")) {
    select.is_value = true;
    select.columns.push_back(parse_expression());
  } else {
    parse_columns(select);
  }
  if (!take_word("from")) throw_malformed_statement(messages::missing_word("FROM"));
  select.source = parse_source(select.has_alias, select.has_join, kClausePrecedence);
  if (take_word("where")) select.condition = parse_expression(kClausePrecedence);
  parse_grouping(select);
  parse_single_clause(select, "having", "HAVING");
  parse_ordering(select);
  parse_single_clause(select, "limit", "LIMIT");
  parse_single_clause(select, "offset", "OFFSET");
  const TermIndex term = add(TermKind::kSelect, token);
  tree_.terms[term].first = storage::narrow<std::uint32_t>(tree_.selects.size());
  tree_.selects.push_back(std::move(select));
  return term;
}

void StatementParser::parse_columns(SelectClause& select) {
  bool has_others = false;
  do {
    if (take_if(Type::kStar)) {
      has_others = has_others || select.all_columns;
      select.all_columns = true;
    } else {
      select.columns.push_back(parse_column(select));
      has_others = true;
    }
  } while (take_if(Type::kComma));
  if (select.all_columns && has_others) {
    throw_malformed_statement(messages::kStarAmongColumns);
  }
}

TermIndex StatementParser::parse_column(SelectClause& select) {
  constexpr std::array kReserved = std::to_array<std::string_view>(
      {"insert_into", "set", "remove", "update", "delete", "select", "from", "where"});
  if (next_is(Type::kKeyword) &&
      std::find(kReserved.begin(), kReserved.end(), peek().text) != kReserved.end()) {
    throw_malformed_statement(next_is_word("from") ? messages::kFromAmongColumns
                                                   : messages::kUnexpectedKeyword);
  }
  const TermIndex column = parse_expression();
  const bool is_named = take_if(Type::kAs);
  if (next_is(Type::kIdentifier) || next_is(Type::kQuotedIdentifier)) {
    take();
    select.has_alias = true;
  } else if (is_named) {
    throw_malformed_statement(messages::missing_name("AS"));
  }
  return column;
}

void StatementParser::parse_aliases(bool& has_alias) {
  constexpr std::array kWords = std::to_array<std::pair<Type, std::string_view>>(
      {{Type::kAs, "AS"}, {Type::kAt, "AT"}, {Type::kBy, "BY"}});
  for (const auto& [type, name] : kWords) {
    const bool has_word = take_if(type);
    const bool is_name = next_is(Type::kIdentifier) || next_is(Type::kQuotedIdentifier);
    if (is_name && (has_word || type == Type::kAs)) {
      take();
      has_alias = true;
    } else if (has_word) {
      throw_malformed_statement(messages::missing_name(name));
    }
  }
}

TermIndex StatementParser::parse_source(bool& has_alias, bool& has_join, int precedence) {
  const TermIndex source = parse_expression(precedence);
  parse_aliases(has_alias);
  constexpr std::array kJoins =
      std::to_array<std::string_view>({"join", "cross", "inner", "left", "right", "full", "outer"});
  const auto next_joins = [&] {
    return next_is(Type::kComma) ||
           (next_is(Type::kKeyword) &&
            std::find(kJoins.begin(), kJoins.end(), peek().text) != kJoins.end());
  };
  while (next_joins()) {
    has_join = true;
    const bool has_condition = !next_is(Type::kComma) && !next_is_word("cross");
    while (next_joins()) take();
    parse_expression(precedence);
    parse_aliases(has_alias);
    if (!has_condition) continue;
    if (!take_word("on")) throw_malformed_statement(messages::missing_word("ON"));
    parse_expression(precedence);
  }
  return source;
}

void StatementParser::parse_grouping(SelectClause& select) {
  if (!take_word("group")) return;
  take_word("partial");
  expect(Type::kBy);
  do {
    parse_expression(kClausePrecedence);
    if (select.unsupported_clause.empty()) select.unsupported_clause = "GROUP BY";
    if (take_if(Type::kAs)) take();
  } while (take_if(Type::kComma));
}

void StatementParser::parse_single_clause(SelectClause& select, std::string_view word,
                                          std::string_view name) {
  if (!take_word(word)) return;
  parse_expression(kClausePrecedence);
  if (select.unsupported_clause.empty()) select.unsupported_clause = name;
}

void StatementParser::parse_ordering(SelectClause& select) {
  if (!take_word("order")) return;
  expect(Type::kBy);
  do {
    OrderingTerm ordering{parse_expression()};
    ordering.descending = next_is(Type::kDesc);
    if (ordering.descending || next_is(Type::kAsc)) take();
    if (take_if(Type::kNulls)) {
      if (!next_is(Type::kFirst) && !next_is(Type::kLast)) {
        throw_malformed_statement(messages::kNoNullsOrder);
      }
      take();
    }
    select.ordering.push_back(ordering);
  } while (take_if(Type::kComma));
}

// ---- INSERT, UPDATE, DELETE ---------------------------------------------------------------------

TermIndex StatementParser::parse_data_manipulation(std::uint32_t token) {
  DataManipulation manipulation{};
  manipulation.kind = DataManipulation::Kind::kUpdate;
  const std::string_view word = peek().text;
  if (word == "insert_into") {
    manipulation.kind = DataManipulation::Kind::kInsert;
    parse_insert(manipulation);
  } else if (word == "delete") {
    take();
    manipulation.kind = DataManipulation::Kind::kDelete;
    parse_delete(manipulation);
  } else if (word == "update") {
    take();
    parse_update(manipulation);
  } else if (word == "from") {
    take();
    parse_from_first(manipulation);
  } else {
    // DynamoDB parses it but has no item to apply it to.
    parse_actions(manipulation);
    manipulation.has_target = false;
  }
  const TermIndex term = add(TermKind::kDataManipulation, token);
  tree_.terms[term].first = storage::narrow<std::uint32_t>(tree_.manipulations.size());
  tree_.manipulations.push_back(std::move(manipulation));
  return term;
}

void StatementParser::parse_insert(DataManipulation& insert) {
  take();
  insert.target = parse_simple_path();
  if (!take_word("value")) {
    insert.inserted = parse_expression();
    insert.inserts_values = true;
    return;
  }
  insert.inserted = parse_expression();
  if (take_if(Type::kAt)) {
    parse_expression();
    insert.inserts_values = true;
  }
  if (next_is_word("on_conflict")) {
    parse_conflict_clause();
    insert.inserts_values = true;
  }
}

void StatementParser::parse_conflict_clause() {
  take();
  if (!take_word("where")) throw_malformed_statement(messages::missing_word("WHERE"));
  parse_expression();
  if (!take_word("do_nothing")) throw_malformed_statement(messages::kNoConflictAction);
}

void StatementParser::parse_delete(DataManipulation& deletion) {
  if (!take_word("from")) throw_malformed_statement(messages::kNoFromOfDelete);
  deletion.target = parse_simple_path();
  parse_aliases(deletion.has_alias);
  parse_condition(deletion);
  parse_returning(deletion);
}

void StatementParser::parse_update(DataManipulation& update) {
  update.target = parse_simple_path();
  parse_aliases(update.has_alias);
  parse_actions(update);
  parse_condition(update);
  parse_returning(update);
}

// Parses FROM table WHERE condition SET ...
void StatementParser::parse_from_first(DataManipulation& update) {
  update.target = parse_source(update.has_alias, update.has_join, -1);
  parse_condition(update);
  parse_actions(update);
  parse_returning(update);
}

void StatementParser::parse_actions(DataManipulation& update) {
  const std::size_t before = update.actions.size();
  bool has_insert = false;
  for (;;) {
    if (take_word("set")) {
      parse_assignments(update);
    } else if (take_word("remove")) {
      update.actions.push_back({parse_simple_path(), std::nullopt});
    } else if (next_is_word("insert_into")) {
      DataManipulation insert{};
      parse_insert(insert);
      has_insert = true;
    } else {
      break;
    }
  }
  update.mixes_operations = has_insert;
  if (update.actions.size() == before && !has_insert) {
    throw_malformed_statement(messages::kNoManipulation);
  }
}

void StatementParser::parse_assignments(DataManipulation& update) {
  do {
    const TermIndex target = parse_simple_path();
    if (!take_word("=")) throw_malformed_statement(messages::kNoEqualsSign);
    update.actions.push_back({target, parse_expression()});
  } while (take_if(Type::kComma));
}

void StatementParser::parse_condition(DataManipulation& manipulation) {
  if (take_word("where")) manipulation.condition = parse_expression();
}

void StatementParser::parse_returning(DataManipulation& manipulation) {
  if (!take_word("returning")) return;
  constexpr std::array kKinds = std::to_array<std::pair<std::string_view, Returning>>({
      {"all_old", Returning::kAllOld},
      {"all_new", Returning::kAllNew},
      {"modified_old", Returning::kModifiedOld},
      {"modified_new", Returning::kModifiedNew},
  });
  do {
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const auto& known) { return next_is_word(known.first); });
    if (kind == kKinds.end()) {
      throw_malformed_statement(messages::kIncompleteReturning);
    }
    take();
    if (manipulation.returning != Returning::kNone) manipulation.returns_columns = true;
    manipulation.returning = kind->second;
    if (take_if(Type::kStar)) continue;
    parse_expression();
    manipulation.returns_columns = true;
  } while (take_if(Type::kComma));
}

}  // namespace magneto::expressions
