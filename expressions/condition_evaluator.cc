#include "expressions/condition_evaluator.h"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>

#include "expressions/comparison.h"
#include "storage/model/narrow.h"
#include "storage/model/number.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;

namespace {

// Up to this number of members of an IN, a linear scan is as fast as a search.
constexpr std::size_t kShortMembership = 8;

// The value of a condition that is itself an operand, as statements allow.
AttributeView boolean_value(bool value) {
  constexpr std::array kTrue = {static_cast<char>(AttributeType::kBoolean), '\1'};
  constexpr std::array kFalse = {static_cast<char>(AttributeType::kBoolean), '\0'};
  static constexpr std::array kValues = {kFalse, kTrue};
  const auto& bytes = kValues[value ? 1 : 0];
  return AttributeView(std::string_view(bytes.data(), bytes.size()));
}

// An order that distinguishes texts of different length without reading them.
bool shorter_or_less(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// The groups of operands of an IN, in the order of their positions.
enum class Membership : std::uint8_t { kValue, kPath, kOther };

Membership membership(const Node& operand) {
  if (operand.kind == NodeKind::kValue) return Membership::kValue;
  return operand.kind == NodeKind::kPath ? Membership::kPath : Membership::kOther;
}

bool comes_before(const Node& a, const Node& b) {
  const Membership kind = membership(a);
  if (kind != membership(b)) return kind < membership(b);
  if (kind == Membership::kPath) return a.first < b.first;
  return kind == Membership::kValue && shorter_or_less(a.text, b.text);
}

// Splits off the operands of one group.
std::span<const NodeIndex> take(const SyntaxTree& tree, std::span<const NodeIndex>& operands,
                                Membership kind) {
  const auto end =
      std::partition_point(operands.begin(), operands.end(),
                           [&tree, kind](NodeIndex i) { return membership(tree.node(i)) == kind; });
  const auto count = static_cast<std::size_t>(end - operands.begin());
  const std::span<const NodeIndex> taken = operands.first(count);
  operands = operands.subspan(count);
  return taken;
}

}  // namespace

// Memory for the value of size(), which is part of neither the item nor the request.
class ConditionEvaluator::SizeValue {
 public:
  AttributeView set(std::uint32_t size) {
    const storage::Number number = storage::Number::from_integer(size);
    const std::string_view bytes = number.bytes();
    bytes_[0] = static_cast<char>(AttributeType::kNumber);
    bytes_[1] = static_cast<char>(storage::narrow<std::uint8_t>(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + 2);
    return AttributeView(std::string_view(bytes_.data(), bytes.size() + 2));
  }

 private:
  std::array<char, 2 + storage::Number::kMaxBytes> bytes_;
};

void arrange_memberships(SyntaxTree& tree) {
  for (const Node& node : tree.nodes()) {
    if (node.kind != NodeKind::kIn || node.count <= kShortMembership + 1) continue;
    const std::span<NodeIndex> members = tree.operands(node).subspan(1);
    std::stable_sort(members.begin(), members.end(), [&tree](NodeIndex a, NodeIndex b) {
      return comes_before(tree.node(a), tree.node(b));
    });
  }
}

AttributeView ConditionEvaluator::value_at(const Node& path) {
  if (!values_.by_slot.empty()) return values_.by_slot[path.first];
  if (paths_ == nullptr || looked_up_ <= PathTable::kFewSteps) {
    const std::uint64_t before = effort_.spent();
    const AttributeView value = find(item_, tree_.path(path), effort_);
    looked_up_ += effort_.spent() - before;
    return value;
  }
  values_ = paths_->find_all(item_, effort_);
  return values_.by_slot[path.first];
}

AttributeView ConditionEvaluator::evaluate(const Node& operand, SizeValue& size) {
  if (operand.kind == NodeKind::kPath) return value_at(operand);
  if (operand.kind == NodeKind::kValue) return operand.value();
  if (is_condition(operand.kind)) return boolean_value(holds(operand));
  SizeValue unused;
  const auto measured = size_of(evaluate(tree_.operand(operand, 0), unused), effort_);
  return measured ? size.set(*measured) : AttributeView();
}

bool ConditionEvaluator::is_in(const Node& node, AttributeView value) {
  std::span<const NodeIndex> members = tree_.operands(node).subspan(1);
  if (members.size() > kShortMembership) {
    const auto values = take(tree_, members, Membership::kValue);
    const auto found = std::partition_point(values.begin(), values.end(), [&](NodeIndex i) {
      effort_.spend(1);
      return shorter_or_less(tree_.node(i).text, value.bytes());
    });
    if (found != values.end() && equals(value, tree_.node(*found).value(), effort_)) return true;
    if (paths_ != nullptr && is_at(take(tree_, members, Membership::kPath), value)) return true;
  }
  return is_one_of(members, value);
}

// In a long list of paths, few have a value in the item.
bool ConditionEvaluator::is_at(std::span<const NodeIndex> paths, AttributeView value) {
  if (paths.size() <= kShortMembership) return is_one_of(paths, value);
  if (values_.by_slot.empty()) values_ = paths_->find_all(item_, effort_);
  effort_.spend(1);
  const auto slot_of = [this](NodeIndex i) { return tree_.node(i).first; };
  auto slot = std::ranges::lower_bound(values_.found, slot_of(paths.front()));
  for (; slot != values_.found.end() && *slot <= slot_of(paths.back()); ++slot) {
    effort_.spend(1);
    if (!std::ranges::binary_search(paths, *slot, {}, slot_of)) continue;
    if (equals(value, values_.by_slot[*slot], effort_)) return true;
  }
  return false;
}

bool ConditionEvaluator::is_one_of(std::span<const NodeIndex> operands, AttributeView value) {
  effort_.spend(operands.size());
  for (const NodeIndex operand : operands) {
    SizeValue size;
    if (equals(value, evaluate(tree_.node(operand), size), effort_)) return true;
  }
  return false;
}

bool ConditionEvaluator::is_between(const Node& node, AttributeView value) {
  SizeValue size;
  const auto low = compare(evaluate(tree_.operand(node, 1), size), value, effort_);
  if (!low || std::is_gt(*low)) return false;
  const auto high = compare(value, evaluate(tree_.operand(node, 2), size), effort_);
  return high && std::is_lteq(*high);
}

bool ConditionEvaluator::holds_for_two(NodeKind kind, AttributeView a, AttributeView b) {
  switch (kind) {
    case NodeKind::kEqual:
      return a && equals(a, b, effort_);
    case NodeKind::kNotEqual:
      return !a || !equals(a, b, effort_);
    case NodeKind::kBeginsWith:
      return begins_with(a, b, effort_);
    case NodeKind::kContains:
      return contains(a, b, effort_);
    case NodeKind::kAttributeType:
      return a && storage::type_name(a.type()) == b.scalar_bytes();
    default:
      break;
  }
  const auto order = compare(a, b, effort_);
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

bool ConditionEvaluator::holds(const Node& node) {
  effort_.spend(1);
  switch (node.kind) {
    case NodeKind::kAnd:
      for (std::size_t i = 0; i < node.count; ++i) {
        if (!holds(tree_.operand(node, i))) return false;
      }
      return true;
    case NodeKind::kOr:
      for (std::size_t i = 0; i < node.count; ++i) {
        if (holds(tree_.operand(node, i))) return true;
      }
      return false;
    case NodeKind::kNot:
      return !holds(tree_.operand(node, 0));
    default:
      break;
  }
  SizeValue size;
  const AttributeView first = evaluate(tree_.operand(node, 0), size);
  switch (node.kind) {
    case NodeKind::kAttributeExists:
      return static_cast<bool>(first);
    case NodeKind::kAttributeNotExists:
      return !first;
    case NodeKind::kIn:
      return first && is_in(node, first);
    case NodeKind::kBetween:
      return is_between(node, first);
    default: {
      SizeValue second_size;
      return holds_for_two(node.kind, first, evaluate(tree_.operand(node, 1), second_size));
    }
  }
}

}  // namespace magneto::expressions
