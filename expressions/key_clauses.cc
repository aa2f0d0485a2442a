#include "expressions/key_clauses.h"

#include <algorithm>
#include <string>

#include "expressions/messages.h"

namespace magneto::expressions {

using storage::SortOperator;

namespace {

[[noreturn]] void throw_operator(NodeKind kind) {
  throw ExpressionError(messages::key_operator(operator_text(kind)));
}

SortOperator sort_operator(NodeKind kind) {
  switch (kind) {
    case NodeKind::kEqual:
      return SortOperator::kEqual;
    case NodeKind::kLess:
      return SortOperator::kLess;
    case NodeKind::kLessOrEqual:
      return SortOperator::kLessOrEqual;
    case NodeKind::kGreater:
      return SortOperator::kGreater;
    case NodeKind::kGreaterOrEqual:
      return SortOperator::kGreaterOrEqual;
    case NodeKind::kBetween:
      return SortOperator::kBetween;
    case NodeKind::kBeginsWith:
      return SortOperator::kBeginsWith;
    default:
      throw_operator(kind);
  }
}

// The operator for exchanged operands.
SortOperator mirrored(SortOperator comparison) {
  switch (comparison) {
    case SortOperator::kLess:
      return SortOperator::kGreater;
    case SortOperator::kLessOrEqual:
      return SortOperator::kGreaterOrEqual;
    case SortOperator::kGreater:
      return SortOperator::kLess;
    case SortOperator::kGreaterOrEqual:
      return SortOperator::kLessOrEqual;
    default:
      return comparison;
  }
}

KeyClause key_clause(const SyntaxTree& tree, const Node& node) {
  KeyClause clause{{}, sort_operator(node.kind), {}, {}};
  if ((node.kind == NodeKind::kBetween || node.kind == NodeKind::kBeginsWith) &&
      tree.operand(node, 0).kind != NodeKind::kPath) {
    throw ExpressionError(messages::key_operator_without_attribute(operator_text(node.kind)));
  }
  bool named = false;
  for (std::size_t i = 0; i < node.count; ++i) {
    const Node& operand = tree.operand(node, i);
    if (operand.kind == NodeKind::kPath) {
      if (named) throw ExpressionError(messages::kSeveralKeyAttributes);
      if (operand.count > 1) {
        throw ExpressionError(messages::kNestedKeyAttribute);
      }
      named = true;
      clause.attribute = tree.path(operand).front().name;
      if (i > 0) clause.comparison = mirrored(clause.comparison);
    } else if (operand.kind == NodeKind::kValue) {
      (clause.low ? clause.high : clause.low) = operand.value();
    } else {
      throw ExpressionError(messages::kNestedKeyOperation);
    }
  }
  if (!named) throw ExpressionError(messages::kNoKeyAttribute);
  return clause;
}

void collect(const SyntaxTree& tree, const Node& node, std::vector<KeyClause>& clauses) {
  if (node.kind == NodeKind::kAnd) {
    for (std::size_t i = 0; i < node.count; ++i) collect(tree, tree.operand(node, i), clauses);
    return;
  }
  const KeyClause clause = key_clause(tree, node);
  if (std::any_of(clauses.begin(), clauses.end(),
                  [&](const KeyClause& other) { return other.attribute == clause.attribute; })) {
    throw ExpressionError(messages::kRepeatedKeyAttribute);
  }
  clauses.push_back(clause);
}

}  // namespace

std::vector<KeyClause> key_clauses(const SyntaxTree& tree) {
  std::vector<KeyClause> clauses;
  collect(tree, tree.node(tree.root()), clauses);
  return clauses;
}

}  // namespace magneto::expressions
