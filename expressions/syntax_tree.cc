#include "expressions/syntax_tree.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "storage/model/narrow.h"

namespace magneto::expressions {

std::string_view operator_text(NodeKind kind) {
  switch (kind) {
    case NodeKind::kPath:
    case NodeKind::kValue:
      return {};
    case NodeKind::kSize:
      return "size";
    case NodeKind::kIfNotExists:
      return "if_not_exists";
    case NodeKind::kListAppend:
      return "list_append";
    case NodeKind::kPlus:
      return "+";
    case NodeKind::kMinus:
      return "-";
    case NodeKind::kEqual:
      return "=";
    case NodeKind::kNotEqual:
      return "<>";
    case NodeKind::kLess:
      return "<";
    case NodeKind::kLessOrEqual:
      return "<=";
    case NodeKind::kGreater:
      return ">";
    case NodeKind::kGreaterOrEqual:
      return ">=";
    case NodeKind::kBetween:
      return "BETWEEN";
    case NodeKind::kIn:
      return "IN";
    case NodeKind::kAttributeExists:
      return "attribute_exists";
    case NodeKind::kAttributeNotExists:
      return "attribute_not_exists";
    case NodeKind::kAttributeType:
      return "attribute_type";
    case NodeKind::kBeginsWith:
      return "begins_with";
    case NodeKind::kContains:
      return "contains";
    case NodeKind::kAnd:
      return "AND";
    case NodeKind::kOr:
      return "OR";
    case NodeKind::kNot:
      return "NOT";
  }
  return {};
}

std::string_view action_text(ActionKind kind) {
  switch (kind) {
    case ActionKind::kSet:
      return "SET";
    case ActionKind::kRemove:
      return "REMOVE";
    case ActionKind::kAdd:
      return "ADD";
    case ActionKind::kDelete:
      return "DELETE";
  }
  return {};
}

NodeIndex SyntaxTree::add_path(std::span<const PathElement> path) {
  const auto first = storage::narrow<std::uint32_t>(elements_.size());
  elements_.insert(elements_.end(), path.begin(), path.end());
  nodes_.push_back({NodeKind::kPath, first, storage::narrow<std::uint32_t>(path.size()), {}});
  return root();
}

NodeIndex SyntaxTree::add_value(storage::AttributeView value) {
  return add_placeholder(value.bytes());
}

NodeIndex SyntaxTree::add_placeholder(std::string_view placeholder) {
  nodes_.push_back({NodeKind::kValue, 0, 0, placeholder});
  return root();
}

NodeIndex SyntaxTree::add(NodeKind kind, std::span<const NodeIndex> operands) {
  const auto first = storage::narrow<std::uint32_t>(operands_.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  nodes_.push_back({kind, first, storage::narrow<std::uint32_t>(operands.size()), {}});
  return root();
}

std::vector<std::string_view> SyntaxTree::attributes() const { return collect_attributes(1); }

std::vector<std::string_view> SyntaxTree::nested_attributes() const {
  return collect_attributes(2);
}

std::vector<std::string_view> SyntaxTree::collect_attributes(std::size_t least_steps) const {
  // Trees of expressions are small; those of legacy parameters may be as large as a request.
  constexpr std::size_t kSmallTree = 4 * kMaxOperators;
  const bool is_small = nodes_.size() <= kSmallTree;
  absl::flat_hash_set<std::string_view> seen;
  std::vector<std::string_view> names;
  for (const Node& node : nodes_) {
    if (node.kind != NodeKind::kPath || node.count < least_steps) continue;
    const std::string_view name = elements_[node.first].name;
    const bool is_new = is_small ? std::find(names.begin(), names.end(), name) == names.end()
                                 : seen.insert(name).second;
    if (is_new) names.push_back(name);
  }
  return names;
}

}  // namespace magneto::expressions
