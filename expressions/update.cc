#include "expressions/update.h"

#include <algorithm>
#include <utility>

#include "expressions/messages.h"
#include "expressions/statement_charge.h"
#include "expressions/update_checks.h"
#include "expressions/update_evaluator.h"
#include "expressions/update_parser.h"

namespace magneto::expressions {

void throw_oversized_update() {
  throw ExpressionError(messages::kOversizedUpdate, ExpressionError::Scope::kRequest);
}

struct Update::State {
  std::shared_ptr<const ParsedUpdate> parsed;  // keeps the names in the text alive
  UpdateTree update;
  std::vector<PathView> targets;

  State(std::shared_ptr<const ParsedUpdate> parsed_update, UpdateTree tree)
      : parsed(std::move(parsed_update)), update(std::move(tree)) {}

  void collect_targets() {
    targets.reserve(update.actions.size());
    for (const UpdateAction& action : update.actions) {
      targets.push_back(std::as_const(update.tree).path(update.tree.node(action.target)));
    }
  }
};

Update::Update(std::unique_ptr<State> state) : state_(std::move(state)) {
  state_->collect_targets();
}
Update::Update(Update&&) noexcept = default;
Update& Update::operator=(Update&&) noexcept = default;
Update::~Update() = default;

Update Update::parse(std::string_view text, Placeholders& placeholders) {
  std::shared_ptr<const ParsedUpdate> parsed = parse_update(text);
  auto state = std::make_unique<State>(parsed, parsed->update);
  bind_update(state->update, placeholders);
  return Update(std::move(state));
}

Update Update::of(UpdateTree update) {
  return Update(std::make_unique<State>(nullptr, std::move(update)));
}

const std::vector<PathView>& Update::targets() const { return state_->targets; }

bool Update::only_removes() const {
  const auto& actions = state_->update.actions;
  return !actions.empty() && std::ranges::all_of(actions, [](const UpdateAction& action) {
    return action.kind == ActionKind::kRemove || action.kind == ActionKind::kDelete;
  });
}

storage::AttributeView Update::literal_value(std::size_t target) const {
  const UpdateAction& action = state_->update.actions[target];
  if (state_->targets[target].size() != 1) return {};
  if (action.kind != ActionKind::kSet && action.kind != ActionKind::kAdd) return {};
  const Node& operand = state_->update.tree.node(action.operand);
  return operand.kind == NodeKind::kValue ? operand.value() : storage::AttributeView();
}

std::size_t Update::statement_charge() const {
  return expressions::statement_charge(state_->update);
}

std::vector<std::string_view> Update::attributes() const {
  return state_->update.tree.attributes();
}

std::vector<std::string_view> Update::nested_attributes() const {
  return state_->update.tree.nested_attributes();
}

storage::Item Update::apply(storage::ItemView current, bool item_exists,
                            storage::Effort& effort) const {
  return apply_update(state_->update, current, item_exists, effort);
}

storage::Item Update::apply(storage::ItemView current, bool item_exists) const {
  storage::Effort unlimited;
  return apply(current, item_exists, unlimited);
}

}  // namespace magneto::expressions
