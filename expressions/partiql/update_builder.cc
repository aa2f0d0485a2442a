#include "expressions/partiql/update_builder.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "expressions/expression_error.h"
#include "expressions/messages.h"
#include "expressions/partiql/messages.h"
#include "expressions/update_checks.h"

namespace magneto::expressions {

using storage::AttributeView;

namespace {

[[noreturn]] void fail_update(std::string_view message) {
  throw ExpressionError(message, ExpressionError::Scope::kRequest);
}

class UpdateBuilder {
 public:
  explicit UpdateBuilder(StatementValues& values) : values_(values), source_(values.tree()) {}

  UpdateTree build(std::span<const StatementAction> actions) {
    for (const StatementAction& action : actions) {
      if (action.value) {
        add_assignment(source_.term(action.target), source_.term(*action.value));
      } else {
        const NodeIndex target = add_path(source_.term(action.target));
        update_.actions.push_back({ActionKind::kRemove, target});
      }
    }
    check_statement_update(update_);
    return std::move(update_);
  }

 private:
  NodeIndex add_path(const Term& term) { return update_.tree.add_path(values_.path(term)); }

  void add_assignment(const Term& target, const Term& value) {
    if (value.kind == TermKind::kCall) {
      const std::string name = function_name(source_, value);
      if (name == "set_add") return add_set_change(ActionKind::kAdd, "SET_ADD", target, value);
      if (name == "set_delete") {
        return add_set_change(ActionKind::kDelete, "SET_DELETE", target, value);
      }
    }
    const NodeIndex path = add_path(target);
    operators_ = 0;
    update_.actions.push_back({ActionKind::kSet, path, add_operand(value)});
  }

  // Adds SET a = set_add(a, <<...>>).
  void add_set_change(ActionKind kind, const std::string& name, const Term& target,
                      const Term& call) {
    const std::string location = location_text(source_.token(call));
    if (call.count != 2) fail_update(messages::set_function_arguments(name, location));
    const Term& first = source_.operand(call, 0);
    const Term& second = source_.operand(call, 1);
    if (!StatementValues::is_path(first) || values_.path(first) != values_.path(target)) {
      fail_update(messages::set_function_target(name, location));
    }
    AttributeView set;
    if (StatementValues::is_value(second)) set = values_.value(second);
    if (!set || !storage::is_set(set.type())) {
      fail_update(messages::set_function_value(name, location_text(source_.token(first))));
    }
    const NodeIndex path = add_path(target);
    update_.actions.push_back({kind, path, update_.tree.add_value(set)});
  }

  NodeIndex add_operand(const Term& term) {
    if (StatementValues::is_value(term)) return update_.tree.add_value(values_.value(term));
    if (StatementValues::is_path(term)) return add_path(term);
    if (++operators_ > kMaxOperators) {
      fail_update(messages::too_many_operators(operators_));
    }
    switch (term.kind) {
      case TermKind::kCall:
        return add_list_append(term);
      case TermKind::kBinary:
        return add_arithmetic(term);
      case TermKind::kUnary:
        if (source_.token(term).text == "not") break;
        fail_update(messages::operand_count(source_.token(term).text, 1));
      default:
        break;
    }
    if (term.kind == TermKind::kBetween || term.kind == TermKind::kIs ||
        term.kind == TermKind::kUnary) {
      fail_operator(term);
    }
    fail_update(messages::unsupported_operation(term_name(source_, term)));
  }

  [[noreturn]] void fail_operator(const Term& term) const {
    fail_update(messages::set_operator(term_name(source_, term)));
  }

  NodeIndex add_list_append(const Term& call) {
    const std::string name = function_name(source_, call);
    if (name != operator_text(NodeKind::kListAppend)) {
      fail_update(messages::unknown_statement_function(name, location_text(source_.token(call))));
    }
    return add_operands(NodeKind::kListAppend, call);
  }

  NodeIndex add_arithmetic(const Term& term) {
    const std::string_view text = source_.token(term).text;
    if (text == "+") return add_operands(NodeKind::kPlus, term);
    if (text == "-") return add_operands(NodeKind::kMinus, term);
    fail_operator(term);
  }

  NodeIndex add_operands(NodeKind kind, const Term& term) {
    absl::InlinedVector<NodeIndex, 4> nodes;
    for (const TermIndex operand : source_.operands(term)) {
      nodes.push_back(add_operand(source_.term(operand)));
    }
    return update_.tree.add(kind, nodes);
  }

  StatementValues& values_;
  const StatementTree& source_;
  UpdateTree update_;
  std::size_t operators_ = 0;  // number in the assignment being built
};

}  // namespace

UpdateTree build_update(StatementValues& values, std::span<const StatementAction> actions) {
  return UpdateBuilder(values).build(actions);
}

}  // namespace magneto::expressions
