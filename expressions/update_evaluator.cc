#include "expressions/update_evaluator.h"

#include <algorithm>
#include <forward_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "expressions/edited_size.h"
#include "expressions/expression_error.h"
#include "expressions/item_edit.h"
#include "expressions/messages.h"
#include "expressions/update.h"
#include "expressions/update_values.h"
#include "storage/model/number.h"
#include "storage/model/value_writer.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::Effort;
using storage::ItemView;
using storage::Number;
using storage::NumberError;
using storage::SetView;
using storage::ValueWriter;

namespace {

[[noreturn]] void throw_update_refusal(std::string_view message) {
  throw ExpressionError(message, ExpressionError::Scope::kRequest);
}

[[noreturn]] void throw_wrong_type() { throw_update_refusal(messages::kWrongOperandType); }

[[noreturn]] void throw_invalid_path() { throw_update_refusal(messages::kInvalidUpdatePath); }

[[noreturn]] void throw_missing_attribute() { throw_update_refusal(messages::kMissingAttribute); }

[[noreturn]] void throw_number_error(NumberError error) {
  switch (error) {
    case NumberError::kUnderflow:
      throw_update_refusal(messages::kNumberUnderflow);
    case NumberError::kTooManyDigits:
      throw_update_refusal(messages::kTooManyDigits);
    default:
      throw_update_refusal(messages::kNumberOverflow);
  }
}

// Bytes that are copied in one step.
constexpr std::size_t kCopiedInAStep = 64;

using Lists = absl::InlinedVector<AttributeView, 4>;

class UpdateEvaluator {
 public:
  UpdateEvaluator(const UpdateTree& update, ItemView current, bool item_exists, Effort& effort)
      : update_(update),
        tree_(update.tree),
        current_(current),
        item_exists_(item_exists),
        effort_(effort),
        values_(update, current, effort),
        size_(effort) {}

  storage::Item run() {
    for (const UpdateAction& action : update_.actions) check_parent(action);
    for (const UpdateAction& action : update_.actions) add_edit(action);
    if (path_missing_) throw_invalid_path();
    if (attribute_missing_) throw_missing_attribute();
    if (size_.is_exceeded()) throw_oversized_update();
    effort_.spend(current_.bytes().size() / kCopiedInAStep + current_.size() + edits_.size());
    return apply_edits(current_, edits_);
  }

 private:
  PathView target(const UpdateAction& action) const {
    return tree_.path(tree_.node(action.target));
  }

  bool is_ignored(const UpdateAction& action) const {
    return !item_exists_ && action.kind == ActionKind::kRemove;
  }

  // The value that contains the last step must exist: a list for an index, a map for a name.
  void check_parent(const UpdateAction& action) {
    const PathView path = target(action);
    if (path.size() == 1 || is_ignored(action)) return;
    const AttributeView parent = values_.parent(tree_.node(action.target));
    if (!parent) {
      path_missing_ = true;
    } else if (parent.type() !=
               (path.back().is_index() ? AttributeType::kList : AttributeType::kMap)) {
      throw_invalid_path();
    }
  }

  void add_edit(const UpdateAction& action) {
    const Node& path = tree_.node(action.target);
    switch (action.kind) {
      case ActionKind::kSet: {
        const AttributeView value = evaluate(tree_.node(action.operand));
        if (value) put(action, value);
        return;
      }
      case ActionKind::kRemove:
        if (!is_ignored(action)) edits_.push_back({target(action), {}});
        return;
      case ActionKind::kAdd:
        put(action, sum(values_.at(path), operand_value(action)));
        return;
      case ActionKind::kDelete:
        if (const AttributeView old = values_.at(path)) {
          put(action, difference(old, operand_value(action)));
        }
        return;
    }
  }

  // Targets do not overlap, so the item will contain all values that are put.
  void put(const UpdateAction& action, AttributeView value) {
    edits_.push_back({target(action), value});
    size_.add(value);
  }

  AttributeView operand_value(const UpdateAction& action) const {
    return tree_.node(action.operand).value();
  }

  // Returns an absent value, and records the fact, if it needs an attribute that the item lacks.
  AttributeView evaluate(const Node& node) {
    switch (node.kind) {
      case NodeKind::kValue:
        return node.value();
      case NodeKind::kPath: {
        const AttributeView value = values_.at(node);
        if (!value) attribute_missing_ = true;
        return value;
      }
      case NodeKind::kIfNotExists: {
        const AttributeView value = values_.at(tree_.operand(node, 0));
        return value ? value : evaluate(tree_.operand(node, 1));
      }
      case NodeKind::kListAppend:
        return concatenation(node);
      default:
        return calculation(node);
    }
  }

  // Checks operands from left to right: the first missing or wrong operand decides.
  AttributeView calculation(const Node& node) {
    const AttributeView a = evaluate(tree_.operand(node, 0));
    if (!a) return {};
    if (a.type() != AttributeType::kNumber) throw_wrong_type();
    const AttributeView b = evaluate(tree_.operand(node, 1));
    if (!b) return {};
    if (b.type() != AttributeType::kNumber) throw_wrong_type();
    return calculated(node.kind, a, b);
  }

  AttributeView calculated(NodeKind kind, AttributeView a, AttributeView b) {
    NumberError error{};
    const auto result = kind == NodeKind::kMinus ? Number::subtract(a.number(), b.number(), error)
                                                 : Number::add(a.number(), b.number(), error);
    if (!result) throw_number_error(error);
    return computed([&](ValueWriter& writer) { writer.number(*result); });
  }

  // Concatenates all lists of nested list_append calls at once, without intermediate values.
  AttributeView concatenation(const Node& node) {
    Lists lists;
    if (!collect_lists(node, lists)) return {};
    // A value that exceeds the limit is not built; any list can represent it until the end.
    if (!size_.has_room_for(lists)) return lists.front();
    return computed([&](ValueWriter& writer) {
      writer.begin_list();
      for (const AttributeView list : lists) {
        effort_.spend(1 + list.bytes().size() / kCopiedInAStep);
        writer.elements(list);
      }
      writer.end_list();
    });
  }

  // False if a list is absent, which is recorded; the lists after it are not examined.
  bool collect_lists(const Node& node, Lists& lists) {
    if (node.kind == NodeKind::kListAppend) {
      return collect_lists(tree_.operand(node, 0), lists) &&
             collect_lists(tree_.operand(node, 1), lists);
    }
    if (node.kind == NodeKind::kIfNotExists && !values_.at(tree_.operand(node, 0))) {
      return collect_lists(tree_.operand(node, 1), lists);
    }
    const AttributeView value = evaluate(node);
    if (!value) return false;
    if (value.type() != AttributeType::kList) throw_wrong_type();
    lists.push_back(value);
    return true;
  }

  AttributeView sum(AttributeView old, AttributeView value) {
    if (!old) return value;
    if (old.type() != value.type()) throw_wrong_type();
    if (old.type() == AttributeType::kNumber) return calculated(NodeKind::kPlus, old, value);
    const std::vector<std::string_view> before = members_of(old);
    const std::vector<std::string_view> added = members_of(value);
    std::vector<std::string_view> members;
    members.reserve(before.size() + added.size());
    std::set_union(before.begin(), before.end(), added.begin(), added.end(),
                   std::back_inserter(members));
    return computed([&](ValueWriter& writer) { writer.set(old.type(), std::move(members)); });
  }

  // Absent if no member is left: a set is never empty.
  AttributeView difference(AttributeView old, AttributeView value) {
    if (old.type() != value.type()) throw_wrong_type();
    const std::vector<std::string_view> before = members_of(old);
    const std::vector<std::string_view> taken = members_of(value);
    std::vector<std::string_view> left;
    std::set_difference(before.begin(), before.end(), taken.begin(), taken.end(),
                        std::back_inserter(left));
    if (left.empty()) return {};
    return computed([&](ValueWriter& writer) { writer.set(old.type(), std::move(left)); });
  }

  std::vector<std::string_view> members_of(AttributeView value) {
    constexpr std::size_t kStepsOfAMember = 4;  // reading, comparing, and writing it
    const SetView set = value.set();
    effort_.spend(kStepsOfAMember * set.size() + value.bytes().size() / kCopiedInAStep);
    std::vector<std::string_view> members;
    members.reserve(set.size());
    for (const std::string_view member : set) members.push_back(member);
    return members;
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
  Effort& effort_;
  UpdateValues values_;
  EditedSize size_;
  bool path_missing_ = false;
  bool attribute_missing_ = false;
  absl::InlinedVector<Edit, 4> edits_;
  std::forward_list<std::string> computed_;
};

}  // namespace

storage::Item apply_update(const UpdateTree& update, ItemView current, bool item_exists,
                           Effort& effort) {
  return UpdateEvaluator(update, current, item_exists, effort).run();
}

}  // namespace magneto::expressions
