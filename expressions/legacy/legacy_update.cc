#include "expressions/legacy/legacy_update.h"

#include <array>
#include <string>
#include <utility>

#include "expressions/syntax_tree.h"
#include "storage/model/value_writer.h"

namespace magneto::expressions {

namespace {

storage::AttributeView empty_list() {
  static const std::string bytes = [] {
    std::string out;
    storage::ValueWriter writer(out);
    writer.begin_list();
    writer.end_list();
    return out;
  }();
  return storage::AttributeView(bytes);
}

NodeIndex add_attribute(SyntaxTree& tree, std::string_view attribute) {
  const PathElement element = PathElement::member(attribute);
  return tree.add_path({&element, 1});
}

// Adds list_append(if_not_exists(attribute, []), value).
NodeIndex add_appended(SyntaxTree& tree, const LegacyAttributeUpdate& update) {
  const std::array<NodeIndex, 2> current{add_attribute(tree, update.attribute),
                                         tree.add_value(empty_list())};
  const NodeIndex list = tree.add(NodeKind::kIfNotExists, current);
  const std::array<NodeIndex, 2> lists{list, tree.add_value(update.value)};
  return tree.add(NodeKind::kListAppend, lists);
}

UpdateAction add_action(SyntaxTree& tree, const LegacyAttributeUpdate& update) {
  const NodeIndex target = add_attribute(tree, update.attribute);
  switch (update.action) {
    case LegacyAction::kPut:
      return {ActionKind::kSet, target, tree.add_value(update.value)};
    case LegacyAction::kAdd:
      if (update.value.type() == storage::AttributeType::kList) {
        return {ActionKind::kSet, target, add_appended(tree, update)};
      }
      return {ActionKind::kAdd, target, tree.add_value(update.value)};
    case LegacyAction::kDelete:
      break;
  }
  if (!update.value) return {ActionKind::kRemove, target, kNoNode};
  return {ActionKind::kDelete, target, tree.add_value(update.value)};
}

}  // namespace

Update legacy_update(std::span<const LegacyAttributeUpdate> updates) {
  UpdateTree update;
  for (const LegacyAttributeUpdate& change : updates) {
    update.actions.push_back(add_action(update.tree, change));
  }
  return Update::of(std::move(update));
}

}  // namespace magneto::expressions
