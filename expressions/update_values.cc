#include "expressions/update_values.h"

#include <utility>

namespace magneto::expressions {

using storage::AttributeView;

AttributeView UpdateValues::at(const Node& path) {
  return look_up(update_.tree.path(path), std::size_t{2} * path.first);
}

AttributeView UpdateValues::parent(const Node& path) {
  const PathView whole = update_.tree.path(path);
  return look_up(whole.first(whole.size() - 1), std::size_t{2} * path.first + 1);
}

AttributeView UpdateValues::look_up(PathView path, std::size_t slot) {
  if (!values_.empty()) return values_[slot];
  const bool is_few = update_.tree.size() <= PathTable::kFew;
  if (is_few || looked_up_ <= PathTable::kFewSteps) {
    const std::uint64_t before = effort_.spent();
    const AttributeView value = find(item_, path, effort_);
    looked_up_ += effort_.spent() - before;
    return value;
  }
  look_up_all();
  return values_[slot];
}

void UpdateValues::look_up_all() {
  const SyntaxTree& tree = update_.tree;
  std::vector<PathTable::Entry> entries;
  for (const Node& node : tree.nodes()) {
    if (node.kind == NodeKind::kPath) entries.push_back({tree.path(node), 2 * node.first});
  }
  for (const UpdateAction& action : update_.actions) {
    const Node& node = tree.node(action.target);
    const PathView path = tree.path(node);
    if (path.size() > 1) entries.push_back({path.first(path.size() - 1), 2 * node.first + 1});
  }
  constexpr std::uint64_t kStepsToSort = 16;  // per entry, for the largest possible request
  effort_.spend(kStepsToSort * entries.size());
  values_ =
      PathTable(std::move(entries), 2 * tree.element_count()).find_all(item_, effort_).by_slot;
}

}  // namespace magneto::expressions
