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

Projection Projection::of(std::span<const PathView> paths) {
  auto state = std::make_unique<State>();
  for (const PathView path : paths) state->tree.add_path(path);
  state->sorted = state->paths();
  return Projection(std::move(state));
}

storage::Item Projection::apply(storage::ItemView item, storage::Effort& effort) const {
  return project(item, state_->sorted, effort);
}

storage::Item Projection::apply(storage::ItemView item) const {
  storage::Effort unlimited;
  return apply(item, unlimited);
}

std::vector<std::string_view> Projection::attributes() const { return state_->tree.attributes(); }

std::vector<std::string_view> Projection::nested_attributes() const {
  return state_->tree.nested_attributes();
}

}  // namespace magneto::expressions
