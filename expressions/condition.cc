#include "expressions/condition.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "expressions/condition_checks.h"
#include "expressions/condition_evaluator.h"
#include "expressions/condition_parser.h"

namespace magneto::expressions {

struct Condition::State {
  std::shared_ptr<const ParsedCondition> parsed;  // keeps the names in the text alive
  SyntaxTree tree;
  std::optional<PathTable> paths;  // nullopt if there are few paths

  void prepare() {
    arrange_memberships(tree);
    const std::span<const Node> nodes = std::as_const(tree).nodes();
    const auto is_path = [](const Node& node) { return node.kind == NodeKind::kPath; };
    const auto count = static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), is_path));
    if (count <= PathTable::kFew) return;
    std::vector<PathTable::Entry> entries;
    entries.reserve(count);
    for (const Node& node : nodes) {
      if (is_path(node)) entries.push_back({std::as_const(tree).path(node), node.first});
    }
    paths.emplace(std::move(entries), tree.element_count());
  }
};

Condition::Condition(std::unique_ptr<State> state) : state_(std::move(state)) { state_->prepare(); }
Condition::Condition(Condition&&) noexcept = default;
Condition& Condition::operator=(Condition&&) noexcept = default;
Condition::~Condition() = default;

Condition Condition::parse(std::string_view text, Placeholders& placeholders) {
  std::shared_ptr<const ParsedCondition> parsed = parse_condition(text);
  auto state = std::make_unique<State>(State{parsed, parsed->tree, {}});
  bind_condition(state->tree, placeholders);
  return Condition(std::move(state));
}

Condition Condition::of(SyntaxTree tree) {
  return Condition(std::make_unique<State>(State{nullptr, std::move(tree), {}}));
}

bool Condition::matches(storage::ItemView item, storage::Effort& effort) const {
  const PathTable* paths = state_->paths ? &*state_->paths : nullptr;
  return ConditionEvaluator(state_->tree, paths, item, effort).holds();
}

bool Condition::matches(storage::ItemView item) const {
  storage::Effort unlimited;
  return matches(item, unlimited);
}

std::vector<std::string_view> Condition::attributes() const { return state_->tree.attributes(); }

std::vector<std::string_view> Condition::nested_attributes() const {
  return state_->tree.nested_attributes();
}

}  // namespace magneto::expressions
