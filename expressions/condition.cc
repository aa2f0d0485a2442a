#include "expressions/condition.h"

#include <utility>

#include "expressions/condition_checks.h"
#include "expressions/condition_evaluator.h"
#include "expressions/condition_parser.h"

namespace magneto::expressions {

struct Condition::State {
  std::shared_ptr<const ParsedCondition> parsed;  // keeps the names in the text alive
  SyntaxTree tree;
};

Condition::Condition(std::unique_ptr<State> state) : state_(std::move(state)) {}
Condition::Condition(Condition&&) noexcept = default;
Condition& Condition::operator=(Condition&&) noexcept = default;
Condition::~Condition() = default;

Condition Condition::parse(std::string_view text, Placeholders& placeholders) {
  std::shared_ptr<const ParsedCondition> parsed = parse_condition(text);
  auto state = std::make_unique<State>(State{parsed, parsed->tree});
  bind_condition(state->tree, placeholders);
  return Condition(std::move(state));
}

Condition Condition::of(SyntaxTree tree) {
  return Condition(std::make_unique<State>(State{nullptr, std::move(tree)}));
}

bool Condition::matches(storage::ItemView item) const {
  return holds(state_->tree, state_->tree.node(state_->tree.root()), item);
}

std::vector<std::string_view> Condition::attributes() const { return state_->tree.attributes(); }

std::vector<std::string_view> Condition::nested_attributes() const {
  return state_->tree.nested_attributes();
}

}  // namespace magneto::expressions
