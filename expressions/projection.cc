#include "expressions/projection.h"

#include <algorithm>
#include <utility>

#include "expressions/binder.h"
#include "expressions/path_set.h"
#include "expressions/projection_parser.h"
#include "expressions/projector.h"

namespace magneto::expressions {

struct Projection::State {
  std::shared_ptr<const ParsedProjection> parsed;  // keeps the names in the text alive
  std::vector<storage::DocumentPath> copied;       // keeps the names of given paths alive
  SyntaxTree tree;
  std::vector<PathView> sorted;

  std::vector<PathView> paths() const {
    std::vector<PathView> result;
    result.reserve(tree.size());
    for (const Node& node : tree.nodes()) result.push_back(tree.path(node));
    return result;
  }
};

Projection::Projection(std::unique_ptr<State> state) : state_(std::move(state)) {
  std::sort(state_->sorted.begin(), state_->sorted.end(), path_less);
}
Projection::Projection(Projection&&) noexcept = default;
Projection& Projection::operator=(Projection&&) noexcept = default;
Projection::~Projection() = default;

Projection Projection::parse(std::string_view text, Placeholders& placeholders) {
  auto state = std::make_unique<State>();
  state->parsed = parse_projection(text);
  state->tree = state->parsed->tree;
  for (const Node& path : state->tree.nodes()) bind_path(state->tree, path, placeholders);
  state->sorted = state->paths();
  check_paths(state->sorted);
  return Projection(std::move(state));
}

Projection Projection::of(std::span<const storage::DocumentPath> paths) {
  auto state = std::make_unique<State>();
  state->copied.assign(paths.begin(), paths.end());
  for (const storage::DocumentPath& path : state->copied) {
    std::vector<PathElement> elements;
    elements.reserve(path.steps.size());
    for (const storage::PathStep& step : path.steps) {
      elements.push_back(step.is_index ? PathElement::element(step.index)
                                       : PathElement::member(step.name));
    }
    state->tree.add_path(elements);
  }
  state->sorted = state->paths();
  return Projection(std::move(state));
}

storage::Item Projection::apply(storage::ItemView item) const {
  return project(item, state_->sorted);
}

std::vector<std::string_view> Projection::attributes() const { return state_->tree.attributes(); }

std::vector<std::string_view> Projection::nested_attributes() const {
  return state_->tree.nested_attributes();
}

}  // namespace magneto::expressions
