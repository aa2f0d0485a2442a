#include "expressions/binder.h"

#include <string>

#include "expressions/expression_error.h"
#include "expressions/messages.h"

namespace magneto::expressions {

void bind_path(SyntaxTree& tree, const Node& path, Placeholders& placeholders) {
  for (PathElement& element : tree.path(path)) {
    if (element.kind != PathElement::Kind::kPlaceholder) continue;
    const std::string_view* name = placeholders.use_name(element.name);
    if (name == nullptr) {
      throw ExpressionError(messages::undefined_name(element.name));
    }
    element = PathElement::member(*name);
  }
  check_path_steps(path.count);
}

void check_path_steps(std::size_t steps) {
  if (steps <= kMaxPathSteps) return;
  throw ExpressionError(messages::long_path(steps));
}

void bind_value(SyntaxTree& tree, NodeIndex value, Placeholders& placeholders) {
  const std::string_view placeholder = tree.node(value).text;
  const storage::AttributeView bound = placeholders.use_value(placeholder);
  if (!bound) {
    throw ExpressionError(messages::undefined_value(placeholder));
  }
  tree.bind_value(value, bound);
}

}  // namespace magneto::expressions
