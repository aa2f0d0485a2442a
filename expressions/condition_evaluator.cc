#include "expressions/condition_evaluator.h"

#include <algorithm>
#include <array>
#include <compare>

#include "expressions/comparison.h"
#include "storage/model/number.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::ItemView;

namespace {

// Room for the value of size(), which stands in neither the item nor the request.
class SizeValue {
 public:
  AttributeView set(std::uint32_t size) {
    const storage::Number number = storage::Number::from_integer(size);
    const std::string_view bytes = number.bytes();
    bytes_[0] = static_cast<char>(AttributeType::kNumber);
    bytes_[1] = static_cast<char>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + 2);
    return AttributeView(std::string_view(bytes_.data(), bytes.size() + 2));
  }

 private:
  std::array<char, 2 + storage::Number::kMaxBytes> bytes_;
};

// The truth of a condition that is itself an operand, as statements allow.
AttributeView boolean_value(bool value) {
  constexpr std::array kTrue = {static_cast<char>(AttributeType::kBoolean), '\1'};
  constexpr std::array kFalse = {static_cast<char>(AttributeType::kBoolean), '\0'};
  static constexpr std::array kValues = {kFalse, kTrue};
  const auto& bytes = kValues[value ? 1 : 0];
  return AttributeView(std::string_view(bytes.data(), bytes.size()));
}

AttributeView evaluate(const SyntaxTree& tree, const Node& operand, ItemView item,
                       SizeValue& size) {
  if (operand.kind == NodeKind::kPath) return find(item, tree.path(operand));
  if (operand.kind == NodeKind::kValue) return operand.value();
  if (is_condition(operand.kind)) return boolean_value(holds(tree, operand, item));
  SizeValue unused;
  const auto measured = size_of(evaluate(tree, tree.operand(operand, 0), item, unused));
  return measured ? size.set(*measured) : AttributeView();
}

bool is_in(const SyntaxTree& tree, const Node& node, ItemView item, AttributeView value) {
  for (std::size_t i = 1; i < node.count; ++i) {
    SizeValue size;
    if (value == evaluate(tree, tree.operand(node, i), item, size)) return true;
  }
  return false;
}

bool is_between(const SyntaxTree& tree, const Node& node, ItemView item, AttributeView value) {
  SizeValue size;
  const auto low = compare(evaluate(tree, tree.operand(node, 1), item, size), value);
  if (!low || std::is_gt(*low)) return false;
  const auto high = compare(value, evaluate(tree, tree.operand(node, 2), item, size));
  return high && std::is_lteq(*high);
}

bool holds_for_two(NodeKind kind, AttributeView a, AttributeView b) {
  switch (kind) {
    case NodeKind::kEqual:
      return a && a == b;
    case NodeKind::kNotEqual:
      return !a || a != b;
    case NodeKind::kBeginsWith:
      return begins_with(a, b);
    case NodeKind::kContains:
      return contains(a, b);
    case NodeKind::kAttributeType:
      return a && storage::type_name(a.type()) == b.scalar_bytes();
    default:
      break;
  }
  const auto order = compare(a, b);
  if (!order) return false;
  switch (kind) {
    case NodeKind::kLess:
      return std::is_lt(*order);
    case NodeKind::kLessOrEqual:
      return std::is_lteq(*order);
    case NodeKind::kGreater:
      return std::is_gt(*order);
    default:
      return std::is_gteq(*order);
  }
}

}  // namespace

AttributeView find(ItemView item, std::span<const PathElement> path) {
  AttributeView value = item.find(path.front().name);
  for (const PathElement& element : path.subspan(1)) {
    if (!value) return {};
    if (element.is_index()) {
      if (value.type() != AttributeType::kList) return {};
      value = value.list().at(element.index);
    } else {
      if (value.type() != AttributeType::kMap) return {};
      value = value.map().find(element.name);
    }
  }
  return value;
}

bool holds(const SyntaxTree& tree, const Node& node, ItemView item) {
  switch (node.kind) {
    case NodeKind::kAnd:
      for (std::size_t i = 0; i < node.count; ++i) {
        if (!holds(tree, tree.operand(node, i), item)) return false;
      }
      return true;
    case NodeKind::kOr:
      for (std::size_t i = 0; i < node.count; ++i) {
        if (holds(tree, tree.operand(node, i), item)) return true;
      }
      return false;
    case NodeKind::kNot:
      return !holds(tree, tree.operand(node, 0), item);
    default:
      break;
  }
  SizeValue size;
  const AttributeView first = evaluate(tree, tree.operand(node, 0), item, size);
  switch (node.kind) {
    case NodeKind::kAttributeExists:
      return static_cast<bool>(first);
    case NodeKind::kAttributeNotExists:
      return !first;
    case NodeKind::kIn:
      return first && is_in(tree, node, item, first);
    case NodeKind::kBetween:
      return is_between(tree, node, item, first);
    default: {
      SizeValue second_size;
      return holds_for_two(node.kind, first,
                           evaluate(tree, tree.operand(node, 1), item, second_size));
    }
  }
}

}  // namespace magneto::expressions
