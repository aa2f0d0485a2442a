#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "storage/model/attribute_value.h"
#include "storage/model/narrow.h"

namespace magneto::expressions {

// DynamoDB's quota on operators and functions, counted together, in one expression ("Quotas in
// Amazon DynamoDB", expression parameters). It limits the depth of every tree.
inline constexpr std::size_t kMaxOperators = 300;

enum class NodeKind : std::uint8_t {
  // Operands.
  kPath,
  kValue,
  kSize,
  kIfNotExists,
  kListAppend,
  kPlus,
  kMinus,
  // Conditions on operands.
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kIn,
  kAttributeExists,
  kAttributeNotExists,
  kAttributeType,
  kBeginsWith,
  kContains,
  // Conditions on conditions; kAnd and kOr have two or more operands.
  kAnd,
  kOr,
  kNot,
};

// The operator as written in an expression: "<=", "BETWEEN", "begins_with". Paths and values have
// no text.
std::string_view operator_text(NodeKind kind);

inline bool is_logical(NodeKind kind) { return kind >= NodeKind::kAnd; }
inline bool is_condition(NodeKind kind) { return kind >= NodeKind::kEqual; }

// One step of a document path.
struct PathElement {
  enum class Kind : std::uint8_t { kName, kPlaceholder, kIndex };

  std::string_view name;  // kPlaceholder: with its '#'
  std::uint32_t index = 0;
  Kind kind = Kind::kName;

  bool is_index() const { return kind == Kind::kIndex; }

  static PathElement member(std::string_view name) { return {name, 0, Kind::kName}; }
  static PathElement placeholder(std::string_view name) { return {name, 0, Kind::kPlaceholder}; }
  static PathElement element(std::uint32_t index) { return {{}, index, Kind::kIndex}; }
  // All uses of a placeholder share one name, which may be long, so equal pointers are compared
  // first.
  friend bool operator==(const PathElement& a, const PathElement& b) {
    return a.kind == b.kind && a.index == b.index && a.name.size() == b.name.size() &&
           (a.name.data() == b.name.data() || a.name == b.name);
  }
};

using NodeIndex = std::uint32_t;

struct Node {
  NodeKind kind = NodeKind::kPath;
  std::uint32_t first = 0;  // into the path elements (kPath) or the operand list
  std::uint32_t count = 0;
  std::string_view text;  // kValue: the placeholder with its ':' or, once bound, the value's bytes

  storage::AttributeView value() const { return storage::AttributeView(text); }
};

// An expression as a flat tree in post-order: operands come before their node, and the root is
// last. Names and values are views; the builder of a tree must keep them alive. Front ends without
// placeholders build bound trees directly from member() and add_value().
class SyntaxTree {
 public:
  NodeIndex add_path(std::span<const PathElement> path);
  NodeIndex add_value(storage::AttributeView value);
  NodeIndex add_placeholder(std::string_view placeholder);
  // `operands` in the order written.
  NodeIndex add(NodeKind kind, std::span<const NodeIndex> operands);

  std::size_t size() const { return nodes_.size(); }
  NodeIndex root() const { return storage::narrow<NodeIndex>(nodes_.size() - 1); }
  const Node& node(NodeIndex index) const { return nodes_[index]; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const NodeIndex> operands(const Node& node) const {
    return std::span(operands_).subspan(node.first, node.count);
  }
  std::span<const PathElement> path(const Node& node) const {
    return std::span(elements_).subspan(node.first, node.count);
  }
  const Node& operand(const Node& node, std::size_t number) const {
    return nodes_[operands_[node.first + number]];
  }

  // The number of elements of all paths. Node::first of a path is the index of its first element.
  std::size_t element_count() const { return elements_.size(); }

  // Mutable, to reorder operands.
  std::span<NodeIndex> operands(const Node& node) {
    return std::span(operands_).subspan(node.first, node.count);
  }
  // Mutable, to replace placeholders in place.
  std::span<PathElement> path(const Node& node) {
    return std::span(elements_).subspan(node.first, node.count);
  }
  void bind_value(NodeIndex index, storage::AttributeView value) {
    nodes_[index].text = value.bytes();
  }

  // First names of the paths, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;
  // The same for paths of more than one step.
  std::vector<std::string_view> nested_attributes() const;

 private:
  std::vector<std::string_view> collect_attributes(std::size_t least_steps) const;

  absl::InlinedVector<Node, 8> nodes_;
  absl::InlinedVector<NodeIndex, 8> operands_;
  absl::InlinedVector<PathElement, 6> elements_;
};

enum class ActionKind : std::uint8_t { kSet, kRemove, kAdd, kDelete };

// "SET", "REMOVE", "ADD" or "DELETE".
std::string_view action_text(ActionKind kind);

inline constexpr NodeIndex kNoNode = ~NodeIndex{0};

struct UpdateAction {
  ActionKind kind;
  NodeIndex target;             // a path
  NodeIndex operand = kNoNode;  // none for REMOVE; a value for ADD and DELETE
};

struct UpdateTree {
  SyntaxTree tree;
  std::vector<UpdateAction> actions;  // in order of appearance
};

}  // namespace magneto::expressions
