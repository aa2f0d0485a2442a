#include "expressions/partiql/statement.h"

#include <string>
#include <utility>

#include "expressions/partiql/condition_builder.h"
#include "expressions/partiql/messages.h"
#include "expressions/partiql/statement_parser.h"
#include "expressions/partiql/update_builder.h"
#include "expressions/tree_cache.h"

namespace magneto::expressions {

namespace {

[[noreturn]] void fail_statement(std::string_view message) {
  throw ExpressionError(message, ExpressionError::Scope::kRequest);
}

// Whether the term is an operator or a call, as in an expression that is no statement.
bool is_operation(const Term& term) {
  switch (term.kind) {
    case TermKind::kCall:
    case TermKind::kAggregate:
    case TermKind::kUnary:
    case TermKind::kBinary:
    case TermKind::kBetween:
      return true;
    case TermKind::kIs:
      return term.negative;
    default:
      return false;
  }
}

std::string_view returning_text(Returning returning) {
  switch (returning) {
    case Returning::kAllOld:
      return "ALL OLD *";
    case Returning::kAllNew:
      return "ALL NEW *";
    case Returning::kModifiedOld:
      return "MODIFIED OLD *";
    case Returning::kModifiedNew:
      return "MODIFIED NEW *";
    case Returning::kNone:
      break;
  }
  return {};
}

}  // namespace

// The result of parsing a text, without its parameters. The views point into the text, so the
// object must not move.
struct Statement::Parsed {
  std::string text;
  StatementTree tree;
  Kind kind = Kind::kSelect;
  std::string_view table;
  std::string_view index;

  explicit Parsed(std::string_view statement);
  Parsed(const Parsed&) = delete;
  Parsed& operator=(const Parsed&) = delete;

  const Term& root() const { return tree.term(tree.root); }
  const SelectClause& select() const {
    const Term& term = kind == Kind::kExists ? tree.operand(root(), 0) : root();
    return tree.selects[term.first];
  }
  const DataManipulation& manipulation() const { return tree.manipulations[root().first]; }

 private:
  void find_kind();
  void find_target();
  void take_name(const Term& term, std::string_view& name) const;
};

struct Statement::State {
  std::shared_ptr<const Parsed> parsed;

  std::optional<StatementValues> values;
  std::optional<SelectedColumns> columns;
  std::vector<Ordering> ordering;
  std::optional<SyntaxTree> condition_tree;
  std::optional<Condition> condition;
  storage::Item item;
  std::optional<Update> update;
  Returning returning = Returning::kNone;

  const StatementTree& tree() const { return parsed->tree; }
  void bind_select();
  void bind_ordering(const std::vector<OrderingTerm>& terms);
  void bind_manipulation();
  void bind_returning();
  void bind_condition(const std::optional<TermIndex>& term);
};

Statement::Parsed::Parsed(std::string_view statement)
    : text(statement), tree(parse_statement(text)) {
  find_kind();
  find_target();
}

void Statement::Parsed::find_kind() {
  const Term& term = root();
  if (term.kind == TermKind::kSelect) {
    kind = Kind::kSelect;
  } else if (term.kind == TermKind::kDataManipulation) {
    switch (manipulation().kind) {
      case DataManipulation::Kind::kInsert:
        kind = Kind::kInsert;
        break;
      case DataManipulation::Kind::kUpdate:
        kind = Kind::kUpdate;
        break;
      case DataManipulation::Kind::kDelete:
        kind = Kind::kDelete;
        break;
    }
  } else if (term.kind == TermKind::kCall && function_name(tree, term) == "exists" &&
             term.count == 1 && tree.operand(term, 0).kind == TermKind::kSelect) {
    kind = Kind::kExists;
  } else {
    fail_statement(is_operation(term) ? messages::kExistsOutsideTransaction
                                      : messages::unsupported_operation(term_name(tree, term)));
  }
}

void Statement::Parsed::take_name(const Term& term, std::string_view& name) const {
  const bool is_name = term.kind == TermKind::kIdentifier || term.kind == TermKind::kMember;
  if (!is_name) throw_not_a_path(tree, term);
  name = tree.token(term).text;
  if (name.empty()) fail_statement(messages::kEmptyName);
}

void Statement::Parsed::find_target() {
  const bool selects = kind == Kind::kSelect || kind == Kind::kExists;
  if (!selects && !manipulation().has_target) fail_statement(messages::kNoTable);
  if (!selects && manipulation().mixes_operations) {
    fail_statement(messages::kSeveralOperations);
  }
  const Term& target = tree.term(selects ? select().source : manipulation().target);
  if (target.kind != TermKind::kPath) return take_name(target, table);
  if (kind == Kind::kInsert) {
    fail_statement(messages::insert_into_path(location_text(tree.token(target))));
  }
  if (target.count > 2) fail_statement(messages::kLongTable);
  take_name(tree.operand(target, 0), table);
  take_name(tree.operand(target, 1), index);
  if (!selects) fail_statement(messages::kChangeOfIndex);
}

void Statement::State::bind_condition(const std::optional<TermIndex>& term) {
  if (!term) return;
  condition_tree = build_condition(*values, tree().term(*term));
  condition = Condition::of(*condition_tree);
}

void Statement::State::bind_select() {
  const SelectClause& clause = parsed->select();
  if (clause.has_alias) fail_statement(messages::kAlias);
  if (clause.has_join) fail_statement(messages::kSeveralSources);
  const auto unsupported = [](std::string_view name) {
    fail_statement(messages::unsupported_clause(name));
  };
  if (clause.is_distinct) unsupported("DISTINCT");
  if (clause.is_value) unsupported("VALUE");
  if (!clause.all_columns) columns.emplace(*values, clause.columns);
  if (!clause.unsupported_clause.empty()) unsupported(clause.unsupported_clause);
  bind_condition(clause.condition);
  bind_ordering(clause.ordering);
}

void Statement::State::bind_ordering(const std::vector<OrderingTerm>& terms) {
  for (const OrderingTerm& term : terms) {
    const Term& key = tree().term(term.key);
    const StatementToken& token = tree().token(key);
    const bool is_name = key.kind == TermKind::kIdentifier;
    const std::string_view type = key.kind == TermKind::kPath ? "PATH" : token.text;
    ordering.push_back(
        {token.text, term.descending,
         is_name ? std::string() : messages::order_by_type(type, location_text(token))});
  }
}

void Statement::State::bind_manipulation() {
  const DataManipulation& clause = parsed->manipulation();
  if (clause.has_alias) fail_statement(messages::kAlias);
  if (clause.has_join) fail_statement(messages::kSeveralTargets);
  if (clause.inserts_values) fail_statement(messages::kSeveralItems);
  if (parsed->kind == Kind::kInsert) item = values->item(tree().term(*clause.inserted));
  bind_condition(clause.condition);
  if (parsed->kind == Kind::kUpdate) update = Update::of(build_update(*values, clause.actions));
  bind_returning();
}

void Statement::State::bind_returning() {
  const DataManipulation& clause = parsed->manipulation();
  returning = clause.returning;
  if (returning == Returning::kNone) return;
  if (clause.returns_columns) fail_statement(messages::kReturnedColumns);
  if (parsed->kind == Kind::kDelete && returning != Returning::kAllOld) {
    fail_statement(messages::returning_of_delete(returning_text(returning)));
  }
}

Statement::Statement(std::unique_ptr<State> state) : state_(std::move(state)) {}
Statement::Statement(Statement&&) noexcept = default;
Statement& Statement::operator=(Statement&&) noexcept = default;
Statement::~Statement() = default;

Statement Statement::parse(std::string_view text) {
  thread_local TreeCache<Parsed> cache;
  auto state = std::make_unique<State>();
  state->parsed = cache.get(
      text, [](std::string_view statement) { return std::make_shared<const Parsed>(statement); });
  return Statement(std::move(state));
}

void Statement::bind(std::span<const storage::AttributeView> parameters) {
  const Parsed& parsed = *state_->parsed;
  if (parameters.size() < parsed.tree.parameter_count) {
    fail_statement(messages::kParameterCount);
  }
  state_->values.emplace(parsed.tree, parameters);
  if (parsed.kind == Kind::kSelect || parsed.kind == Kind::kExists) {
    state_->bind_select();
  } else {
    state_->bind_manipulation();
  }
}

Statement::Kind Statement::kind() const { return state_->parsed->kind; }
std::string_view Statement::table() const { return state_->parsed->table; }
std::string_view Statement::index() const { return state_->parsed->index; }

const SelectedColumns* Statement::columns() const {
  return state_->columns ? &*state_->columns : nullptr;
}
const std::vector<Statement::Ordering>& Statement::ordering() const { return state_->ordering; }
const SyntaxTree* Statement::condition_tree() const {
  return state_->condition_tree ? &*state_->condition_tree : nullptr;
}
const Condition* Statement::condition() const {
  return state_->condition ? &*state_->condition : nullptr;
}
const storage::Item& Statement::item() const { return state_->item; }
const Update& Statement::update() const { return *state_->update; }
Returning Statement::returning() const { return state_->returning; }

}  // namespace magneto::expressions
