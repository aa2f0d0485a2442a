#include "expressions/condition_checks.h"

#include <absl/strings/escaping.h>

#include <algorithm>
#include <array>
#include <string>

#include "expressions/binder.h"
#include "expressions/comparison.h"
#include "expressions/expression_error.h"
#include "expressions/messages.h"
#include "expressions/operand_checks.h"
#include "expressions/path_set.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;

namespace {

constexpr std::size_t kMaxInOperands = 100;

// Where the condition stands: an expression of a request, or the WHERE clause of a statement.
enum class Place { kExpression, kStatement };

// The texts in which DynamoDB lists types.
struct TypeLists {
  std::string_view names;     // those that attribute_type knows
  std::string_view operands;  // those of a path in place of such a name
};
constexpr TypeLists kExpressionTypes{"B,NULL,SS,BOOL,L,BS,N,NS,S,M",
                                     "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"};
constexpr TypeLists kStatementTypes{
    "N,BS,L,B,NULL,M,S,SS,NS,BOOL",
    "{S,HDS,N,FS,BS,NULL,DOUBLE,NS,DECIMAL,SS,DECIMALSET,BOOL,HD,DICT,INTSET,M,L,B,FLOAT,INT,DOUBLESET}"};

bool is_type_name(std::string_view text) {
  for (auto type = AttributeType::kString; type <= AttributeType::kMap;
       type = static_cast<AttributeType>(static_cast<int>(type) + 1)) {
    if (storage::type_name(type) == text) return true;
  }
  return false;
}

std::size_t required_operands(NodeKind kind) {
  switch (kind) {
    case NodeKind::kSize:
    case NodeKind::kAttributeExists:
    case NodeKind::kAttributeNotExists:
      return 1;
    case NodeKind::kAttributeType:
    case NodeKind::kBeginsWith:
    case NodeKind::kContains:
      return 2;
    default:
      return 0;
  }
}

void check_operand_count(const Node& node) {
  const std::size_t required = required_operands(node.kind);
  if (required != 0 && node.count != required) throw_operand_count(node);
}

// Compares the first operand with the others. Functions with one operand, such as attribute_exists,
// have nothing to compare.
void check_distinct(const SyntaxTree& tree, const Node& node) {
  if (node.count < 2 || tree.operand(node, 0).kind != NodeKind::kPath) return;
  const PathView first = tree.path(tree.operand(node, 0));
  for (std::size_t i = 1; i < node.count; ++i) {
    const Node& other = tree.operand(node, i);
    if (other.kind == NodeKind::kPath && same_path(first, tree.path(other))) {
      throw ExpressionError(messages::same_operands(operator_text(node.kind), path_text(first)));
    }
  }
}

template <typename Allowed>
void check_operand_types(const SyntaxTree& tree, const Node& node, Allowed allowed) {
  for (std::size_t i = 0; i < node.count; ++i) {
    const std::optional<AttributeType> type = static_type(tree.operand(node, i));
    if (type && !allowed(*type)) throw_operand_type(node, storage::type_name(*type));
  }
}

std::string bound_text(AttributeView value, Place place) {
  std::string text = "AttributeValue: {";
  text += storage::type_name(value.type());
  text += ':';
  if (value.type() == AttributeType::kNumber) {
    storage::append_decimal(value.scalar_bytes(), text);
  } else if (value.type() == AttributeType::kBinary && place == Place::kStatement) {
    const std::string_view bytes = value.scalar_bytes();
    text += '[' + absl::Base64Escape({bytes.data(), bytes.size()}) + ']';
  } else if (value.type() == AttributeType::kBinary) {
    const std::string size = std::to_string(value.scalar_bytes().size());
    text += "java.nio.HeapByteBuffer[pos=0 lim=" + size + " cap=" + size + "]";
  } else {
    text += value.scalar_bytes();
  }
  text += '}';
  return text;
}

void check_bounds(const SyntaxTree& tree, const Node& between, Place place) {
  const Node& low = tree.operand(between, 1);
  const Node& high = tree.operand(between, 2);
  if (low.kind != NodeKind::kValue || high.kind != NodeKind::kValue) return;
  storage::Effort unlimited;
  if (low.value().type() != high.value().type()) {
    throw ExpressionError(messages::bounds_types_differ(bound_text(low.value(), place),
                                                        bound_text(high.value(), place)));
  }
  if (compare(low.value(), high.value(), unlimited) == std::strong_ordering::greater) {
    throw ExpressionError(
        messages::bounds_reversed(bound_text(low.value(), place), bound_text(high.value(), place)));
  }
}

void check_type_name(const SyntaxTree& tree, const Node& node, Place place) {
  const TypeLists& types = place == Place::kStatement ? kStatementTypes : kExpressionTypes;
  const Node& name = tree.operand(node, 1);
  const std::optional<AttributeType> type = static_type(name);
  if (!type) throw_operand_type(node, types.operands);
  if (*type != AttributeType::kString) throw_operand_type(node, storage::type_name(*type));
  const std::string_view text = name.value().scalar_bytes();
  if (!is_type_name(text)) throw ExpressionError(messages::unknown_type(text, types.names));
}

void check_operands(const SyntaxTree& tree, const Node& node, Place place) {
  switch (node.kind) {
    case NodeKind::kAttributeExists:
    case NodeKind::kAttributeNotExists:
      if (tree.operand(node, 0).kind != NodeKind::kPath) throw_path_required(node);
      return;
    case NodeKind::kAttributeType:
      check_type_name(tree, node, place);
      return;
    case NodeKind::kBeginsWith:
      check_operand_types(tree, node, [](AttributeType type) {
        return type == AttributeType::kString || type == AttributeType::kBinary;
      });
      return;
    case NodeKind::kSize:
      check_operand_types(tree, node, [](AttributeType type) {
        return type != AttributeType::kNumber && type != AttributeType::kBoolean &&
               type != AttributeType::kNull;
      });
      return;
    case NodeKind::kLess:
    case NodeKind::kLessOrEqual:
    case NodeKind::kGreater:
    case NodeKind::kGreaterOrEqual:
      check_operand_types(tree, node, is_ordered);
      return;
    case NodeKind::kBetween:
      check_operand_types(tree, node, is_ordered);
      check_bounds(tree, node, place);
      return;
    default:
      return;
  }
}

void check_in_operands(const Node& node) {
  if (node.kind != NodeKind::kIn || node.count <= kMaxInOperands + 1) return;
  throw ExpressionError(messages::too_many_in_operands(node.count - 1));
}

// Checks one comparison or function with its operands: the nodes from `begin` to `root`.
void check_part(const SyntaxTree& tree, NodeIndex begin, NodeIndex root) {
  for (NodeIndex i = begin; i <= root; ++i) check_operand_count(tree.node(i));
  const Node& condition = tree.node(root);
  check_in_operands(condition);
  check_distinct(tree, condition);
  for (NodeIndex i = begin; i <= root; ++i) check_operands(tree, tree.node(i), Place::kExpression);
}

// The operands of AND, OR and NOT. The grammar of expressions takes only conditions there.
void check_logical_operands(const SyntaxTree& tree, const Node& node) {
  check_operand_types(tree, node,
                      [](AttributeType type) { return type == AttributeType::kBoolean; });
}

// Checks a comparison, function or connective of a statement without its operands' operands.
void check_node(const SyntaxTree& tree, const Node& node) {
  if (is_logical(node.kind)) return check_logical_operands(tree, node);
  check_operand_count(node);
  check_distinct(tree, node);
  check_in_operands(node);
  check_operands(tree, node, Place::kStatement);
}

void bind_and_check(SyntaxTree& tree, NodeIndex begin, NodeIndex root, Placeholders& placeholders) {
  for (NodeIndex i = begin; i <= root; ++i) {
    const Node& node = tree.node(i);
    if (node.kind == NodeKind::kPath) bind_path(tree, node, placeholders);
    if (node.kind == NodeKind::kValue) bind_value(tree, i, placeholders);
  }
  check_part(tree, begin, root);
}

}  // namespace

void check_condition(const SyntaxTree& tree) {
  for (NodeIndex i = 0; i < tree.size(); ++i) {
    const NodeKind kind = tree.node(i).kind;
    if (kind != NodeKind::kPath && kind != NodeKind::kValue) check_node(tree, tree.node(i));
  }
}

void bind_condition(SyntaxTree& tree, Placeholders& placeholders) {
  NodeIndex begin = 0;
  for (NodeIndex i = 0; i < tree.size(); ++i) {
    const NodeKind kind = tree.node(i).kind;
    if (!is_condition(kind)) continue;
    if (!is_logical(kind)) bind_and_check(tree, begin, i, placeholders);
    begin = i + 1;
  }
}

}  // namespace magneto::expressions
