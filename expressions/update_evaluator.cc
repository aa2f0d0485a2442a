#include "expressions/update_evaluator.h"

#include <algorithm>
#include <forward_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "expressions/condition_evaluator.h"
#include "expressions/expression_error.h"
#include "expressions/item_edit.h"
#include "storage/model/number.h"
#include "storage/model/value_writer.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::ItemView;
using storage::Number;
using storage::NumberError;
using storage::SetView;
using storage::ValueWriter;

namespace {

[[noreturn]] void throw_refusal(const char* message) {
  throw ExpressionError(message, ExpressionError::Scope::kRequest);
}

[[noreturn]] void throw_wrong_type() {
  throw_refusal("An operand in the update expression has an incorrect data type");
}

[[noreturn]] void throw_invalid_path() {
  throw_refusal("The document path provided in the update expression is invalid for update");
}

[[noreturn]] void throw_missing_attribute() {
  throw_refusal("The provided expression refers to an attribute that does not exist in the item");
}

[[noreturn]] void throw_number_error(NumberError error) {
  switch (error) {
    case NumberError::kUnderflow:
      throw_refusal(
          "Number underflow. Attempting to store a number with magnitude smaller than supported "
          "range");
    case NumberError::kTooManyDigits:
      throw_refusal("Attempting to store more than 38 significant digits in a Number");
    default:
      throw_refusal(
          "Number overflow. Attempting to store a number with magnitude larger than supported "
          "range");
  }
}

std::vector<std::string_view> members_of(SetView set) {
  std::vector<std::string_view> members;
  members.reserve(set.size());
  for (const std::string_view member : set) members.push_back(member);
  return members;
}

class UpdateEvaluator {
 public:
  UpdateEvaluator(const UpdateTree& update, ItemView current, bool item_exists)
      : update_(update), tree_(update.tree), current_(current), item_exists_(item_exists) {}

  storage::Item run() {
    for (const UpdateAction& action : update_.actions) check_parent(action);
    for (const UpdateAction& action : update_.actions) add_edit(action);
    if (path_missing_) throw_invalid_path();
    if (attribute_missing_) throw_missing_attribute();
    return apply_edits(current_, edits_);
  }

 private:
  PathView target(const UpdateAction& action) const {
    return tree_.path(tree_.node(action.target));
  }

  bool is_ignored(const UpdateAction& action) const {
    return !item_exists_ && action.kind == ActionKind::kRemove;
  }

  // What the last step is taken from must be there, a list for an index and a map for a name.
  void check_parent(const UpdateAction& action) {
    const PathView path = target(action);
    if (path.size() == 1 || is_ignored(action)) return;
    const AttributeView parent = find(current_, path.first(path.size() - 1));
    if (!parent) {
      path_missing_ = true;
    } else if (parent.type() !=
               (path.back().is_index() ? AttributeType::kList : AttributeType::kMap)) {
      throw_invalid_path();
    }
  }

  void add_edit(const UpdateAction& action) {
    const PathView path = target(action);
    switch (action.kind) {
      case ActionKind::kSet: {
        const AttributeView value = evaluate(tree_.node(action.operand));
        if (value) edits_.push_back({path, value});
        return;
      }
      case ActionKind::kRemove:
        if (!is_ignored(action)) edits_.push_back({path, {}});
        return;
      case ActionKind::kAdd:
        edits_.push_back({path, sum(find(current_, path), operand_value(action))});
        return;
      case ActionKind::kDelete:
        if (const AttributeView old = find(current_, path)) {
          edits_.push_back({path, difference(old, operand_value(action))});
        }
        return;
    }
  }

  AttributeView operand_value(const UpdateAction& action) const {
    return tree_.node(action.operand).value();
  }

  // Absent, and noted, when it needs an attribute the item lacks.
  AttributeView evaluate(const Node& node) {
    switch (node.kind) {
      case NodeKind::kValue:
        return node.value();
      case NodeKind::kPath: {
        const AttributeView value = find(current_, tree_.path(node));
        if (!value) attribute_missing_ = true;
        return value;
      }
      case NodeKind::kIfNotExists: {
        const AttributeView value = find(current_, tree_.path(tree_.operand(node, 0)));
        return value ? value : evaluate(tree_.operand(node, 1));
      }
      case NodeKind::kListAppend:
        return evaluate_two(node, AttributeType::kList);
      default:
        return evaluate_two(node, AttributeType::kNumber);
    }
  }

  AttributeView evaluate_two(const Node& node, AttributeType type) {
    const AttributeView a = evaluate(tree_.operand(node, 0));
    if (a && a.type() != type) throw_wrong_type();
    const AttributeView b = evaluate(tree_.operand(node, 1));
    if (b && b.type() != type) throw_wrong_type();
    if (!a || !b) return {};
    if (type == AttributeType::kList) return concatenation(a, b);
    return calculated(node.kind, a, b);
  }

  AttributeView calculated(NodeKind kind, AttributeView a, AttributeView b) {
    NumberError error{};
    const auto result = kind == NodeKind::kMinus ? Number::subtract(a.number(), b.number(), error)
                                                 : Number::add(a.number(), b.number(), error);
    if (!result) throw_number_error(error);
    return computed([&](ValueWriter& writer) { writer.number(*result); });
  }

  AttributeView concatenation(AttributeView a, AttributeView b) {
    return computed([&](ValueWriter& writer) {
      writer.begin_list();
      for (const AttributeView element : a.list()) writer.value(element);
      for (const AttributeView element : b.list()) writer.value(element);
      writer.end_list();
    });
  }

  AttributeView sum(AttributeView old, AttributeView value) {
    if (!old) return value;
    if (old.type() != value.type()) throw_wrong_type();
    if (old.type() == AttributeType::kNumber) return calculated(NodeKind::kPlus, old, value);
    std::vector<std::string_view> members = members_of(old.set());
    for (const std::string_view member : value.set()) members.push_back(member);
    return computed([&](ValueWriter& writer) { writer.set(old.type(), std::move(members)); });
  }

  // Absent when no member is left: a set is never empty.
  AttributeView difference(AttributeView old, AttributeView value) {
    if (old.type() != value.type()) throw_wrong_type();
    const std::vector<std::string_view> before = members_of(old.set());
    const std::vector<std::string_view> taken = members_of(value.set());
    std::vector<std::string_view> left;
    std::set_difference(before.begin(), before.end(), taken.begin(), taken.end(),
                        std::back_inserter(left));
    if (left.empty()) return {};
    return computed([&](ValueWriter& writer) { writer.set(old.type(), std::move(left)); });
  }

  template <typename Write>
  AttributeView computed(Write write) {
    std::string& bytes = computed_.emplace_front();
    ValueWriter writer(bytes);
    write(writer);
    return AttributeView(bytes);
  }

  const UpdateTree& update_;
  const SyntaxTree& tree_;
  ItemView current_;
  bool item_exists_;
  bool path_missing_ = false;
  bool attribute_missing_ = false;
  absl::InlinedVector<Edit, 4> edits_;
  std::forward_list<std::string> computed_;
};

}  // namespace

storage::Item apply_update(const UpdateTree& update, ItemView current, bool item_exists) {
  return UpdateEvaluator(update, current, item_exists).run();
}

}  // namespace magneto::expressions
