#include "expressions/partiql/condition_builder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "expressions/condition_checks.h"
#include "expressions/expression_error.h"
#include "expressions/messages.h"
#include "expressions/partiql/messages.h"
#include "expressions/partiql/statement_words.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;

namespace {

[[noreturn]] void fail_condition(std::string_view message) {
  throw ExpressionError(message, ExpressionError::Scope::kRequest);
}

std::optional<NodeKind> comparison_kind(std::string_view text) {
  constexpr std::array kComparisons = {NodeKind::kEqual,   NodeKind::kNotEqual,
                                       NodeKind::kLess,    NodeKind::kLessOrEqual,
                                       NodeKind::kGreater, NodeKind::kGreaterOrEqual};
  const auto found = std::find_if(kComparisons.begin(), kComparisons.end(),
                                  [text](NodeKind kind) { return operator_text(kind) == text; });
  if (found == kComparisons.end()) return std::nullopt;
  return *found;
}

std::optional<NodeKind> function_kind(std::string_view name) {
  constexpr std::array kFunctions = {
      NodeKind::kSize,          NodeKind::kAttributeExists, NodeKind::kAttributeNotExists,
      NodeKind::kAttributeType, NodeKind::kBeginsWith,      NodeKind::kContains};
  const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                  [name](NodeKind kind) { return operator_text(kind) == name; });
  if (found == kFunctions.end()) return std::nullopt;
  return *found;
}

// "S" and the other type names as values: operands of attribute_type().
AttributeView type_name_value(AttributeType type) {
  static const std::array values = [] {
    std::array<storage::AttributeValue, static_cast<std::size_t>(AttributeType::kMap) + 1> all;
    for (std::size_t i = 1; i < all.size(); ++i) {
      all[i] = storage::AttributeValue::string(storage::type_name(static_cast<AttributeType>(i)));
    }
    return all;
  }();
  return values[static_cast<std::size_t>(type)];
}

class ConditionBuilder {
 public:
  explicit ConditionBuilder(StatementValues& values) : values_(values), source_(values.tree()) {}

  SyntaxTree build(const Term& condition) {
    check_operator_count(condition);
    const NodeIndex root = add_condition(condition);
    check_condition(tree_);
    if (!is_condition(tree_.node(root).kind)) fail_condition(messages::kNoBooleanResult);
    return std::move(tree_);
  }

 private:
  // Limits the depth of every later recursion. Of a clause with too many operators, an operator
  // that conditions do not have is still reported first (captured facts 3, P5).
  void check_operator_count(const Term& condition) const {
    std::size_t operators = 0;
    const Term* unsupported = nullptr;
    absl::InlinedVector<const Term*, 8> open{&condition};
    while (!open.empty()) {
      const Term& term = *open.back();
      open.pop_back();
      if (!is_operation(term)) continue;
      operators += is_double_operator(term) ? 2 : 1;
      if (is_unsupported(term)) unsupported = &term;
      const std::span<const TermIndex> operands = source_.operands(term);
      for (const TermIndex operand : operands) open.push_back(&source_.term(operand));
    }
    if (operators <= kMaxOperators) return;
    if (unsupported != nullptr) fail_operator(*unsupported);
    fail_condition(messages::too_many_operators(kMaxOperators + 1));
  }

  static bool is_operation(const Term& term) {
    return term.kind == TermKind::kCall || term.kind == TermKind::kUnary ||
           term.kind == TermKind::kBinary || term.kind == TermKind::kBetween ||
           term.kind == TermKind::kIs;
  }

  // NOT IN, NOT BETWEEN and IS NOT count as two.
  bool is_double_operator(const Term& term) const {
    return term.negative || source_.token(term).is_word("not_in");
  }

  // Whether the term is a binary operator that conditions do not have.
  bool is_unsupported(const Term& term) const {
    if (term.kind != TermKind::kBinary) return false;
    const std::string_view text = source_.token(term).text;
    return text != "and" && text != "or" && text != "in" && text != "not_in" &&
           !comparison_kind(text);
  }

  NodeIndex add_condition(const Term& term) {
    switch (term.kind) {
      case TermKind::kBinary:
        return add_binary(term);
      case TermKind::kBetween: {
        const NodeIndex between = add_operands(NodeKind::kBetween, source_.operands(term));
        return term.negative ? negation(between) : between;
      }
      case TermKind::kIs:
        return add_type_test(term);
      case TermKind::kUnary:
        if (source_.token(term).text == "not") {
          return negation(add_condition(source_.operand(term, 0)));
        }
        fail_unary(term);
      case TermKind::kCall:
        return add_call(term);
      case TermKind::kMissing:
        fail_condition(messages::kMissingWithoutIs);
      case TermKind::kSelect:
        fail_select(term);
      default:
        break;
    }
    fail_condition(messages::unsupported_operation(term_name(source_, term)));
  }

  NodeIndex negation(NodeIndex condition) {
    return tree_.add(NodeKind::kNot, std::array{condition});
  }

  NodeIndex add_binary(const Term& term) {
    const std::string_view text = source_.token(term).text;
    if (text == "and") return add_chain(term, NodeKind::kAnd);
    if (text == "or") return add_chain(term, NodeKind::kOr);
    if (text == "in") return add_membership(term);
    if (text == "not_in") return negation(add_membership(term));
    if (const auto kind = comparison_kind(text)) {
      return add_operands(*kind, source_.operands(term));
    }
    fail_operator(term);
  }

  [[noreturn]] void fail_operator(const Term& term) const {
    fail_condition(messages::condition_operator(term_name(source_, term)));
  }

  [[noreturn]] void fail_unary(const Term& term) const {
    fail_condition(messages::operand_count(source_.token(term).text, 1));
  }

  // Makes one node for a AND b AND c.
  NodeIndex add_chain(const Term& term, NodeKind kind) {
    const std::string_view text = source_.token(term).text;
    absl::InlinedVector<const Term*, 4> members;
    const Term* rest = &term;
    while (rest->kind == TermKind::kBinary && source_.token(*rest).text == text) {
      members.push_back(&source_.operand(*rest, 1));
      rest = &source_.operand(*rest, 0);
    }
    members.push_back(rest);
    absl::InlinedVector<NodeIndex, 4> nodes;
    for (auto member = members.rbegin(); member != members.rend(); ++member) {
      nodes.push_back(add_condition(**member));
    }
    return tree_.add(kind, nodes);
  }

  NodeIndex add_membership(const Term& term) {
    const Term& list = source_.operand(term, 1);
    if (list.kind != TermKind::kList && list.kind != TermKind::kBag) {
      fail_condition(messages::kInWithoutList);
    }
    std::vector<TermIndex> operands{source_.operands(term).front()};
    const std::span<const TermIndex> elements = source_.operands(list);
    operands.insert(operands.end(), elements.begin(), elements.end());
    return add_operands(NodeKind::kIn, operands);
  }

  NodeIndex add_type_test(const Term& term) {
    const Term& operand = source_.operand(term, 0);
    const Term& type = source_.operand(term, 1);
    const TypeName& name = *find_type_name(lower_case(source_.token(type).text));
    if (!StatementValues::is_value(operand) && !StatementValues::is_path(operand)) {
      fail_condition(messages::kTypeOfOther);
    }
    const NodeIndex tested = add_operand(operand);
    if (!name.refused_name.empty()) {
      fail_condition(
          messages::type_of_no_attribute(name.refused_name, location_text(source_.token(operand))));
    }
    if (name.type) {
      const NodeIndex value = tree_.add_value(type_name_value(*name.type));
      const NodeIndex test = tree_.add(NodeKind::kAttributeType, std::array{tested, value});
      return term.negative ? negation(test) : test;
    }
    return tree_.add(term.negative ? NodeKind::kAttributeExists : NodeKind::kAttributeNotExists,
                     std::array{tested});
  }

  NodeIndex add_operands(NodeKind kind, std::span<const TermIndex> operands) {
    absl::InlinedVector<NodeIndex, 4> nodes;
    for (const TermIndex operand : operands) nodes.push_back(add_operand(source_.term(operand)));
    return tree_.add(kind, nodes);
  }

  NodeIndex add_call(const Term& call) {
    const std::string name = function_name(source_, call);
    const auto kind = function_kind(name);
    // A nested SELECT is refused before the EXISTS around it.
    for (const TermIndex operand : source_.operands(call)) {
      if (source_.term(operand).kind == TermKind::kSelect) fail_select(source_.term(operand));
    }
    if (!kind) {
      fail_condition(
          messages::unknown_statement_function(name, location_text(source_.token(call))));
    }
    return add_operands(*kind, source_.operands(call));
  }

  NodeIndex add_operand(const Term& term) {
    if (StatementValues::is_value(term)) return tree_.add_value(values_.value(term));
    if (StatementValues::is_path(term)) return tree_.add_path(values_.path(term));
    return add_condition(term);
  }

  [[noreturn]] void fail_select(const Term& term) const {
    fail_condition(messages::nested_select(location_text(source_.token(term))));
  }

  StatementValues& values_;
  const StatementTree& source_;
  SyntaxTree tree_;
};

}  // namespace

SyntaxTree build_condition(StatementValues& values, const Term& condition) {
  return ConditionBuilder(values).build(condition);
}

}  // namespace magneto::expressions
